// The signed sweep: where a plane that moves along a line divides rows best.
//
// Row i stands left while v_i + t x_i <= 0. As t rises from -infinity it changes sides once, at
//
//   t_i = -v_i / x_i,   from left to right if x_i > 0, from right to left if x_i < 0,
//
// and never if x_i = 0. With the t_i in order the rows move one by one, equal t_i together, and
// each gap between two of them is one division of the rows; its t is the middle of the gap, or 1
// beyond the last t_i at the ends. That is exact for any signs, in O(n log n). Searches that take
// the best cut of the t_i as if all rows moved the same way are right only where all x_i > 0.
//
// A step along coefficient m of a plane has x = column m, along the offset x = 1, and along any
// other direction x = the values of that direction.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "treewright/split/method.hpp"

namespace treewright {

// What rows add to the side they stand on.
struct SideRows {
  std::size_t n_classes = 0;  // 0: numbers
  std::vector<std::int32_t> labels;
  std::vector<double> numbers;
  std::vector<double> weights;
  std::vector<double> counts;  // what a minimum of rows is compared with

  std::size_t size() const { return weights.size(); }
};

// How divisions are judged.
struct SideRules {
  Measure measure;
  Gain gain = Gain::plain;
  double min_count = 1;
  double min_weight = 0;
};

struct Step {
  double length = 0.0;
  double score = -std::numeric_limits<double>::infinity();
};

// `a` is better than `b` by more than rounding, where both may be -infinity.
inline bool is_better(double a, double b) {
  constexpr double none = -std::numeric_limits<double>::infinity();
  return b == none ? a > none : clearly_better(a, b);
}

// Holds the memory that sweeps work in: one for each thread.
class Sweep {
 public:
  // The rows must outlive the sweep.
  Sweep(const SideRows& rows, const SideRules& rules);
  ~Sweep();
  Sweep(Sweep&&) noexcept;

  // What the division by v <= 0 is worth; -infinity where a side is too small.
  double score(std::span<const double> v);

  // The best division along v + t x other than that at t = 0; the smallest t on ties. Its score is
  // -infinity where none is allowed. Both v and x should be of the size of 1: what is below 1e-12
  // counts as rounding.
  Step best_step(std::span<const double> v, std::span<const double> x);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace treewright
