// The best trees of depth two of a sample and of its parts, for every number of tests at once.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "treewright/search/context.hpp"
#include "treewright/search/sample.hpp"

namespace treewright::search {

// The least cost with at most 0, 1, 2 and 3 tests, without the penalty for size.
using Sizes = std::array<Value, 4>;

// The least cost with at least `fewest` tests, penalty included.
inline Value with_penalty(const Sizes& sizes, Value penalty, std::size_t fewest = 0) {
  Value best = no_value;
  for (std::size_t k = fewest; k < sizes.size(); ++k) {
    best = std::min(best, sizes[k] + static_cast<Value>(k) * penalty);
  }
  return best;
}

// Two columns joined to one test; each may stand for the rows that fail it.
struct Joined {
  std::int32_t first = -1;
  std::int32_t second = -1;
  Function function = Function::single;
  bool first_fails = false;
  bool second_fails = false;

  template <class Word>
  Word pass(Word a, Word b) const {
    if (first_fails) a = static_cast<Word>(~a);
    if (second_fails) b = static_cast<Word>(~b);
    switch (function) {
      case Function::single:
        return a;
      case Function::both:
        return a & b;
      case Function::either:
        return a | b;
      case Function::exactly_one:
        return a ^ b;
      case Function::first_only:
        return static_cast<Word>(a & static_cast<Word>(~b));
    }
    return a;
  }
};

class DepthTwo {
 public:
  virtual ~DepthTwo() = default;

  // Counts all pairs of columns of a sample whose node stands at `level`. Everything below is about
  // this sample, which must stay as it is. Parts can be split only if the counts are kept.
  void begin(const Sample& sample, std::int32_t level, bool keep);

  const Sizes& sizes() const { return sizes_; }
  // The least cost of a tree of depth two with this column on top.
  const Sizes& sizes_below(std::int32_t column) const {
    return below_[static_cast<std::size_t>(column)];
  }
  // Cost of a leaf for the rows that pass the test, and for those that fail it.
  Value leaf_ones(std::int32_t column) const {
    return leaf_ones_[static_cast<std::size_t>(column)];
  }
  Value leaf_zeros(std::int32_t column) const {
    return leaf_zeros_[static_cast<std::size_t>(column)];
  }
  // Cost of one more test for the rows that pass the test or fail it, without its penalty; if none
  // is allowed, not less than that of a leaf.
  Value stump_ones(std::int32_t column) const {
    return stump_ones_[static_cast<std::size_t>(column)];
  }
  Value stump_zeros(std::int32_t column) const {
    return stump_zeros_[static_cast<std::size_t>(column)];
  }
  // What the rows that pass a column and another one can cost at most: `visit(numbers, unit)` is
  // given a number for each other column, and what these numbers count.
  template <class Visit>
  decltype(auto) with_overlaps(std::int32_t column, const Visit& visit) const {
    const std::size_t at = static_cast<std::size_t>(column) * n_padded_;
    if (rows_of_both_ != nullptr) return visit(rows_of_both_ + at, cost_of_row_);
    return visit(overlaps_.data() + at, 1.0);
  }
  // The same of all rows that pass a column.
  double inside(std::int32_t column) const {
    return with_overlaps(column, [&](const auto* numbers, double unit) {
      return unit * static_cast<double>(numbers[column]);
    });
  }

  // The depth-two optima of a part of the sample, listed in ascending order, and of the rest.
  virtual std::array<Sizes, 2> split(std::span<const std::int32_t> part) = 0;

  std::function<void()> poll;  // called now and then in long work

 protected:
  explicit DepthTwo(const Context& context) : context_(context) {}

  virtual void count(bool keep) = 0;

  // Takes the rows that are not in a part into `rest_tile_`.
  void fill_rest(std::span<const std::int32_t> part);

  // Makes room for the counts of all pairs, which may be much of the memory there is.
  template <class Table>
  void make_room(Table& table, std::size_t size) const {
    constexpr std::size_t step = std::size_t{1} << 20;
    table.reserve(size);
    while (table.size() < size) {
      table.resize(std::min(size, table.size() + step));
      if (poll) poll();
    }
  }

  // What a column costs as a test `below` levels under the node; forbidden ones cost no_value.
  Value price(std::int32_t column, std::int32_t below) const {
    const Column& c = sample_->columns[static_cast<std::size_t>(column)];
    return context_.price_at(c.price, c.last_level, level_ + below);
  }

  const Context& context_;
  const Sample* sample_ = nullptr;
  std::int32_t level_ = 0;
  std::size_t n_padded_ = 0;  // columns, rounded up to whole blocks
  Sizes sizes_{};
  std::vector<Sizes> below_;
  std::vector<Value> leaf_ones_, leaf_zeros_, stump_ones_, stump_zeros_;
  // Overlaps, in one of two forms: numbers of rows where all cost the same, which take a quarter of
  // the room, or costs.
  const std::int16_t* rows_of_both_ = nullptr;
  double cost_of_row_ = 1.0;
  std::vector<double> overlaps_;
  std::vector<std::int32_t> all_rows_;
  Tile tile_, part_tile_, rest_tile_;
};

// Each kind for the samples it can handle, the fastest first: two classes by differences,
std::unique_ptr<DepthTwo> make_differences(const Context& context);
bool can_differ(const Context& context, const Sample& sample);
// more classes by 16-bit counts of the rows of each,
std::unique_ptr<DepthTwo> make_counts(const Context& context);
bool can_count(const Context& context, const Sample& sample);
// and any task by sums.
std::unique_ptr<DepthTwo> make_sums(const Context& context);

}  // namespace treewright::search
