// C4.5's last step of growth: what mends no training error is not worth a test.

#include "treewright/grow/grow.hpp"

namespace treewright {

std::vector<bool> useless_nodes(const Tree& tree) {
  std::vector<double> subtree(tree.n_nodes());
  std::vector<bool> useless(tree.n_nodes(), false);
  for (std::size_t node = tree.n_nodes(); node-- > 0;) {
    const auto statistics = tree.statistics_of(node);
    const double own =
        tree.is_classification
            ? tree.weight(node) - statistics[static_cast<std::size_t>(tree.value[node])]
            : statistics[2];
    subtree[node] = own;
    if (tree.is_leaf(node)) continue;
    double below = 0.0;
    for (std::int32_t b = 0; b < tree.n_branches[node]; ++b) {
      below += subtree[static_cast<std::size_t>(tree.first_child[node] + b)];
    }
    const double epsilon = tree.is_classification ? 1e-3 : 1e-12 * own;
    useless[node] = below >= own - epsilon;
    if (!useless[node]) subtree[node] = below;
  }
  return useless;
}

}  // namespace treewright
