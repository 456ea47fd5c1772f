#include "treewright/search/chains/search.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace treewright::search {

ChainSearch::ChainSearch(const Context& context, const Ranks& ranks, Cache& cache, Watch& watch,
                         Statistics& statistics, bool calling_thread)
    : context_(context),
      ranks_(ranks),
      cache_(cache),
      watch_(watch),
      statistics_(statistics),
      calling_thread_(calling_thread),
      stumps_(context, ranks) {
  for (std::int32_t level = 0; level <= context.options.max_depth; ++level)
    nodes_.push_back(std::make_unique<Node>(context, ranks));
  stumps_.poll = [this] { poll(); };
}

// What trees of some rows cost at least, if they are not worse than a leaf.
Value ChainSearch::floor_of(const Summary& rows, std::int32_t depth) const {
  const std::span sums(rows.sums.data(), context_.task.n_sums());
  const Value floor = std::max(rows.floor, context_.class_floor(sums, depth));
  const Value leaf = rows.leaf(context_.task);
  const bool too_few = rows.n_rows < 2 * std::max<std::int64_t>(context_.options.min_rows, 1);
  // A tree with a test costs at least its penalty.
  return depth == 0 || too_few ? leaf : std::min(leaf, floor + context_.options.penalty);
}

bool ChainSearch::prepare(std::int32_t level, std::int32_t depth, Value limit) {
  Node& here = node(level);
  here.best = here.rows.summary.leaf(context_.task);
  here.choice = {};
  here.floor = here.rows.chains.empty() ? here.best : floor_of(here.rows.summary, depth);
  return here.best <= here.floor || here.floor >= limit;
}

std::optional<Known> ChainSearch::recall(const Summary& rows, std::int32_t depth,
                                         std::int32_t level) {
  if (!context_.options.cache) return std::nullopt;
  return cache_.recall(context_, rows.hash, depth, level, rows.floor);
}

void ChainSearch::raise_floor(std::int32_t level, std::int32_t depth, Value optimum) {
  if (!context_.bounds_deeper(level)) return;
  Node& here = node(level);
  const Value deeper = context_.deeper_floor(here.rows.summary.floor, depth);
  here.floor = std::max(here.floor, std::min(optimum, deeper));
}

Value ChainSearch::solve(std::int32_t level, std::int32_t asked_depth, Value limit,
                         Choice& choice) {
  Node& here = node(level);
  const Value row_floor = here.rows.summary.floor;
  const std::int32_t depth = context_.useful_depth(level, asked_depth, row_floor, limit);
  const Value deeper = depth < asked_depth ? context_.deeper_floor(row_floor, depth) : no_value;
  if (prepare(level, depth, limit)) {
    choice = here.choice;
    return std::min(here.floor, deeper);
  }
  poll();
  ++statistics_.nodes;
  if (depth == 1) {
    stumps_.begin(here.rows, level);
    for (std::size_t place = 0; place < here.rows.chains.size(); ++place)
      here.best = std::min(here.best, stumps_.whole(place));
    here.choice.depth_below = here.best < here.rows.summary.leaf(context_.task) ? 1 : 0;
  } else if (depth == 2) {
    solve_two(level, limit);
  } else {
    solve_deeper(level, depth, limit);
  }
  choice = here.choice;
  const Known known{std::min(here.best, limit), here.best < limit, here.choice};
  if (context_.options.cache)
    cache_.store(context_.key(here.rows.summary.hash, depth, level), known,
                 static_cast<std::int8_t>(depth));
  return std::min(known.bound, deeper);
}

void ChainSearch::solve_two(std::int32_t level, Value limit) {
  Node& here = node(level);
  const Value penalty = context_.options.penalty;
  stumps_.begin(here.rows, level + 1);
  std::vector<std::size_t> places(here.rows.chains.size());
  std::iota(places.begin(), places.end(), 0);
  std::ranges::stable_sort(places, {}, [&](std::size_t place) { return stumps_.whole(place); });
  if (stumps_.whole(places.front()) < here.best) {
    here.best = stumps_.whole(places.front());
    here.choice.depth_below = 1;
  }
  if (here.best <= here.floor) return;
  here.intervals.begin(here.rows, level, 1, here.best);
  for (const std::size_t place : places) {
    here.intervals.open(place);
    while (here.best > here.floor) {
      const auto cut = here.intervals.next({std::min(limit, here.best)});
      if (!cut) break;
      ++statistics_.fused;
      poll();
      const PartBounds found = stumps_.parts(place, cut->n_left);
      const Value total = found.ones + found.zeros + cut->test.price + penalty;
      if (total < here.best) {
        here.best = total;
        here.choice = {cut->test.number, -1, Function::single, 1};
      }
      here.intervals.learn(*cut, found);
    }
  }
}

void ChainSearch::solve_deeper(std::int32_t level, std::int32_t depth, Value limit) {
  Node& here = node(level);
  // Shallower trees first: what they cost bounds the parts of deeper ones.
  Choice choice;
  const Value floor = here.floor, shallower = optimum(level, depth - 1, no_value, choice);
  here.best = shallower;
  here.choice = choice;
  here.floor = floor;
  raise_floor(level, depth - 1, shallower);
  if (here.best <= here.floor || here.floor >= limit) return;
  here.intervals.begin(here.rows, level, depth - 1, shallower);
  here.intervals.open_all();
  std::optional<Cut> cut;
  if (choice.first >= 0) cut = here.intervals.find(choice.first);
  while (here.best > here.floor) {
    const Value current = std::min(limit, here.best);
    if (!cut) cut = here.intervals.next({current});
    if (!cut) break;
    const Parts parts = settle(here.rows, level, depth, *cut, current);
    if (parts.total < current) {
      here.best = parts.total;
      here.choice = {cut->test.number, -1, Function::single, static_cast<std::int8_t>(depth - 1)};
    }
    here.intervals.learn(*cut, parts.found);
    cut.reset();
  }
}

