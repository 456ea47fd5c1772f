// How a worker searches nodes with long chains: tests one by one, as far as bounds leave any open.
#include <algorithm>

#include "treewright/search/worker.hpp"

namespace treewright::search {

Sizes Worker::sizes_below(std::int32_t level, std::int32_t column) {
  Node& here = node(level);
  const Value price = here.sample.columns[static_cast<std::size_t>(column)].price;
  const bool ones_are_fewer = list_smaller(here.sample, here.sample.bits(column), listed_);
  ++statistics.fused;
  const Wide::Halves halves = here.wide->halves(listed_, ones_are_fewer);
  if (here.wide->single(column) == no_value) return {no_value, no_value, no_value, no_value};
  Sizes sizes;
  sizes[0] = no_value;
  sizes[1] = here.wide->single(column);
  sizes[2] = std::min({sizes[1], halves.split_ones + halves.leaf_zeros + price,
                       halves.leaf_ones + halves.split_zeros + price});
  sizes[3] = std::min(sizes[2], halves.split_ones + halves.split_zeros + price);
  return sizes;
}

void Worker::open_wide(std::int32_t level, std::int32_t depth, Value limit, Value shallower) {
  Node& here = node(level);
  watch_.poll(calling_thread_);
  ++statistics.nodes;
  here.two = nullptr;
  here.wide = &wide_of(level);
  here.wide->begin(here.sample, level);
  here.candidates.clear();
  for (std::int32_t i = 0; i < here.sample.n_columns(); ++i) {
    const Value cost = here.wide->single(i);
    if (cost == no_value) continue;
    const Column& column = here.sample.columns[static_cast<std::size_t>(i)];
    Candidate candidate;
    candidate.joined.first = i;
    candidate.first = column.test;
    candidate.price = column.price;
    candidate.key = cost + context_.options.penalty;
    if (candidate.key < here.best) {
      here.best = candidate.key;
      here.choice = {candidate.first, -1, Function::single, 0};
    }
    here.candidates.push_back(candidate);
  }
  if (here.best <= here.floor) return;
  if (context_.options.ordering) std::ranges::stable_sort(here.candidates, {}, &Candidate::key);
  // For deeper trees the optimum of depth two is needed as it is: parts are bounded by it.
  solve_two_wide(level, depth == 2 ? limit : no_value);
  if (depth == 2 || here.best <= here.floor) return;
  if (context_.options.ordering) std::ranges::stable_sort(here.candidates, {}, &Candidate::key);
  const Value known = depth == 3 ? here.best : shallower;
  here.bounds.begin(context_, here.sample, nullptr, depth - 1, known, false);
}

void Worker::solve_two_wide(std::int32_t level, Value limit) {
  Node& here = node(level);
  const Value penalty = context_.options.penalty;
  here.bounds.begin(context_, here.sample, nullptr, 1, here.best, false);
  for (Candidate& candidate : here.candidates) {
    if (here.best <= here.floor) return;
    const std::int32_t column = candidate.joined.first;
    const auto bits = here.sample.bits(column);
    const Value current = std::min(limit, here.best), enough = current - fixed(candidate);
    const PartBounds bounds = here.bounds.of(candidate, bits, enough);
    candidate.key = bounds.ones + bounds.zeros + fixed(candidate);
    if (candidate.key >= current) {
      ++statistics.similar;
      continue;
    }
    watch_.poll(calling_thread_);
    ++statistics.fused;
    const bool ones_are_fewer = list_smaller(here.sample, bits, listed_);
    const Wide::Halves halves = here.wide->halves(listed_, ones_are_fewer);
    const PartBounds found{std::min(halves.leaf_ones, halves.split_ones + penalty),
                           std::min(halves.leaf_zeros, halves.split_zeros + penalty)};
    candidate.key = found.ones + found.zeros + fixed(candidate);
    if (candidate.key < here.best) {
      here.best = candidate.key;
      here.choice = {candidate.first, -1, Function::single, 1};
    }
    here.bounds.learn(candidate, bits, found);
  }
}

}  // namespace treewright::search
