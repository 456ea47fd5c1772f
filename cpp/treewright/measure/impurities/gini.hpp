// Gini: 1 - sum_c p_c^2, the chance that two rows drawn at random differ in class (Breiman et al.
// 1984, chapter 4).
#pragma once

#include "treewright/measure/impurity.hpp"

namespace treewright::impurities {

struct Gini {
  static constexpr Traits traits{.name = "gini", .sums = Sums::squares};

  static double of(Impurity::Statistics weights, double total, Impurity::Cost) {
    double sum = 0.0;
    for (const double w : weights) sum += (w / total) * (w / total);
    return 1.0 - sum;
  }
};

}  // namespace treewright::impurities
