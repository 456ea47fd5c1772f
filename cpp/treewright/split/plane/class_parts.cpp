#include "treewright/split/plane/class_parts.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "treewright/base/decimal.hpp"
#include "treewright/split/rows/blocks.hpp"

namespace treewright {

namespace {

const double* cell(const StandardRows& rows, std::size_t row) {
  const std::size_t size = rows.block_size;
  return rows.values.data() + row / size * rows.n_columns() * size + row % size;
}

// What classes are ordered by: numbers that differ by rounding only are equal.
std::tuple<double, std::vector<double>> place_of(const ClassPart& part) {
  std::vector<double> mean;
  for (const double number : part.mean) mean.push_back(std::round(std::ldexp(number, 30)));
  return {-without_rounding(part.weight, 30), mean};
}

}  // namespace

std::vector<ClassPart> class_parts(const StandardRows& rows, Labels labels) {
  const std::size_t k = rows.n_columns();
  std::vector<ClassPart> parts(labels.count);
  for (std::size_t i = 0; i < rows.n_rows(); ++i) {
    ClassPart& part = parts[static_cast<std::size_t>(labels.of_row[rows.ids[i]])];
    part.rows.push_back(i);
    part.weight += rows.weights[i];
  }
  std::erase_if(parts, [](const ClassPart& part) { return part.rows.empty(); });
  for (ClassPart& part : parts) {
    part.mean.assign(k, 0.0);
    for (const std::size_t row : part.rows) {
      const double share = rows.weights[row] / part.weight;
      for (std::size_t j = 0; j < k; ++j) {
        part.mean[j] += share * cell(rows, row)[j * rows.block_size];
      }
    }
  }
  std::ranges::stable_sort(parts, {}, place_of);
  return parts;
}

std::vector<double> covariance_of(const StandardRows& rows, const ClassPart& part) {
  const std::size_t k = rows.n_columns(), size = rows_in_block(k);
  std::vector<double> matrix(k * k, 0.0), values(size * k), roots(size);
  for (std::size_t begin = 0; begin < part.rows.size(); begin += size) {
    const std::size_t n = std::min(size, part.rows.size() - begin);
    const auto block = std::span(part.rows).subspan(begin, n);
    for (std::size_t i = 0; i < n; ++i) roots[i] = std::sqrt(rows.weights[block[i]] / part.weight);
    const Panel panel{values, size, n, k};
    for (std::size_t j = 0; j < k; ++j) {
      const auto column = panel.column(j);
      for (std::size_t i = 0; i < n; ++i) {
        column[i] = roots[i] * (cell(rows, block[i])[j * rows.block_size] - part.mean[j]);
      }
    }
    add_cross_products(panel, matrix);
  }
  mirror(matrix, k);
  return matrix;
}

}  // namespace treewright
