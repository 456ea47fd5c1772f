// Logistic regression under an L1 penalty, for penalties from one that leaves no column in down to
// next to none. Over intercept b0 and slopes b on standardised columns, with weights that sum to W,
//
//   F / W + lambda sum f_j |b_j|
//
// is minimised for falling lambda, each from the solution before: Newton's quadratic model is
// minimised by coordinate descent, and a step along the difference is halved until F falls. Factors
// f of 1 treat columns alike whatever their units; 1 / sd_j is what an L1 penalty on the columns as
// they are comes to.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "treewright/split/logistic/ridge.hpp"

namespace treewright {

struct LassoPoint {
  double lambda = 0.0;
  double intercept = 0.0;
  std::vector<double> slopes;  // of all columns
  double deviance = 0.0;

  std::vector<std::size_t> active() const;
  LogisticFit fit() const;  // on the active columns
};

struct LassoRules {
  std::size_t n_lambdas = 100;
  double least_lambda = 1e-4;          // of the largest
  double least_deviance = 1e-3;        // of that without columns: below, the path ends
  bool one_at_a_time = true;           // looks between two lambdas where several columns change
  std::vector<double> factors = {};    // empty: 1
  std::function<void()> poll = [] {};  // between solutions; what it throws ends the work
};

// Falling lambdas; the first point has no column. Only `used` columns take part.
std::vector<LassoPoint> lasso_path(const StandardRows& rows, std::span<const std::uint8_t> y,
                                   std::span<const std::size_t> used, const LassoRules& rules);

// The point of a path whose slopes sum to this share of those at its end, in absolute value:
// between two neighbours by the straight line, with the intercept that fits best.
LassoPoint squeeze(const StandardRows& rows, std::span<const std::uint8_t> y,
                   std::span<const LassoPoint> path, double share);

}  // namespace treewright
