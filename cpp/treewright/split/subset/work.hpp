// What is known of a node while its conditions are found; shared by the parts of the finder.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "treewright/split/subset/finder.hpp"

namespace treewright {

struct SubsetFinder::Work {
  SoftNode node;
  std::vector<double> amounts;  // [row of the node][output]
  std::vector<double> weights;  // [row of the node]
  std::vector<double> total;    // [output]
  double weight = 0.0;
  double impurity = 0.0;
  std::vector<SubsetCondition> best;
  std::vector<SubsetCondition> fitted;                 // sums without thresholds
  std::vector<std::pair<double, std::uint32_t>> sums;  // scratch: sum, row of the node
  std::vector<double> left, right;
  std::vector<double> standard;  // [row of the node][term of a subset]
};

// Products of the deviations of terms from their means, and sums of them by output, weighted.
struct SubsetFinder::Scatter {
  std::vector<double> products;    // [term][term]
  std::vector<double> class_sums;  // [class][term], or of numbers
};

}  // namespace treewright
