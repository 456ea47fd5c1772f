// Which conditions of a pool may stand on one path, and what a row pays there for columns.
//
// A path of a tree of depth three has three conditions at most, so that all that has to be known of
// it are pairs and triples: whether the columns of all its conditions belong to one group, whether
// two of them are a forbidden pair, and which columns a condition is the first to read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "treewright/search/pool/pool.hpp"

namespace treewright::search {

class Paths {
 public:
  explicit Paths(const Pool& pool);

  // Whether there is anything to mind; otherwise nothing has to be asked.
  bool are_limited() const { return n_ > 0; }
  bool may_begin(std::size_t root) const { return !are_limited() || may_begin_[root] != 0; }
  bool allow(std::size_t one, std::size_t other) const {
    return !are_limited() || are_friends_[one * n_ + other] != 0;
  }
  bool allow(std::size_t one, std::size_t other, std::size_t third) const;

  // What a unit of weight pays for the columns of a condition below others.
  double price(std::size_t test) const;
  double price(std::size_t test, std::size_t above) const;
  double price(std::size_t test, std::size_t above, std::size_t other) const;

 private:
  struct Paid {
    std::size_t column;  // among those with a price
    double cost;
  };

  bool is_read(std::size_t test, std::size_t column) const {
    return reads_[test * n_paid_ + column] != 0;
  }
  bool share_a_group(std::size_t one, std::size_t other) const;

  std::size_t n_ = 0, n_paid_ = 0, n_words_ = 0;
  std::vector<std::uint8_t> may_begin_, are_friends_, reads_;
  std::vector<std::vector<Paid>> paid_;   // columns of each condition that have a price
  std::vector<std::uint64_t> groups_of_;  // [condition][word]: bits of the groups that hold it
};

}  // namespace treewright::search
