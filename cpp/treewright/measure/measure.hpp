// Measure: how impure a node is, and how much a split takes away. Decreases are shares of the node:
//
//   i(t) - sum_b (W_b / W) i(b)
//
// or, for measures that are no impurities (impurities/), whatever they judge splits by.
#pragma once

#include <span>
#include <vector>

#include "treewright/measure/gain.hpp"
#include "treewright/measure/impurity.hpp"
#include "treewright/measure/logarithms.hpp"
#include "treewright/measure/median.hpp"
#include "treewright/measure/statistics.hpp"

namespace treewright {

struct Measure {
  const Impurity* impurity = &impurity_named("gini");
  std::vector<double> cost = {};  // K x K, row = truth; for impurities that need one

  const Traits& traits() const { return impurity->traits; }
  bool is_of_classes() const { return are_of_classes(traits().sums); }
  // Not to be had from statistics; `of`, `decrease` and `contribution` then say nothing.
  bool needs_rows() const { return need_rows(traits().sums); }

  // The impurity of one node; that of Gini where a measure judges splits only.
  double of(std::span<const double> statistics) const { return impurity->of(statistics, cost); }

  // The decrease by a split into `branches` (n_outputs values each).
  double decrease(std::span<const double> parent, std::span<const double> branches) const {
    return impurity->decrease(parent, branches, cost);
  }

  // Whether a decrease is a sum over branches, so that the two functions below give it.
  bool is_sum_over_branches() const { return impurity->is_sum_over_branches; }

  // What the contributions of the branches are taken from.
  double of_split(std::span<const double> parent) const { return impurity->of_split(parent, cost); }

  // What a branch contributes: decrease = of_split(parent) - sum of contributions.
  double contribution(std::span<const double> parent, std::span<const double> branch) const {
    return impurity->contribution(parent, branch, cost);
  }

  // What a decrease at a node of these statistics may be wrong by: sums of many weights and numbers
  // in one order or another, and for classes differences of numbers of the size of 1.
  double noise_of(std::span<const double> statistics) const {
    return impurity->noise(of(statistics));
  }
};

}  // namespace treewright
