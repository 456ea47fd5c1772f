#include "treewright/split/significance/box_cox.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace treewright {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int n_powers = 17;

std::vector<ClassMoments> classes_under(const BoxCox& transform, const Node& node,
                                        std::int32_t column, Labels labels) {
  std::vector<ClassMoments> classes(labels.count);
  const Column values = node.problem.table.column(column);
  for (const std::uint32_t row : node.ids()) {
    if (std::isnan(values[row])) continue;
    ClassMoments& here = classes[static_cast<std::size_t>(labels.of_row[row])];
    here.moments.add({node.weights[row], transform.apply(values[row]), 0.0});
    here.count += node.count_of(row);
  }
  return classes;
}

// The spread inside classes; 0 where it is no more than rounding.
double within(std::span<const ClassMoments> classes) {
  Moments all;
  double sum = 0.0;
  for (const ClassMoments& c : classes) {
    all.add(c.moments);
    sum += c.moments.squares;
  }
  return sum > 1e-20 * (all.squares + all.weight * all.mean * all.mean) ? sum : 0.0;
}

}  // namespace

double BoxCox::apply(double x) const {
  const double z = (x + shift) * scale;
  return power == 0 ? std::log(z) : (std::pow(z, power) - 1) / power;
}

double BoxCox::invert(double y) const {
  if (power == 0) return std::exp(y) / scale - shift;
  const double base = 1 + power * y;
  if (!(base > 0)) return power > 0 ? -infinity : infinity;
  return std::pow(base, 1 / power) / scale - shift;
}

Transformed likeliest_power(const Node& node, std::int32_t column, Labels labels) {
  const Column values = node.problem.table.column(column);
  Moments all;
  double smallest = infinity;
  for (const std::uint32_t row : node.ids()) {
    if (std::isnan(values[row])) continue;
    smallest = std::min(smallest, values[row]);
    all.add({node.weights[row], values[row], 0.0});
  }
  BoxCox transform;
  if (!(smallest > 0)) transform.shift = all.deviation() - smallest;
  double log_sum = 0.0;
  for (const std::uint32_t row : node.ids()) {
    if (std::isnan(values[row])) continue;
    log_sum += node.weights[row] * std::log(values[row] + transform.shift);
  }
  transform.scale = std::exp(-log_sum / all.weight);
  const bool is_usable = std::isfinite(transform.scale) && transform.scale > 0;
  if (!is_usable) transform = {};
  Transformed best{transform, classes_under(transform, node, column, labels)};
  if (!is_usable) return best;
  for (int i = 0; i < n_powers; ++i) {
    transform.power = -2 + 0.25 * i;
    std::vector<ClassMoments> classes = classes_under(transform, node, column, labels);
    const double found = within(classes);
    if (std::isfinite(found) && found < within(best.classes) * (1 - 1e-9)) {
      best = {transform, std::move(classes)};
    }
  }
  return best;
}

}  // namespace treewright
