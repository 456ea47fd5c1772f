// Rows of a node, a few hundred at a time: what is read stays in the cache whichever way the table
// lies, and a loop over one column of a block is a loop over neighbours.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "treewright/split/method.hpp"

namespace treewright {

inline constexpr std::size_t rows_in_block = 512;

// use(rows) for the node's rows, block by block.
template <class Use>
void for_each_block(const Node& node, Use use) {
  const auto ids = node.ids();
  for (std::size_t begin = 0; begin < ids.size(); begin += rows_in_block) {
    use(ids.subspan(begin, std::min(rows_in_block, ids.size() - begin)));
  }
}

// use(values, rows) likewise, with a copy of the columns, row by row; rows with a gap are left out.
template <class Use>
void for_each_complete_block(const Node& node, std::span<const std::int32_t> columns, Use use) {
  const Table& table = node.problem.table;
  const bool is_row_by_row = std::abs(table.column_stride) < std::abs(table.row_stride);
  const std::size_t k = columns.size();
  std::vector<double> values(rows_in_block * k), sums(rows_in_block);
  std::vector<std::uint32_t> complete;
  for_each_block(node, [&](std::span<const std::uint32_t> rows) {
    std::ranges::fill(sums, 0.0);
    const auto copy = [&](std::size_t i, std::size_t j) {
      values[i * k + j] = table.at(rows[i], columns[j]);
      sums[i] += values[i * k + j];
    };
    if (is_row_by_row) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t j = 0; j < k; ++j) copy(i, j);
      }
    } else {
      for (std::size_t j = 0; j < k; ++j) {
        for (std::size_t i = 0; i < rows.size(); ++i) copy(i, j);
      }
    }
    complete.clear();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (std::isnan(sums[i])) continue;
      if (complete.size() < i) {
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(i * k), k,
                    values.begin() + static_cast<std::ptrdiff_t>(complete.size() * k));
      }
      complete.push_back(rows[i]);
    }
    if (!complete.empty()) {
      use(std::span(values).first(complete.size() * k), std::span<const std::uint32_t>(complete));
    }
  });
}

}  // namespace treewright
