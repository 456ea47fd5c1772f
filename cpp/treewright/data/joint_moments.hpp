// Joint moments: weight, means and products of deviations of some numbers of each row, class by
// class, over the rows that have them all. For a numeric target there is one class, and the target
// is the last of the numbers.
//
// Two parts of a table merge by (Chan, Golub, LeVeque 1979)
//
//   M = M_a + M_b + W_a W_b / (W_a + W_b) (m_b - m_a)(m_b - m_a)'
//
// so that products stay around the mean of the rows they are of: large numbers of little spread
// keep their digits, and numbers without spread have products of 0 whatever the parts are.
#pragma once

#include <span>
#include <vector>

namespace treewright {

// Where things stand among the numbers of one class: rows, weight, means, products by rows of the
// lower triangle.
struct JointLayout {
  std::size_t width = 0;  // numbers of a row

  static constexpr std::size_t count = 0, weight = 1, first_mean = 2;
  std::size_t mean(std::size_t i) const { return first_mean + i; }
  std::size_t product(std::size_t i, std::size_t j) const {
    const std::size_t row = i < j ? j : i, column = i < j ? i : j;
    return first_mean + width + row * (row + 1) / 2 + column;
  }
  std::size_t size() const { return first_mean + width + width * (width + 1) / 2; }

  void merge(std::span<double> to, std::span<const double> from) const {
    to[count] += from[count];
    const double total = to[weight] + from[weight];
    if (!(from[weight] > 0)) return;
    const double share = from[weight] / total, between = to[weight] * share;
    for (std::size_t i = 0; i < width; ++i) {
      const double off = from[mean(i)] - to[mean(i)];
      for (std::size_t j = 0; j <= i; ++j) {
        const double other = from[mean(j)] - to[mean(j)];
        to[product(i, j)] += from[product(i, j)] + (between > 0 ? between * off * other : 0.0);
      }
    }
    for (std::size_t i = 0; i < width; ++i) {
      const bool is_first = !(to[weight] > 0);
      to[mean(i)] = is_first ? from[mean(i)] : to[mean(i)] + (from[mean(i)] - to[mean(i)]) * share;
    }
    to[weight] = total;
  }
};

struct JointMoments {
  JointLayout layout;
  std::vector<double> numbers;  // of each class

  std::size_t n_classes() const { return numbers.size() / layout.size(); }
  std::span<const double> of(std::size_t c) const {
    return std::span(numbers).subspan(c * layout.size(), layout.size());
  }
  double count(std::size_t c) const { return of(c)[JointLayout::count]; }
  double weight(std::size_t c) const { return of(c)[JointLayout::weight]; }
  double mean(std::size_t c, std::size_t i) const { return of(c)[layout.mean(i)]; }
  double product(std::size_t c, std::size_t i, std::size_t j) const {
    return of(c)[layout.product(i, j)];
  }
};

}  // namespace treewright
