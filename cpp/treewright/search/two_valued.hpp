// Columns of numbers that have just two values, each as one test: whether the value is the lower.
#pragma once

#include <cstdint>
#include <vector>

#include "treewright/search/kernel/kernel.hpp"

namespace treewright::search {

// Numbers row by row or column by column; strides are in numbers.
struct NumbersView {
  const double* first;
  std::size_t n_rows, n_columns;
  std::int64_t row_stride, column_stride;

  const double* at(std::size_t row, std::size_t column) const {
    return first + static_cast<std::int64_t>(row) * row_stride +
           static_cast<std::int64_t>(column) * column_stride;
  }
};

struct TwoValued {
  std::vector<std::int32_t> columns;  // those with two values and no gap
  std::vector<double> low, high;      // of these columns
  std::vector<std::uint8_t> bits;     // [column][byte], as in Problem: rows with the lower value
  std::vector<std::int32_t> rest;     // columns with more values, or with gaps
};

TwoValued find_two_valued(const NumbersView& numbers, const Kernel& kernel);

}  // namespace treewright::search
