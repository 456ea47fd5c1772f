// L-BFGS: the minimum of a smooth function, from its values and gradients (Nocedal 1980).
//
// The direction is -H g, where H, the inverse of the curvature, is known by its effect through the
// last few steps s and changes of the gradient y only (two loops, Nocedal and Wright 2006,
// algorithm 7.4). The step along it meets the weak conditions of Wolfe, found by doubling and
// halving.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace treewright {

// Gives the value at a point and writes the gradient there.
using Smooth = std::function<double(std::span<const double> at, std::span<double> gradient)>;

struct MinimumRules {
  int max_iterations = 100;
  double tolerance = 1e-6;  // ends where the gradient is this share of the first one
};

struct Minimum {
  std::vector<double> at;
  double value = 0.0;
  int iterations = 0;
  bool converged = false;
};

// Never above the value at the start, which must be finite.
Minimum minimum_of(const Smooth& function, std::vector<double> start, const MinimumRules& rules);

}  // namespace treewright
