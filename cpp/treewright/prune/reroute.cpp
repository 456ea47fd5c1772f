#include "treewright/prune/reroute.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "treewright/base/error.hpp"
#include "treewright/measure/measure.hpp"
#include "treewright/tree/apply.hpp"

namespace treewright {

namespace {

// visit(node, ids) for a node and all below it, children after their parents.
template <class Visit>
void send(const Tree& tree, std::size_t start, const Table& table,
          std::span<const std::uint32_t> rows, Visit visit) {
  struct Open {
    std::size_t node;
    std::vector<std::uint32_t> ids;
  };
  std::vector<Open> stack;
  stack.push_back({start, {rows.begin(), rows.end()}});
  while (!stack.empty()) {
    const Open open = std::move(stack.back());
    stack.pop_back();
    visit(open.node, std::span<const std::uint32_t>(open.ids));
    if (tree.is_leaf(open.node)) continue;
    const auto n_branches = static_cast<std::size_t>(tree.n_branches[open.node]);
    std::vector<std::vector<std::uint32_t>> branches(n_branches);
    route(tree.tests.view(open.node), table, open.ids, [&](std::uint32_t row, std::int32_t branch) {
      if (branch == unknown) branch = settled_branch(tree, open.node, table, row);
      if (branch != unknown) branches[static_cast<std::size_t>(branch)].push_back(row);
    });
    for (std::size_t b = n_branches; b-- > 0;) {
      stack.push_back(
          {static_cast<std::size_t>(tree.first_child[open.node]) + b, std::move(branches[b])});
    }
  }
}

// Values a reader looks at.
std::int64_t terms_of(const Tree& tree, std::size_t node) {
  switch (static_cast<Kind>(tree.tests.kind[node])) {
    case Kind::linear:
    case Kind::machine:
      return std::ssize(tree.tests.features_of(node));
    case Kind::pair:
      return 2;
    case Kind::axis:
    case Kind::subset:
    case Kind::multiway:
    case Kind::leaf:
      break;
  }
  return 1;
}

}  // namespace

Risk risk_named(const std::string& name) {
  const std::vector<std::string> names{"errors", "gini", "entropy", "deviance", "squared_error"};
  const auto found = std::ranges::find(names, name);
  require(found != names.end(), "There is no risk called '" + name + "'.");
  return static_cast<Risk>(found - names.begin());
}

double risk_of(std::span<const double> statistics, Risk risk, std::span<const double> cost) {
  if (risk == Risk::squared_error) return statistics[2];
  const double total = sum_of(statistics);
  if (!(total > 0)) return 0.0;
  const std::size_t k = statistics.size();
  double sum = 0.0;
  switch (risk) {
    case Risk::errors: {
      const std::size_t answer = cheapest_class(statistics, cost);
      if (cost.empty()) return total - statistics[answer];
      for (std::size_t c = 0; c < k; ++c) sum += statistics[c] * cost[c * k + answer];
      return sum;
    }
    case Risk::gini:
      for (const double w : statistics) sum += w * w;
      return total - sum / total;
    case Risk::entropy:
    case Risk::deviance:
      for (const double w : statistics) sum += w > 0 ? w * std::log(total / w) : 0.0;
      return risk == Risk::deviance ? 2.0 * sum : sum / std::log(2.0);
    case Risk::squared_error:
      break;
  }
  return 0.0;
}

double risk_of_part(std::span<const double> part, std::span<const double> all, Risk risk,
                    std::span<const double> cost) {
  if (risk == Risk::squared_error) {
    return part[2] + part[0] * (part[1] - all[1]) * (part[1] - all[1]);
  }
  const double total = sum_of(all), weight = sum_of(part);
  if (!(total > 0) || !(weight > 0)) return 0.0;
  const std::size_t k = all.size(), answer = cheapest_class(all, cost);
  double sum = 0.0;
  for (std::size_t c = 0; c < k; ++c) {
    const double share = all[c] / total;
    switch (risk) {
      case Risk::errors:
        sum += part[c] * (cost.empty() ? (c == answer ? 0.0 : 1.0) : cost[c * k + answer]);
        break;
      case Risk::gini:
        sum += part[c] * (1.0 - share);
        break;
      case Risk::entropy:
        sum -= part[c] > 0 ? part[c] * std::log2(share) : 0.0;
        break;
      case Risk::deviance:
        sum -= part[c] > 0 ? 2.0 * part[c] * std::log(share) : 0.0;
        break;
      case Risk::squared_error:
        break;
    }
  }
  return sum;
}

Below what_is_below(const Tree& tree, std::size_t node, const Table& table, const Target& target,
                    std::span<const std::uint32_t> rows, Risk risk, bool drop_empty) {
  std::vector<std::size_t> counts(tree.n_nodes(), 0);
  std::vector<Below> below(tree.n_nodes());
  std::vector<std::size_t> visited;
  std::vector<double> stopped(tree.n_nodes(), 0.0);
  const auto statistics_of = [&](std::span<const std::uint32_t> ids) {
    std::vector<double> statistics(tree.n_outputs(), 0.0);
    for (const std::uint32_t row : ids) add_row(statistics, target, row, target.weights[row]);
    return statistics;
  };
  send(tree, node, table, rows, [&](std::size_t here, std::span<const std::uint32_t> ids) {
    visited.push_back(here);
    counts[here] = ids.size();
    if (tree.is_leaf(here)) {
      below[here].risk = risk_of(statistics_of(ids), risk, tree.cost);
    } else if (may_stop(static_cast<Missing>(tree.missing[here]))) {
      std::vector<std::uint32_t> staying;
      for (const std::uint32_t row : ids) {
        if (settled_branch(tree, here, table, row) == unknown) staying.push_back(row);
      }
      stopped[here] = risk_of_part(statistics_of(staying), statistics_of(ids), risk, tree.cost);
    }
  });
  for (auto place = visited.rbegin(); place != visited.rend(); ++place) {
    const std::size_t here = *place;
    if (tree.is_leaf(here)) continue;
    const auto first = static_cast<std::size_t>(tree.first_child[here]);
    const auto n_branches = static_cast<std::size_t>(tree.n_branches[here]);
    Below sum{stopped[here], terms_of(tree, here)};
    for (std::size_t child = first; child < first + n_branches; ++child) {
      if (drop_empty && counts[child] == counts[here] && counts[here] > 0) {
        sum = below[child];
        break;
      }
      sum.risk += below[child].risk;
      sum.terms += below[child].terms;
    }
    below[here] = sum;
  }
  return below[node];
}

Refitted refit_below(const Tree& tree, std::size_t node, const Table& table, const Target& target,
                     std::span<const std::uint32_t> rows, bool absolute_error) {
  Refitted result{tree, {}};
  Tree& fitted = result.tree;
  const std::vector<std::int32_t> parents = tree.parents();
  const std::size_t k = tree.n_outputs();
  send(tree, node, table, rows, [&](std::size_t here, std::span<const std::uint32_t> ids) {
    result.rows[here].assign(ids.begin(), ids.end());
    const auto statistics = std::span(fitted.statistics).subspan(here * k, k);
    std::ranges::fill(statistics, 0.0);
    for (const std::uint32_t row : ids) add_row(statistics, target, row, target.weights[row]);
    fitted.rows[here] = static_cast<double>(ids.size());
    if (!(fitted.weight(here) > 0)) {
      if (parents[here] >= 0) {
        fitted.value[here] = fitted.value[static_cast<std::size_t>(parents[here])];
      }
    } else if (tree.is_classification) {
      fitted.value[here] = static_cast<double>(
          cheapest_class(statistics, tree.cost, static_cast<std::size_t>(tree.value[here])));
    } else if (absolute_error) {
      std::vector<std::pair<double, double>> numbers;
      for (const std::uint32_t row : ids) {
        numbers.emplace_back(target.numbers[row], target.weights[row]);
      }
      fitted.value[here] = weighted_median(numbers).median;
    } else {
      fitted.value[here] = statistics[1];
    }
  });
  return result;
}

}  // namespace treewright
