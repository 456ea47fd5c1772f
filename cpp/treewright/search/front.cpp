#include "treewright/search/front.hpp"

#include <algorithm>
#include <tuple>

namespace treewright::search {

namespace {

std::size_t last_of(const Profile& profile) { return profile.size() - 1; }
Value at(const Profile& profile, std::size_t k) { return profile[std::min(k, last_of(profile))]; }

// What a part must stay below to be of use, for each number of its tests.
Profile room_for(const Profile& limits, const Profile& others, Value price, std::size_t n_most) {
  Profile room(n_most + 1, -no_value);
  for (std::size_t mine = 0; mine <= n_most; ++mine) {
    for (std::size_t k = mine + 1; k < limits.size(); ++k) {
      room[mine] = std::max(room[mine], limits[k] - price - at(others, k - 1 - mine));
    }
  }
  return room;
}

bool is_settled(const Profile& bounds, const Profile& limits) {
  for (std::size_t k = 0; k < limits.size(); ++k) {
    if (at(bounds, k) < limits[k]) return false;
  }
  return true;
}

}  // namespace

Front::Front(std::span<const std::unique_ptr<Worker>> workers, OnThreads on_threads)
    : Front(*workers.front(), std::make_shared<Memory>()) {
  on_threads_ = std::move(on_threads);
  for (const auto& worker : workers.subspan(1)) {
    helpers_.push_back(std::unique_ptr<Front>(new Front(*worker, memory_)));
  }
}

void Front::begin(std::int32_t depth, std::size_t n_sizes, std::int32_t shallow) {
  Node& here = worker_.node(0);
  best_.assign(n_sizes, here.sample.leaf);
  ways_.assign(n_sizes, {});
  if (worker_.prepare(0, std::min(depth, shallow), no_value)) return;
  if (shallow > 1) {
    here.two = &worker_.two_of(0);
    here.two->begin(here.sample, 0, false);
    take_shallow(0, std::min(depth, shallow), best_, ways_);
  } else if (shallow == 1) {
    worker_.open_one(0);
    for (std::size_t k = 1; k < n_sizes && here.choice.first >= 0; ++k) {
      best_[k] = here.best - context_.options.penalty;
      ways_[k].choice = here.choice;
    }
  }
  tell(0);
}

void Front::run(std::int32_t depth, const Profile& limits) {
  best_ = solve(0, depth, static_cast<std::int32_t>(last_of(limits)), limits, ways_);
}

void Front::tell(std::size_t n_closed) const {
  Value least = no_value;
  for (std::size_t k = 0; k < best_.size(); ++k) {
    least = std::min(least, best_[k] + static_cast<Value>(k) * context_.options.penalty);
  }
  worker_.tell(least, n_closed, worker_.node(0).candidates.size());
}

// What trees of at most two levels cost, once the pairs of a node are counted.
void Front::take_shallow(std::int32_t level, std::int32_t depth, Profile& best,
                         std::vector<Way>& ways) {
  const Choice shallow{-1, -1, Function::single, static_cast<std::int8_t>(std::min(depth, 2))};
  for (std::size_t k = 1; k < best.size(); ++k) {
    const Value cost =
        worker_.node(level).two->sizes()[std::min<std::size_t>(k, depth == 1 ? 1 : 3)];
    if (cost < best[k]) {
      best[k] = cost;
      ways[k].choice = shallow;
    }
  }
}

// No tree is deeper than it has tests. Where tests are joined, the depth also says at which levels.
std::int32_t Front::useful_depth(std::int32_t level, std::int32_t depth,
                                 std::int32_t n_most) const {
  return level < context_.options.pair_levels ? depth : std::min(depth, n_most);
}

Profile Front::solve(std::int32_t level, std::int32_t given_depth, std::int32_t n_most,
                     const Profile& limits, std::vector<Way>& ways) {
  const std::int32_t depth = useful_depth(level, given_depth, n_most);
  Node& here = worker_.node(level);
  const Sample& sample = here.sample;
  const auto size = static_cast<std::size_t>(std::min(n_most, most_tests(depth))) + 1;
  Profile best(size, sample.leaf);
  ways.assign(size, {});
  const bool too_few = sample.n_rows() < 2 * std::max<std::int64_t>(context_.options.min_rows, 1);
  if (size == 1 || sample.columns.empty() || too_few || sample.leaf <= sample.floor) return best;
  Profile floors(size, sample.floor);
  floors[0] = sample.leaf;
  if (is_settled(floors, limits)) return floors;

  worker_.poll();
  ++worker_.statistics.nodes;
  here.two = &worker_.two_of(level);
  if (depth >= 3) worker_.check_memory(sample);
  here.two->begin(sample, level, depth >= 3);
  take_shallow(level, depth, best, ways);
  if (depth > 2) try_candidates(level, depth, limits, best, ways);
  Known found{best, std::vector<bool>(size)};
  for (std::size_t k = 0; k < size; ++k) {
    found.exact[k] = k == 0 || best[k] < at(limits, k);
    if (!found.exact[k]) found.bounds[k] = std::min(best[k], at(limits, k));
  }
  store(context_.key(sample.hash, depth, level), found);
  return found.bounds;
}

void Front::try_candidates(std::int32_t level, std::int32_t depth, const Profile& limits,
                           Profile& best, std::vector<Way>& ways) {
  Node& here = worker_.node(level);
  worker_.list_candidates(level);
  const std::size_t n_below =
      std::min(last_of(best) - 1, static_cast<std::size_t>(most_tests(depth - 1)));
  Value known = at(best, n_below);
  if (depth >= 4) {
    for (Candidate& candidate : here.candidates) {
      const auto [ones, zeros] = depth_two_parts(level, worker_.bits_of(here.sample, candidate));
      candidate.key = ones.back() + zeros.back() + candidate.price;
      take(ones, zeros, candidate, 2, -1, best, best, ways);
      if (level == 0) keep_root(best, ways, 0);
    }
    known = depth == 4 ? at(best, n_below) : 0;
  }
  if (context_.options.ordering) std::ranges::stable_sort(here.candidates, {}, &Candidate::key);
  here.bounds.begin(context_, here.sample, here.two, depth - 1,
                    level < context_.options.pair_levels);
  here.bounds.learn_whole(known);
  Trial trial{here, level, depth, limits, best, ways, n_below, [] {}};
  if (level == 0) trial.publish = [&] { keep_root(best, ways, trial.n_closed); };
  if (level > 0 || helpers_.empty()) return settle_all(trial);
  on_threads_([&](std::size_t w) {
    if (w == 0) return settle_all(trial);
    Front& helper = *helpers_[w - 1];
    Node& copy = helper.worker_.node(0);
    copy.sample = here.sample;
    copy.two = &helper.worker_.two_of(0);
    copy.two->begin(copy.sample, 0, true);
    helper.settle_all(trial);
  });
}

Profile Front::Trial::limits_at(std::size_t place) const {
  Profile current = best;
  for (std::size_t k = 0; k < current.size(); ++k) {
    const bool is_earlier = ways[k].place > static_cast<std::ptrdiff_t>(place);
    current[k] = std::min(best[k] + (is_earlier ? 1 : 0), at(limits, k));
  }
  return current;
}

std::pair<Profile, Profile> Front::bounds_of_parts(Trial& trial, const Candidate& candidate,
                                                   std::span<const std::uint64_t> bits) const {
  const PartBounds bounds = trial.node.bounds.of(candidate, bits, no_value);
  Profile ones(trial.n_below + 1, bounds.ones), zeros(trial.n_below + 1, bounds.zeros);
  if (candidate.is_single()) {
    const DepthTwo& two = *worker_.node(trial.level).two;
    ones[0] = two.leaf_ones(candidate.joined.first);
    zeros[0] = two.leaf_zeros(candidate.joined.first);
  }
  return {std::move(ones), std::move(zeros)};
}

void Front::settle_all(Trial& trial) {
  std::unique_lock lock(trial.mutex);
  while (trial.next < trial.node.candidates.size()) {
    const std::size_t place = trial.next++;
    const Candidate& candidate = trial.node.candidates[place];
    const Profile current = trial.limits_at(place);
    const auto shared_bits = worker_.bits_of(trial.node.sample, candidate);
    const std::vector<std::uint64_t> bits(shared_bits.begin(), shared_bits.end());
    auto [ones, zeros] = bounds_of_parts(trial, candidate, bits);
    if (is_settled(ones, room_for(current, zeros, candidate.price, trial.n_below))) {
      ++worker_.statistics.similar;
      ++trial.n_closed;
      continue;
    }
    lock.unlock();
    settle(trial.level, trial.depth, candidate, current, ones, zeros);
    lock.lock();
    take(ones, zeros, candidate, trial.depth - 1, static_cast<std::ptrdiff_t>(place),
         trial.limits_at(place), trial.best, trial.ways);
    trial.node.bounds.learn(candidate, bits, {ones.back(), zeros.back()});
    ++trial.n_closed;
    trial.publish();
  }
}

// The trees of the root are there whenever the search has to end.
void Front::keep_root(const Profile& best, const std::vector<Way>& ways, std::size_t n_closed) {
  for (std::size_t k = 0; k < best.size(); ++k) {
    if (best[k] >= best_[k]) continue;
    best_[k] = best[k];
    ways_[k] = ways[k];
  }
  tell(n_closed);
}

void Front::settle(std::int32_t level, std::int32_t depth, const Candidate& candidate,
                   const Profile& limits, Profile& ones, Profile& zeros) {
  Node& here = worker_.node(level);
  const auto shared_bits = worker_.bits_of(here.sample, candidate);
  if (depth == 3) {
    std::tie(ones, zeros) = depth_two_parts(level, shared_bits);
    return;
  }
  const std::vector<std::uint64_t> bits(shared_bits.begin(), shared_bits.end());
  const auto raise = [&](Profile& mine, const Profile& others, bool are_ones) {
    const Profile room = room_for(limits, others, candidate.price, last_of(mine));
    if (!is_settled(mine, room)) mine = solve_part(level, depth - 1, bits, are_ones, mine, room);
  };
  raise(ones, zeros, true);
  raise(zeros, ones, false);
}

std::pair<Profile, Profile> Front::depth_two_parts(std::int32_t level,
                                                   std::span<const std::uint64_t> bits) {
  worker_.poll();
  Node& here = worker_.node(level);
  const bool ones_are_fewer = worker_.list_smaller(here.sample, bits, listed_);
  ++worker_.statistics.fused;
  const std::array<Sizes, 2> sizes = here.two->split(listed_);
  const Profile fewer(sizes[0].begin(), sizes[0].end()), more(sizes[1].begin(), sizes[1].end());
  return ones_are_fewer ? std::pair(fewer, more) : std::pair(more, fewer);
}

Profile Front::solve_part(std::int32_t level, std::int32_t given_depth,
                          std::span<const std::uint64_t> bits, bool ones, const Profile& known,
                          const Profile& limits) {
  const Sample& sample = worker_.node(level).sample;
  const auto n_most = static_cast<std::int32_t>(last_of(known));
  const std::int32_t depth = useful_depth(level + 1, given_depth, n_most);
  list_rows(*context_.kernel, bits, sample.n_rows(), ones, listed_);
  const Hash key = context_.key(worker_.hash_of(sample, listed_), depth, level + 1);
  if (const auto bounds = recall(key, known, limits)) {
    ++worker_.statistics.cache_hits;
    return *bounds;
  }
  worker_.descend(level, bits, ones);
  std::vector<Way> ways;
  Profile found = solve(level + 1, depth, n_most, limits, ways);
  for (std::size_t k = 0; k < found.size(); ++k) found[k] = std::max(found[k], known[k]);
  return found;
}

// What is remembered, if no more has to be known below the limits.
std::optional<Profile> Front::recall(const Hash& key, const Profile& known,
                                     const Profile& limits) const {
  const std::scoped_lock lock(memory_->mutex);
  const auto place = memory_->known.find(key);
  if (place == memory_->known.end()) return std::nullopt;
  const Known& found = place->second;
  Profile bounds = known;
  for (std::size_t k = 0; k < bounds.size(); ++k) {
    const bool is_there = k < found.bounds.size();
    if (is_there) bounds[k] = std::max(bounds[k], found.bounds[k]);
    const bool is_exact = is_there && found.exact[k];
    if (!is_exact && bounds[k] < at(limits, k)) return std::nullopt;
  }
  return bounds;
}

void Front::take(const Profile& ones, const Profile& zeros, const Candidate& candidate,
                 std::int32_t depth_below, std::ptrdiff_t place, const Profile& limits,
                 Profile& best, std::vector<Way>& ways) const {
  const Choice choice{candidate.first, candidate.second, candidate.joined.function,
                      static_cast<std::int8_t>(depth_below)};
  for (std::size_t k = 1; k < best.size(); ++k) {
    const Value limit = limits[k];
    Value least = limit;
    std::size_t n_ones = 0;
    for (std::size_t a = 0; a < k && a < ones.size(); ++a) {
      const Value cost = ones[a] + at(zeros, k - 1 - a) + candidate.price;
      if (cost < least) {
        least = cost;
        n_ones = a;
      }
    }
    if (least < limit) {
      best[k] = least;
      ways[k] = {choice, static_cast<std::int32_t>(n_ones), place};
    }
    if (best[k - 1] <= best[k]) {
      best[k] = best[k - 1];
      ways[k] = ways[k - 1];
    }
  }
}

void Front::store(const Hash& key, const Known& found) {
  if (!context_.options.cache) return;
  const std::scoped_lock lock(memory_->mutex);
  if (memory_->n_bytes > context_.options.memory) return;
  const auto [place, is_new] = memory_->known.try_emplace(key);
  Known& known = place->second;
  if (is_new) memory_->n_bytes += sizeof(Known);
  const std::size_t before = known.bounds.size(), size = found.bounds.size();
  if (before < size) {
    known.bounds.resize(size, 0);
    known.exact.resize(size, false);
    memory_->n_bytes += (size - before) * sizeof(Value);
  }
  for (std::size_t k = 0; k < size; ++k) {
    if (known.exact[k]) continue;
    known.bounds[k] = std::max(known.bounds[k], found.bounds[k]);
    if (!found.exact[k]) continue;
    known.bounds[k] = found.bounds[k];
    known.exact[k] = true;
  }
}

Plan Front::plan(std::int32_t depth, std::int32_t n_tests) {
  Writer writer(worker_);
  const auto k = static_cast<std::size_t>(n_tests);
  write(writer, 0, depth, n_tests, best_[k], &ways_[k]);
  return std::move(writer.plan);
}

bool Front::read(Value leaf, Result& result, Value& best) {
  const Options& options = context_.options;
  const auto total = [&](std::int32_t k, Value cost) { return cost + k * options.penalty; };
  const auto cost_at = [&](std::int32_t k) { return best_[static_cast<std::size_t>(k)]; };
  const auto n_sizes = static_cast<std::int32_t>(best_.size());
  std::int32_t best_size = 0;
  for (std::int32_t k = 1; k < n_sizes; ++k) {
    if (total(k, cost_at(k)) < total(best_size, cost_at(best_size))) best_size = k;
  }
  best = total(best_size, cost_at(best_size));
  try {
    for (std::int32_t k = 0; k < n_sizes; ++k) {
      if (k > 0 && cost_at(k) >= cost_at(k - 1)) continue;
      if (!options.front && k != best_size) continue;
      Plan written = plan(options.max_depth, k);
      if (k == best_size) result.plan = written;
      if (options.front) result.front.push_back({k, cost_at(k), std::move(written)});
    }
    return true;
  } catch (const Stopped&) {
  }
  if (result.front.empty()) result.front.push_back({0, leaf, leaf_plan(context_)});
  best = no_value;
  for (const auto& [k, cost, written] : result.front) {
    if (total(k, cost) >= best) continue;
    best = total(k, cost);
    result.plan = written;
  }
  if (!options.front) result.front.clear();
  return false;
}

void Front::write(Writer& writer, std::int32_t level, std::int32_t depth, std::int32_t n_tests,
                  Value cost, const Way* given) {
  const Sample& sample = worker_.node(level).sample;
  if (sample.leaf <= cost) return writer.add_leaf(Members(context_, sample.rows));
  const auto n_shallow = std::min(n_tests, depth == 1 ? 1 : 3);
  if (depth <= 2) return writer.add_shallow(level, n_shallow, cost, 0);
  Way way;
  if (given != nullptr) {
    way = *given;
  } else {
    std::vector<Way> ways;
    const Profile found = solve(level, depth, n_tests,
                                Profile(static_cast<std::size_t>(n_tests) + 1, cost + 1), ways);
    way = ways[static_cast<std::size_t>(std::ranges::find(found, cost) - found.begin())];
  }
  if (way.choice.first < 0) return writer.add_shallow(level, n_shallow, cost, 0);
  const Value room = cost - context_.price_of(way.choice.first, way.choice.second);
  const std::int32_t below = way.choice.depth_below;
  Value ones = 0;
  writer.add_test(
      level, way.choice,
      [&] {
        std::vector<Way> ways;
        const Profile limits(static_cast<std::size_t>(way.n_ones) + 1, room + 1);
        ones = at(solve(level + 1, below, way.n_ones, limits, ways),
                  static_cast<std::size_t>(way.n_ones));
        write(writer, level + 1, below, way.n_ones, ones, nullptr);
      },
      [&] { write(writer, level + 1, below, n_tests - 1 - way.n_ones, room - ones, nullptr); });
}

}  // namespace treewright::search
