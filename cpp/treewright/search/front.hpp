// The best tree of every size in one search. What is known of a set of rows is a profile: a cost
// for each number of tests.
//
// The tests of the root are settled by several threads, one test at a time, each with a worker of
// its own. Of equally good trees of a size the one whose test comes first is kept, so that the
// front is the same for any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "treewright/search/rebuild.hpp"
#include "treewright/search/worker.hpp"

namespace treewright::search {

// [k]: cost with at most k tests, penalties left out; never rises with k.
using Profile = std::vector<Value>;

class Front {
 public:
  // Calls work(w) for each thread, that of the caller among them.
  using OnThreads = std::function<void(const std::function<void(std::size_t)>& work)>;

  // The first of the workers searches, the others help it at the root.
  Front(std::span<const std::unique_ptr<Worker>> workers, OnThreads on_threads);

  // The profile of the root, which is also there if the search has to end. There are as many limits
  // as sizes; only trees that cost less than theirs are looked for.
  void run(std::int32_t depth, const Profile& limits);
  // Before that: trees of at most one or two levels to fall back on.
  void begin(std::int32_t depth, std::size_t n_sizes, std::int32_t shallow);
  const Profile& profile() const { return best_; }
  // A tree of the root with at most `n_tests` tests that costs what the profile says.
  Plan plan(std::int32_t depth, std::int32_t n_tests);
  // The best tree of each size, and of these the best for the penalty, with its cost. False if time
  // was lacking to write all of them down: then the best of the others, at least a leaf.
  bool read(Value leaf, Result& result, Value& best);

  static std::int32_t most_tests(std::int32_t depth) { return (1 << std::min(depth, 16)) - 1; }
  static std::int32_t most_tests(const Options& options) {
    const std::int32_t most = most_tests(options.max_depth);
    return options.max_nodes < 0 ? most : std::min(options.max_nodes, most);
  }
  // Whether trees of all sizes have to be kept apart.
  static bool is_wanted(const Options& options) {
    return options.front || most_tests(options) < most_tests(options.max_depth);
  }

 private:
  struct Way {  // of reaching a cost
    Choice choice;
    std::int32_t n_ones = 0;    // tests for the rows that pass
    std::ptrdiff_t place = -1;  // of the test among the candidates; -1: known before these
  };
  struct Known {
    Profile bounds;
    std::vector<bool> exact;
  };
  struct HashOfHash {
    std::size_t operator()(const Hash& hash) const { return hash.low; }
  };
  // What all threads know of sets of rows.
  struct Memory {
    std::mutex mutex;
    std::unordered_map<Hash, Known, HashOfHash> known;
    std::size_t n_bytes = 0;
  };
  // The candidates of a node and what was found, shared by the threads that settle them.
  struct Trial {
    Node& node;
    std::int32_t level, depth;
    const Profile& limits;
    Profile& best;
    std::vector<Way>& ways;
    std::size_t n_below;            // tests of a part at most
    std::function<void()> publish;  // what was found so far; called under the mutex
    std::mutex mutex = {};
    std::size_t next = 0, n_closed = 0;

    // What the candidate at a place must stay below. An equally good tree whose test comes later
    // is not what a single thread would have found.
    Profile limits_at(std::size_t place) const;
  };
  Front(Worker& worker, std::shared_ptr<Memory> memory)
      : worker_(worker), context_(worker.context()), memory_(std::move(memory)) {}

  std::int32_t useful_depth(std::int32_t level, std::int32_t depth, std::int32_t n_most) const;
  // Entries below their limit are optima, others bounds. Leaves the ways of reaching them.
  Profile solve(std::int32_t level, std::int32_t given_depth, std::int32_t n_most,
                const Profile& limits, std::vector<Way>& ways);
  Profile solve_part(std::int32_t level, std::int32_t given_depth,
                     std::span<const std::uint64_t> bits, bool ones, const Profile& known,
                     const Profile& limits);
  std::optional<Profile> recall(const Hash& key, const Profile& known, const Profile& limits) const;
  void try_candidates(std::int32_t level, std::int32_t depth, const Profile& limits, Profile& best,
                      std::vector<Way>& ways);
  // Settles candidates as long as there are any; called by each thread.
  void settle_all(Trial& trial);
  // What is known of the parts of a candidate before they are searched.
  std::pair<Profile, Profile> bounds_of_parts(Trial& trial, const Candidate& candidate,
                                              std::span<const std::uint64_t> bits) const;
  // Raises what is known of the two parts of a candidate as far as the limits ask for.
  void settle(std::int32_t level, std::int32_t depth, const Candidate& candidate,
              const Profile& limits, Profile& ones, Profile& zeros);
  std::pair<Profile, Profile> depth_two_parts(std::int32_t level,
                                              std::span<const std::uint64_t> bits);
  // Takes what two parts cost together where it is below the limits.
  void take(const Profile& ones, const Profile& zeros, const Candidate& candidate,
            std::int32_t depth_below, std::ptrdiff_t place, const Profile& limits, Profile& best,
            std::vector<Way>& ways) const;
  void take_shallow(std::int32_t level, std::int32_t depth, Profile& best, std::vector<Way>& ways);
  void tell(std::size_t n_closed) const;
  void keep_root(const Profile& best, const std::vector<Way>& ways, std::size_t n_closed);
  void write(Writer& writer, std::int32_t level, std::int32_t depth, std::int32_t n_tests,
             Value cost, const Way* given);
  void store(const Hash& key, const Known& found);

  Worker& worker_;
  const Context& context_;
  std::shared_ptr<Memory> memory_;
  std::vector<std::unique_ptr<Front>> helpers_;
  OnThreads on_threads_;
  Profile best_;  // of the root
  std::vector<Way> ways_;
  std::vector<std::int32_t> listed_;
};

}  // namespace treewright::search
