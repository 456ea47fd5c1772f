#include "treewright/prune/refit.hpp"

#include "treewright/measure/measure.hpp"
#include "treewright/prune/flow.hpp"

namespace treewright {

namespace {

// The class that costs least by the statistics of a node, or their mean; without rows its parent's
// answer.
void answer(Tree& tree, std::size_t node, std::size_t parent) {
  const std::size_t k = tree.n_outputs();
  const auto statistics = std::span(tree.statistics).subspan(node * k, k);
  if (!(tree.weight(node) > 0)) {
    tree.value[node] = tree.value[parent];
  } else if (tree.is_classification) {
    tree.value[node] = static_cast<double>(
        cheapest_class(statistics, tree.cost, static_cast<std::size_t>(tree.value[node])));
  } else {
    tree.value[node] = statistics[1];
  }
}

}  // namespace

Tree with_statistics(const Tree& tree, std::vector<double> rows, std::vector<double> statistics) {
  Tree counted = tree;
  counted.probabilities.clear();
  counted.rows = std::move(rows);
  counted.statistics = std::move(statistics);
  const std::vector<std::int32_t> parents = tree.parents();
  for (std::size_t node = 0; node < tree.n_nodes(); ++node) {
    answer(counted, node, node == 0 ? 0 : static_cast<std::size_t>(parents[node]));
  }
  return counted;
}

Tree refit(const Tree& tree, const Table& table, const Target& target, bool absolute_error,
           Monitor& monitor) {
  Tree fitted = tree;
  fitted.probabilities.clear();
  Flow flow(tree, table, target, monitor);
  const std::vector<std::int32_t> parents = tree.parents();
  const std::size_t k = tree.n_outputs();
  const auto itself = [](std::size_t node) { return node; };
  const auto fit = [&](std::size_t node, Range range) {
    const auto statistics = std::span(fitted.statistics).subspan(node * k, k);
    fitted.rows[node] = flow.count(range, statistics);
    answer(fitted, node, node == 0 ? 0 : static_cast<std::size_t>(parents[node]));
    if (absolute_error && fitted.weight(node) > 0) {
      fitted.value[node] = weighted_median(target, flow.rows(), range).median;
    }
    return true;
  };
  flow.send(0, flow.all(), itself, fit, [](std::size_t, Range) {});
  return fitted;
}

}  // namespace treewright
