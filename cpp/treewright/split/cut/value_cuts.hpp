// Cuts of a column of few values, found from what is counted of the rows at each value.
//
// One pass over the rows of a node adds them up by value, and by class where there are classes, and
// the scan (scan.hpp) goes over values instead of rows. The cut is that of the rows in order, to
// the last digit: sums of classes are exact where weights are whole numbers, and numbers are added
// up in the order of rows here and there (goodness.hpp).
#pragma once

#include <memory>
#include <optional>

#include "treewright/base/lent.hpp"
#include "treewright/split/cut/cut.hpp"

namespace treewright {

// Whether rows of such weights may be added up by value: those of classes must be whole numbers, so
// few that sums of them and of their squares are exact.
bool has_countable_weights(const Problem& problem, const Rows& rows);

// Whether the best cut of a column at a node can be found so, where weights allow it, and is found
// faster.
bool may_count_values(const Node& node, std::int32_t column);

// Whether it is known without sorting that all rows of a node have one value, or none has any:
// below a split on a column of two values there is nothing left of it to look at.
bool has_one_value(const Node& node, std::int32_t column);

struct ValueCut {
  Cut cut;                          // its position is one among the values of the node
  std::uint32_t low = 0, high = 0;  // ranks of the values on either side
};

// What every column adds up of a row is looked up once a node.
class ValueCounter {
 public:
  explicit ValueCounter(const Node& node);
  ~ValueCounter();
  ValueCounter(const ValueCounter&) = delete;
  ValueCounter& operator=(const ValueCounter&) = delete;

  // Counts a column whose values may be counted; whether the best cut can be found from that.
  bool count(std::int32_t column);
  // As best_cut on the sorted rows, of the column counted last.
  std::optional<ValueCut> best_cut() const;

 private:
  struct Counted;
  class Cuts;
  void count_classes(std::int32_t column);
  void sum_numbers(std::int32_t column);

  const Node& node_;
  std::unique_ptr<Lent<Counted>> lent_;  // null before the first column
  Counted* counted_ = nullptr;
};

Candidate candidate_of(const Node& node, std::int32_t column, const ValueCut& found);

}  // namespace treewright
