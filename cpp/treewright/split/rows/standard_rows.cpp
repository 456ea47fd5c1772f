#include "treewright/split/rows/standard_rows.hpp"

#include <algorithm>
#include <cmath>

#include "treewright/measure/measure.hpp"
#include "treewright/split/rows/blocks.hpp"

namespace treewright {

namespace {

constexpr double least_spread = 1e-12;  // of the size of the mean

std::vector<std::uint32_t> complete_rows(const Table& table, std::span<const std::int32_t> columns,
                                         std::span<const std::uint32_t> ids) {
  std::vector<std::uint32_t> complete;
  for (const std::uint32_t row : ids) {
    const auto is_missing = [&](std::int32_t column) { return std::isnan(table.at(row, column)); };
    if (std::ranges::none_of(columns, is_missing)) complete.push_back(row);
  }
  return complete;
}

// Copies the columns of the rows, block by block, and gives the weighted sum of each less its first
// value; not a number if one of the values is none.
std::vector<double> gather(const Table& table, std::span<const std::int32_t> columns,
                           StandardRows& rows) {
  const std::size_t k = columns.size(), size = rows.block_size;
  rows.values.resize(rows.n_blocks() * size * k);
  std::vector<double> sums(k, 0.0);
  for (std::size_t b = 0; b < rows.n_blocks(); ++b) {
    const auto ids = std::span(rows.ids).subspan(b * size, rows.rows_of_block(b));
    const double* w = rows.weights.data() + b * size;
    for (std::size_t j = 0; j < k; ++j) {
      const Column values = table.column(columns[j]);
      const double first = values[rows.ids[0]];
      double* to = rows.values.data() + (b * k + j) * size;
      double sum = 0.0;
      for (std::size_t i = 0; i < ids.size(); ++i) {
        to[i] = values[ids[i]];
        sum += w[i] * (to[i] - first);
      }
      sums[j] += sum;
    }
  }
  return sums;
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
  const auto take = [&](std::vector<std::uint32_t> taken) {
    rows.ids = std::move(taken);
    rows.weights.clear();
    for (const std::uint32_t row : rows.ids) rows.weights.push_back(weights[row]);
    rows.weight = sum_of(rows.weights);
    return rows.weight > 0 ? gather(table, columns, rows) : std::vector<double>(k, 0.0);
  };
  std::vector<double> sums = take({ids.begin(), ids.end()});
  if (std::ranges::any_of(sums, [](double sum) { return std::isnan(sum); })) {
    sums = take(complete_rows(table, columns, ids));
  }
  if (!(rows.weight > 0)) {
    rows.ids.clear();
    rows.weights.clear();
    return rows;
  }
  std::vector<double> mean(k), squares(k, 0.0);
  for (std::size_t j = 0; j < k; ++j) {
    mean[j] = table.at(rows.ids[0], columns[j]) + sums[j] / rows.weight;
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
      const double factor = 1.0 / rows.scale[j];
      for (std::size_t i = 0; i < rows.rows_of_block(b); ++i) z[i] *= factor;
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
