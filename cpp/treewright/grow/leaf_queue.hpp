// Leaves that may still be split: those with a split, the most worthwhile first, and those that
// wait until other leaves have changed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "treewright/data/rows.hpp"
#include "treewright/split/method.hpp"
#include "treewright/tree/column_rules.hpp"

namespace treewright {

struct OpenLeaf {
  std::int32_t node = 0;
  std::int32_t depth = 0;
  std::uint64_t path = 0;
  Range range;
  Range held_out;
  std::size_t mark = 0;  // end of the row storage when it was made
  double count = 0.0;
  double value = 0.0;  // what it predicts
  std::vector<double> statistics;
  double worth = 0.0;     // W * decrease of `chosen` less its price, by split weights
  std::int64_t step = 0;  // number of splits when `chosen` was found
  std::optional<Candidate> chosen;
  Columns columns_read;  // on the path to it, where there are rules of columns
};

class LeafQueue {
 public:
  bool empty() const { return heap_.empty(); }

  void push(OpenLeaf leaf) {
    heap_.push_back(std::move(leaf));
    std::ranges::push_heap(heap_, is_later);
  }
  OpenLeaf pop() {
    std::ranges::pop_heap(heap_, is_later);
    OpenLeaf leaf = std::move(heap_.back());
    heap_.pop_back();
    return leaf;
  }

  void wait(OpenLeaf leaf) { waiting_.push_back(std::move(leaf)); }
  std::vector<OpenLeaf> take_waiting() { return std::exchange(waiting_, {}); }

 private:
  // The most worth first; the earlier made one on ties.
  static bool is_later(const OpenLeaf& a, const OpenLeaf& b) {
    return a.worth != b.worth ? a.worth < b.worth : a.node > b.node;
  }

  std::vector<OpenLeaf> heap_, waiting_;
};

}  // namespace treewright
