#include "treewright/base/decimal.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <limits>

#if !defined(__cpp_lib_to_chars)
#include <cstdlib>
#if defined(__APPLE__)
#include <xlocale.h>
#else
#include <clocale>
#endif
#endif

namespace treewright {

namespace {

// The double nearest to a number in decimal, by the library's correctly rounded reader; `otherwise`
// if it has none. Before release 20, libc++ knows only C's reader, here with C's decimal point.
double nearest(const char* text, [[maybe_unused]] const char* end, double otherwise) {
#if defined(__cpp_lib_to_chars)
  double value = otherwise;
  std::from_chars(text, end, value);
  return value;
#else
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  const double value = strtod_l(text, nullptr, plain);
  return std::isfinite(value) ? value : otherwise;
#endif
}

// mantissa * 10^exponent as the nearest double.
double scaled(double mantissa, int exponent) {
  char text[48];
  auto end = std::to_chars(text, text + 24, static_cast<long long>(mantissa)).ptr;
  *end++ = 'e';
  end = std::to_chars(end, text + 47, exponent).ptr;
  *end = '\0';
  return nearest(text, end, 0.0);
}

}  // namespace

double round_significant(double value, int digits) {
  char text[48];
  const auto end =
      std::to_chars(text, text + 47, value, std::chars_format::scientific, digits - 1).ptr;
  *end = '\0';
  return nearest(text, end, value);
}

int significant_digits(double value) {
  char text[48];
  const auto end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
  const auto exponent = std::find(text, end, 'e');
  return static_cast<int>(
      std::count_if(text, exponent, [](char c) { return c >= '0' && c <= '9'; }));
}

double shortest_between(double low, double high) {
  if (low <= 0.0 && high > 0.0) return 0.0;
  const double middle = low / 2 + high / 2;
  const double largest = std::max(std::abs(low), std::abs(high));
  const int top = static_cast<int>(std::floor(std::log10(largest)));
  // Units from the decade of the larger bound downwards: the first unit with a multiple inside
  // the interval gives the fewest digits.
  for (int digits = 0; digits <= 17; ++digits) {
    const int exponent = top + 1 - digits;
    const double unit = std::pow(10.0, exponent);
    const double around = std::round(middle / unit);
    if (!std::isfinite(around) || std::abs(around) > 9e17) break;
    double best = std::numeric_limits<double>::quiet_NaN();
    for (const double step : {0.0, -1.0, 1.0}) {
      const double candidate = scaled(around + step, exponent);
      if (!(candidate >= low && candidate < high)) continue;
      const double distance = std::abs(candidate - middle), held = std::abs(best - middle);
      if (std::isnan(best) || distance < held || (distance == held && candidate < best)) {
        best = candidate;
      }
    }
    if (!std::isnan(best)) return best;
  }
  return low;
}

double without_rounding(double x, int digits) {
  if (!std::isfinite(x)) return x;
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return std::ldexp(std::round(std::ldexp(fraction, digits)), exponent - digits);
}

int binary_exponent(double size) {
  constexpr double rounding = 1e-9;
  int exponent = 0;
  const double fraction = std::frexp(size, &exponent);  // in [0.5, 1)
  return fraction < 1.0 - rounding ? exponent - 1 : exponent;
}

}  // namespace treewright
