#include "treewright/split/plane/principal_axes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "treewright/base/lapack.hpp"

namespace treewright {

namespace {

constexpr double equal = 1e-9;      // eigenvalues that differ by less of their size are one
constexpr double rounding = 1e-13;  // in eigenvalues, as a share of the largest
constexpr double nothing = 1e-9;    // in the numbers of an axis

double product(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void scale(std::span<double> axis, double factor) {
  for (double& number : axis) number *= factor;
}

void turn_to_its_side(std::span<double> axis) {
  const auto first = std::ranges::find_if(axis, [](double x) { return std::abs(x) > nothing; });
  if (first != axis.end() && *first > 0) scale(axis, -1.0);
}

// Replaces orthonormal axes by those of the same space that do not depend on which ones came.
void choose_basis(std::span<double> axes, std::size_t k) {
  const std::size_t n_axes = axes.size() / k;
  std::vector<double> projection(k * k, 0.0);
  for (std::size_t a = 0; a < n_axes; ++a) {
    const auto axis = axes.subspan(a * k, k);
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < k; ++j) projection[i * k + j] += axis[i] * axis[j];
    }
  }
  for (std::size_t a = 0; a < n_axes; ++a) {
    const auto column = [&](std::size_t i) { return std::span(projection).subspan(i * k, k); };
    std::size_t longest = 0;
    double squares = 0.0;
    for (std::size_t i = 0; i < k; ++i) {
      const double length = product(column(i), column(i));
      if (length > squares + nothing) {
        longest = i;
        squares = length;
      }
    }
    const auto axis = axes.subspan(a * k, k);
    std::ranges::copy(column(longest), axis.begin());
    scale(axis, 1.0 / std::sqrt(squares));
    for (std::size_t i = 0; i < k; ++i) {
      const double part = product(column(i), axis);
      for (std::size_t j = 0; j < k; ++j) column(i)[j] -= part * axis[j];
    }
  }
}

}  // namespace

std::vector<double> principal_axes(std::span<const double> covariance, std::size_t k) {
  std::vector<double> axes(covariance.begin(), covariance.end()), values(k);
  lapack::symmetric_eigen(axes, values);
  // From ascending to descending: the whole turned round, then each axis back.
  std::ranges::reverse(values);
  std::ranges::reverse(axes);
  for (std::size_t a = 0; a < k; ++a) std::ranges::reverse(std::span(axes).subspan(a * k, k));
  const auto goes_on = [&](std::size_t a) {
    return values[a - 1] - values[a] <= equal * values[a - 1] + rounding * values[0];
  };
  for (std::size_t begin = 0, end = 0; begin < k; begin = end) {
    end = begin + 1;
    while (end < k && goes_on(end)) ++end;
    if (end > begin + 1) choose_basis(std::span(axes).subspan(begin * k, (end - begin) * k), k);
  }
  for (std::size_t a = 0; a < k; ++a) turn_to_its_side(std::span(axes).subspan(a * k, k));
  return axes;
}

}  // namespace treewright
