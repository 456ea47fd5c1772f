// Absolute error: sum w |y - median| / W, found from the rows, not from statistics.
#pragma once

#include <cmath>

#include "treewright/measure/impurity.hpp"

namespace treewright::impurities {

struct AbsoluteError {
  static constexpr Traits traits{.name = "absolute_error", .sums = Sums::medians};

  static double in_its_unit(double variance) { return std::sqrt(variance); }
};

}  // namespace treewright::impurities
