#include "treewright/split/significance/normal_point.hpp"

#include <algorithm>
#include <cmath>

#include "treewright/base/decimal.hpp"

namespace treewright {

namespace {

constexpr double rounding = 1e-12;
constexpr int most_steps = 50;

}  // namespace

double grain_of(double size) {
  return size > 0 && std::isfinite(size) ? std::ldexp(1.0, binary_exponent(size) - 40) : 1.0;
}

double least_grain_of(double size) {
  return size != 0.0 ? std::ldexp(grain_of(std::abs(size)), -9) : 0.0;
}

double sample_variance(const ClassMoments& values) {
  const auto& [moments, count] = values;
  if (!(moments.weight > 0) || !(count > 1)) return 0.0;
  return moments.squares / moments.weight * count / (count - 1);
}

double normal_point(const NormalGroup& a, const NormalGroup& b) {
  const NormalGroup& narrow = a.variance <= b.variance ? a : b;
  const NormalGroup& wide = a.variance <= b.variance ? b : a;
  const double middle = a.mean + (b.mean - a.mean) / 2;
  if (!(narrow.variance > rounding * wide.variance)) return middle;
  // In units of the narrow group, x = mean + deviation u:
  // (1/r - 1) u^2 - (2 d/r) u + d^2/r + ln r + 2 ln(P/P') = 0.
  const double deviation = std::sqrt(narrow.variance);
  const double d = (wide.mean - narrow.mean) / deviation;
  const double r = wide.variance / narrow.variance;
  const double square = 1 / r - 1, linear = -2 * d / r;
  const double constant = d * d / r + std::log(r) + 2 * std::log(narrow.share / wide.share);
  const double discriminant = linear * linear - 4 * square * constant;
  if (!(discriminant >= 0)) return middle;
  const double q = -(linear + std::copysign(std::sqrt(discriminant), linear)) / 2;
  if (q == 0) return middle;
  double u = constant / q;
  if (square < 0) {
    const double other = q / square;
    const bool is_tie = std::abs(std::abs(other) - std::abs(u)) <= rounding * std::abs(u);
    u = is_tie ? std::min(u, other) : std::abs(other) < std::abs(u) ? other : u;
  }
  return narrow.mean + deviation * u;
}

std::vector<bool> upper_classes(std::span<const ClassMoments> classes) {
  std::vector<bool> is_upper(classes.size(), false);
  Moments all;
  double lowest = 0.0, highest = 0.0, largest = 0.0;
  std::size_t heaviest = 0;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const Moments& here = classes[c].moments;
    if (!(here.weight > 0)) continue;
    lowest = all.weight > 0 ? std::min(lowest, here.mean) : here.mean;
    highest = all.weight > 0 ? std::max(highest, here.mean) : here.mean;
    all.add(here);
    if (here.weight > largest) {
      largest = here.weight;
      heaviest = c;
    }
  }
  if (!(highest - lowest > rounding * all.deviation())) {
    is_upper[heaviest] = true;
    return is_upper;
  }
  const double origin = lowest;  // large means keep their digits
  for (int step = 0; step < most_steps; ++step) {
    bool changed = false;
    double sums[2] = {0.0, 0.0}, sizes[2] = {0.0, 0.0};
    for (std::size_t c = 0; c < classes.size(); ++c) {
      const Moments& here = classes[c].moments;
      if (!(here.weight > 0)) continue;
      const bool upper =
          (here.mean - lowest) - (highest - here.mean) > rounding * (highest - lowest);
      changed = changed || upper != is_upper[c];
      is_upper[c] = upper;
      sums[upper] += here.mean - origin;
      sizes[upper] += 1.0;
    }
    if (!changed || sizes[0] == 0 || sizes[1] == 0) break;
    lowest = origin + sums[0] / sizes[0];
    highest = origin + sums[1] / sizes[1];
  }
  return is_upper;
}

std::optional<Meeting> meeting_of(std::span<const ClassMoments> classes) {
  const std::vector<bool> is_upper = upper_classes(classes);
  ClassMoments groups[2];
  for (std::size_t c = 0; c < classes.size(); ++c) {
    ClassMoments& group = groups[is_upper[c]];
    group.moments.add(classes[c].moments);
    group.count += classes[c].count;
  }
  const Moments &lower = groups[0].moments, &upper = groups[1].moments;
  if (!(lower.weight > 0 && upper.weight > 0)) return std::nullopt;
  const double size = std::abs(lower.mean) + std::abs(upper.mean);
  Meeting meeting;
  const double spread = upper.mean - lower.mean + lower.deviation() + upper.deviation();
  meeting.grain = std::max(grain_of(spread), least_grain_of(size));
  const auto normal = [&](const ClassMoments& group) {
    const double variance = sample_variance(group);
    const bool is_rounding = !(variance > meeting.grain * meeting.grain);
    return NormalGroup{group.moments.weight, group.moments.mean, is_rounding ? 0.0 : variance};
  };
  const double point = normal_point(normal(groups[0]), normal(groups[1]));
  meeting.point = std::nearbyint(point / meeting.grain) * meeting.grain;
  meeting.middle =
      std::nearbyint((lower.mean + (upper.mean - lower.mean) / 2) / meeting.grain) * meeting.grain;
  if (!std::isfinite(meeting.point) || !std::isfinite(meeting.middle)) return std::nullopt;
  return meeting;
}

}  // namespace treewright
