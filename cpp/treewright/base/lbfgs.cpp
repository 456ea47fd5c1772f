#include "treewright/base/lbfgs.hpp"

#include <cmath>
#include <deque>
#include <limits>
#include <numeric>
#include <ranges>

namespace treewright {

namespace {

constexpr std::size_t memory = 10;
constexpr int most_tries = 40;        // of a step
constexpr double enough_fall = 1e-4;  // of what the slope promises
constexpr double enough_turn = 0.9;   // of the slope that may be left

double product(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void add(std::span<double> to, double factor, std::span<const double> from) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
}

struct Step {
  std::vector<double> moved, turned;  // of the point, of the gradient
  double product = 0.0;               // of the two, above 0
};

// -H g
std::vector<double> direction_from(std::span<const double> gradient,
                                   const std::deque<Step>& steps) {
  std::vector<double> direction(gradient.begin(), gradient.end()), factors;
  for (const Step& step : std::views::reverse(steps)) {
    factors.push_back(product(step.moved, direction) / step.product);
    add(direction, -factors.back(), step.turned);
  }
  double scale = 1.0 / std::sqrt(product(gradient, gradient));
  if (!steps.empty()) {
    const Step& last = steps.back();
    scale = last.product / product(last.turned, last.turned);
  }
  for (double& number : direction) number *= scale;
  for (const Step& step : steps) {
    const double factor = product(step.turned, direction) / step.product;
    add(direction, factors.back() - factor, step.moved);
    factors.pop_back();
  }
  for (double& number : direction) number = -number;
  return direction;
}

struct Point {
  std::vector<double> at, gradient;
  double value = 0.0;
};

// The next point along a direction; the same one if no step makes the value fall.
Point next_along(const Smooth& function, const Point& from, std::span<const double> direction) {
  const double slope = product(from.gradient, direction);
  double low = 0.0, high = std::numeric_limits<double>::infinity(), length = 1.0;
  Point best = from;
  for (int i = 0; i < most_tries; ++i) {
    Point next = from;
    add(next.at, length, direction);
    next.value = function(next.at, next.gradient);
    const bool falls = next.value < from.value + enough_fall * length * slope;
    const bool turns = product(next.gradient, direction) > enough_turn * slope;
    if (falls) best = std::move(next);
    if (falls && turns) break;
    (falls ? low : high) = length;
    length = std::isinf(high) ? 2 * low : (low + high) / 2;
  }
  return best;
}

}  // namespace

Minimum minimum_of(const Smooth& function, std::vector<double> start, const MinimumRules& rules) {
  Point point{std::move(start), {}, 0.0};
  point.gradient.resize(point.at.size());
  point.value = function(point.at, point.gradient);
  const auto steepness = [&] { return std::sqrt(product(point.gradient, point.gradient)); };
  const double enough = rules.tolerance * steepness();
  Minimum found;
  std::deque<Step> steps;
  found.converged = steepness() <= enough;
  while (!found.converged && found.iterations < rules.max_iterations) {
    ++found.iterations;
    Point next = next_along(function, point, direction_from(point.gradient, steps));
    if (!(next.value < point.value)) {
      if (steps.empty()) break;
      steps.clear();  // what was learnt misleads: straight down once more
      continue;
    }
    Step step{next.at, next.gradient, 0.0};
    add(step.moved, -1.0, point.at);
    add(step.turned, -1.0, point.gradient);
    step.product = product(step.moved, step.turned);
    if (step.product > 0) steps.push_back(std::move(step));
    if (steps.size() > memory) steps.pop_front();
    point = std::move(next);
    found.converged = steepness() <= enough;
  }
  found.at = std::move(point.at);
  found.value = point.value;
  return found;
}

}  // namespace treewright
