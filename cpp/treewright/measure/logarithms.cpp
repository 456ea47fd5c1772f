#include "treewright/measure/logarithms.hpp"

#include <limits>

namespace treewright {

RoundedLogarithms::RoundedLogarithms(std::size_t n) {
  constexpr int digits = std::numeric_limits<double>::digits;
  const double largest = x_log_x(static_cast<double>(n));
  grain_ = largest > 0 ? std::ilogb(largest) + 3 - digits : 0;
}

std::vector<double> x_log_x_table(std::size_t n) {
  const RoundedLogarithms rounded(n);
  std::vector<double> table(n + 1, 0.0);
  for (std::size_t i = 0; i <= n; ++i) table[i] = rounded[i];
  return table;
}

}  // namespace treewright
