// The Hellinger distance between classes of HDDT (Cieslak and Chawla 2008), which does not see how
// large the classes are:
//
//   max_c sqrt(sum_b (sqrt(W_bc / W_c) - sqrt((W_b - W_bc) / (W - W_c)))^2)
//
// HDDT is for two classes, where both values of c give the same. With more, a split is worth what
// it does for the class that it sets apart best from all others.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "treewright/measure/impurity.hpp"
#include "treewright/measure/statistics.hpp"

namespace treewright::impurities {

struct Hddt {
  static constexpr Traits traits{.name = "hddt"};

  static double decrease(Impurity::Statistics parent, Impurity::Statistics branches) {
    const std::size_t k = parent.size();
    const double total = sum_of(parent);
    static thread_local std::vector<double> on_branch;
    on_branch.clear();
    for (std::size_t b = 0; b * k < branches.size(); ++b) {
      on_branch.push_back(sum_of(branches.subspan(b * k, k)));
    }
    double best = 0.0;
    for (std::size_t c = 0; c < (k == 2 ? 1 : k); ++c) {
      const double own = parent[c], others = total - own;
      if (!(own > 0 && others > 0)) continue;
      double squares = 0.0;
      for (std::size_t b = 0; b < on_branch.size(); ++b) {
        const double here = branches[b * k + c];
        const double apart =
            std::sqrt(here / own) - std::sqrt(std::max(0.0, on_branch[b] - here) / others);
        squares += apart * apart;
      }
      best = std::max(best, squares);
    }
    return std::sqrt(best);
  }
};

}  // namespace treewright::impurities
