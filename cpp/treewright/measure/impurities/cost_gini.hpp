// Gini with costs: sum_ij cost_ij p_i p_j (Breiman et al. 1984, chapter 4).
#pragma once

#include "treewright/measure/impurity.hpp"

namespace treewright::impurities {

struct CostGini {
  static constexpr Traits traits{.name = "cost_gini", .needs_costs = true};

  static double of(Impurity::Statistics weights, double total, Impurity::Cost cost) {
    const std::size_t k = weights.size();
    double sum = 0.0;
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < k; ++j) sum += cost[i * k + j] * weights[i] * weights[j];
    }
    return sum / (total * total);
  }
};

}  // namespace treewright::impurities
