// How many trees of a graph have which cost. The trees of a node are its leaf and, for each edge,
// the pairs of trees of the two nodes below: numbers of trees are multiplied, costs added.
//
// Numbers are doubles: whole up to 2^53, and beyond it right to about 15 digits.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "treewright/search/near/graph.hpp"
#include "treewright/tree/column_rules.hpp"

namespace treewright::search {

using CountsByCost = std::vector<std::pair<Value, double>>;  // costs rise

class NearCounts {
 public:
  // Counts trees with idle tests only if they are wanted; `poll` is called now and then with the
  // bytes that the counts take.
  NearCounts(const NearGraph& graph, bool with_idle_tests, std::function<void(std::size_t)> poll);

  const CountsByCost& of_root() const { return counts_.front(); }
  // Of each column the trees that do not read it; `columns` are those of each test.
  std::vector<double> without_each(const std::function<const Columns&(std::int32_t)>& columns,
                                   std::int32_t n_columns);

 private:
  template <class Allows, class Below>
  CountsByCost count(const NearNode& node, Allows allows, Below below);
  void collect(CountsByCost& counts);
  void poll(const CountsByCost& counts) const {
    poll_((n_entries_ + counts.capacity()) * sizeof(CountsByCost::value_type));
  }

  const NearGraph& graph_;
  const bool with_idle_tests_;
  const std::function<void(std::size_t)> poll_;
  std::vector<CountsByCost> counts_;  // of each node
  std::size_t n_entries_ = 0;         // of all of them
  std::vector<double> dense_;         // by cost beyond the best, where few costs are possible
};

// All trees together.
double total_of(const CountsByCost& counts);

}  // namespace treewright::search
