#include "treewright/split/standard_rows.hpp"

#include <algorithm>
#include <cmath>

#include "treewright/split/blocks.hpp"

namespace treewright {

namespace {

constexpr double least_spread = 1e-12;  // of the size of the mean

std::vector<std::uint32_t> complete_rows(const Table& table, std::span<const std::int32_t> columns,
                                         std::span<const std::uint32_t> ids) {
  std::vector<std::uint32_t> complete;
  complete.reserve(ids.size());
  for (const std::uint32_t row : ids) {
    double sum = 0.0;  // not a number if one of them is none
    for (const std::int32_t column : columns) sum += table.at(row, column) * 0.0;
    if (!std::isnan(sum)) complete.push_back(row);
  }
  return complete;
}

}  // namespace

StandardRows standard_rows(const Table& table, std::span<const std::int32_t> columns,
                           std::span<const std::uint32_t> ids, std::span<const double> weights) {
  StandardRows rows;
  rows.ids = complete_rows(table, columns, ids);
  const std::size_t n = rows.n_rows();
  rows.weights.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    rows.weights[i] = weights[rows.ids[i]];
    rows.weight += rows.weights[i];
  }
  if (!(rows.weight > 0)) return rows;
  for (const std::int32_t column : columns) {
    const Column values = table.column(column);
    const double first = values[rows.ids[0]];
    double sum = 0.0, squares = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += rows.weights[i] * (values[rows.ids[i]] - first);
    const double mean = first + sum / rows.weight;
    for (std::size_t i = 0; i < n; ++i) {
      const double away = values[rows.ids[i]] - mean;
      squares += rows.weights[i] * away * away;
    }
    const double spread = std::sqrt(squares / rows.weight);
    if (!(spread > least_spread * std::abs(mean)) || !std::isfinite(spread)) continue;
    rows.columns.push_back(column);
    rows.mean.push_back(mean);
    rows.scale.push_back(spread);
  }
  const std::size_t k = rows.n_columns();
  rows.block_size = rows_in_block(k + 1);
  rows.values.assign(rows.n_blocks() * rows.block_size * k, 0.0);
  for (std::size_t b = 0; b < rows.n_blocks(); ++b) {
    const auto block = std::span(rows.ids).subspan(b * rows.block_size, rows.rows_of_block(b));
    for (std::size_t j = 0; j < k; ++j) {
      const Column values = table.column(rows.columns[j]);
      double* to = rows.values.data() + (b * k + j) * rows.block_size;
      for (std::size_t i = 0; i < block.size(); ++i) {
        to[i] = (values[block[i]] - rows.mean[j]) / rows.scale[j];
      }
    }
  }
  return rows;
}

}  // namespace treewright
