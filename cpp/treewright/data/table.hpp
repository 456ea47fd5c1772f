// Table: the columns of a data set as doubles, seen through strides so that row-major and
// column-major input need no copy. A categorical column holds level codes 0..L-1. Missing is NaN.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "treewright/base/error.hpp"

namespace treewright {

// One column; indexing by row id.
struct Column {
  const double* base = nullptr;
  std::ptrdiff_t stride = 1;
  double operator[](std::size_t row) const {
    return base[static_cast<std::ptrdiff_t>(row) * stride];
  }
};

struct Table {
  const double* values = nullptr;
  std::size_t n_rows = 0;
  std::ptrdiff_t row_stride = 1;
  std::ptrdiff_t column_stride = 1;
  std::vector<std::int32_t> n_levels;  // a count for each column, 0 = numeric

  std::int32_t n_columns() const { return static_cast<std::int32_t>(n_levels.size()); }
  bool is_categorical(std::int32_t column) const { return levels(column) > 0; }
  std::int32_t levels(std::int32_t column) const {
    return n_levels[static_cast<std::size_t>(column)];
  }
  Column column(std::int32_t column) const {
    return {values + static_cast<std::ptrdiff_t>(column) * column_stride, row_stride};
  }
  double at(std::size_t row, std::int32_t column) const { return this->column(column)[row]; }
  // The values of a row are neighbours.
  bool is_row_major() const { return std::abs(column_stride) < std::abs(row_stride); }
};

// The same table with the values of a row beside each other, in `storage`.
Table by_rows(const Table& table, std::vector<double>& storage);

// Refuses a categorical value that is no level code, naming the first one by position. (That
// numbers are finite is the schema's affair; routing is safe either way.)
void check_levels(const Table& table);

}  // namespace treewright
