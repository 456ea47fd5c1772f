// Rows: which training rows stand in which open node.
//
// The row ids are one array, and a node is a range of it; dividing a node reorders the ids inside
// its range, so that a child is a sub-range. Beside the ids, each numeric column keeps the same
// rows sorted by value, in the same ranges: columns are ranked once and never sorted at a node.
// Growths that share ranks keep no sorted columns.
//
// Under fractional missing values (C4.5) one row can stand in several branches. Children are then
// appended behind the parent with the row's share of weight, and `release` gives the space back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "treewright/data/order.hpp"

namespace treewright {

struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const { return end - begin; }
};

class Rows {
 public:
  // All rows with a positive weight. With ranks, columns are sorted whenever they are asked for;
  // otherwise they are sorted here and kept so, if asked. Sorted columns of large nodes are divided
  // on several threads.
  Rows(const Table& table, const Target& target, bool keep_sorted, bool fractional,
       Monitor& monitor, const Ranks* ranks = nullptr, std::size_t n_threads = 1);

  Range all() const { return {0, n_root_}; }
  // Whether the columns of a node may be asked for on several threads, and are worth it.
  bool is_for_threads(Range node) const {
    return n_threads_ > 1 && has_sorted_ && node.size() >= least_for_threads_;
  }
  // Nodes of fewer rows than this are looked at on one thread, different ones on different threads.
  void keep_to_one_thread(std::size_t fewer) {
    least_for_threads_ = std::max(least_for_threads_, fewer);
  }
  const KeyLayout& layout() const { return layout_; }
  // What columns are sorted by whenever they are asked for; null if they are kept in order.
  const Ranks* ranks() const { return ranks_; }

  std::span<const std::uint32_t> ids(Range range) const {
    return std::span(ids_).subspan(range.begin, range.size());
  }
  // The node's rows in the order of a numeric column, until the next call.
  std::span<const Entry> sorted(std::int32_t column, Range range) const {
    if (!has_sorted_) {
      ranks_->sort(column, ids(range), sorted_here_);
      return sorted_here_;
    }
    return std::span(sorted_[static_cast<std::size_t>(column)]).subspan(range.begin, range.size());
  }

  // The share (0, 1] of each row in the node; empty unless fractional.
  std::span<const double> shares(Range range) const {
    return shares_.empty() ? std::span<const double>()
                           : std::span(shares_).subspan(range.begin, range.size());
  }

  // What dividing a node takes beside its rows: threads that divide different nodes at once have
  // one each.
  struct Buffers {
    std::vector<std::uint32_t> ids;
    std::vector<std::uint8_t> side;  // by row id; two-way divisions
  };

  // Divides the node by `branch_of[row]`, which must be known. Branches that are not `kept` lose
  // their sorted columns (their rows will not be split again). Gives one range a branch.
  void divide(Range node, std::span<const std::uint16_t> branch_of, const std::vector<bool>& kept,
              Buffers& buffers, std::vector<Range>& ranges);
  std::vector<Range> divide(Range node, std::span<const std::uint16_t> branch_of,
                            const std::vector<bool>& kept) {
    std::vector<Range> ranges;
    divide(node, branch_of, kept, buffers_, ranges);
    return ranges;
  }

  // Moves the rows marked `unknown` behind the other rows of the node, which are returned.
  Range set_aside_unknown(Range node, std::span<const std::uint16_t> branch_of, Buffers& buffers);
  Range set_aside_unknown(Range node, std::span<const std::uint16_t> branch_of) {
    return set_aside_unknown(node, branch_of, buffers_);
  }

  // As divide, but rows marked `unknown` go to every branch b with share[b] > 0, carrying
  // share[b] of their weight.
  std::vector<Range> divide_shared(Range node, std::span<const std::uint16_t> branch_of,
                                   std::span<const double> share, const std::vector<bool>& kept);

  static constexpr std::uint16_t unknown = 0xFFFF;

  // The end of what is in use; `release` returns to an earlier end.
  std::size_t mark() const { return ids_.size(); }
  void release(std::size_t mark);

  // Gives all memory back; nothing may be asked afterwards.
  void clear();

 private:
  // Calls change(entries) with the entries of the node, for every sorted column.
  template <class Change>
  void for_each_sorted(Range node, Change change);

  KeyLayout layout_;
  std::size_t n_root_ = 0;
  std::size_t n_ids_ = 0;  // rows of the table
  bool has_sorted_ = false;
  const Ranks* ranks_ = nullptr;
  std::vector<std::uint32_t> ids_;
  std::vector<double> shares_;
  std::vector<std::vector<Entry>> sorted_;  // empty for categorical columns
  mutable std::vector<Entry> sorted_here_;  // one column at one node, where none are kept
  std::size_t n_threads_;
  std::size_t least_for_threads_ = 10'000;  // threads take as long to start as fewer rows
  Buffers buffers_;
};

}  // namespace treewright
