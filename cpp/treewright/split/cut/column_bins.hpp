// ColumnBins: a column at a node in few bins, and the simple tests that tell the bins apart.
//
// The bins of a numeric column lie between thresholds t_0 < t_1 < ..., and test i is `x <= t_i`:
// true in bins 0..i. If the node has no more different values than allowed, every middle between
// neighbours is a threshold; otherwise those nearest the quantiles of the rows, and the best cut of
// the column by itself. The bins of a categorical column are levels, and test i is `x is level i`:
// true in bin i. Of many levels the most frequent have bins; the rest share one without a test.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/split/method.hpp"

namespace treewright {

struct ColumnBins {
  std::int32_t column = 0;
  bool is_categorical = false;
  std::size_t n_known = 0;            // bins of rows with a value
  std::vector<std::uint32_t> bin_of;  // of each row of the node, in order; n_known: without a value
  std::vector<Test> tests;

  std::size_t n_bins() const { return n_known + 1; }  // with that of rows without a value
};

// At most `max_tests` tests at quantiles or on levels. No tests where the values do not differ.
ColumnBins bin_column(const Node& node, std::int32_t column, std::size_t max_tests);

// For each test the sum over the bins where it is true, of so many numbers a bin.
void sum_where_true(const ColumnBins& bins, std::span<const double> by_bin, std::size_t width,
                    std::vector<double>& by_test);

}  // namespace treewright
