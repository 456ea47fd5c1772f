#include "treewright/split/significance/line_classes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "treewright/split/significance/normal_point.hpp"

namespace treewright {

namespace {

constexpr double least_variance = 1e-12;  // inside classes, of all
constexpr double rounding = 1e-12;        // of slopes and scores

}  // namespace

Lines class_lines(std::span<const ClassMoments> classes) {
  Moments all;
  double within = 0.0, n_rows = 0.0, n_classes = 0.0;
  for (const ClassMoments& c : classes) {
    if (!(c.moments.weight > 0)) continue;
    all.add(c.moments);
    within += c.moments.squares;
    n_rows += c.count;
    n_classes += 1.0;
  }
  Lines lines;
  if (n_classes < 2 || !(all.squares > 0) || !std::isfinite(all.squares)) return lines;
  const double pooled =
      n_rows > n_classes + limit_slack ? within * n_rows / (n_rows - n_classes) : 0.0;
  const double variance = std::max(pooled, least_variance * all.squares) / all.weight;
  for (const ClassMoments& c : classes) {
    if (!(c.moments.weight > 0)) continue;
    const double mean = c.moments.mean - all.mean;
    lines.slopes.push_back(mean / variance);
    lines.intercepts.push_back(std::log(c.moments.weight / all.weight) -
                               mean * (mean / 2 + all.mean) / variance);
  }
  return lines;
}

std::vector<double> envelope_cuts(const Lines& lines) {
  std::vector<std::size_t> order(lines.slopes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return lines.slopes[i]; });
  const auto meet = [&](std::size_t a, std::size_t b) {
    return (lines.intercepts[a] - lines.intercepts[b]) / (lines.slopes[b] - lines.slopes[a]);
  };
  const auto at = [&](std::size_t i, double x) {
    return lines.slopes[i] * x + lines.intercepts[i];
  };
  double steepest = 0.0;
  for (const double slope : lines.slopes) steepest = std::max(steepest, std::abs(slope));
  const auto are_parallel = [&](std::size_t a, std::size_t b) {
    return std::abs(lines.slopes[a] - lines.slopes[b]) <= rounding * steepest;
  };
  const auto is_below = [&](std::size_t low, std::size_t high) {  // of two that are parallel
    const double apart = lines.intercepts[high] - lines.intercepts[low];
    return std::abs(apart) > score_tie ? apart > 0 : high < low;
  };
  // Whether the middle one of three, by slope, rises above the others where these meet.
  const auto rises = [&](std::size_t low, std::size_t middle, std::size_t high) {
    const double x = meet(low, high), size = std::abs(lines.slopes[middle] * x);
    return at(middle, x) - at(low, x) > score_tie + rounding * size;
  };
  std::vector<std::size_t> upper;
  for (const std::size_t line : order) {
    bool is_hidden = false;
    while (!upper.empty() && !is_hidden) {
      const std::size_t last = upper.back();
      if (are_parallel(last, line)) {
        is_hidden = is_below(line, last);
        if (is_hidden) break;
      } else if (upper.size() == 1 || rises(upper[upper.size() - 2], last, line)) {
        break;
      }
      upper.pop_back();
    }
    if (!is_hidden) upper.push_back(line);
  }
  std::vector<double> cuts;
  for (std::size_t i = 1; i < upper.size(); ++i) cuts.push_back(meet(upper[i - 1], upper[i]));
  return cuts;
}

Test interval_test(const Node& node, std::int32_t column, std::vector<double> cuts,
                   CutsFrom origin) {
  const Column values = node.problem.table.column(column);
  Moments all;
  for (const std::uint32_t row : node.ids()) {
    if (!std::isnan(values[row])) all.add({node.weights[row], values[row], 0.0});
  }
  std::erase_if(cuts, [](double cut) { return !std::isfinite(cut); });
  for (double& cut : cuts) {
    double grain = std::max(grain_of(all.deviation()), least_grain_of(cut));
    if (origin == CutsFrom::transformed) grain = std::min(grain, grain_of(std::abs(cut)));
    if (origin == CutsFrom::fit) grain = std::ldexp(grain, 10);
    cut = std::nearbyint(cut / grain) * grain;
  }
  std::vector<bool> holds_a_row(cuts.size() + 1, false);
  for (const std::uint32_t row : node.ids()) {
    if (std::isnan(values[row])) continue;
    const auto interval = std::ranges::lower_bound(cuts, values[row]) - cuts.begin();
    holds_a_row[static_cast<std::size_t>(interval)] = true;
  }
  // An empty interval goes with the one below it, or with the next one if there is none.
  std::vector<double> kept;
  bool has_lower = holds_a_row[0];
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    if (holds_a_row[i + 1] && has_lower) kept.push_back(cuts[i]);
    has_lower = has_lower || holds_a_row[i + 1];
  }
  if (kept.empty()) return {};
  if (kept.size() == 1) return axis_test(column, kept[0]);
  std::vector<double> scores{0.0, 0.0};
  double sum = 0.0;
  for (std::size_t b = 0; b < kept.size(); ++b) {
    sum += kept[b];
    scores.push_back(static_cast<double>(b + 1));
    scores.push_back(-sum);
  }
  return machine_test(std::span(&column, 1), scores);
}

}  // namespace treewright
