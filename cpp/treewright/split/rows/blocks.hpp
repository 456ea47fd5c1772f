// Rows of a node, a few hundred at a time: what is read stays in the cache whichever way the table
// lies, and a loop over one column of a block is a loop over neighbours.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "treewright/base/cross_products.hpp"
#include "treewright/split/method.hpp"

namespace treewright {

// So many rows that a block of these columns fits into the first cache; even.
inline std::size_t rows_in_block(std::size_t n_columns) {
  return std::clamp<std::size_t>(6144 / std::max<std::size_t>(n_columns, 1), 64, 256) / 2 * 2;
}

// use(rows) for the node's rows, at most `size` of them at a time.
template <class Use>
void for_each_block(const Node& node, std::size_t size, Use use) {
  const auto ids = node.ids();
  for (std::size_t begin = 0; begin < ids.size(); begin += size) {
    use(ids.subspan(begin, std::min(size, ids.size() - begin)));
  }
}

// use(panel, rows) likewise, with a copy of the columns; rows with a gap are left out.
template <class Use>
void for_each_complete_block(const Node& node, std::span<const std::int32_t> columns, Use use) {
  const std::size_t k = columns.size(), size = rows_in_block(k);
  std::vector<double> values(size * k), sums(size);
  std::vector<std::uint32_t> complete;
  for_each_block(node, size, [&](std::span<const std::uint32_t> rows) {
    Panel panel{values, size, rows.size(), k};
    std::ranges::fill(sums, 0.0);
    for (std::size_t j = 0; j < k; ++j) {
      const Column column = node.problem.table.column(columns[j]);
      const auto copy = panel.column(j);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        copy[i] = column[rows[i]];
        sums[i] += copy[i];
      }
    }
    complete.clear();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (std::isnan(sums[i])) continue;
      for (std::size_t j = 0; j < k && complete.size() < i; ++j) {
        panel.column(j)[complete.size()] = panel.column(j)[i];
      }
      complete.push_back(rows[i]);
    }
    panel.n_rows = complete.size();
    if (!complete.empty()) use(panel, std::span<const std::uint32_t>(complete));
  });
}

}  // namespace treewright
