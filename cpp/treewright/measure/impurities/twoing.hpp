// Twoing: P_L P_R / 4 (sum_c |p_c|L - p_c|R|)^2, half the largest Gini decrease of two groups of
// classes (Breiman et al. 1984, chapter 4).
#pragma once

#include <cmath>

#include "treewright/base/error.hpp"
#include "treewright/measure/impurity.hpp"
#include "treewright/measure/statistics.hpp"

namespace treewright::impurities {

struct Twoing {
  static constexpr Traits traits{
      .name = "twoing", .sums = Sums::differences, .needs_two_branches = true};

  static double decrease(Impurity::Statistics parent, Impurity::Statistics branches) {
    const std::size_t k = parent.size();
    require(branches.size() == 2 * k,
            "The criterion 'twoing' scores two-way splits only; use categorical='subset'.");
    const auto left = branches.first(k), right = branches.subspan(k);
    const double on_left = sum_of(left), on_right = sum_of(right), total = on_left + on_right;
    if (!(on_left > 0 && on_right > 0)) return 0.0;
    double apart = 0.0;
    for (std::size_t c = 0; c < k; ++c) apart += std::abs(left[c] / on_left - right[c] / on_right);
    return on_left / total * on_right / total / 4.0 * apart * apart;
  }
};

}  // namespace treewright::impurities