Summary ChainSearch::left_part(const Ordered& rows, std::size_t place, std::int32_t n_left) const {
  const auto order = rows.entries(place);
  const bool few = 2 * n_left <= rows.n_rows();
  Summary part(context_);
  const auto listed = few ? order.first(static_cast<std::size_t>(n_left))
                          : order.subspan(static_cast<std::size_t>(n_left));
  for (const Ordered::Entry& entry : listed) part.add(context_, ranks_, entry.row);
  return few ? part : rows.summary.without(part);
}

Parts ChainSearch::settle(const Ordered& rows, std::int32_t level, std::int32_t depth,
                          const Cut& cut, Value limit) {
  const Summary left = left_part(rows, cut.place, cut.n_left), right = rows.summary.without(left);
  const Value fixed = cut.test.price + context_.options.penalty;
  // Bounds beyond the limit are of use for other thresholds.
  const Value enough = limit + cut.reach;
  Parts parts{cut.bounds, 0};
  // Both before either is solved: what is known of one leaves the other less room.
  std::array<bool, 2> is_solved{};  // left, right
  for (const bool is_left : {true, false}) {
    const Summary& part = is_left ? left : right;
    Value& mine = is_left ? parts.found.ones : parts.found.zeros;
    bool& solved = is_solved[is_left ? 0 : 1];
    const Value floor = floor_of(part, depth - 1);
    mine = std::max(mine, floor);
    solved = part.leaf(context_.task) <= floor;
    if (solved) continue;
    const auto known = recall(part, depth - 1, level + 1);
    if (!known) continue;
    mine = std::max(mine, known->bound);
    solved = known->exact;
    if (solved) ++statistics_.cache_hits;
  }
  const bool left_first = left.leaf(context_.task) >= right.leaf(context_.task);
  const auto solve_side = [&](bool is_left) {
    Value& mine = is_left ? parts.found.ones : parts.found.zeros;
    const Value theirs = is_left ? parts.found.zeros : parts.found.ones;
    const Value room = enough - fixed - theirs;
    if (mine >= room || is_solved[is_left ? 0 : 1]) return mine < room;
    node(level + 1).rows.part(context_, rows, cut.place, cut.n_left, is_left,
                              is_left ? left : right);
    Choice choice;
    const Value found = solve(level + 1, depth - 1, room, choice);
    mine = std::max(mine, found);
    return found < room;
  };
  if (solve_side(left_first)) solve_side(!left_first);
  parts.total = parts.found.ones + parts.found.zeros + fixed;
  return parts;
}

Value ChainSearch::optimum(std::int32_t level, std::int32_t depth, Value limit, Choice& choice) {
  const auto known = recall(node(level).rows.summary, depth, level);
  // Counts of pairs tell what trees of depth two cost, but not their tests.
  if (known && known->exact && (known->choice.first >= 0 || known->choice.depth_below < 2)) {
    choice = known->choice;
    return known->bound;
  }
  return solve(level, depth, limit, choice);
}

void ChainSearch::descend(std::int32_t level, std::int32_t test, bool left) {
  const Ordered& rows = node(level).rows;
  const std::int32_t chain = ranks_.chain_of(test);
  const auto place =
      static_cast<std::size_t>(std::ranges::find(rows.chains, chain) - rows.chains.begin());
  const auto order = rows.entries(place);
  const std::int32_t rank = test - ranks_.chains()[static_cast<std::size_t>(chain)].first_test;
  const auto n_left = static_cast<std::int32_t>(
      std::ranges::upper_bound(order, rank, {}, &Ordered::Entry::rank) - order.begin());
  const Summary part = left_part(rows, place, n_left);
  node(level + 1).rows.part(context_, rows, place, n_left, left,
                            left ? part : rows.summary.without(part));
}

Choice ChainSearch::best_single(std::int32_t level) {
  const Ordered& rows = node(level).rows;
  const Task& task = context_.task;
  const auto n_sums = rows.summary.sums.size();
  Choice best;
  double most = 0.0;
  std::vector<double> before(n_sums), after(n_sums);
  for (std::size_t place = 0; place < rows.chains.size(); ++place) {
    const auto order = rows.entries(place);
    std::ranges::fill(before, 0.0);
    for (std::size_t k = 1; k < order.size(); ++k) {
      add_row(context_, ranks_, order[k - 1].row, 1.0, before.data());
      if (order[k].rank == order[k - 1].rank) continue;
      if (k % 64 == 0) poll();
      const Ranks::Test test =
          ranks_.test_between(rows.chains[place], order[k - 1].rank, order[k].rank, level);
      for (std::size_t s = 0; s < n_sums; ++s) after[s] = rows.summary.sums[s] - before[s];
      const bool allowed = context_.enough(before.data()) && context_.enough(after.data());
      if (test.number < 0 || !allowed) continue;
      const double worth =
          task.reward(before.data()) + task.reward(after.data()) - static_cast<double>(test.price);
      if (best.first >= 0 && worth <= most) continue;
      most = worth;
      best.first = test.number;
    }
  }
  return best;
}

}  // namespace treewright::search
