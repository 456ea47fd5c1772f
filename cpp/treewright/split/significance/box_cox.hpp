// Box-Cox: the power of a column under which its classes are most nearly normal with one variance
// (Box, Cox 1964).
//
//   y = (z^p - 1) / p, or ln z for p = 0,   z = (x + shift) / g
//
// g is the geometric mean, so that the likeliest power is that of the least sum of squares inside
// classes. It is sought among -2, -1.75, ..., 2; 1 is kept unless another is clearly better.
// Columns with values of 0 or less are shifted until the smallest is one standard deviation.
#pragma once

#include <cstdint>
#include <vector>

#include "treewright/split/significance/significance.hpp"

namespace treewright {

struct BoxCox {
  double power = 1.0;
  double shift = 0.0;
  double scale = 1.0;  // 1 / g

  double apply(double x) const;
  double invert(double y) const;  // infinite where no x has this y
};

// The transform of a column of a node, and the classes under it.
struct Transformed {
  BoxCox transform;
  std::vector<ClassMoments> classes;
};

Transformed likeliest_power(const Node& node, std::int32_t column, Labels labels);

}  // namespace treewright
