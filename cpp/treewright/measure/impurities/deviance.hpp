// Deviance: -2 sum_c p_c ln p_c, entropy in another unit.
#pragma once

#include <numbers>

#include "treewright/measure/impurities/entropy.hpp"

namespace treewright::impurities {

struct Deviance {
  static constexpr Traits traits{
      .name = "deviance", .sums = Sums::logarithms, .unit = 2.0 * std::numbers::ln2};

  static double of(Impurity::Statistics weights, double total, Impurity::Cost cost) {
    return traits.unit * Entropy::of(weights, total, cost);
  }
};

}  // namespace treewright::impurities
