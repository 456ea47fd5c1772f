#include "treewright/split/significance/point_cuts.hpp"

#include "treewright/split/cut/cut.hpp"

namespace treewright {

void PointCuts::prepare(const Problem& problem) {
  if (threshold_ == "auto") {
    rule_ = problem.target.n_classes > 2 ? std::nullopt : std::optional(PointRule::mean);
  } else if (threshold_ == "closest") {
    rule_ = PointRule::closest;
  } else if (threshold_ == "median") {
    rule_ = PointRule::median;
  } else if (threshold_ == "mean") {
    rule_ = PointRule::mean;
  } else if (threshold_ == "class_midpoint") {
    rule_ = PointRule::class_midpoint;
  }
}

std::optional<Candidate> PointCuts::of(const Node& node, std::int32_t column) {
  if (!rule_) return cut_column(node, column);
  points_.read(node, column);
  return cut_at(node, points_, axis_test(column, 0.0),
                split_point(node, points_, *rule_, closest_k_));
}

std::optional<Candidate> PointCuts::along(const Node& node, std::span<const std::int32_t> columns,
                                          std::span<const double> coefficients, double rounding) {
  if (!rule_) return cut_along(node, columns, coefficients);
  const Test direction = linear_test(columns, coefficients, 0.0);
  points_.read(node, direction, rounding);
  if (points_.is_empty) return std::nullopt;
  return cut_at(node, points_, direction, split_point(node, points_, *rule_, closest_k_));
}

}  // namespace treewright
