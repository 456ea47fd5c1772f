#include "treewright/search/floors.hpp"

#include <algorithm>
#include <utility>

namespace treewright::search {

namespace {

// A row, and a name that it shares with the rows that pass the same tests.
struct Named {
  std::uint64_t high = 0x9E3779B97F4A7C15ULL, low = 0xD1B54A32D192ED03ULL;
  std::int32_t row = 0;
  auto operator<=>(const Named&) const = default;

  void mix(std::uint64_t word) {
    high = (high ^ word) * 0xBF58476D1CE4E5B9ULL;
    high ^= high >> 32;
    low = (low + word) * 0x94D049BB133111EBULL;
    low ^= low >> 29;
  }
};

void find_equal_rows(Context& context, std::vector<Named>& named) {
  const Task& task = context.task;
  std::ranges::sort(named);
  std::vector<double> sums(task.n_sums());
  for (std::size_t begin = 0, end = 0; begin < named.size(); begin = end) {
    const auto equal = [&](const Named& other) {
      return other.high == named[begin].high && other.low == named[begin].low;
    };
    for (end = begin + 1; end < named.size() && equal(named[end]); ++end) {
    }
    if (end - begin < 2) continue;
    std::ranges::fill(sums, 0.0);
    Value base = 0;
    std::size_t c = 0;
    for (std::size_t k = begin; k < end; ++k) {
      const auto r = static_cast<std::size_t>(named[k].row);
      base += task.base[r];
      while (named[k].row >= task.first_row[c + 1]) ++c;
      task.add(r, c, 1.0, sums.data());
    }
    // Squared errors are rounded: their sum over many groups may be that much too large.
    const Value slack = task.numeric ? 1 : 0;
    const Value cost = base - static_cast<Value>(task.reward(sums.data())) - slack;
    context.row_floor[static_cast<std::size_t>(named[begin].row)] = std::max<Value>(cost, 0);
  }
}

}  // namespace

// Rows are equal when 128-bit hashes of their bits are.
void find_floors(Context& context, const Sample& all) {
  std::vector<Named> named(context.task.n_rows());
  const auto stride = static_cast<std::size_t>(all.stride);
  for (std::size_t r = 0; r < named.size(); ++r) {
    named[r].row = static_cast<std::int32_t>(r);
    for (std::size_t b = 0; b < static_cast<std::size_t>(all.n_blocks); ++b)
      named[r].mix(all.by_row[r * stride + b]);
    // Tests joined can tell rows apart by what is unknown of them.
    const auto original = static_cast<std::size_t>(context.task.original_row[r]);
    for (std::size_t set = 0; set < context.n_unknown_sets(); ++set)
      named[r].mix(context.is_unknown(static_cast<std::int32_t>(set), original) ? 1 : 0);
  }
  find_equal_rows(context, named);
}

void find_floors(Context& context, const Ranks& ranks) {
  std::vector<Named> named(context.task.n_rows());
  for (std::size_t r = 0; r < named.size(); ++r) {
    named[r].row = static_cast<std::int32_t>(r);
    for (std::size_t c = 0; c < ranks.chains().size(); ++c) {
      const std::int32_t rank = ranks.rank(static_cast<std::int32_t>(c), named[r].row);
      named[r].mix(static_cast<std::uint64_t>(rank));
    }
  }
  find_equal_rows(context, named);
}

}  // namespace treewright::search
