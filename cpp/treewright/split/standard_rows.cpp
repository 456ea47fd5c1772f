#include "treewright/split/standard_rows.hpp"

#include <algorithm>
#include <cmath>

#include "treewright/split/blocks.hpp"

namespace treewright {

namespace {

constexpr double least_spread = 1e-12;  // of the size of the mean

// Copies the complete rows, block by block, with the sums of their columns less the first row.
struct Gathered {
  std::vector<double> first, sums;
};

Gathered gather(const Table& table, std::span<const std::int32_t> columns,
                std::span<const std::uint32_t> ids, std::span<const double> weights,
                StandardRows& rows) {
  const std::size_t k = columns.size(), size = rows.block_size;
  Gathered found{{}, std::vector<double>(k, 0.0)};
  rows.ids.reserve(ids.size());
  rows.weights.reserve(ids.size());
  rows.values.resize((ids.size() + size - 1) / size * size * k);
  std::vector<double> row_values(k);
  for (const std::uint32_t row : ids) {
    double sum = 0.0;
    for (std::size_t j = 0; j < k; ++j) {
      row_values[j] = table.at(row, columns[j]);
      sum += row_values[j] * 0.0;  // not a number if one of them is none
    }
    if (std::isnan(sum)) continue;
    if (found.first.empty()) found.first = row_values;
    const std::size_t place = rows.ids.size();
    double* to = rows.values.data() + place / size * size * k + place % size;
    for (std::size_t j = 0; j < k; ++j) {
      to[j * size] = row_values[j];
      found.sums[j] += weights[row] * (row_values[j] - found.first[j]);
    }
    rows.ids.push_back(row);
    rows.weights.push_back(weights[row]);
    rows.weight += weights[row];
  }
  return found;
}

// Keeps some of the columns of all blocks, by position, ascending.
void keep_columns(StandardRows& rows, std::size_t n_columns, std::span<const std::size_t> kept) {
  if (kept.size() == n_columns) return;
  std::vector<double> values(rows.n_blocks() * rows.block_size * kept.size());
  double* to = values.data();
  for (std::size_t b = 0; b < rows.n_blocks(); ++b) {
    for (const std::size_t j : kept) {
      to = std::copy_n(rows.values.data() + (b * n_columns + j) * rows.block_size, rows.block_size,
                       to);
    }
  }
  rows.values = std::move(values);
}

}  // namespace

StandardRows standard_rows(const Table& table, std::span<const std::int32_t> columns,
                           std::span<const std::uint32_t> ids, std::span<const double> weights) {
  const std::size_t k = columns.size();
  StandardRows rows;
  rows.block_size = rows_in_block(k + 1);
  const Gathered gathered = gather(table, columns, ids, weights, rows);
  if (!(rows.weight > 0)) {
    rows.ids.clear();
    rows.weights.clear();
    return rows;
  }
  std::vector<double> mean(k), squares(k, 0.0);
  for (std::size_t j = 0; j < k; ++j) {
    mean[j] = gathered.first[j] + gathered.sums[j] / rows.weight;
  }
  for (std::size_t b = 0; b < rows.n_blocks(); ++b) {
    const std::size_t n = rows.rows_of_block(b);
    const double* w = rows.weights.data() + b * rows.block_size;
    for (std::size_t j = 0; j < k; ++j) {
      double* z = rows.values.data() + (b * k + j) * rows.block_size;
      double sum = 0.0;
      for (std::size_t i = 0; i < n; ++i) {
        z[i] -= mean[j];
        sum += w[i] * z[i] * z[i];
      }
      squares[j] += sum;
    }
  }
  std::vector<std::size_t> kept;
  for (std::size_t j = 0; j < k; ++j) {
    const double spread = std::sqrt(squares[j] / rows.weight);
    if (!(spread > least_spread * std::abs(mean[j])) || !std::isfinite(spread)) continue;
    kept.push_back(j);
    rows.columns.push_back(columns[j]);
    rows.mean.push_back(mean[j]);
    rows.scale.push_back(spread);
  }
  keep_columns(rows, k, kept);
  for (std::size_t b = 0; b < rows.n_blocks(); ++b) {
    for (std::size_t j = 0; j < kept.size(); ++j) {
      double* z = rows.values.data() + (b * kept.size() + j) * rows.block_size;
      for (std::size_t i = 0; i < rows.rows_of_block(b); ++i) z[i] /= rows.scale[j];
    }
  }
  return rows;
}

StandardRows every_nth(const StandardRows& rows, std::size_t step) {
  StandardRows some;
  some.columns = rows.columns;
  some.mean = rows.mean;
  some.scale = rows.scale;
  some.block_size = rows.block_size;
  const std::size_t k = rows.n_columns(), size = rows.block_size;
  const std::size_t n = (rows.n_rows() + step - 1) / step;
  some.values.resize((n + size - 1) / size * size * k);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t from = i * step;
    some.ids.push_back(rows.ids[from]);
    some.weights.push_back(rows.weights[from]);
    some.weight += rows.weights[from];
    for (std::size_t j = 0; j < k; ++j) {
      some.values[(i / size * k + j) * size + i % size] =
          rows.values[(from / size * k + j) * size + from % size];
    }
  }
  return some;
}

}  // namespace treewright
