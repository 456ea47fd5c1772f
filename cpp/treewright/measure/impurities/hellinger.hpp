// The inter-node Hellinger distance (Akash et al. 2019), how far branches b lie from node t:
//
//   sum_b (W_b / W) (1 - sum_c sqrt(p_bc p_tc))
#pragma once

#include <cmath>

#include "treewright/measure/impurity.hpp"

namespace treewright::impurities {

struct Hellinger {
  static constexpr Traits traits{.name = "hellinger", .sums = Sums::roots};

  static double contribution(Impurity::Statistics parent, double total, Impurity::Statistics branch,
                             double weight) {
    double overlap = 0.0;
    for (std::size_t c = 0; c < parent.size(); ++c) {
      overlap += std::sqrt(branch[c] / weight * parent[c] / total);
    }
    return -weight / total * (1.0 - overlap);
  }
};

}  // namespace treewright::impurities
