// The complete rows of a node on some numeric columns, standardised and laid out in blocks: what
// methods that read the rows of a node many times work on.
//
//   z = (x - mean) / sd,   mean and sd by weight (divisor: the sum of weights)
//
// Columns without spread are left out. Within a block of rows a column is a run of neighbours.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "treewright/base/cross_products.hpp"
#include "treewright/data/table.hpp"

namespace treewright {

struct StandardRows {
  std::vector<std::int32_t> columns;  // that have spread
  std::vector<double> mean, scale;    // of these; scale is the standard deviation
  std::vector<std::uint32_t> ids;     // rows without a gap
  std::vector<double> weights;        // of these rows
  double weight = 0.0;                // their sum
  std::size_t block_size = 0;
  std::vector<double> values;  // of block b: column j from (b * columns + j) * block_size on

  std::size_t n_rows() const { return ids.size(); }
  std::size_t n_columns() const { return columns.size(); }
  std::size_t n_blocks() const { return (n_rows() + block_size - 1) / block_size; }
  std::size_t rows_of_block(std::size_t block) const {
    return std::min(block_size, n_rows() - block * block_size);
  }
  std::span<const double> column(std::size_t block, std::size_t j) const {
    return std::span(values).subspan((block * n_columns() + j) * block_size, rows_of_block(block));
  }
};

// `weights` are by row id; rows that lack a value in one of the columns are left out.
StandardRows standard_rows(const Table& table, std::span<const std::int32_t> columns,
                           std::span<const std::uint32_t> ids, std::span<const double> weights);

// Every nth row, the first one included; columns keep their mean and scale.
StandardRows every_nth(const StandardRows& rows, std::size_t step);

}  // namespace treewright
