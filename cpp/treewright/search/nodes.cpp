#include "treewright/search/nodes.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "treewright/base/error.hpp"

namespace treewright::search {

namespace {

constexpr double tie = 1e-12;  // relative difference of costs that rounding can make

bool passes(const Plan::Node& node, const RowBits& bits, std::size_t row) {
  const bool first = bits.passes(node.first, row);
  switch (node.function) {
    case Function::single:
      return first;
    case Function::both:
      return first && bits.passes(node.second, row);
    case Function::either:
      return first || bits.passes(node.second, row);
    case Function::exactly_one: {
      const bool second = bits.passes(node.second, row);
      if (node.first_unknown >= 0 && bits.passes(node.first_unknown, row)) return first;
      if (node.second_unknown >= 0 && bits.passes(node.second_unknown, row)) return second;
      return first != second;
    }
    case Function::first_only:
      return first && !bits.passes(node.second, row);
  }
  return first;
}

// The children of a node of a plan, branch by branch.
std::vector<std::int32_t> children_of(const Plan::Node& node) {
  if (node.levels.empty()) return {node.passed, node.failed};
  std::vector<std::int32_t> children;
  std::ranges::copy_if(node.levels, std::back_inserter(children), [](auto c) { return c >= 0; });
  return children;
}

std::int32_t branch_of(const Plan::Node& node, const RowBits& bits, std::size_t row) {
  if (node.levels.empty()) return passes(node, bits, row) ? 0 : 1;
  std::int32_t branch = 0;
  for (std::size_t level = 0; level < node.levels.size(); ++level) {
    const bool is_there = node.levels[level] >= 0;
    if (bits.passes(node.first + static_cast<std::int32_t>(level), row)) {
      require(is_there, "A row has a level that the rows of its node had not.");
      return branch;
    }
    branch += is_there ? 1 : 0;
  }
  throw Error("A row has none of the levels of its node.");
}

// Nodes and rows, without any target: depth first, siblings side by side.
Nodes without_target(const Plan& plan, const RowBits& bits, std::size_t n_rows) {
  Nodes nodes;
  nodes.places = {0};
  nodes.first_child = {-1};
  nodes.n_branches = {0};
  std::vector<std::size_t> open{0};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    const Plan::Node& node = plan.nodes[static_cast<std::size_t>(nodes.places[at])];
    if (node.first < 0) continue;
    const std::size_t child = nodes.size();
    nodes.first_child[at] = static_cast<std::int32_t>(child);
    const std::vector<std::int32_t> children = children_of(node);
    nodes.n_branches[at] = static_cast<std::int32_t>(children.size());
    nodes.places.insert(nodes.places.end(), children.begin(), children.end());
    nodes.first_child.resize(nodes.places.size(), -1);
    nodes.n_branches.resize(nodes.places.size(), 0);
    for (std::size_t b = children.size(); b-- > 0;) open.push_back(child + b);
  }
  nodes.heavier.assign(nodes.size(), -1);
  nodes.rows.assign(nodes.size(), 0.0);
  nodes.value.assign(nodes.size(), 0.0);
  nodes.gain.assign(nodes.size(), 0.0);
  nodes.leaf_of_row.resize(n_rows);
  for (std::size_t row = 0; row < n_rows; ++row) {
    std::size_t at = 0;
    while (nodes.first_child[at] >= 0) {
      const Plan::Node& node = plan.nodes[static_cast<std::size_t>(nodes.places[at])];
      at = static_cast<std::size_t>(nodes.first_child[at] + branch_of(node, bits, row));
    }
    nodes.leaf_of_row[row] = static_cast<std::int32_t>(at);
    nodes.rows[at] += 1.0;
  }
  return nodes;
}

// From the last inner node to the root: join(node, child) adds what a child has to its parent; then
// weight_of and impurity_of say what its test is worth.
template <class Join, class WeightOf, class ImpurityOf>
void join_children(Nodes& nodes, const Join& join, const WeightOf& weight_of,
                   const ImpurityOf& impurity_of) {
  for (std::size_t at = nodes.size(); at-- > 0;) {
    if (nodes.first_child[at] < 0) continue;
    const auto first = static_cast<std::size_t>(nodes.first_child[at]);
    const std::size_t end = first + static_cast<std::size_t>(nodes.n_branches[at]);
    std::size_t heaviest = first;
    for (std::size_t child = first; child < end; ++child) {
      nodes.rows[at] += nodes.rows[child];
      join(at, child);
      if (weight_of(child) > weight_of(heaviest)) heaviest = child;
    }
    nodes.heavier[at] = static_cast<std::int32_t>(heaviest - first);
    double gain = impurity_of(at);
    for (std::size_t child = first; child < end; ++child) gain -= impurity_of(child);
    nodes.gain[at] = std::max(gain, 0.0);
  }
}

}  // namespace

