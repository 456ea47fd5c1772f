// Impurity: one of a closed list of measures, each in a file of its own in impurities/.
//
// To add one, write impurities/NAME.hpp and name its struct in the list of impurity.cpp. The struct
// says what it is in `traits` and gives one of
//
//   of(weights, total, cost)             i(t) of class weights, whose sum `total` is above 0; the
//                                        decrease is i(t) - sum_b (W_b / W) i(b)
//   contribution(parent, total, branch, weight)
//                                        a sum over branches of another kind
//   decrease(parent, branches)           a split as a whole, no sum over branches
//
// The last two take the impurity of a single node, where one is asked for, from Gini. A measure of
// numbers gives in_its_unit(variance) instead: what variances are in its own unit.
//
// A measure whose traits name Sums::class_weights needs nothing else. The compiler lists the loops
// that have to learn about a new kind of sums.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "treewright/measure/sums.hpp"

namespace treewright {

struct Traits {
  std::string_view name;
  Sums sums = Sums::class_weights;
  double unit = 1.0;                // what sums of logarithms are multiplied by
  bool is_in_bits = false;          // information, which the choice of a threshold costs too
  bool needs_costs = false;         // a cost matrix, and time by the square of the classes
  bool needs_two_branches = false;  // cannot judge more
};

struct Impurity {
  using Statistics = std::span<const double>;
  using Cost = std::span<const double>;  // K x K, row = truth

  Traits traits;
  bool is_sum_over_branches;
  double (*of)(Statistics node, Cost cost);
  double (*of_split)(Statistics parent, Cost cost);
  double (*contribution)(Statistics parent, Statistics branch, Cost cost);
  double (*decrease)(Statistics parent, Statistics branches, Cost cost);
  double (*noise)(double impurity);
};

const Impurity& impurity_named(const std::string& name);

}  // namespace treewright
