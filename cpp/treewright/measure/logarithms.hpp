// x log2 x, of a number and as a table for counts.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace treewright {

// x log2 x, 0 at 0.
inline double x_log_x(double x) { return x > 0 ? x * std::log2(x) : 0.0; }

// x log2 x of 0, 1, ..., n, rounded to multiples of one power of two, so that sums and differences
// of entries are exact as long as they stay below four times the entry of `n_all`: entropies of
// equal counts are equal, in whatever order they were summed.
std::vector<double> x_log_x_table(std::size_t n, std::size_t n_all);
std::vector<double> x_log_x_table(std::size_t n);  // of all

// An entry of that table at a time, for those who need few of them.
class RoundedLogarithms {
 public:
  explicit RoundedLogarithms(std::size_t n);
  double operator[](std::size_t i) const {
    return std::ldexp(std::round(std::ldexp(x_log_x(static_cast<double>(i)), -grain_)), grain_);
  }

 private:
  int grain_;
};

}  // namespace treewright
