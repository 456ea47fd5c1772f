#include "treewright/search/near/ordered_trees.hpp"

#include <algorithm>
#include <functional>

namespace treewright::search {

std::optional<Value> OrderedTrees::cost(std::size_t place) {
  const auto tree = at(0, static_cast<std::uint32_t>(place));
  return tree ? std::optional(tree->cost) : std::nullopt;
}

Plan OrderedTrees::plan(std::size_t place) {
  Plan plan;
  write(plan, 0, static_cast<std::uint32_t>(place));
  return plan;
}

std::optional<OrderedTrees::Tree> OrderedTrees::at(std::uint32_t node, std::uint32_t place) {
  if (!lists_[node]) begin(node);
  while (lists_[node]->found.size() <= place) {
    if (!find_next(node)) return std::nullopt;
  }
  return lists_[node]->found[place];
}

void OrderedTrees::begin(std::uint32_t node) {
  lists_[node] = std::make_unique<List>();
  const NearNode& here = graph_.nodes[node];
  if (!here.is_open || here.leaf <= here.limit()) {
    lists_[node]->waiting.push_back({here.leaf, 0});
  }
  for (std::uint32_t e = 0; e < here.n_edges; ++e)
    wait(node, static_cast<std::int32_t>(here.first_edge + e), 0, 0);
}

void OrderedTrees::wait(std::uint32_t node, std::int32_t edge, std::uint32_t passed,
                        std::uint32_t failed) {
  const NearEdge& taken = graph_.edges[static_cast<std::size_t>(edge)];
  const auto one = at(taken.passed, passed), other = at(taken.failed, failed);
  if (!one || !other) return;
  const Value cost = graph_.fixed_of(taken) + one->cost + other->cost;
  if (cost > graph_.nodes[node].limit()) return;
  std::vector<Tree>& waiting = lists_[node]->waiting;
  waiting.push_back({cost, one->n_tests + other->n_tests + 1, edge, passed, failed});
  std::ranges::push_heap(waiting, std::greater{});
}

// False if there is none.
bool OrderedTrees::find_next(std::uint32_t node) {
  List& list = *lists_[node];
  while (!list.waiting.empty()) {
    std::ranges::pop_heap(list.waiting, std::greater{});
    const Tree next = list.waiting.back();
    list.waiting.pop_back();
    bool is_idle = false;
    if (next.edge >= 0) {
      const NearEdge& edge = graph_.edges[static_cast<std::size_t>(next.edge)];
      is_idle = edge.is_idle && next.n_tests == 1 && !with_idle_tests_;
      wait(node, next.edge, next.passed, next.failed + 1);
      if (next.failed == 0) wait(node, next.edge, next.passed + 1, 0);
    }
    if (is_idle) continue;
    list.found.push_back(next);
    return true;
  }
  return false;
}

std::int32_t OrderedTrees::write(Plan& plan, std::uint32_t node, std::uint32_t place) {
  const auto at_plan = plan.nodes.size();
  plan.nodes.emplace_back();
  const Tree tree = lists_[node]->found[place];
  if (tree.edge < 0) {
    plan.nodes[at_plan].answer = graph_.nodes[node].label;
  } else {
    const NearEdge& edge = graph_.edges[static_cast<std::size_t>(tree.edge)];
    plan.nodes[at_plan].first = edge.test;
    const std::int32_t passed = write(plan, edge.passed, tree.passed);
    const std::int32_t failed = write(plan, edge.failed, tree.failed);
    plan.nodes[at_plan].passed = passed;
    plan.nodes[at_plan].failed = failed;
  }
  return static_cast<std::int32_t>(at_plan);
}

}  // namespace treewright::search
