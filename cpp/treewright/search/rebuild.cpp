#include "treewright/search/rebuild.hpp"

#include <algorithm>
#include <stdexcept>

namespace treewright::search {

void Writer::add(std::int32_t level, std::int32_t depth, Value cost, const Choice* given) {
  const Node& here = worker_.node(level);
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
    ones = best_lower(here.sample, passed, level + 1);
    zeros = best_lower(here.sample, failed, level + 1);
  }
  const bool only_ones = n_tests == 2 && ones.cost + failed.leaf() <= cost - upper.price;
  const std::size_t at = plan.nodes.size();
  plan.nodes.push_back(test);
  plan.nodes[at].passed = static_cast<std::int32_t>(plan.nodes.size());
  add_lower(passed, ones, n_tests == 3 || only_ones);
  plan.nodes[at].failed = static_cast<std::int32_t>(plan.nodes.size());
  add_lower(failed, zeros, n_tests == 3 || (n_tests == 2 && !only_ones));
}

Writer::Lower Writer::best_lower(const Sample& sample, const Members& rows,
                                 std::int32_t level) const {
  Lower best;
  for (const Column& column : sample.columns) {
    if (column.last_level < level) continue;
    const auto [passed, failed] = rows.divided({column.test, -1, Function::single, -1, -1, -1});
    if (!passed.enough() || !failed.enough()) continue;
    const Value cost = passed.leaf() + failed.leaf() + column.price;
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
