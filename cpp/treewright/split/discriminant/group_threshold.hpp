// Thresholds between two groups from their moments, without a search.
#pragma once

#include "treewright/split/rows/moments.hpp"

namespace treewright {

// Between two groups of one column, from their means and standard deviations (Leroux, Boussard, Des
// 2018, eqs. 7-10). The higher group's mean less its deviation is the upper edge, the lower one's
// mean and deviation the lower edge: the middle of the edges if the upper one is above, otherwise
// the edge, towards the other group, of the group with the smaller deviation. On ties, also
// but for rounding, group 1 is the narrower and the lower one.
double threshold_between(const Moments& group_0, const Moments& group_1);

// Where a numeric target falls into two parts with the least squared error, a leaf's rows in each.
// Not a number if that cannot be.
double target_cut(const Node& node);

}  // namespace treewright
