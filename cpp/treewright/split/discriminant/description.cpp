#include "treewright/split/discriminant/description.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace treewright {

namespace {

// A row counts as many times as it weighs, and not less than once on average.
double rows_of(const Node& node) { return std::max(node.weight, node.count); }

}  // namespace

double bits_after(const Node& node, const Test& test) {
  const bool is_classification = node.problem.target.is_classification();
  const Outcome outcome = evaluate(node, test);
  const std::size_t k = node.problem.target.n_outputs();
  const auto amount = [&](std::span<const double> statistics) {
    if (!is_classification) return statistics[2];
    double bits = x_log_x(sum_of(statistics));
    for (const double weight : statistics) bits -= x_log_x(weight);
    return bits;
  };
  std::vector<double> judged(k, 0.0);
  double left = amount(node.statistics);
  for (std::size_t b = 0; b < outcome.weights.size(); ++b) {
    const auto branch = std::span(outcome.statistics).subspan(b * k, k);
    add_statistics(judged, branch, is_classification);
    left += amount(branch);
  }
  left = std::max(0.0, left - amount(judged));
  if (!is_classification) left = 0.5 * node.weight * std::log2(left);
  return left * rows_of(node) / node.weight;
}

bool pays_for_columns(const Node& node, const Test& several, const Test& one) {
  const double further = static_cast<double>(columns_of(several).size()) - 1.0;
  const double saved = bits_after(node, one) - bits_after(node, several);
  return saved > further * 0.5 * std::log2(rows_of(node)) * (1 + limit_slack);
}

}  // namespace treewright
