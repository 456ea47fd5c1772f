#include "treewright/split/discriminant/group_threshold.hpp"

#include <algorithm>
#include <limits>

#include "treewright/split/cut/cut.hpp"

namespace treewright {

double threshold_between(const Moments& group_0, const Moments& group_1) {
  const bool is_1_higher = difference_of(group_1, group_0) > 0;
  const Moments& higher = is_1_higher ? group_1 : group_0;
  const Moments& lower = is_1_higher ? group_0 : group_1;
  const double upper_edge = higher.mean - higher.deviation();
  const double lower_edge = lower.mean + lower.deviation();
  if (upper_edge > lower_edge) return middle_of(lower_edge, upper_edge);
  const bool is_1_narrower = !clearly_better(group_1.deviation(), group_0.deviation());
  const bool is_higher_narrower = is_1_narrower == is_1_higher;
  return is_higher_narrower ? upper_edge : lower_edge;
}

double target_cut(const Node& node) {
  const auto numbers = node.problem.target.numbers;
  std::vector<std::uint32_t> order(node.ids().begin(), node.ids().end());
  std::ranges::sort(order, {}, [&](std::uint32_t row) { return numbers[row]; });
  const double mean = node.statistics[1], min_leaf = node.problem.min_leaf - limit_slack;
  double weight = 0.0, sum = 0.0, count = 0.0, best = 0.0;
  double cut = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    const std::uint32_t row = order[i];
    weight += node.weights[row];
    sum += node.weights[row] * (numbers[row] - mean);
    count += node.count_of(row);
    const double next = numbers[order[i + 1]];
    if (numbers[row] == next || std::min(count, node.count - count) < min_leaf) continue;
    const double gain = sum * sum * (1.0 / weight + 1.0 / (node.weight - weight));
    if (clearly_better(gain, best)) {
      best = gain;
      cut = middle_of(numbers[row], next);
    }
  }
  return cut;
}

}  // namespace treewright
