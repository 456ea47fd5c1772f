// Sums over some rows of a sample, one row after another: for what is asked only now and then.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "treewright/base/popcount.hpp"
#include "treewright/search/sample.hpp"

namespace treewright::search {

struct Tally {
  explicit Tally(const Task& task) : sums(task.n_sums(), 0.0) {}

  void add(const Task& task, const Sample& sample, std::int32_t k) {
    const auto r = static_cast<std::size_t>(sample.rows[static_cast<std::size_t>(k)]);
    base += task.base[r];
    weight += task.weight[r];
    ++n_rows;
    const auto after = std::ranges::upper_bound(sample.first_row, k);
    task.add(r, static_cast<std::size_t>(after - sample.first_row.begin()) - 1, 1.0, sums.data());
  }
  // The rows that are in both sets of bits.
  void add(const Task& task, const Sample& sample, std::span<const std::uint64_t> some,
           std::span<const std::uint64_t> others) {
    if (!task.numeric && task.common_weight > 0) return add_alike(task, sample, some, others);
    for (std::size_t w = 0; w < some.size(); ++w) {
      for (std::uint64_t rest = some[w] & others[w]; rest != 0; rest &= rest - 1) {
        add(task, sample, static_cast<std::int32_t>(w * 64) + std::countr_zero(rest));
      }
    }
  }
  // The same where all rows of a class count alike: bits are counted, a word at a time.
  void add_alike(const Task& task, const Sample& sample, std::span<const std::uint64_t> some,
                 std::span<const std::uint64_t> others) {
    std::size_t w = 0;
    std::uint64_t rest = some.empty() ? 0 : some[0] & others[0];
    for (std::int32_t c = 0; c < task.n_classes; ++c) {
      const auto end = static_cast<std::size_t>(sample.first_row[static_cast<std::size_t>(c) + 1]);
      Value count = 0;
      for (; (w + 1) * 64 <= end; ++w, rest = w < some.size() ? some[w] & others[w] : 0)
        count += popcount(rest);
      if (w * 64 < end) {
        const std::uint64_t before = rest & ((std::uint64_t{1} << (end - w * 64)) - 1);
        count += popcount(before);
        rest ^= before;
      }
      const Value heavy = count * task.common_weight;
      sums[static_cast<std::size_t>(c)] += static_cast<double>(heavy);
      base += heavy * task.rate(c);
      weight += heavy;
      n_rows += count;
    }
  }
  void clear() {
    std::ranges::fill(sums, 0.0);
    base = weight = n_rows = 0;
  }
  void remove(const Tally& part) {
    base -= part.base;
    weight -= part.weight;
    n_rows -= part.n_rows;
    for (std::size_t s = 0; s < sums.size(); ++s) sums[s] -= part.sums[s];
  }
  bool enough(const Options& options) const {
    return n_rows >= std::max<std::int64_t>(options.min_rows, 1) && weight >= options.min_weight;
  }
  Value leaf(const Task& task) const { return base - static_cast<Value>(task.reward(sums.data())); }

  std::vector<double> sums;
  Value base = 0;
  Value weight = 0;
  std::int64_t n_rows = 0;
};

}  // namespace treewright::search
