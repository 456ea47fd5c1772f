// Amounts of rows that meet one, two or three conditions of a pool at once.
//
// Amounts are taken apart into binary digits: a digit of an output is a set of rows, and the amount
// of the rows that meet conditions is the sum of the sizes of its intersections with these sets,
// times 1, 2, 4, ... Intersections are counted for 32 conditions at a time (kernel.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/base/aligned.hpp"
#include "treewright/search/kernel/kernel.hpp"
#include "treewright/search/pool/pool.hpp"
#include "treewright/search/sample.hpp"

namespace treewright::search {

class PoolCounts {
 public:
  explicit PoolCounts(const Pool& pool);

  std::size_t n_padded() const { return n_blocks_ * block_columns; }  // conditions, in whole blocks
  std::size_t n_outputs() const { return n_outputs_; }

  // Amounts of all rows, of each output.
  std::span<const double> total() const { return total_; }

  // Some of the rows, side by side.
  struct Part {
    Tile tile;
    AlignedVector<std::uint16_t> digits;  // [digit][group]
    AlignedVector<std::uint16_t> met, counted;
  };

  // All rows, or the smaller one of the two parts that a condition divides them into; tells whether
  // it is met there.
  void take_all(Part& out) const;
  bool take_fewer(std::size_t test, Part& out) const;

  // out[output][condition]: amounts of the rows of a part that meet a condition, for conditions
  // from `first` (and others of its block) on; of all rows, or of those that meet `test` as well.
  void count(Part& part, std::size_t first, std::vector<double>& out) const;
  void count(Part& part, std::size_t test, std::size_t first, std::vector<double>& out) const;

 private:
  struct Digit {
    std::size_t counted;  // which sum it belongs to
    double worth;
  };

  void take(std::span<const std::int32_t> rows, Part& out) const;
  void count_met(Part& part, std::size_t first, std::vector<double>& out) const;

  const Kernel& kernel_;
  std::size_t n_blocks_, n_outputs_;              // blocks of conditions
  std::vector<std::vector<std::int32_t>> fewer_;  // rows of the smaller part of each condition
  std::vector<bool> is_met_;                      // there
  Sample rows_;                                   // bits of conditions, then of digits
  std::vector<Digit> digits_;
  // The output that is the weight less all others, where that takes fewer digits; else n_outputs.
  std::size_t left_over_;
  std::vector<double> total_;
};

}  // namespace treewright::search