Nodes class_nodes(const Plan& plan, const RowBits& bits, std::span<const std::int32_t> classes,
                  std::span<const double> weights, std::span<const double> costs,
                  std::size_t n_classes, std::span<const double> losses_of_rows) {
  Nodes nodes = without_target(plan, bits, classes.size());
  nodes.statistics.assign(nodes.size() * n_classes, 0.0);
  const auto of = [&](std::size_t node) { return nodes.statistics.data() + node * n_classes; };
  for (std::size_t row = 0; row < classes.size(); ++row)
    of(static_cast<std::size_t>(nodes.leaf_of_row[row]))[classes[row]] += weights[row];
  const bool by_row = !losses_of_rows.empty();
  std::vector<double> lost(by_row ? nodes.size() * n_classes : 0, 0.0);  // [node][label]
  const auto lost_at = [&](std::size_t node) { return lost.data() + node * n_classes; };
  for (std::size_t row = 0; by_row && row < classes.size(); ++row) {
    double* const at = lost_at(static_cast<std::size_t>(nodes.leaf_of_row[row]));
    for (std::size_t l = 0; l < n_classes; ++l)
      at[l] += weights[row] * losses_of_rows[row * n_classes + l];
  }
  const auto weight_of = [&](std::size_t node) {
    double total = 0.0;
    for (std::size_t c = 0; c < n_classes; ++c) total += of(node)[c];
    return total;
  };
  const auto impurity_of = [&](std::size_t node) {
    const double total = weight_of(node);
    double squares = 0.0;
    for (std::size_t c = 0; c < n_classes; ++c) squares += of(node)[c] * of(node)[c];
    return total > 0.0 ? total - squares / total : 0.0;
  };
  const auto join = [&](std::size_t node, std::size_t child) {
    for (std::size_t c = 0; c < n_classes; ++c) of(node)[c] += of(child)[c];
    for (std::size_t l = 0; by_row && l < n_classes; ++l) lost_at(node)[l] += lost_at(child)[l];
  };
  join_children(nodes, join, weight_of, impurity_of);

  const std::size_t n_labels = costs.empty() ? n_classes : costs.size() / n_classes;
  std::vector<double> losses(n_labels);
  std::vector<std::size_t> before(nodes.size(), 0);  // label of the parent
  for (std::size_t at = 0; at < nodes.size(); ++at) {
    if (by_row) {
      losses.assign(lost_at(at), lost_at(at) + n_labels);
    } else if (costs.empty()) {
      const double total = weight_of(at);
      for (std::size_t l = 0; l < n_labels; ++l) losses[l] = total - of(at)[l];
    } else {
      std::ranges::fill(losses, 0.0);
      for (std::size_t c = 0; c < n_classes; ++c) {
        for (std::size_t l = 0; l < n_labels; ++l) losses[l] += of(at)[c] * costs[c * n_labels + l];
      }
    }
    const auto least = std::ranges::min_element(losses);
    const std::int32_t told = plan.nodes[static_cast<std::size_t>(nodes.places[at])].answer;
    auto label = static_cast<std::size_t>(least - losses.begin());
    if (losses[before[at]] <= *least + tie * std::abs(*least)) label = before[at];
    if (told >= 0) label = static_cast<std::size_t>(told);
    nodes.value[at] = static_cast<double>(label);
    if (nodes.first_child[at] < 0) continue;
    const auto child = static_cast<std::size_t>(nodes.first_child[at]);
    std::fill_n(before.begin() + static_cast<std::ptrdiff_t>(child), nodes.n_branches[at], label);
  }
  return nodes;
}

Nodes number_nodes(const Plan& plan, const RowBits& bits, std::span<const double> numbers,
                   std::span<const double> weights) {
  Nodes nodes = without_target(plan, bits, numbers.size());
  constexpr std::size_t n_sums = 3;  // weight, mean, sum of squared deviations
  nodes.statistics.assign(nodes.size() * n_sums, 0.0);
  const auto of = [&](std::size_t node) { return nodes.statistics.data() + node * n_sums; };
  const auto leaf = [&](std::size_t row) {
    return of(static_cast<std::size_t>(nodes.leaf_of_row[row]));
  };
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    leaf(row)[0] += weights[row];
    leaf(row)[1] += weights[row] * numbers[row];
  }
  for (std::size_t at = 0; at < nodes.size(); ++at) {
    if (of(at)[0] > 0.0) of(at)[1] /= of(at)[0];
  }
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    const double off = numbers[row] - leaf(row)[1];
    leaf(row)[2] += weights[row] * off * off;
  }
  const auto join = [&](std::size_t node, std::size_t child) {
    double* const a = of(node);
    const double* const b = of(child);
    const double total = a[0] + b[0], apart = a[1] - b[1];
    if (a[0] == 0.0) {
      std::copy_n(b, n_sums, a);
      return;
    }
    a[1] = (a[0] * a[1] + b[0] * b[1]) / total;
    a[2] = a[2] + b[2] + apart * apart * a[0] * b[0] / total;
    a[0] = total;
  };
  join_children(
      nodes, join, [&](std::size_t node) { return of(node)[0]; },
      [&](std::size_t node) { return of(node)[2]; });
  for (std::size_t at = 0; at < nodes.size(); ++at) nodes.value[at] = of(at)[1];
  return nodes;
}

}  // namespace treewright::search
