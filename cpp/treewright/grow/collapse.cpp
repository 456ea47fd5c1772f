// C4.5's last step of growth: what mends no training error is not worth a test.

#include <algorithm>

#include "treewright/grow/grow.hpp"

namespace treewright {

namespace {

// What rows with these statistics cost when the node answers them.
double loss_at(const Tree& tree, std::size_t node, std::span<const double> statistics) {
  if (!tree.is_classification) {
    const double off = statistics[1] - tree.statistics_of(node)[1];
    return statistics[2] + statistics[0] * off * off;
  }
  const auto said = static_cast<std::size_t>(tree.value[node]);
  if (tree.cost.empty()) return sum_of(statistics) - statistics[said];
  double sum = 0.0;
  for (std::size_t i = 0; i < statistics.size(); ++i) {
    sum += statistics[i] * tree.cost[i * statistics.size() + said];
  }
  return sum;
}

}  // namespace

std::vector<bool> useless_nodes(const Tree& tree) {
  // The loss of one row of average weight.
  const double dearest = tree.cost.empty() ? 1.0 : *std::ranges::max_element(tree.cost);
  const double one_row = tree.weight(0) / tree.rows[0] * dearest;
  std::vector<double> subtree(tree.n_nodes()), stopped(tree.n_outputs());
  std::vector<bool> useless(tree.n_nodes(), false);
  for (std::size_t node = tree.n_nodes(); node-- > 0;) {
    const double own = loss_at(tree, node, tree.statistics_of(node));
    subtree[node] = own;
    if (tree.is_leaf(node)) continue;
    tree.stopped_statistics(node, stopped);
    double below = loss_at(tree, node, stopped);
    for (std::int32_t b = 0; b < tree.n_branches[node]; ++b) {
      below += subtree[static_cast<std::size_t>(tree.first_child[node] + b)];
    }
    const double epsilon = tree.is_classification ? 1e-3 * one_row : 1e-12 * own;
    useless[node] = below >= own - epsilon;
    if (!useless[node]) subtree[node] = below;
  }
  return useless;
}

}  // namespace treewright
