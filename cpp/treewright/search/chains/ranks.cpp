#include "treewright/search/chains/ranks.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

namespace treewright::search {

Ranks::Ranks(const Context& context, const std::function<void()>& poll) : context_(context) {
  const Task& task = context.task;
  class_of_.resize(task.n_rows());
  for (std::size_t c = 0; c + 1 < task.first_row.size(); ++c) {
    std::fill(class_of_.begin() + task.first_row[c], class_of_.begin() + task.first_row[c + 1],
              static_cast<std::int32_t>(c));
  }
  const std::size_t n = task.n_rows();
  std::vector<std::int32_t> place(n);  // of an original row in the order of the task
  for (std::size_t r = 0; r < n; ++r)
    place[static_cast<std::size_t>(task.original_row[r])] = static_cast<std::int32_t>(r);
  ranks_.resize(context.chains.size() * n);
  const std::span<const std::int32_t> given = context.problem.ranks;
  if (given.empty()) {
    rank_rows(place, poll);
    return;
  }
  for (std::size_t at = 0; at < given.size(); at += n) {
    poll();
    for (std::size_t row = 0; row < n; ++row)
      ranks_[at + static_cast<std::size_t>(place[row])] = given[at + row];
  }
}

void Ranks::rank_rows(std::span<const std::int32_t> place, const std::function<void()>& poll) {
  const Problem& problem = context_.problem;
  const std::size_t n = problem.n_rows, n_bytes = (n + 7) / 8, n_words = (n + 63) / 64;
  std::vector<std::uint64_t> before(n_words), now(n_words, 0);
  for (std::size_t c = 0; c < chains().size(); ++c) {
    poll();
    const Chain& chain = chains()[c];
    std::int32_t* ranks = ranks_.data() + c * n;
    std::fill(ranks, ranks + n, chain.n_tests);
    std::ranges::fill(before, 0);
    for (std::int32_t t = 0; t < chain.n_tests; ++t) {
      if (t % 64 == 63) poll();
      const auto test = static_cast<std::size_t>(chain.first_test + t);
      std::memcpy(now.data(), problem.bits.data() + test * n_bytes, n_bytes);
      for (std::size_t w = 0; w < n_words; ++w) {
        std::uint64_t rest = now[w] & ~before[w];
        for (; rest != 0; rest &= rest - 1) {
          const std::size_t row = w * 64 + static_cast<std::size_t>(std::countr_zero(rest));
          if (row < n) ranks[place[row]] = t;
        }
      }
      std::swap(before, now);
    }
  }
}

Ranks::Test Ranks::test_between(std::int32_t chain, std::int32_t low, std::int32_t high,
                                std::int32_t level) const {
  const Chain& its = chains()[static_cast<std::size_t>(chain)];
  const Problem& problem = context_.problem;
  Test best;
  for (std::int32_t t = low; t < (its.uniform ? low + 1 : high); ++t) {
    const std::int32_t number = its.first_test + t;
    const auto at = static_cast<std::size_t>(number);
    const Value price = context_.price_at(problem.prices[at], problem.last_levels[at], level);
    if (price < best.price) best = {number, price};
  }
  return best;
}

void add_row(const Context& context, const Ranks& ranks, std::int32_t row, double sign,
             double* sums) {
  const auto r = static_cast<std::size_t>(row);
  context.task.add(r, static_cast<std::size_t>(ranks.class_of(row)), sign, sums);
  if (context.rows_sum >= 0) sums[context.rows_sum] += sign;
}

void Summary::add(const Context& context, const Ranks& ranks, std::int32_t row) {
  const auto r = static_cast<std::size_t>(row);
  ++n_rows;
  hash ^= context.row_hash[r];
  base += context.task.base[r];
  floor += context.row_floor[r];
  add_row(context, ranks, row, 1.0, sums.data());
}

Summary Summary::without(const Summary& part) const {
  Summary rest = *this;
  rest.n_rows -= part.n_rows;
  rest.hash ^= part.hash;
  rest.base -= part.base;
  rest.floor -= part.floor;
  for (std::size_t s = 0; s < sums.size(); ++s) rest.sums[s] -= part.sums[s];
  return rest;
}

void Ordered::begin(const Context& context, const Ranks& ranks,
                    std::span<const std::int32_t> rows) {
  summary = Summary(context);
  for (const std::int32_t row : rows) summary.add(context, ranks, row);
  chains.resize(ranks.chains().size());
  std::iota(chains.begin(), chains.end(), 0);
  entries_.resize(chains.size() * rows.size());
  std::vector<std::size_t> begins;  // of the rows of each rank
  for (std::size_t c = 0; c < chains.size(); ++c) {
    begins.assign(static_cast<std::size_t>(ranks.chains()[c].n_tests) + 2, c * rows.size());
    const auto rank = [&](std::int32_t row) { return ranks.rank(chains[c], row); };
    for (const std::int32_t row : rows) ++begins[static_cast<std::size_t>(rank(row)) + 1];
    for (std::size_t k = 1; k < begins.size(); ++k) begins[k] += begins[k - 1] - c * rows.size();
    for (const std::int32_t row : rows)
      entries_[begins[static_cast<std::size_t>(rank(row))]++] = {row, rank(row)};
  }
  finish(context);
}

void Ordered::part(const Context& context, const Ordered& parent, std::size_t place,
                   std::int32_t n_left, bool left, const Summary& its_summary) {
  summary = its_summary;
  sides_.resize(context.task.n_rows());
  const auto order = parent.entries(place);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool is_left = k < static_cast<std::size_t>(n_left);
    sides_[static_cast<std::size_t>(order[k].row)] = is_left == left ? 1 : 0;
  }
  const auto n = static_cast<std::size_t>(n_rows());
  // One more place: the loop below writes before it knows whether a row is in the part.
  entries_.resize(parent.chains.size() * n + 1);
  chains.clear();
  for (std::size_t c = 0; c < parent.chains.size(); ++c) {
    Entry* const begin = entries_.data() + chains.size() * n;
    Entry* to = begin;
    for (const Entry& entry : parent.entries(c)) {
      *to = entry;
      to += sides_[static_cast<std::size_t>(entry.row)];
    }
    if (n > 0 && begin->rank != (to - 1)->rank) chains.push_back(parent.chains[c]);
  }
  finish(context);
}

std::vector<std::int32_t> Ordered::rows() const {
  std::vector<std::int32_t> rows;
  for (const Entry& entry : entries(0)) rows.push_back(entry.row);
  std::ranges::sort(rows);
  return rows;
}

void Ordered::finish(const Context& context) {
  const Task& task = context.task;
  if (!task.numeric || chains.empty()) return;
  Value smallest = no_value, largest = 0;
  for (const Entry& entry : entries(0)) {
    const auto r = static_cast<std::size_t>(entry.row);
    const Value number = task.moment[r] / task.weight[r];
    smallest = std::min(smallest, number);
    largest = std::max(largest, number);
  }
  const auto range = static_cast<double>(largest - smallest);
  row_loss = range * range;
}

}  // namespace treewright::search
