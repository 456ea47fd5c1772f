#include "treewright/base/special.hpp"

#include <cmath>
#include <limits>

namespace treewright::special {

namespace {

constexpr double smallest_probability = 1e-290;  // below it the leading terms are taken
constexpr double infinity = std::numeric_limits<double>::infinity();

void require_functions() {
  require(functions().fdtrc != nullptr, "Special functions were not handed over by SciPy.");
}

}  // namespace

Functions& functions() {
  static Functions table;
  return table;
}

double log_f_tail(double f, double numerator, double denominator) {
  require_functions();
  if (!(f > 0)) return 0.0;
  if (!std::isfinite(f)) return -infinity;
  const double probability = functions().fdtrc(numerator, denominator, f, 0);
  if (probability > smallest_probability) return std::log(probability);
  const double a = denominator / 2, b = numerator / 2;
  const double odds = numerator * f / denominator;  // (1 - x) / x
  const double log_x = -std::log1p(odds);
  const double log_rest = odds > 1 ? -std::log1p(1 / odds) : std::log(odds) + log_x;
  return a * log_x + b * log_rest - std::log(a) - functions().betaln(a, b, 0) -
         std::log1p(-std::exp(log_x) * (a + b) / (a + 1));
}

double log_chi_square_tail(double x, double degrees) {
  require_functions();
  if (!(x > 0)) return 0.0;
  if (!std::isfinite(x)) return -infinity;
  const double probability = functions().chdtrc(degrees, x, 0);
  if (probability > smallest_probability) return std::log(probability);
  const double s = degrees / 2, y = x / 2;
  return (s - 1) * std::log(y) - y - functions().gammaln(s, 0) - std::log1p(-(s - 1) / y);
}

}  // namespace treewright::special
