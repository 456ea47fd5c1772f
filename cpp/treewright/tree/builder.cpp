#include "treewright/tree/builder.hpp"

#include <algorithm>

namespace treewright {

TreeBuilder::TreeBuilder(bool is_classification, std::vector<std::int32_t> n_levels,
                         std::size_t n_outputs)
    : is_classification_(is_classification),
      n_levels_(std::move(n_levels)),
      n_outputs_(n_outputs) {}

std::int32_t TreeBuilder::add_node(double rows, std::span<const double> statistics, double value) {
  nodes_.push_back({rows, value, -1});
  statistics_.insert(statistics_.end(), statistics.begin(), statistics.end());
  return static_cast<std::int32_t>(nodes_.size() - 1);
}

void TreeBuilder::set_test(std::int32_t node, const Test& test, std::int32_t first_child,
                           std::int32_t n_branches, double gain, Missing missing,
                           std::int32_t default_branch, std::span<const Surrogate> surrogates) {
  nodes_[static_cast<std::size_t>(node)].split = static_cast<std::int32_t>(splits_.size());
  splits_.push_back({gain, first_child, n_branches, default_branch, missing, surrogates_.size(),
                     surrogates.size()});
  surrogates_.insert(surrogates_.end(), surrogates.begin(), surrogates.end());
  tests_.append(test);
}

std::span<const double> TreeBuilder::statistics(std::int32_t node) const {
  return std::span(statistics_).subspan(static_cast<std::size_t>(node) * n_outputs_, n_outputs_);
}

std::pair<Tree, std::vector<std::int32_t>> TreeBuilder::finish(const std::vector<bool>& cut) const {
  const auto split_of = [&](std::int32_t old) -> const Split* {
    const Node& node = nodes_[static_cast<std::size_t>(old)];
    const bool inner = node.split >= 0 && !cut[static_cast<std::size_t>(old)];
    return inner ? &splits_[static_cast<std::size_t>(node.split)] : nullptr;
  };
  // Old ids in canonical order, and where each one's children begin.
  std::vector<std::int32_t> order{0}, new_first(nodes_.size(), -1);
  std::vector<std::pair<std::int32_t, const Split*>> stack;  // of inner nodes
  order.reserve(nodes_.size());
  if (const Split* root = split_of(0)) stack.emplace_back(0, root);
  while (!stack.empty()) {
    const auto [old, split] = stack.back();
    stack.pop_back();
    new_first[static_cast<std::size_t>(old)] = static_cast<std::int32_t>(order.size());
    for (std::int32_t b = 0; b < split->n_branches; ++b) order.push_back(split->first_child + b);
    for (std::int32_t b = split->n_branches; b-- > 0;) {
      const std::int32_t child = split->first_child + b;
      if (const Split* below = split_of(child)) stack.emplace_back(child, below);
    }
  }

  Tree tree;
  tree.is_classification = is_classification_;
  tree.n_levels = n_levels_;
  const std::size_t n = order.size();
  tree.tests.reserve(n, tests_);
  for (auto* numbers : {&tree.rows, &tree.value, &tree.gain}) numbers->resize(n);
  for (auto* ids : {&tree.first_child, &tree.n_branches, &tree.default_branch}) ids->resize(n);
  tree.missing.resize(n);
  tree.surrogate_end.resize(n);
  tree.statistics.resize(n * n_outputs_);
  for (std::size_t i = 0; i < n; ++i) {
    const std::int32_t old = order[i];
    const Node& node = nodes_[static_cast<std::size_t>(old)];
    tree.first_child[i] = new_first[static_cast<std::size_t>(old)];
    tree.rows[i] = node.rows;
    tree.value[i] = node.value;
    std::ranges::copy(statistics(old),
                      tree.statistics.begin() + static_cast<std::ptrdiff_t>(i * n_outputs_));
    tree.default_branch[i] = -1;
    if (tree.first_child[i] < 0) {
      tree.tests.append_leaf();
    } else {
      const Split& split = splits_[static_cast<std::size_t>(node.split)];
      tree.n_branches[i] = split.n_branches;
      tree.gain[i] = split.gain;
      tree.missing[i] = static_cast<std::int8_t>(split.missing);
      tree.default_branch[i] = split.default_branch;
      tree.tests.append(tests_, static_cast<std::size_t>(node.split));
      const auto surrogates = std::span(surrogates_);
      for (const Surrogate& surrogate :
           surrogates.subspan(split.first_surrogate, split.n_surrogates)) {
        tree.surrogates.append(surrogate.test);
        tree.surrogate_swapped.push_back(surrogate.swapped);
        tree.surrogate_agreement.push_back(surrogate.agreement);
        tree.surrogate_adjusted.push_back(surrogate.adjusted);
      }
    }
    tree.surrogate_end[i] = static_cast<std::int64_t>(tree.surrogates.size());
  }
  return {std::move(tree), std::move(order)};
}

}  // namespace treewright
