// PointCuts: the threshold of a column, or of a direction, at a point that is calculated
// (split_point.hpp) or, by the rule "impurity", where the cut is best.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "treewright/split/significance/split_point.hpp"

namespace treewright {

class PointCuts {
 public:
  PointCuts(std::string threshold, std::size_t closest_k)
      : threshold_(std::move(threshold)), closest_k_(closest_k) {}

  void prepare(const Problem& problem);
  // Thresholds are searched for.
  bool are_best() const { return !rule_; }

  std::optional<Candidate> of(const Node& node, std::int32_t column);
  // Sums that differ by `rounding` are one value.
  std::optional<Candidate> along(const Node& node, std::span<const std::int32_t> columns,
                                 std::span<const double> coefficients, double rounding);

 private:
  std::string threshold_;
  std::size_t closest_k_;
  std::optional<PointRule> rule_;  // none: the best cut
  Points points_;
};

}  // namespace treewright
