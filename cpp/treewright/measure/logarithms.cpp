#include "treewright/measure/logarithms.hpp"

#include <limits>

namespace treewright {

RoundedLogarithms::RoundedLogarithms(std::size_t n) {
  constexpr int digits = std::numeric_limits<double>::digits;
  const double largest = x_log_x(static_cast<double>(n));
  grain_ = largest > 0 ? std::ilogb(largest) + 3 - digits : 0;
}

std::vector<double> x_log_x_table(std::size_t n, std::size_t n_all) {
  const RoundedLogarithms rounded(n_all);
  std::vector<double> table(n + 1, 0.0);
  for (std::size_t i = 0; i <= n; ++i) table[i] = rounded[i];
  return table;
}

std::vector<double> x_log_x_table(std::size_t n) { return x_log_x_table(n, n); }

}  // namespace treewright
