#include "treewright/prune/refit.hpp"

#include "treewright/measure/measure.hpp"
#include "treewright/prune/flow.hpp"

namespace treewright {

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
    if (!(fitted.weight(node) > 0)) {
      fitted.value[node] = fitted.value[static_cast<std::size_t>(parents[node])];
    } else if (tree.is_classification) {
      fitted.value[node] = static_cast<double>(
          cheapest_class(statistics, tree.cost, static_cast<std::size_t>(tree.value[node])));
    } else {
      fitted.value[node] =
          absolute_error ? weighted_median(target, flow.rows(), range).median : statistics[1];
    }
    return true;
  };
  flow.send(0, flow.all(), itself, fit, [](std::size_t, Range) {});
  return fitted;
}

}  // namespace treewright
