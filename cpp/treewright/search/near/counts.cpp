#include "treewright/search/near/counts.hpp"

#include <algorithm>
#include <unordered_map>

namespace treewright::search {

namespace {

constexpr Value most_dense = 1 << 14;  // costs that have a place each

}  // namespace

double total_of(const CountsByCost& counts) {
  double total = 0.0;
  for (const auto& [cost, count] : counts) total += count;
  return total;
}

NearCounts::NearCounts(const NearGraph& graph, bool with_idle_tests,
                       std::function<void(std::size_t)> poll)
    : graph_(graph),
      with_idle_tests_(with_idle_tests),
      poll_(std::move(poll)),
      counts_(graph.nodes.size()) {
  const auto below = [this](std::uint32_t node) -> const CountsByCost& { return counts_[node]; };
  for (std::size_t n = graph.nodes.size(); n-- > 0;) {
    counts_[n] = count(graph.nodes[n], [](std::int32_t) { return true; }, below);
    n_entries_ += counts_[n].capacity();
  }
}

// `allows(test)` tells which edges count, `below(node)` what is known of later nodes.
template <class Allows, class Below>
CountsByCost NearCounts::count(const NearNode& node, Allows allows, Below below) {
  CountsByCost counts;
  poll(counts);
  if (!node.is_open) return {{node.leaf, 1.0}};
  const Value limit = node.limit();
  if (node.n_edges == 0) {
    if (node.leaf <= limit) counts.emplace_back(node.leaf, 1.0);
    return counts;
  }
  const bool is_dense = node.slack < most_dense;
  if (is_dense) dense_.assign(static_cast<std::size_t>(node.slack) + 1, 0.0);
  const auto add = [&](Value cost, double number) {
    if (is_dense) {
      dense_[static_cast<std::size_t>(cost - node.best)] += number;
    } else {
      counts.emplace_back(cost, number);
    }
  };
  if (node.leaf <= limit) add(node.leaf, 1.0);
  for (const NearEdge& edge : graph_.edges_of(node)) {
    if (!allows(edge.test)) continue;
    const Value fixed = graph_.fixed_of(edge);
    const CountsByCost& failed = below(edge.failed);
    for (const auto& [one, n_ones] : below(edge.passed)) {
      if (!is_dense) poll(counts);
      for (const auto& [other, n_others] : failed) {
        const Value cost = fixed + one + other;
        if (cost > limit) break;
        add(cost, n_ones * n_others);
      }
    }
    if (!edge.is_idle || with_idle_tests_) continue;
    const Value idle = fixed + graph_.nodes[edge.passed].leaf + graph_.nodes[edge.failed].leaf;
    if (idle <= limit) add(idle, -1.0);
  }
  if (is_dense) {
    for (std::size_t more = 0; more < dense_.size(); ++more) {
      if (dense_[more] > 0.0)
        counts.emplace_back(node.best + static_cast<Value>(more), dense_[more]);
    }
  } else {
    collect(counts);
  }
  return counts;
}

void NearCounts::collect(CountsByCost& counts) {
  std::ranges::stable_sort(counts, {}, &CountsByCost::value_type::first);
  std::size_t n_kept = 0;
  for (std::size_t i = 0; i < counts.size();) {
    auto [cost, number] = counts[i];
    for (++i; i < counts.size() && counts[i].first == cost; ++i) number += counts[i].second;
    if (number > 0.0) counts[n_kept++] = {cost, number};
  }
  counts.resize(n_kept);
  counts.shrink_to_fit();
}

std::vector<double> NearCounts::without_each(
    const std::function<const Columns&(std::int32_t)>& columns, std::int32_t n_columns) {
  // Which columns the trees of each node read, as bits.
  const std::size_t n_words = static_cast<std::size_t>(n_columns + 63) / 64;
  std::vector<std::uint64_t> read(graph_.nodes.size() * n_words, 0);
  for (std::size_t n = graph_.nodes.size(); n-- > 0;) {
    std::uint64_t* own = read.data() + n * n_words;
    for (const NearEdge& edge : graph_.edges_of(graph_.nodes[n])) {
      for (const std::int32_t column : columns(edge.test))
        own[column / 64] |= std::uint64_t{1} << (column % 64);
      for (std::size_t w = 0; w < n_words; ++w)
        own[w] |= read[edge.passed * n_words + w] | read[edge.failed * n_words + w];
    }
  }
  std::vector<double> without(static_cast<std::size_t>(n_columns), total_of(of_root()));
  std::unordered_map<std::size_t, CountsByCost> changed;
  for (std::int32_t column = 0; column < n_columns; ++column) {
    const auto reads = [&](std::size_t node) {
      const auto word = static_cast<std::size_t>(column) / 64;
      return (read[node * n_words + word] >> (column % 64) & 1) != 0;
    };
    if (!reads(0)) continue;
    changed.clear();
    const auto allows = [&](std::int32_t test) {
      return !std::ranges::binary_search(columns(test), column);
    };
    const auto below = [&](std::uint32_t node) -> const CountsByCost& {
      return reads(node) ? changed.at(node) : counts_[node];
    };
    for (std::size_t n = graph_.nodes.size(); n-- > 0;) {
      if (reads(n)) changed.emplace(n, count(graph_.nodes[n], allows, below));
    }
    without[static_cast<std::size_t>(column)] = total_of(changed.at(0));
  }
  return without;
}

}  // namespace treewright::search
