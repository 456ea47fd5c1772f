#include "treewright/search/cache.hpp"

#include <algorithm>
#include <bit>

namespace treewright::search {

Cache::Cache(const Options& options, double share, bool is_shared) : is_shared_(is_shared) {
  const std::size_t useful = std::size_t{1} << (24 + 2 * std::clamp(options.max_depth - 4, 0, 10));
  const auto memory = static_cast<std::size_t>(share * static_cast<double>(options.memory));
  const std::size_t in_a_shard = std::min(memory, useful) / n_shards / sizeof(Entry);
  most_entries_ = std::max(std::bit_floor(in_a_shard), ways);
}

Cache::Entry* Cache::bucket_of(Shard& shard, const Hash& key) {
  const std::size_t n_buckets = shard.entries.size() / ways;
  return shard.entries.data() + (key.low & (n_buckets - 1)) * ways;
}

std::optional<Known> Cache::find(const Hash& key) {
  Shard& shard = shard_of(key);
  const auto lock = locked(shard);
  if (shard.entries.empty()) return std::nullopt;
  const Entry* bucket = bucket_of(shard, key);
  for (const Entry* entry = bucket; entry < bucket + ways; ++entry) {
    if (entry->depth >= 0 && entry->key == key) {
      return Known{entry->bound,
                   entry->exact,
                   {entry->first, entry->second, entry->function, entry->depth_below}};
    }
  }
  return std::nullopt;
}

std::optional<Known> Cache::recall(const Context& context, const Hash& rows, std::int32_t depth,
                                   std::int32_t level, Value floor) {
  std::optional<Known> best = find(context.key(rows, depth, level));
  if ((best && best->exact) || !context.bounds_deeper(level)) return best;
  for (std::int32_t shallower = depth - 1; shallower >= 2; --shallower) {
    auto known = find(context.key(rows, shallower, level));
    if (!known) continue;
    const Value deeper = context.deeper_floor(floor, shallower);
    known->exact = known->exact && known->bound <= deeper;
    known->bound = std::min(known->bound, deeper);
    if (known->exact) return known;
    if (!best || best->bound < known->bound) best = known;
  }
  return best;
}

void Cache::grow(Shard& shard) const {
  std::vector<Entry> old = std::move(shard.entries);
  shard.entries.assign(old.size() * 2, Entry{});
  shard.n_used = 0;
  for (const Entry& entry : old) {
    if (entry.depth < 0) continue;
    Entry* bucket = bucket_of(shard, entry.key);
    Entry* free = std::find_if(bucket, bucket + ways, [](const Entry& e) { return e.depth < 0; });
    if (free == bucket + ways) continue;  // a full bucket halves, so this does not happen
    *free = entry;
    ++shard.n_used;
  }
}

void Cache::store(const Hash& key, const Known& known, std::int8_t depth) {
  Shard& shard = shard_of(key);
  const auto lock = locked(shard);
  if (shard.entries.empty()) shard.entries.assign(std::min(16 * ways, most_entries_), Entry{});
  const auto write = [&](Entry& entry) {
    entry = {key,
             known.bound,
             known.choice.first,
             known.choice.second,
             known.choice.function,
             known.choice.depth_below,
             depth,
             known.exact};
  };
  while (true) {
    Entry* bucket = bucket_of(shard, key);
    Entry* worst = bucket;
    for (Entry* entry = bucket; entry < bucket + ways; ++entry) {
      if (entry->depth >= 0 && entry->key == key) {
        if (!entry->exact && (known.exact || known.bound > entry->bound)) write(*entry);
        return;
      }
      if (entry->depth < worst->depth) worst = entry;
    }
    if (worst->depth < 0) {
      write(*worst);
      ++shard.n_used;
      return;
    }
    if (shard.entries.size() * 2 > most_entries_) {
      ++shard.n_evictions;
      write(*worst);
      return;
    }
    grow(shard);
  }
}

std::int64_t Cache::n_entries() const {
  std::int64_t sum = 0;
  for (const Shard& shard : shards_) sum += static_cast<std::int64_t>(shard.n_used);
  return sum;
}

std::int64_t Cache::n_evictions() const {
  std::int64_t sum = 0;
  for (const Shard& shard : shards_) sum += shard.n_evictions;
  return sum;
}

std::int64_t Cache::n_bytes() const {
  std::int64_t sum = 0;
  for (const Shard& shard : shards_)
    sum += static_cast<std::int64_t>(shard.entries.size() * sizeof(Entry));
  return sum;
}

}  // namespace treewright::search
