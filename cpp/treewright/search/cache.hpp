// Remembers what is known of sets of rows, within a limit of memory. Losing an entry costs time,
// never the right answer. Safe to use from several threads if they are announced.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "treewright/search/context.hpp"

namespace treewright::search {

// The test that a best tree has on top.
struct Choice {
  std::int32_t first = -1;  // -1: a leaf, or a tree of depth two (see depth_below)
  std::int32_t second = -1;
  Function function = Function::single;
  std::int8_t depth_below = 0;  // that the parts may have
  bool operator==(const Choice&) const = default;
};

struct Known {
  Value bound = 0;  // the optimum if exact, otherwise no tree costs less
  bool exact = false;
  Choice choice;
};

class Cache {
 public:
  // A search of this depth is no faster with more memory than 16 MiB up to depth 4, and four times
  // as much for each further level: most sets of rows are met once. `is_shared` by threads.
  Cache(const Options& options, double share, bool is_shared);

  // Of the memory there is; the rest is for the proof.
  static constexpr double share_of_improvement = 0.125;

  std::optional<Known> find(const Hash& key);
  // Keeps the better of what is known and what was.
  void store(const Hash& key, const Known& known, std::int8_t depth);
  // What is known of trees of so many levels at a level, also by what is known of shallower ones;
  // `floor` is the cost of equal rows.
  std::optional<Known> recall(const Context& context, const Hash& rows, std::int32_t depth,
                              std::int32_t level, Value floor);

  std::int64_t n_entries() const;
  std::int64_t n_evictions() const;
  std::int64_t n_bytes() const;

 private:
  struct Entry {
    Hash key;
    Value bound = 0;
    std::int32_t first = -1;
    std::int32_t second = -1;
    Function function = Function::single;
    std::int8_t depth_below = 0;
    std::int8_t depth = -1;  // -1: empty
    bool exact = false;
  };
  static constexpr std::size_t ways = 4;
  static constexpr std::size_t n_shards = 64;

  struct Shard {
    mutable std::mutex mutex;
    std::vector<Entry> entries;  // buckets of `ways`
    std::size_t n_used = 0;
    std::int64_t n_evictions = 0;
  };

  Shard& shard_of(const Hash& key) { return shards_[key.high >> 58]; }
  // A single thread does without locks, which take as long as what they guard.
  std::unique_lock<std::mutex> locked(Shard& shard) const {
    return is_shared_ ? std::unique_lock(shard.mutex) : std::unique_lock<std::mutex>();
  }
  static Entry* bucket_of(Shard& shard, const Hash& key);
  void grow(Shard& shard) const;

  const bool is_shared_;
  std::array<Shard, n_shards> shards_;
  std::size_t most_entries_;  // in a shard
};

}  // namespace treewright::search
