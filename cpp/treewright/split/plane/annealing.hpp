// Simulated annealing of a plane, one coefficient at a time (Heath, Kasif, Salzberg 1993).
//
// A coefficient of the plane, slope or offset, changes by a number drawn from [-0.5, 0.5). A change
// that makes the plane worse by d is taken with probability exp(-d / T), and the temperature T
// falls with every change tried. The search ends when no plane was better than the best for some
// time; it gives that best plane, not the last.
#pragma once

#include <functional>

#include "treewright/split/plane/plane.hpp"

namespace treewright {

struct AnnealingRules {
  double patience = 3000;  // changes without a better plane
  double cooling = 0.999;  // of the temperature, with every change
  double temperature =
      -1.0;  // at the start; below 0: the mean loss of 100 changes of the first plane
};

// `poll` is called now and then and may end the work by what it throws.
Plane anneal(const SearchRows& rows, const SideRules& sides, const AnnealingRules& rules,
             Plane start, Rng& rng, const std::function<void()>& poll);

}  // namespace treewright
