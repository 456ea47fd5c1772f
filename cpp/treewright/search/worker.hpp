// One thread of a search: finds the optimum of sets of rows for a depth, every size allowed.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "treewright/search/bounds.hpp"
#include "treewright/search/cache.hpp"
#include "treewright/search/chains/search.hpp"
#include "treewright/search/context.hpp"
#include "treewright/search/crossings.hpp"
#include "treewright/search/depth_two/depth_two.hpp"
#include "treewright/search/sample.hpp"
#include "treewright/search/watch.hpp"

namespace treewright::search {

// What the search is about to do at a node: its tests in the order of promise.
struct Node {
  Sample sample;
  DepthTwo* two = nullptr;
  std::vector<Candidate> candidates;
  Bounds bounds;
  Crossings crossings;
  Value best = no_value;   // the least cost found so far
  Choice choice;           // how
  Value floor = 0;         // no tree costs less
  Value least = no_value;  // that trees cost whose tests are not among the candidates
};

// Thrown out of an exact search that takes more work than it may.
struct Exhausted {};
inline constexpr double no_limit = std::numeric_limits<double>::infinity();

class Worker {
 public:
  Worker(const Context& context, Cache& cache, Watch& watch, bool calling_thread);

  // The optimum if it is below `limit`; otherwise no tree costs less than what is returned.
  Value solve(std::int32_t level, std::int32_t asked_depth, Value limit, Choice& choice);

  // The steps of `solve`, which the root takes with several threads.
  // True if `floor` is the optimum, or not below the limit.
  bool prepare(std::int32_t level, std::int32_t depth, Value limit);
  // Counts the sample and puts those of its tests in order that can lead below the limit.
  // `shallower` is what trees of one level less cost at least, if that is known already.
  void open(std::int32_t level, std::int32_t depth, Value limit, Value shallower);
  Parts settle(std::int32_t level, std::int32_t depth, const Candidate& candidate,
               const PartBounds& bounds, Value limit);

  // The same for a search of all trees below a limit: lists the candidates of a node, whose trees
  // of one level less cost at least `known`, and settles one, whose parts are known if the total is
  // below the limit (at depth two only their sum).
  void list_all(std::int32_t level, std::int32_t depth, Value known);
  Parts settle_below(std::int32_t level, std::int32_t depth, const Candidate& candidate,
                     Value limit);

  // The best single test of a node, without counting pairs.
  void open_one(std::int32_t level);
  // Ends the search if the counts of all pairs would not fit in memory.
  void check_memory(const Sample& sample);
  // Tells who watches what the best tree costs and how many of the tests of the root are settled.
  void tell(Value best, std::size_t n_closed, std::size_t n_total);

  // What is remembered of the node at a level.
  std::optional<Known> recall(std::int32_t level, std::int32_t depth);

  // The rows that pass a candidate.
  std::span<const std::uint64_t> bits_of(const Sample& sample, const Candidate& candidate);
  // The rows of a part of a node, as the node one level deeper.
  void descend(std::int32_t level, std::span<const std::uint64_t> bits, bool ones);
  // The smaller part of a node, listed; true if these are the rows that pass.
  bool list_smaller(const Sample& sample, std::span<const std::uint64_t> bits,
                    std::vector<std::int32_t>& listed) const;
  Hash hash_of(const Sample& sample, std::span<const std::int32_t> listed) const;
  // The tests of a node, those that join two where the level allows it.
  void list_candidates(std::int32_t level);

  Node& node(std::int32_t level) { return *nodes_[static_cast<std::size_t>(level)]; }
  const Node& node(std::int32_t level) const { return *nodes_[static_cast<std::size_t>(level)]; }
  Sampler& sampler() { return sampler_; }
  DepthTwo& two_of(std::int32_t level);
  // Nodes where no tests are joined are searched chain by chain from now on.
  void use_chains(const Ranks& ranks);
  // Who searches the nodes of a level so; null if they are searched by their bits.
  ChainSearch* chains_at(std::int32_t level) {
    return level >= context_.options.pair_levels ? chains_.get() : nullptr;
  }
  // Ends the search if it has to end.
  void poll() {
    watch_.poll(calling_thread_);
    if (also_poll) also_poll();
  }
  std::function<void()> also_poll;
  // Pairs of columns times rows that may still be counted.
  double work_left = no_limit;
  const Context& context() const { return context_; }
  // Whether the optima of depth two of the parts of nodes are kept for those who ask again, and
  // whether those of the root were kept before.
  bool keeps_pairs = true, kept_pairs = true;
  Statistics statistics;

 private:
  struct Counters {
    std::unique_ptr<DepthTwo> differences, counts, sums;
  };

  Value fixed(const Candidate& candidate) const {
    return candidate.price + context_.options.penalty;
  }
  void work(std::size_t n_rows, std::int32_t n_columns);
  // Looks at the clock once enough has been done since it last did.
  void poll_after(double added);
  PartBounds depth_two_parts(std::int32_t level, std::span<const std::uint64_t> bits,
                             const PartBounds& bounds, Value enough);
  // What is remembered of the parts of a node.
  std::array<std::optional<Known>, 2> recall_parts(std::int32_t level, std::int32_t depth,
                                                   std::span<const std::uint64_t> bits,
                                                   const PartBounds& floors);
  // The floor rises to what the optimum of some depth says of deeper trees.
  void raise_floor(std::int32_t level, std::int32_t depth, Value optimum);
  // Whether no candidate of a node can lead below a limit.
  bool is_done(const Node& here, Value limit) const {
    return here.best <= here.floor || here.floor >= limit;
  }
  // What the node above knows of the parts of the tests of the one at a level; null if nothing.
  Crossings* crossings_above(std::int32_t level) {
    if (level == 0 || !node(level - 1).crossings.is_entered()) return nullptr;
    return &node(level - 1).crossings;
  }
  void add_pairs(std::int32_t level);
  bool allowed(const Sample& sample, std::span<const std::uint64_t> bits) const;
  void rank(std::int32_t level, std::int32_t depth, Value limit, Value shallower);
  // Looks ahead by trees of depth two below each candidate.
  void sweep(std::int32_t level, std::int32_t depth, Value limit);

  const Context& context_;
  Cache& cache_;
  Watch& watch_;
  const bool calling_thread_;
  Sampler sampler_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<Counters> counters_;
  static constexpr double work_between_polls = 1e6;  // as in work_left: some microseconds
  double work_since_poll_ = 0.0;
  std::unique_ptr<ChainSearch> chains_;
  std::vector<Candidate> sorted_;
  std::vector<std::int32_t> listed_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace treewright::search
