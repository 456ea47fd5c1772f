// The weighted median of numbers, and how far they lie from it.
#pragma once

#include <utility>
#include <vector>

#include "treewright/data/rows.hpp"
#include "treewright/data/target.hpp"

namespace treewright {

// The middle of the two numbers where half the weight lies on each side, and the summed absolute
// deviation from it.
struct Median {
  double median = 0.0;
  double deviation = 0.0;
};
Median weighted_median(std::vector<std::pair<double, double>>& number_and_weight);

// That of the target's numbers at these rows, each with its share of its weight.
Median weighted_median(const Target& target, const Rows& rows, Range range);

}  // namespace treewright
