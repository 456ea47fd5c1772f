// Squared error: sum w (y - mean)^2 / W, the variance.
#pragma once

#include "treewright/measure/impurity.hpp"

namespace treewright::impurities {

struct SquaredError {
  static constexpr Traits traits{.name = "squared_error", .sums = Sums::moments};

  static double in_its_unit(double variance) { return variance; }
};

}  // namespace treewright::impurities
