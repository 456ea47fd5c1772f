// Ranks of columns: how far the classes lie apart on each (Li, Chen 2022, eq. 9 and 10).
//
// Two classes with n1 and n2 rows, means m1 and m2:
//
//   w = |m1 - m2| / sqrt(SSW),  SSW = sum over both classes of (x - m_c)^2
//
// which is the two-sample t test: |t| = w sqrt((n - 2) n1 n2 / n), F = t^2. For more classes
// w = sqrt(SSB / SSW) with SSB = sum_c n_c (m_c - m)^2. For numbers (ours) w = |r|, the correlation
// with the target, and F = r^2 / (1 - r^2) (n - 2).
//
// The largest SSB / SSW comes first, the earlier column on ties. Where a value is missing, or a
// categorical column takes part, columns are compared by p-value instead: w grows as rows
// are lost. A categorical column has that of chi-square, or for numbers of the F test of its
// levels. A column with gaps needs two classes of two known rows.
#pragma once

#include <cstdint>
#include <vector>

#include "treewright/split/significance/significance.hpp"

namespace treewright {

struct ColumnRank {
  std::int32_t column = 0;
  bool is_categorical = false;
  bool has_missing = false;
  double weight = 0.0;  // w; not a number for a categorical column; -infinite: never chosen
  double ratio = 0.0;   // SSB / SSW
  Significance test;    // its p-value only where columns are compared by it

  bool can_be_chosen() const;
};

// What the numeric columns of a node say, each by itself.
struct ColumnRanks {
  std::vector<ColumnRank> ranks;        // of each column of the node, in order
  std::vector<std::size_t> order;       // positions of those that can be chosen, the best first
  std::vector<std::int32_t> numeric;    // columns that what follows is about
  std::vector<ClassMoments> classes;    // [position in numeric * labels.count + label]
  std::vector<WithTarget> with_target;  // for numbers, [position in numeric]
};

// Categorical columns take part only if asked. `table` is that of the node, or one that holds the
// same values in an order in memory that is read faster.
ColumnRanks rank_columns(const Node& node, const Table& table, bool with_levels);

// w of the classes of a column.
double separation_of(std::span<const ClassMoments> classes, const Spread& spread);

// The logarithm of the p-value of a rank.
double log_p_of(const ColumnRank& rank);

}  // namespace treewright
