// Significance: how unlikely the differences between classes on a column are, if there were none.
//
//   F            analysis of variance: spread of the class means over the spread inside classes
//   Levene       the same on the distances of the values from the mean of their class (Levene
//                1960): tells classes that differ in spread
//   chi-square   Pearson's, on the table of levels and classes
//
// Weights enter the sums of squares and the table; degrees of freedom count rows, so that a common
// factor of all weights changes nothing. Rows without a value are left out. Columns are compared by
// the logarithm of the p-value, which tells apart what is 0 as a number (special.hpp).
//
// Choosing a column by these tests is fair to columns of few and of many values, which choosing by
// the best cut is not (Loh, Shih 1997).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "treewright/split/rows/moments.hpp"

namespace treewright {

struct Significance {
  double statistic = 0.0;
  double degrees = 0.0;      // of freedom; of the numerator for F
  double denominator = 0.0;  // 0 for chi-square
  double log_p = 0.0;        // natural logarithm; 0 where there is nothing to test
  bool is_testable() const { return degrees > 0; }
};

// Squared deviations of the means of classes from that of all, and of values from the mean of their
// class: 0 where they are no more than rounding. Classes whose values are equal to 1e-12 of the
// largest have no spread.
struct Spread {
  double between = 0.0;
  double within = 0.0;
  double n_rows = 0.0;
  double n_classes = 0.0;    // that have rows
  bool is_rounding = false;  // no class has spread, and means are equal to that degree too
  // Infinite where the classes differ and have no spread themselves, -infinite where there is none
  // at all.
  double ratio() const;
};

Spread spread_of(std::span<const ClassMoments> classes);

// The F ratio, without its p-value; nothing to test where rows or spread are lacking.
Significance f_ratio(const Spread& spread);

// The same with its p-value.
Significance analysis_of_variance(const Spread& spread);
Significance analysis_of_variance(std::span<const ClassMoments> classes);

// Levene's test, given the distances of the values of each class from their mean.
Significance levene_test(std::span<const ClassMoments> distances);

struct TestedColumn {
  std::int32_t column = 0;
  Significance test;
};

// The column whose classes differ most in spread, by Levene's test; none if none can be tested.
// `classes` are those of class_moments.
std::optional<TestedColumn> most_different_in_spread(const Node& node, const Table& table,
                                                     std::span<const std::int32_t> columns,
                                                     Labels labels,
                                                     std::span<const ClassMoments> classes);

// The levels of a categorical column against the classes: [level * n_classes + label].
struct Contingency {
  std::size_t n_levels = 0, n_classes = 0;
  std::vector<double> weights, counts;
};

Contingency contingency_of(const Node& node, std::int32_t column, Labels labels);

Significance chi_square_test(const Contingency& table);

// The columns of a node that classes may differ on, the most significant first; ties in order.
// With M columns, of which M1 numeric: the first is that of the smallest p-value by F or
// chi-square. Unless that is below alpha / M, a column whose p-value by Levene's test is the
// smallest and below alpha / (M + M1) goes before it (Loh, Shih 1997, algorithm 1).
std::vector<std::int32_t> columns_by_significance(const Node& node, Labels labels, double alpha);

}  // namespace treewright
