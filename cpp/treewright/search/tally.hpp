// Sums over some rows of a sample, one row after another: for what is asked only now and then.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "treewright/search/sample.hpp"

namespace treewright::search {

struct Tally {
  explicit Tally(const Task& task) : sums(task.n_sums(), 0.0) {}

  void add(const Task& task, const Sample& sample, std::int32_t k) {
    const auto r = static_cast<std::size_t>(sample.rows[static_cast<std::size_t>(k)]);
    base += task.base[r];
    weight += task.weight[r];
    ++n_rows;
    if (task.numeric) {
      sums[0] += static_cast<double>(task.weight[r]);
      sums[1] += static_cast<double>(task.moment[r]);
    } else {
      std::size_t c = 0;
      while (k >= sample.first_row[c + 1]) ++c;
      sums[c] += static_cast<double>(task.weight[r]);
    }
  }
  // The rows that are in both sets of bits.
  void add(const Task& task, const Sample& sample, std::span<const std::uint64_t> some,
           std::span<const std::uint64_t> others) {
    for (std::size_t w = 0; w < some.size(); ++w) {
      for (std::uint64_t rest = some[w] & others[w]; rest != 0; rest &= rest - 1) {
        add(task, sample, static_cast<std::int32_t>(w * 64) + std::countr_zero(rest));
      }
    }
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
