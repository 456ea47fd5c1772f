// The rows of a node with the tests that still tell them apart, copied side by side.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "treewright/base/aligned.hpp"
#include "treewright/search/context.hpp"

namespace treewright::search {

// A test as it stands in a sample. Tests that divide the rows alike are one column.
struct Column {
  std::int32_t test;
  std::int32_t opposite;  // a test passed by just the other rows, -1 if none
  Value price;
  std::int32_t last_level;
  std::int32_t n_ones = 0;  // rows that pass
  std::int32_t above = -1;  // its number in the node above
};

// What became of a column in a node below.
struct Place {
  static constexpr std::int32_t constant = -1, unknown = -2;

  std::int32_t column = unknown;
  bool turned = false;  // passed by the rows that fail the column; of a constant: by all rows

  bool is_known() const { return column != unknown; }
};

struct Sample {
  std::vector<std::int32_t> rows;       // in the order of the task
  std::vector<std::int32_t> first_row;  // of each class, and one past the last
  std::vector<Column> columns;
  std::vector<Place> places;  // of each column of the node above
  std::int32_t n_blocks = 0;  // of columns
  std::int32_t stride = 0;    // with the planes that follow them
  // [row][block]: bits of 32 columns, in the order that transposing wants (bit_of); one more row of
  // zeros stands at the end.
  AlignedVector<std::uint32_t> by_row;
  // [column][word]: bits of 64 rows.
  AlignedVector<std::uint64_t> by_column;
  std::size_t n_words = 0;
  // Where tests may be joined and some do not know the branch of rows: these rows, [set][word] as
  // in by_column; and sets that are the same here have one number, 0 if they are empty.
  std::vector<std::uint64_t> unknown;
  std::vector<std::int32_t> unknown_number;

  Hash hash;
  Value base = 0;
  Value leaf = 0;   // cost of one leaf
  Value floor = 0;  // no tree costs less
  std::vector<double> sums;
  double row_loss = 0.0;  // the most that a row, or for classes a unit of weight, can cost

  std::int32_t n_rows() const { return static_cast<std::int32_t>(rows.size()); }
  std::int32_t n_columns() const { return static_cast<std::int32_t>(columns.size()); }
  // A word of a column whose bits are all set.
  std::uint64_t all_bits(std::size_t word) const {
    const std::size_t left = rows.size() - word * 64;
    return left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
  }
  std::span<const std::uint64_t> bits(std::int32_t column) const {
    return {by_column.data() + static_cast<std::size_t>(column) * n_words, n_words};
  }
  // The rows here whose branch a test does not know, given the number of its set; none if empty.
  std::span<const std::uint64_t> unknown_rows(std::int32_t set) const {
    if (!leaves_open(set)) return {};
    return std::span(unknown).subspan(static_cast<std::size_t>(set) * n_words, n_words);
  }
  bool leaves_open(std::int32_t set) const {
    return set >= 0 && !unknown_number.empty() &&
           unknown_number[static_cast<std::size_t>(set)] != 0;
  }
};

// Rows as a tile (kernel.hpp).
struct Tile {
  AlignedVector<std::uint16_t> words;     // [block][group][32]
  std::vector<std::int32_t> first_group;  // of each class, and one past the last
  std::int32_t n_groups = 0;
  std::int32_t n_blocks = 0;
  std::vector<std::int32_t> padded;  // rows by group; the row past the last is empty

  // Takes the rows of a sample that are listed in ascending order, class by class.
  void fill(const Kernel& kernel, const Sample& sample, std::span<const std::int32_t> listed,
            bool by_class);
  const std::uint16_t* block(std::int32_t b) const {
    return words.data() +
           static_cast<std::size_t>(b) * static_cast<std::size_t>(n_groups) * block_columns;
  }
};

// All rows with all tests, whether they divide them or not; `poll` is called now and then.
Sample all_rows_and_tests(const Context& context, const std::function<void()>& poll);

// Makes samples; keeps what it needs for that from one to the next.
class Sampler {
 public:
  explicit Sampler(const Context& context) : context_(context) {}

  // The listed rows of a parent, for a node at `level`.
  void part(const Sample& parent, std::span<const std::int32_t> listed, std::int32_t level,
            Sample& out);
  // All rows without any column, for those who do not look at them.
  void all_rows(Sample& out) const;

  std::function<void()> poll;  // called now and then in long work

 private:
  // Lists the rows of unknown branch where tests may be joined.
  void mark_unknown(std::int32_t level, Sample& out) const;
  void reduce(const Sample& parent, std::int32_t level, const Sample& out);
  void copy_columns(const Sample& parent, Sample& out);
  void summarise(Sample& out) const;
  void read_words(const Sample& parent);
  // The rows that pass a column of the parent, 64 in a word.
  std::span<const std::uint64_t> words_of(std::int32_t column) const {
    return {words_.data() + static_cast<std::size_t>(column) * n_words_, n_words_};
  }

  const Context& context_;
  Tile tile_;
  std::vector<std::int32_t> kept_, opposite_, order_, slots_, position_;
  std::vector<Place> alike_;  // the column kept for each of the parent, as the parent numbers them
  std::size_t n_words_ = 0;
  std::vector<std::uint64_t> words_;    // [column of the parent][word], of the rows of the part
  std::vector<std::uint64_t> nothing_;  // the same of a place without a column
  std::vector<std::uint64_t> hashes_;
  std::vector<std::int32_t> n_ones_;
};

// Numbers of the rows whose bit is set in (wanted) or missing from a column of bits.
void list_rows(const Kernel& kernel, std::span<const std::uint64_t> bits, std::int32_t n_rows,
               bool wanted, std::vector<std::int32_t>& out);

}  // namespace treewright::search
