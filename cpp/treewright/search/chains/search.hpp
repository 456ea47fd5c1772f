// Searches nodes with long chains of thresholds, too many to count their pairs: rows are kept in
// the order of each chain, and intervals of thresholds are closed by bounds.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "treewright/search/cache.hpp"
#include "treewright/search/chains/intervals.hpp"
#include "treewright/search/chains/ranks.hpp"
#include "treewright/search/chains/stumps.hpp"
#include "treewright/search/watch.hpp"

namespace treewright::search {

// Costs of the parts of a test: optima, or bounds that show that it is of no use.
struct Parts {
  PartBounds found;
  Value total = no_value;
};

class ChainSearch {
 public:
  struct Node {
    Node(const Context& context, const Ranks& ranks) : rows(context), intervals(context, ranks) {}
    Ordered rows;
    Intervals intervals;
    Value best = no_value;  // the least cost found so far
    // How: with a test on top; without one as a leaf, or with the best single test (depth_below 1).
    Choice choice;
    Value floor = 0;  // no tree costs less
  };

  ChainSearch(const Context& context, const Ranks& ranks, Cache& cache, Watch& watch,
              Statistics& statistics, bool calling_thread);

  Node& node(std::int32_t level) { return *nodes_[static_cast<std::size_t>(level)]; }
  const Ranks& ranks() const { return ranks_; }
  void begin(std::int32_t level, std::span<const std::int32_t> rows) {
    node(level).rows.begin(context_, ranks_, rows);
  }

  // The optimum of a node if it is below `limit`; otherwise no tree costs less than what is
  // returned.
  Value solve(std::int32_t level, std::int32_t asked_depth, Value limit, Choice& choice);
  // The floor rises to what the optimum of some depth says of deeper trees.
  void raise_floor(std::int32_t level, std::int32_t depth, Value optimum);

  // The steps of `solve`, which the root takes with several threads.
  // True if `floor` is the optimum, or not below the limit.
  bool prepare(std::int32_t level, std::int32_t depth, Value limit);
  Parts settle(const Ordered& rows, std::int32_t level, std::int32_t depth, const Cut& cut,
               Value limit);

  // The part of a node on one side of a test, as the node one level deeper.
  void descend(std::int32_t level, std::int32_t test, bool left);
  // Ends the search if it has to end.
  void poll() { watch_.poll(calling_thread_); }
  // The best single test of a node, the first of equals.
  Choice best_single(std::int32_t level);
  // The optimum of a node, remembered or found again.
  Value optimum(std::int32_t level, std::int32_t depth, Value limit, Choice& choice);

 private:
  void solve_two(std::int32_t level, Value limit);
  void solve_deeper(std::int32_t level, std::int32_t depth, Value limit);
  Summary left_part(const Ordered& rows, std::size_t place, std::int32_t n_left) const;
  // What is remembered of some rows.
  std::optional<Known> recall(const Summary& rows, std::int32_t depth, std::int32_t level);
  Value floor_of(const Summary& rows, std::int32_t depth) const;

  const Context& context_;
  const Ranks& ranks_;
  Cache& cache_;
  Watch& watch_;
  Statistics& statistics_;
  const bool calling_thread_;
  Stumps stumps_;
  std::vector<std::unique_ptr<Node>> nodes_;
};

}  // namespace treewright::search
