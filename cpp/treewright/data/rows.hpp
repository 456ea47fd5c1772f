// Rows: which training rows stand in which open node.
//
// The row ids are one array, and a node is a range of it; dividing a node reorders the ids inside
// its range, so that a child is a sub-range. Beside the ids, each numeric column keeps the same
// rows sorted by value, in the same ranges: columns are ranked once and never sorted at a node.
//
// Under fractional missing values (C4.5) one row can stand in several branches. Children are then
// appended behind the parent with the row's share of weight, and `release` gives the space back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "treewright/base/monitor.hpp"
#include "treewright/data/table.hpp"
#include "treewright/data/target.hpp"

namespace treewright {

struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const { return end - begin; }
};

// A row in the sorted order of one column. `key` holds the dense rank of its value in the high
// bits and, where it fits, the row's class in the low ones; rows without a value come last.
struct Entry {
  std::uint32_t row;
  std::uint32_t key;
};

// How ranks and labels share a key.
struct KeyLayout {
  std::uint32_t label_bits = 0;  // 0: the label is not in the key
  std::uint32_t missing_rank() const { return 0xFFFFFFFFu >> label_bits; }
  std::uint32_t rank(Entry e) const { return e.key >> label_bits; }
  std::uint32_t label(Entry e) const { return e.key & ((1u << label_bits) - 1u); }
  bool is_missing(Entry e) const { return rank(e) == missing_rank(); }

  // The layout for `n_rows` rows: labels go into the key when the ranks leave room.
  static KeyLayout for_rows(std::size_t n_rows, const Target& target);
};

// Fills `entries` with `rows` in the order of `values[row]`, ties in the order of `rows`, missing
// last. Ranks count distinct values from 0.
void sort_by_value(Column values, std::span<const std::uint32_t> rows, const Target& target,
                   KeyLayout layout, std::vector<Entry>& entries);

class Rows {
 public:
  // All rows with a positive weight. Sorted columns are made for numeric columns when asked.
  Rows(const Table& table, const Target& target, bool sort_columns, bool fractional,
       Monitor& monitor);

  Range all() const { return {0, n_root_}; }
  const KeyLayout& layout() const { return layout_; }
  bool has_sorted_columns() const { return has_sorted_; }

  std::span<const std::uint32_t> ids(Range range) const {
    return std::span(ids_).subspan(range.begin, range.size());
  }
  std::span<const Entry> sorted(std::int32_t column, Range range) const {
    return std::span(sorted_[static_cast<std::size_t>(column)]).subspan(range.begin, range.size());
  }

  // The share (0, 1] of each row in the node; empty unless fractional.
  std::span<const double> shares(Range range) const {
    return shares_.empty() ? std::span<const double>()
                           : std::span(shares_).subspan(range.begin, range.size());
  }

  // Divides the node by `branch_of[row]`, which must be known. Branches that are not `kept` lose
  // their sorted columns (their rows will not be split again). Returns one range a branch.
  std::vector<Range> divide(Range node, std::span<const std::uint16_t> branch_of,
                            const std::vector<bool>& kept);

  // Moves the rows marked `unknown` behind the other rows of the node, which are returned.
  Range set_aside_unknown(Range node, std::span<const std::uint16_t> branch_of);

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
  KeyLayout layout_;
  std::size_t n_root_ = 0;
  bool has_sorted_ = false;
  std::vector<std::uint32_t> ids_;
  std::vector<double> shares_;
  std::vector<std::vector<Entry>> sorted_;  // empty for categorical columns
  std::vector<Entry> entry_buffer_;
  std::vector<std::uint32_t> id_buffer_;
  std::vector<std::uint8_t> side_;  // by row id; two-way divisions
};

}  // namespace treewright
