// C4.5's last step of growth: what mends no training error is not worth a test.

#include <algorithm>

#include "treewright/grow/grow.hpp"

namespace treewright {

namespace {

// What the node's rows cost if it is a leaf.
double own_loss(const Tree& tree, std::size_t node) {
  const auto statistics = tree.statistics_of(node);
  if (!tree.is_classification) return statistics[2];
  const auto said = static_cast<std::size_t>(tree.value[node]);
  if (tree.cost.empty()) return tree.weight(node) - statistics[said];
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
  std::vector<double> subtree(tree.n_nodes());
  std::vector<bool> useless(tree.n_nodes(), false);
  for (std::size_t node = tree.n_nodes(); node-- > 0;) {
    const double own = own_loss(tree, node);
    subtree[node] = own;
    if (tree.is_leaf(node)) continue;
    double below = 0.0;
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
