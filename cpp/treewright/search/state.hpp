// What the parts of one search share: its threads, its deadline, and the best tree so far.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "treewright/search/cache.hpp"
#include "treewright/search/chains/ranks.hpp"
#include "treewright/search/context.hpp"
#include "treewright/search/watch.hpp"
#include "treewright/search/worker.hpp"

namespace treewright::search {

// The best tree found so far, and what every tree costs at least.
class Incumbent {
 public:
  explicit Incumbent(Watch& watch) : watch_(watch) {}

  Value cost = no_value;
  Value bound = 0;
  bool found = false;        // a tree below the limit
  Choice choice;             // of the root
  std::int32_t depth = 0;    // that the tree may have
  std::optional<Plan> plan;  // the tree itself, if it need not be found again
  // When it was found depends on how the threads run. A tree of a pass takes the place of one that
  // is as good, so that the same is found at the end.
  bool is_by_chance = false;

  // What other trees must stay below.
  Value limit() const { return cost + (is_by_chance && cost > bound ? 1 : 0); }

  void accept(Value its_cost, const Choice& its_choice, std::int32_t its_depth);
  void accept(Value its_cost, Plan its_plan);
  void accept_if_better(Value its_cost, const Choice& its_choice, std::int32_t its_depth) {
    if (its_cost < limit()) accept(its_cost, its_choice, its_depth);
  }
  // No tree costs less than this.
  void raise_bound(Value least);
  // Tells who watches.
  void publish();

 private:
  Watch& watch_;
};

struct SearchState {
  SearchState(const Problem& problem, const Options& options, const Report& report);

  Watch watch;  // first of all, as the time runs from here
  Context context;
  Cache cache;
  std::optional<Ranks> ranks;  // if tests are searched along chains at some levels
  std::vector<std::unique_ptr<Worker>> workers;  // one a thread
  std::mutex mutex;                              // held by who reads or changes what threads share
  Incumbent incumbent;

  // The worker of the calling thread, whose node 0 is the root.
  Worker& first() { return *workers.front(); }
  const Worker& first() const { return *workers.front(); }
  Node& root() { return first().node(0); }
  std::function<void()> poll() {
    return [this] { first().poll(); };
  }

  // Reads the root with all tests as columns of bits. Returns the seconds it took to divide rows.
  double read_bits();
};

// Whether of equally good trees one with the fewest tests is looked for. To be sure of it takes
// about as long again as the search, so large problems are spared it unless it is asked for.
bool wants_smallest(const Problem& problem, const Options& options, std::size_t n_columns);

}  // namespace treewright::search
