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

namespace treewright::search {

class PoolCounts {
 public:
  explicit PoolCounts(const Pool& pool);

  std::size_t n_padded() const { return n_padded_; }  // conditions, in whole blocks
  std::size_t n_outputs() const { return n_outputs_; }

  // Amounts of all rows, of each output.
  std::span<const double> total() const { return total_; }

  using Words = AlignedVector<std::uint16_t>;

  Words all_rows() const;
  // The rows of a set that meet a condition.
  void meet(const Words& rows, std::size_t test, Words& out) const;
  // out[output][condition]: amounts of the rows of a set that meet a condition as well, for
  // conditions from `first` (and others of its block) on.
  void count(const Words& rows, std::size_t first, std::vector<double>& out, Words& scratch) const;

 private:
  struct Digit {
    std::size_t counted;  // which sum it belongs to
    double worth;
    Words rows;
  };

  const Kernel& kernel_;
  std::size_t n_tests_, n_padded_, n_groups_, n_outputs_;
  AlignedVector<std::uint16_t> tile_;  // [block][group][32]
  std::vector<Words> tests_;
  std::vector<Digit> digits_;
  // The output that is the weight less all others, where that takes fewer digits; else n_outputs.
  std::size_t left_over_;
  std::vector<double> total_;
};

}  // namespace treewright::search
