#include "treewright/split/plane/plane.hpp"

#include <algorithm>
#include <cmath>

#include "treewright/base/decimal.hpp"
#include "treewright/split/cut/cut.hpp"

namespace treewright {

void Plane::move(const Plane& direction, double length) {
  offset += length * direction.offset;
  for (std::size_t j = 0; j < slopes.size(); ++j) slopes[j] += length * direction.slopes[j];
}

void Plane::normalise() {
  double largest = 0.0;
  for (const double slope : slopes) largest = std::max(largest, std::abs(slope));
  if (!(largest > 0 && std::isfinite(largest))) return;
  const int exponent = -binary_exponent(largest);
  offset = std::ldexp(offset, exponent);
  for (double& slope : slopes) slope = std::ldexp(slope, exponent);
}

Plane random_plane(std::size_t n_columns, Rng& rng) {
  const auto draw = [&] { return 2.0 * rng.unit() - 1.0; };
  Plane plane;
  for (std::size_t j = 0; j < n_columns; ++j) plane.slopes.push_back(draw());
  plane.offset = draw();
  return plane;
}

void values_along(const SearchRows& rows, const Plane& plane, std::vector<double>& values) {
  values.assign(rows.n_rows(), plane.offset);
  for (std::size_t j = 0; j < rows.n_columns(); ++j) {
    const double slope = plane.slopes[j];
    if (slope == 0.0) continue;
    const auto column = rows.column(j);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += slope * column[i];
  }
}

std::optional<Plane> plane_of(const SearchRows& rows, const Test& test) {
  std::vector<double> coefficients;
  switch (test.kind) {
    case Kind::axis:
      coefficients = {1.0};
      break;
    case Kind::linear: {
      const Linear linear = std::get<Linear>(view(test));
      if (!linear.levels.empty()) return std::nullopt;
      coefficients.assign(linear.coefficients.begin(), linear.coefficients.end());
      break;
    }
    case Kind::leaf:
    case Kind::subset:
    case Kind::multiway:
    case Kind::pair:
    case Kind::machine:
      return std::nullopt;
  }
  Plane plane{-test.numbers.back(), std::vector<double>(rows.n_columns(), 0.0)};
  bool has_slope = false;
  for (std::size_t i = 0; i < test.features.size(); ++i) {
    const auto found = std::ranges::find(rows.columns, test.features[i]);
    if (found == rows.columns.end()) continue;
    const auto j = static_cast<std::size_t>(found - rows.columns.begin());
    plane.slopes[j] = coefficients[i] * rows.scale[j];
    plane.offset += coefficients[i] * rows.centre[j];
    has_slope = true;
  }
  if (!has_slope || !std::isfinite(plane.offset)) return std::nullopt;
  plane.normalise();
  return plane;
}

std::optional<Plane> axis_plane(const Node& node, const SearchRows& rows, const Candidate& axis) {
  if (auto plane = plane_of(rows, axis.test)) return plane;
  Node limited = node;
  limited.columns = rows.columns;
  const std::optional<Candidate> other = best_axis_cut(limited);
  return other ? plane_of(rows, other->test) : std::nullopt;
}

std::optional<Candidate> candidate_along(const Node& node, const SearchRows& rows,
                                         const Plane& plane) {
  // A slope that is nothing but rounding would make a column part of the test.
  constexpr double least = 1e-10;
  double largest = 0.0;
  for (const double slope : plane.slopes) largest = std::max(largest, std::abs(slope));
  std::vector<double> direction(rows.n_columns(), 0.0);
  for (std::size_t j = 0; j < direction.size(); ++j) {
    const double slope = plane.slopes[j];
    if (std::abs(slope) > least * largest) direction[j] = slope / rows.scale[j];
  }
  return cut_direction(node, rows.columns, direction);
}

}  // namespace treewright
