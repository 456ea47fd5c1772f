#include "treewright/search/rebuild.hpp"

#include <algorithm>
#include <stdexcept>

#include "treewright/search/tally.hpp"

namespace treewright::search {

void Writer::add(std::int32_t level, std::int32_t depth, Value cost, const Choice* given) {
  within_time(level, [&] { add_optimum(level, depth, cost, given); });
}

// Where there is no time to find a tree again, a leaf takes its place.
void Writer::within_time(std::int32_t level, const std::function<void()>& add_tree) {
  const std::size_t at = plan.nodes.size();
  try {
    add_tree();
  } catch (const Stopped&) {
    is_cut_short = true;
    plan.nodes.resize(at);
    ChainSearch* chains = worker_.chains_at(level);
    add_leaf(Members(context_, chains != nullptr ? chains->node(level).rows.rows()
                                                 : worker_.node(level).sample.rows));
  }
}

void Writer::add_optimum(std::int32_t level, std::int32_t depth, Value cost, const Choice* given) {
  const Node& here = worker_.node(level);
  if (ChainSearch* chains = worker_.chains_at(level)) {
    chains->begin(level, here.sample.rows);
    return add_ordered(*chains, level, depth, cost, given);
  }
  if (here.sample.leaf <= cost) return add_leaf(Members(context_, here.sample.rows));
  Choice choice{-1, -1, Function::single, static_cast<std::int8_t>(depth)};
  if (given != nullptr) {
    choice = *given;
  } else if (depth > 2) {
    optimum(level, depth, cost + 1, choice);
  }
  const Value penalty = context_.options.penalty;
  if (choice.first < 0) return add_shallow(level, choice.depth_below == 1 ? 1 : 3, cost, penalty);
  const Value room = cost - penalty - context_.price_of(choice.first, choice.second);
  Value ones = 0;  // the optima of the parts add up to the room
  add_test(
      level, choice,
      [&] {
        Choice below;
        ones = optimum(level + 1, choice.depth_below, room + 1, below);
        add(level + 1, choice.depth_below, ones);
      },
      [&] { add(level + 1, choice.depth_below, room - ones); });
}

void Writer::add_greedily(std::int32_t level, std::int32_t depth) {
  if (ChainSearch* chains = worker_.chains_at(level)) {
    chains->begin(level, worker_.node(level).sample.rows);
    return add_ordered_greedily(*chains, level, depth);
  }
  const std::int32_t ahead = std::min(depth, greedy_depth);
  Choice choice;
  const Value cost = optimum(level, ahead, no_value, choice);
  if (depth <= ahead || choice.first < 0) return add(level, ahead, cost, &choice);
  add_test(
      level, choice, [&] { add_greedily(level + 1, depth - 1); },
      [&] { add_greedily(level + 1, depth - 1); });
}

void Writer::add_ordered(ChainSearch& chains, std::int32_t level, std::int32_t depth, Value cost,
                         const Choice* given) {
  within_time(level, [&] { add_ordered_optimum(chains, level, depth, cost, given); });
}

void Writer::add_ordered_optimum(ChainSearch& chains, std::int32_t level, std::int32_t depth,
                                 Value cost, const Choice* given) {
  const Ordered& rows = chains.node(level).rows;
  if (rows.summary.leaf(context_.task) <= cost) return add_leaf(Members(context_, rows.rows()));
  Choice choice;
  if (given != nullptr) {
    choice = *given;
  } else {
    chains.optimum(level, depth, cost + 1, choice);
  }
  if (choice.first < 0) choice = chains.best_single(level);
  if (choice.first < 0) throw std::logic_error("The search cannot find its best split again.");
  const Value room = cost - context_.options.penalty - context_.price_of(choice.first, -1);
  const std::int32_t below = choice.depth_below;
  Value ones = 0;  // the optima of the parts add up to the room
  add_ordered_test(
      chains, level, choice.first,
      [&] {
        Choice top;
        ones = chains.optimum(level + 1, below, room + 1, top);
        add_ordered(chains, level + 1, below, ones, nullptr);
      },
      [&] { add_ordered(chains, level + 1, below, room - ones, nullptr); });
}

void Writer::add_ordered_greedily(ChainSearch& chains, std::int32_t level, std::int32_t depth) {
  const std::int32_t ahead = std::min(depth, greedy_depth_along_chains);
  Choice choice;
  const Value cost = chains.optimum(level, ahead, no_value, choice);
  if (depth <= ahead || choice.first < 0) return add_ordered(chains, level, ahead, cost, &choice);
  const auto go_on = [&] { add_ordered_greedily(chains, level + 1, depth - 1); };
  add_ordered_test(chains, level, choice.first, go_on, go_on);
}

void Writer::add_ordered_test(ChainSearch& chains, std::int32_t level, std::int32_t test,
                              const std::function<void()>& ones,
                              const std::function<void()>& zeros) {
  const std::size_t at = plan.nodes.size();
  plan.nodes.push_back({test, -1, Function::single, -1, -1, -1});
  chains.descend(level, test, true);
  plan.nodes[at].passed = static_cast<std::int32_t>(plan.nodes.size());
  ones();
  chains.descend(level, test, false);
  plan.nodes[at].failed = static_cast<std::int32_t>(plan.nodes.size());
  zeros();
}

void Writer::add_leaf(const Members& rows) {
  plan.nodes.emplace_back();
  plan.nodes.back().answer = rows.answer();
}

Value Writer::optimum(std::int32_t level, std::int32_t depth, Value limit, Choice& choice) {
  if (const auto known = worker_.recall(level, depth); known && known->exact) {
    choice = known->choice;
    return known->bound;
  }
  return worker_.solve(level, depth, limit, choice);
}

void Writer::add_test(std::int32_t level, const Choice& choice, const std::function<void()>& ones,
                      const std::function<void()>& zeros) {
  const Sample& sample = worker_.node(level).sample;
  Plan::Node test{choice.first, choice.second, choice.function, -1, -1, -1};
  const bool turns = choice.function != Function::single && choice.function != Function::first_only;
  if (turns && test.second < test.first) std::swap(test.first, test.second);
  const Members rows(context_, sample.rows);
  std::vector<std::uint64_t> bits(sample.n_words, 0);
  for (std::size_t k = 0; k < sample.rows.size(); ++k) {
    if (rows.passes(sample.rows[k], test)) bits[k / 64] |= std::uint64_t{1} << (k % 64);
  }
  const std::size_t at = plan.nodes.size();
  plan.nodes.push_back(test);
  worker_.descend(level, bits, true);
  plan.nodes[at].passed = static_cast<std::int32_t>(plan.nodes.size());
  ones();
  worker_.descend(level, bits, false);
  plan.nodes[at].failed = static_cast<std::int32_t>(plan.nodes.size());
  zeros();
}

void Writer::add_shallow(std::int32_t level, std::int32_t n_most, Value limit, Value penalty) {
  Node& here = worker_.node(level);
  here.two = &worker_.two_of(level);
  here.two->begin(here.sample, level, false);
  std::size_t n_tests = 0;
  std::int32_t column = -1;
  Value cost = 0;
  for (std::size_t k = 1; column < 0 && k <= static_cast<std::size_t>(n_most); ++k) {
    for (std::int32_t i = 0; column < 0 && i < here.sample.n_columns(); ++i) {
      cost = here.two->sizes_below(i)[k];
      if (cost + static_cast<Value>(k) * penalty > limit) continue;
      column = i;
      n_tests = k;
    }
  }
  if (column < 0) throw std::logic_error("The search cannot find a tree of depth two again.");

  const Column& upper = here.sample.columns[static_cast<std::size_t>(column)];
  const Plan::Node test{upper.test, -1, Function::single, -1, -1, -1};
  const auto [passed, failed] = Members(context_, here.sample.rows).divided(test);
  Lower ones, zeros;
  if (n_tests > 1) {
    ones = best_lower(here.sample, true, column, level + 1);
    zeros = best_lower(here.sample, false, column, level + 1);
  }
  const bool only_ones = n_tests == 2 && ones.cost + failed.leaf() <= cost - upper.price;
  const std::size_t at = plan.nodes.size();
  plan.nodes.push_back(test);
  plan.nodes[at].passed = static_cast<std::int32_t>(plan.nodes.size());
  add_lower(passed, ones, n_tests == 3 || only_ones);
  plan.nodes[at].failed = static_cast<std::int32_t>(plan.nodes.size());
  add_lower(failed, zeros, n_tests == 3 || (n_tests == 2 && !only_ones));
}

Writer::Lower Writer::best_lower(const Sample& sample, bool ones, std::int32_t upper,
                                 std::int32_t level) const {
  const Task& task = context_.task;
  std::vector<std::uint64_t> part(sample.n_words);
  for (std::size_t w = 0; w < part.size(); ++w)
    part[w] = sample.bits(upper)[w] ^ (ones ? 0 : sample.all_bits(w));
  Tally whole(task);
  whole.add(task, sample, part, part);
  Lower best;
  for (std::int32_t j = 0; j < sample.n_columns(); ++j) {
    worker_.poll();
    const Column& column = sample.columns[static_cast<std::size_t>(j)];
    if (column.last_level < level) continue;
    Tally passed(task), failed = whole;
    passed.add(task, sample, part, sample.bits(j));
    failed.remove(passed);
    if (!passed.enough(context_.options) || !failed.enough(context_.options)) continue;
    const Value cost = passed.leaf(task) + failed.leaf(task) + column.price;
    if (cost < best.cost) best = {cost, column.test};
  }
  return best;
}

void Writer::add_lower(const Members& rows, const Lower& lower, bool split) {
  if (!split || lower.test < 0) return add_leaf(rows);
  const Plan::Node test{lower.test, -1, Function::single, -1, -1, -1};
  const auto [passed, failed] = rows.divided(test);
  const std::size_t at = plan.nodes.size();
  plan.nodes.push_back(test);
  plan.nodes[at].passed = static_cast<std::int32_t>(plan.nodes.size());
  add_leaf(passed);
  plan.nodes[at].failed = static_cast<std::int32_t>(plan.nodes.size());
  add_leaf(failed);
}

}  // namespace treewright::search
