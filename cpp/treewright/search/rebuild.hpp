// Writes trees down. The search keeps costs only, and the best test of some sets of rows; the rest
// is found again, at the price of a few nodes.
#pragma once

#include <functional>

#include "treewright/search/members.hpp"
#include "treewright/search/worker.hpp"

namespace treewright::search {

class Writer {
 public:
  explicit Writer(Worker& worker) : worker_(worker), context_(worker.context()) {}

  Plan plan;
  bool is_cut_short = false;  // a leaf stands where time was lacking for a tree

  // The tree of the node at `level` of the worker, whose optimum for this depth is `cost`.
  void add(std::int32_t level, std::int32_t depth, Value cost, const Choice* given = nullptr);

  // A good tree, soon: below the tests of the best trees of this depth the same is done again.
  static constexpr std::int32_t greedy_depth = 3, greedy_depth_along_chains = 2;
  void add_greedily(std::int32_t level, std::int32_t depth);

  // The pieces of which they are made.
  void add_leaf(const Members& rows);
  // At most `n_most` tests on two levels that cost no more than `limit` (without penalties); the
  // fewest that do, counting each as `penalty`.
  void add_shallow(std::int32_t level, std::int32_t n_most, Value limit, Value penalty);
  // A test, and below it what `ones` and `zeros` add, called when the next level of the worker
  // holds the rows that pass and fail.
  void add_test(std::int32_t level, const Choice& choice, const std::function<void()>& ones,
                const std::function<void()>& zeros);

 private:
  void within_time(std::int32_t level, const std::function<void()>& add_tree);
  void add_optimum(std::int32_t level, std::int32_t depth, Value cost, const Choice* given);
  void add_ordered_optimum(ChainSearch& chains, std::int32_t level, std::int32_t depth, Value cost,
                           const Choice* given);
  struct Lower {
    Value cost = no_value;
    std::int32_t test = -1;
  };
  // The same for a node that is searched chain by chain.
  void add_ordered(ChainSearch& chains, std::int32_t level, std::int32_t depth, Value cost,
                   const Choice* given);
  void add_ordered_greedily(ChainSearch& chains, std::int32_t level, std::int32_t depth);
  void add_ordered_test(ChainSearch& chains, std::int32_t level, std::int32_t test,
                        const std::function<void()>& ones, const std::function<void()>& zeros);
  Value optimum(std::int32_t level, std::int32_t depth, Value limit, Choice& choice);
  // The best test at `level` for the rows that pass or fail another one.
  Lower best_lower(const Sample& sample, bool ones, std::int32_t upper, std::int32_t level) const;
  void add_lower(const Members& rows, const Lower& lower, bool split);

  Worker& worker_;
  const Context& context_;
};

}  // namespace treewright::search
