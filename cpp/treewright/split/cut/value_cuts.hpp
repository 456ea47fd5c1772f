// Cuts of a column of few values, found from what is counted of the rows at each value.
//
// One pass over the rows of a node adds them up by value and class, and the scan (scan.hpp) goes
// over values instead of rows. Where weights are whole numbers the sums are exact, so that the cut
// is that of the rows in order.
#pragma once

#include <optional>

#include "treewright/split/cut/cut.hpp"

namespace treewright {

// Whether all split weights are whole numbers, and so few that sums of them and of their squares
// are exact.
bool has_whole_weights(const Problem& problem, const Rows& rows);

// Whether the best cut of a column at a node can be found so, where weights are whole numbers, and
// is found faster.
bool may_count_values(const Node& node, std::int32_t column);

// Whether it is known without sorting that all rows of a node have one value, or none has any:
// below a split on a column of two values there is nothing left of it to look at.
bool has_one_value(const Node& node, std::int32_t column);

struct ValueCut {
  Cut cut;                          // its position is one among the values of the node
  std::uint32_t low = 0, high = 0;  // ranks of the values on either side
};

// As best_cut on the sorted rows, of a column whose values may be counted.
std::optional<ValueCut> best_value_cut(const Node& node, std::int32_t column);
Candidate candidate_of(const Node& node, std::int32_t column, const ValueCut& found);

}  // namespace treewright
