#include "treewright/search/worker.hpp"

#include <algorithm>

#include "treewright/search/candidate_order.hpp"
#include "treewright/search/tally.hpp"

namespace treewright::search {

namespace {

constexpr std::size_t least_memory = std::size_t{1} << 26;  // that a search may always take

// While a part of a candidate is searched.
class Entered {
 public:
  Entered(Crossings& crossings, const Candidate& candidate, bool ones) : crossings_(crossings) {
    if (candidate.is_single()) crossings.enter(candidate.joined.first, ones);
  }
  ~Entered() { crossings_.leave(); }
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;

 private:
  Crossings& crossings_;
};

}  // namespace

Worker::Worker(const Context& context, Cache& cache, Watch& watch, bool calling_thread)
    : context_(context),
      cache_(cache),
      watch_(watch),
      calling_thread_(calling_thread),
      sampler_(context) {
  sampler_.poll = [this] { poll(); };
  const auto n_levels = static_cast<std::size_t>(context.options.max_depth) + 1;
  counters_.resize(n_levels);
  for (std::size_t l = 0; l < n_levels; ++l) nodes_.push_back(std::make_unique<Node>());
}

DepthTwo& Worker::two_of(std::int32_t level) {
  Counters& counters = counters_[static_cast<std::size_t>(level)];
  const Sample& sample = node(level).sample;
  const auto made = [&](std::unique_ptr<DepthTwo>& two, auto make) -> DepthTwo& {
    if (!two) {
      two = make(context_);
      two->poll = [this] { poll(); };
    }
    return *two;
  };
  if (can_differ(context_, sample)) return made(counters.differences, make_differences);
  if (can_count(context_, sample)) return made(counters.counts, make_counts);
  return made(counters.sums, make_sums);
}

void Worker::use_chains(const Ranks& ranks) {
  chains_ =
      std::make_unique<ChainSearch>(context_, ranks, cache_, watch_, statistics, calling_thread_);
}

std::optional<Known> Worker::recall(std::int32_t level, std::int32_t depth) {
  if (!context_.options.cache) return std::nullopt;
  const Sample& sample = node(level).sample;
  return cache_.recall(context_, sample.hash, depth, level, sample.floor);
}

std::span<const std::uint64_t> Worker::bits_of(const Sample& sample, const Candidate& candidate) {
  if (candidate.is_single()) return sample.bits(candidate.joined.first);
  const auto a = sample.bits(candidate.joined.first), b = sample.bits(candidate.joined.second);
  bits_.resize(sample.n_words);
  for (std::size_t w = 0; w < sample.n_words; ++w) bits_[w] = candidate.joined.pass(a[w], b[w]);
  if (candidate.joined.function == Function::exactly_one) {
    // Where one of the two is unknown, they are together what its column says.
    const auto take = [&](std::int32_t test, std::span<const std::uint64_t> column) {
      const auto open = sample.unknown_rows(context_.unknown_set(test));
      for (std::size_t w = 0; w < open.size(); ++w)
        bits_[w] = (bits_[w] & ~open[w]) | (column[w] & open[w]);
    };
    take(candidate.second, b);
    take(candidate.first, a);
  }
  const auto last = static_cast<std::size_t>(sample.n_rows()) % 64;
  if (last != 0) bits_.back() &= (std::uint64_t{1} << last) - 1;
  return bits_;
}

bool Worker::prepare(std::int32_t level, std::int32_t depth, Value limit) {
  Node& here = node(level);
  const Sample& sample = here.sample;
  here.best = sample.leaf;
  here.choice = {};
  here.least = no_value;
  here.floor = std::max(sample.floor, context_.class_floor(sample.sums, depth));
  // A tree with a test costs at least its penalty.
  here.floor = std::min(sample.leaf, here.floor + context_.options.penalty);
  const bool too_few = sample.n_rows() < 2 * std::max<std::int64_t>(context_.options.min_rows, 1);
  if (depth == 0 || sample.columns.empty() || too_few) here.floor = here.best;
  return here.best <= here.floor || here.floor >= limit;
}

void Worker::raise_floor(std::int32_t level, std::int32_t depth, Value optimum) {
  if (!context_.bounds_deeper(level)) return;
  Node& here = node(level);
  const Value deeper = context_.deeper_floor(here.sample.floor, depth);
  here.floor = std::max(here.floor, std::min(optimum, deeper));
}

void Worker::open(std::int32_t level, std::int32_t depth, Value limit, Value shallower) {
  Node& here = node(level);
  if (depth == 1) return open_one(level);
  here.two = &two_of(level);
  if (depth >= 3) check_memory(here.sample);
  work(here.sample.rows.size(), here.sample.n_columns());
  here.two->begin(here.sample, level, depth >= 3);
  ++statistics.nodes;
  const Value shallow = with_penalty(here.two->sizes(), context_.options.penalty);
  if (shallow < here.best) {
    here.best = shallow;
    here.choice = {-1, -1, Function::single, 2};
  }
  if (depth == 2) return;
  raise_floor(level, 2, shallow);
  if (!is_done(here, limit)) rank(level, depth, limit, shallower);
  if (is_done(here, limit)) here.least = here.floor;
}

void Worker::work(std::size_t n_rows, std::int32_t n_columns) {
  constexpr std::size_t group = 16;  // rows; as many are counted at once as pairs are judged
  const auto pairs = static_cast<double>(n_columns) * static_cast<double>(n_columns);
  const double added = pairs * static_cast<double>(n_rows + 2 * group);
  work_left -= added;
  if (work_left < 0.0) throw Exhausted{};
  poll_after(added);
}

void Worker::poll_after(double added) {
  if ((work_since_poll_ += added) < work_between_polls) return;
  work_since_poll_ = 0.0;
  poll();
}

// The counts of all pairs do not fit in any memory if there are too many tests.
void Worker::check_memory(const Sample& sample) {
  const auto m = static_cast<double>(sample.n_blocks) * block_columns;
  const double per_pair =
      sizeof(double) + (can_count(context_, sample)
                            ? sizeof(std::int16_t) * static_cast<double>(context_.task.n_classes)
                            : sizeof(double) * static_cast<double>(context_.n_sums));
  if (m * m * per_pair <= static_cast<double>(std::max(context_.options.memory, least_memory)))
    return;
  watch_.stop(Status::memory_limit);
  throw Stopped{};
}

void Worker::open_one(std::int32_t level) {
  Node& here = node(level);
  const Task& task = context_.task;
  const Sample& sample = here.sample;
  std::vector<std::uint64_t> everyone(sample.n_words);
  for (std::size_t w = 0; w < everyone.size(); ++w) everyone[w] = sample.all_bits(w);
  Tally whole(task);
  whole.add(task, sample, everyone, everyone);
  for (std::int32_t j = 0; j < sample.n_columns(); ++j) {
    poll();
    const Column& column = sample.columns[static_cast<std::size_t>(j)];
    Tally passed(task), failed = whole;
    passed.add(task, sample, everyone, sample.bits(j));
    failed.remove(passed);
    if (!passed.enough(context_.options) || !failed.enough(context_.options)) continue;
    const Value cost =
        passed.leaf(task) + failed.leaf(task) + column.price + context_.options.penalty;
    if (cost >= here.best) continue;
    here.best = cost;
    here.choice = {column.test, -1, Function::single, 0};
  }
}

void Worker::tell(Value best, std::size_t n_closed, std::size_t n_total) {
  watch_.best = best;
  watch_.n_closed = static_cast<std::int64_t>(n_closed);
  watch_.n_total = static_cast<std::int64_t>(n_total);
}

bool Worker::allowed(const Sample& sample, std::span<const std::uint64_t> bits) const {
  std::int64_t n_ones = 0;
  Value weight = 0, total = 0;
  for (std::int32_t k = 0; k < sample.n_rows(); ++k) {
    const Value w =
        context_.task.weight[static_cast<std::size_t>(sample.rows[static_cast<std::size_t>(k)])];
    total += w;
    if (bits[static_cast<std::size_t>(k) / 64] >> (k % 64) & 1) {
      ++n_ones;
      weight += w;
    }
  }
  const Options& options = context_.options;
  return std::min(n_ones, sample.n_rows() - n_ones) >= options.min_rows &&
         std::min(weight, total - weight) >= options.min_weight;
}

void Worker::list_candidates(std::int32_t level) {
  Node& here = node(level);
  here.candidates.clear();
  for (std::int32_t i = 0; i < here.sample.n_columns(); ++i) {
    const Column& column = here.sample.columns[static_cast<std::size_t>(i)];
    Candidate candidate;
    candidate.joined.first = i;
    candidate.first = column.test;
    candidate.price = column.price;
    candidate.key = with_penalty(here.two->sizes_below(i), context_.options.penalty, 1);
    here.candidates.push_back(candidate);
  }
  if (level < context_.options.pair_levels) add_pairs(level);
  // Tests that send all rows of a node one way are there to be joined.
  if (!context_.sized && here.sample.unknown.empty()) return;
  std::erase_if(here.candidates, [&](const Candidate& candidate) {
    return !allowed(here.sample, bits_of(here.sample, candidate));
  });
}

void Worker::rank(std::int32_t level, std::int32_t depth, Value limit, Value shallower) {
  Node& here = node(level);
  list_candidates(level);
  here.bounds.begin(context_, here.sample, here.two, depth - 1,
                    level < context_.options.pair_levels);
  if (context_.bounds_deeper(level + 1)) here.bounds.learn_stumps(context_.options.penalty);
  here.crossings.end();
  if (depth >= 4 && chains_at(level + 1) == nullptr)
    here.crossings.begin(context_, here.sample, *here.two);
  Value known = here.best;
  if (depth >= 4) {
    sweep(level, depth, limit);
    if (here.best <= here.floor) return;
    const Value depth_three = std::min(here.best, here.least);
    raise_floor(level, 3, depth_three);
    if (is_done(here, limit)) return;
    known = depth_three;
    if (depth > 4) {
      const auto remembered = recall(level, depth - 1);
      known = std::max({shallower, here.floor, remembered ? remembered->bound : 0});
    }
  }
  here.bounds.learn_whole(known);
  if (context_.options.ordering) sort_by_key(here.candidates, sorted_);
}

void Worker::sweep(std::int32_t level, std::int32_t depth, Value limit) {
  Node& here = node(level);
  const bool bounds_parts = context_.bounds_deeper(level + 1);
  std::erase_if(here.candidates, [&](Candidate& candidate) {
    if (here.best <= here.floor) return false;
    const bool priced = bounds_parts && candidate.is_single();
    if (priced) {
      const PartBounds least = here.bounds.of(candidate, {}, no_value);
      const Value total = least.ones + least.zeros + fixed(candidate);
      if (total >= std::min(limit, here.best)) {
        ++statistics.similar;
        here.least = std::min(here.least, total);
        return true;
      }
    }
    const PartBounds parts = depth_two_parts(level, bits_of(here.sample, candidate), {}, no_value);
    candidate.key = parts.ones + parts.zeros + fixed(candidate);
    if (candidate.key < here.best) {
      here.best = candidate.key;
      here.choice = {candidate.first, candidate.second, candidate.joined.function, 2};
    }
    if (priced) here.bounds.learn_depth_two(candidate, parts, context_.options.penalty);
    if (depth == 4 && candidate.is_single())
      here.crossings.learn_parts(candidate.joined.first, parts);
    return false;
  });
}

bool Worker::list_smaller(const Sample& sample, std::span<const std::uint64_t> bits,
                          std::vector<std::int32_t>& listed) const {
  const std::int64_t n_ones = context_.kernel->count_bits(bits.data(), bits.size());
  const bool ones_are_fewer = 2 * n_ones <= sample.n_rows();
  list_rows(*context_.kernel, bits, sample.n_rows(), ones_are_fewer, listed);
  return ones_are_fewer;
}

Hash Worker::hash_of(const Sample& sample, std::span<const std::int32_t> listed) const {
  Hash hash;
  for (const std::int32_t k : listed) {
    hash ^= context_.row_hash[static_cast<std::size_t>(sample.rows[static_cast<std::size_t>(k)])];
  }
  return hash;
}

// Optima of depth two for the rows that pass and those that fail, or bounds of these that together
// reach `enough`; `bounds` is what is known already.
PartBounds Worker::depth_two_parts(std::int32_t level, std::span<const std::uint64_t> bits,
                                   const PartBounds& bounds, Value enough) {
  Node& here = node(level);
  poll_after(static_cast<double>(here.sample.n_rows()));
  const bool ones_are_fewer = list_smaller(here.sample, bits, listed_);
  Hash fewer, more;
  const bool asks = context_.options.cache && (keeps_pairs || (level == 0 && kept_pairs));
  if (asks) {
    fewer = hash_of(here.sample, listed_);
    more = context_.key(here.sample.hash ^ fewer, 2, level + 1);
    fewer = context_.key(fewer, 2, level + 1);
    const auto known_fewer = cache_.find(fewer), known_more = cache_.find(more);
    PartBounds parts = bounds;
    Value &a = ones_are_fewer ? parts.ones : parts.zeros,
          &b = ones_are_fewer ? parts.zeros : parts.ones;
    if (known_fewer) a = std::max(a, known_fewer->bound);
    if (known_more) b = std::max(b, known_more->bound);
    const bool are_exact = known_fewer && known_fewer->exact && known_more && known_more->exact;
    if (are_exact || a + b >= enough) {
      ++statistics.cache_hits;
      return parts;
    }
  }
  ++statistics.fused;
  work(listed_.size(), here.sample.n_columns());
  const std::array<Sizes, 2> sizes = here.two->split(listed_);
  const Value penalty = context_.options.penalty;
  const Value a = with_penalty(sizes[0], penalty), b = with_penalty(sizes[1], penalty);
  if (context_.options.cache && keeps_pairs) {
    const Choice shallow{-1, -1, Function::single, 2};
    cache_.store(fewer, {a, true, shallow}, 2);
    cache_.store(more, {b, true, shallow}, 2);
  }
  return ones_are_fewer ? PartBounds{a, b} : PartBounds{b, a};
}

void Worker::descend(std::int32_t level, std::span<const std::uint64_t> bits, bool ones) {
  const Sample& sample = node(level).sample;
  list_rows(*context_.kernel, bits, sample.n_rows(), ones, listed_);
  sampler_.part(sample, listed_, level + 1, node(level + 1).sample);
}

std::array<std::optional<Known>, 2> Worker::recall_parts(std::int32_t level, std::int32_t depth,
                                                         std::span<const std::uint64_t> bits,
                                                         const PartBounds& floors) {
  if (!context_.options.cache) return {};
  const Sample& sample = node(level).sample;
  const bool ones_are_fewer = list_smaller(sample, bits, listed_);
  const Hash fewer = hash_of(sample, listed_), more = sample.hash ^ fewer;
  const auto recall_part = [&](const Hash& rows, Value floor) {
    return cache_.recall(context_, rows, depth, level + 1, floor);
  };
  return {recall_part(ones_are_fewer ? fewer : more, floors.ones),
          recall_part(ones_are_fewer ? more : fewer, floors.zeros)};
}

Parts Worker::settle(std::int32_t level, std::int32_t depth, const Candidate& candidate,
                     const PartBounds& bounds, Value limit) {
  Node& here = node(level);
  const auto shared_bits = bits_of(here.sample, candidate);
  Parts parts;
  if (depth == 3) {
    parts.found = depth_two_parts(level, shared_bits, bounds, limit - fixed(candidate));
    parts.total = parts.found.ones + parts.found.zeros + fixed(candidate);
    return parts;
  }
  // bits_ is used by deeper nodes as well.
  const std::vector<std::uint64_t> bits(shared_bits.begin(), shared_bits.end());
  PartBounds leaves;
  if (candidate.is_single()) {
    const std::int32_t column = candidate.joined.first;
    leaves = {here.two->leaf_ones(column), here.two->leaf_zeros(column)};
  } else {
    leaves = {no_value, no_value};
  }
  const PartBounds floors = here.bounds.floors(bits);
  parts.found = bounds;
  // Both before either is solved: what is known of one leaves the other less room.
  std::array<bool, 2> is_solved{};  // ones, zeros
  const auto known = recall_parts(level, depth - 1, bits, floors);
  for (const bool ones : {true, false}) {
    Value& mine = ones ? parts.found.ones : parts.found.zeros;
    const Value leaf = ones ? leaves.ones : leaves.zeros;
    const auto& remembered = known[ones ? 0 : 1];
    if (leaf <= (ones ? floors.ones : floors.zeros) + context_.options.penalty) {
      mine = std::max(mine, leaf);
      is_solved[ones ? 0 : 1] = true;
    } else if (remembered) {
      mine = std::max(mine, remembered->bound);
      is_solved[ones ? 0 : 1] = remembered->exact;
      if (remembered->exact) ++statistics.cache_hits;
    }
  }
  const auto solve_side = [&](bool ones) {
    Value& mine = ones ? parts.found.ones : parts.found.zeros;
    const Value theirs = ones ? parts.found.zeros : parts.found.ones;
    const Value room = limit - fixed(candidate) - theirs;
    if (mine >= room || is_solved[ones ? 0 : 1]) return mine < room;
    descend(level, bits, ones);
    Choice choice;
    const Entered entered(here.crossings, candidate, ones);
    const Value found = solve(level + 1, depth - 1, room, choice);
    mine = std::max(mine, found);
    return found < room;
  };
  const bool ones_first = leaves.ones >= leaves.zeros;
  if (solve_side(ones_first)) solve_side(!ones_first);
  parts.total = parts.found.ones + parts.found.zeros + fixed(candidate);
  return parts;
}

void Worker::list_all(std::int32_t level, std::int32_t depth, Value known) {
  Node& here = node(level);
  here.two = &two_of(level);
  if (depth >= 3) check_memory(here.sample);
  here.two->begin(here.sample, level, depth >= 3);
  here.crossings.end();
  ++statistics.nodes;
  list_candidates(level);
  if (depth == 2) return;
  std::ranges::stable_sort(here.candidates, {}, &Candidate::key);
  here.bounds.begin(context_, here.sample, here.two, depth - 1, false);
  if (context_.bounds_deeper(level + 1)) here.bounds.learn_stumps(context_.options.penalty);
  here.bounds.learn_whole(known);
}

Parts Worker::settle_below(std::int32_t level, std::int32_t depth, const Candidate& candidate,
                           Value limit) {
  Node& here = node(level);
  Parts parts;
  parts.total = candidate.key;
  if (depth == 2) return parts;
  const Value enough = limit - fixed(candidate);
  const auto bits = bits_of(here.sample, candidate);
  parts.found = here.bounds.of(candidate, bits, enough);
  parts.total = parts.found.ones + parts.found.zeros + fixed(candidate);
  if (parts.total >= limit) return parts;
  if (depth > 3 && context_.bounds_deeper(level + 1)) {
    const PartBounds shallow = depth_two_parts(level, bits, {}, no_value);
    here.bounds.learn_depth_two(candidate, shallow, context_.options.penalty);
    parts.found = here.bounds.of(candidate, bits, enough);
    parts.total = parts.found.ones + parts.found.zeros + fixed(candidate);
    if (parts.total >= limit) return parts;
  }
  parts = settle(level, depth, candidate, parts.found, limit);
  here.bounds.learn(candidate, bits, parts.found);
  return parts;
}

Value Worker::solve(std::int32_t level, std::int32_t asked_depth, Value limit, Choice& choice) {
  Node& here = node(level);
  if (ChainSearch* chains = chains_at(level)) {
    chains->begin(level, here.sample.rows);
    return chains->solve(level, asked_depth, limit, choice);
  }
  const std::int32_t depth = context_.useful_depth(level, asked_depth, here.sample.floor, limit);
  const Value deeper =
      depth < asked_depth ? context_.deeper_floor(here.sample.floor, depth) : no_value;
  if (prepare(level, depth, limit)) return std::min(here.floor, deeper);
  open(level, depth, limit, 0);
  Value least = here.least;
  Crossings* const above = depth == asked_depth ? crossings_above(level) : nullptr;
  if (depth > 2 && !is_done(here, limit)) {
    if (above != nullptr) above->tell(here.sample, *here.two, here.bounds);
    for (const Candidate& candidate : here.candidates) {
      if (here.best <= here.floor) break;
      const Value current = std::min(limit, here.best);
      const auto bits = bits_of(here.sample, candidate);
      const Value enough = current - fixed(candidate);
      PartBounds bounds = here.bounds.of(candidate, bits, enough);
      if (above != nullptr && candidate.is_single() && bounds.ones + bounds.zeros < enough) {
        const std::int32_t column = candidate.joined.first;
        here.bounds.learn_by_others(column, above->of(column));
        bounds = here.bounds.of(candidate, bits, enough);
      }
      if (bounds.ones + bounds.zeros >= enough) {
        ++statistics.similar;
        least = std::min(least, bounds.ones + bounds.zeros + fixed(candidate));
        continue;
      }
      const Parts parts = settle(level, depth, candidate, bounds, current);
      if (parts.total < current) {
        here.best = parts.total;
        here.choice = {candidate.first, candidate.second, candidate.joined.function,
                       static_cast<std::int8_t>(depth - 1)};
      } else {
        least = std::min(least, parts.total);
      }
      here.bounds.learn(candidate, bits_of(here.sample, candidate), parts.found);
    }
    if (above != nullptr) above->learn(here.bounds);
  }
  choice = here.choice;
  Known known;
  known.exact = depth == 2 || here.best < limit;
  known.bound = known.exact ? here.best : std::min(here.best, std::max(limit, least));
  known.choice = here.choice;
  if (context_.options.cache)
    cache_.store(context_.key(here.sample.hash, depth, level), known,
                 static_cast<std::int8_t>(depth));
  return std::min(known.bound, deeper);
}

}  // namespace treewright::search
