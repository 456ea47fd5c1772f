// Order: the rows of a node in the order of a column's values.
//
// An entry names a row and the dense rank of its value, so that loops over sorted rows need not
// look at values. Columns are ranked once; a growth then keeps every column in order as its nodes
// are divided (rows.hpp), or, with `Ranks` that many growths share, sorts the few columns a node
// looks at by their ranks, which are small integers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "treewright/base/monitor.hpp"
#include "treewright/data/table.hpp"
#include "treewright/data/target.hpp"

namespace treewright {

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

// Calls visit(column, values) for every numeric column, several at once where there are threads; in
// between, `monitor` may end the work.
void for_each_numeric_column(const Table& table, std::size_t n_threads, Monitor& monitor,
                             const std::function<void(std::int32_t, Column)>& visit);

// The keys of all rows on every column, for growths on the same table and labels.
//
// A column of few values has short keys: as the keys, but rows without a value come right behind
// the last rank. A growth then need not sort what it can count. A categorical column has these or
// none; the ranks are the codes of its levels.
class Ranks {
 public:
  Ranks(const Table& table, const Target& target, Monitor& monitor);

  KeyLayout layout() const { return layout_; }
  // Of each row; empty where a column has many values, or more levels than there are short keys.
  std::span<const std::uint16_t> short_keys(std::int32_t column) const {
    return columns_[static_cast<std::size_t>(column)].short_keys;
  }
  // The value of each rank of such a column; NaN, behind the last, is that of rows without one.
  std::span<const double> values(std::int32_t column) const {
    return columns_[static_cast<std::size_t>(column)].values;
  }
  // How many different ones a numeric column has, or how many levels.
  std::uint32_t n_values(std::int32_t column) const {
    return columns_[static_cast<std::size_t>(column)].n_values;
  }
  // Made of this table's size, and of these labels where keys hold them.
  bool fits(const Table& table, const Target& target) const;

  // As sort_by_value; `rows` must ascend.
  void sort(std::int32_t column, std::span<const std::uint32_t> rows,
            std::vector<Entry>& entries) const;

 private:
  // Keys of each row, either long or short ones; a categorical column has none.
  struct RankedColumn {
    std::vector<std::uint32_t> keys;
    std::vector<std::uint16_t> short_keys;
    std::vector<double> values;
    std::uint32_t n_values = 0;
  };
  std::uint32_t key_of(const RankedColumn& column, std::uint32_t row) const;
  void count_sort(const RankedColumn& column, std::span<const std::uint32_t> rows,
                  std::vector<Entry>& entries) const;

  KeyLayout layout_;
  std::size_t n_rows_ = 0;
  std::vector<RankedColumn> columns_;
};

}  // namespace treewright
