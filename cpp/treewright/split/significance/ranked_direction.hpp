// The direction a'x of the columns that rank first (dGMML-MDT; Li, Chen 2022, eq. 14).
//
//   printed     a_j = w_j; columns that rise and fall with a class cancel, and units decide
//   corrected   a_j = sign(m_high - m_low) w_j / s_j with s_j^2 = SSW_j / n; the high and the low
//               group of classes are those of the best column. For two classes that is linear
//               discriminant analysis with a diagonal covariance; for numbers a_j = S_xy / S_xx.
//
// Coefficients are divided by the largest. Columns that separate the classes without any spread
// enter alone, with the coefficient 1. Columns join a direction only while half of the node is
// known in all of them.
#pragma once

#include <optional>

#include "treewright/split/rows/known_columns.hpp"
#include "treewright/split/significance/column_ranks.hpp"
#include "treewright/split/significance/point_cuts.hpp"

namespace treewright {

struct DirectionRules {
  std::size_t n_features = 1;  // 0: all
  bool printed = false;
};

// None where fewer than two columns are left, or the direction cannot be cut.
std::optional<Candidate> cut_ranked_direction(const Node& node, const ColumnRanks& ranks,
                                              const KnownColumns& known,
                                              const DirectionRules& rules, PointCuts& cuts);

}  // namespace treewright
