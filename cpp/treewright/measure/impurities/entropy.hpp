// Entropy: -sum_c p_c log2 p_c, in bits (Quinlan 1986).
#pragma once

#include "treewright/measure/impurity.hpp"
#include "treewright/measure/logarithms.hpp"

namespace treewright::impurities {

struct Entropy {
  static constexpr Traits traits{.name = "entropy", .sums = Sums::logarithms, .is_in_bits = true};

  static double of(Impurity::Statistics weights, double total, Impurity::Cost) {
    double sum = 0.0;
    for (const double w : weights) sum += x_log_x(w / total);
    return -sum;
  }
};

}  // namespace treewright::impurities
