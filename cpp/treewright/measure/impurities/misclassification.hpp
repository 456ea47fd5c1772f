// Misclassification: 1 - max_c p_c, the share of rows that are not of the largest class.
#pragma once

#include <algorithm>

#include "treewright/measure/impurity.hpp"

namespace treewright::impurities {

struct Misclassification {
  static constexpr Traits traits{.name = "misclassification"};

  static double of(Impurity::Statistics weights, double total, Impurity::Cost) {
    return 1.0 - *std::ranges::max_element(weights) / total;
  }
};

}  // namespace treewright::impurities
