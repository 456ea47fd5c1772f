// Surrogates: back-up tests for rows that lack the value a two-way test asks for
// (Breiman et al. 1984, section 5.3; counted as rpart does).
//
// Among the rows that the node's own test can place, a surrogate on another column is judged by
// the weight it sends the same way; rows that lack the surrogate's column count as disagreeing.
//
//   agreement = same way / all        adjusted = (agreement - b) / (1 - b)
//
// where b is the share of the heavier branch. Kept are those with adjusted > 0 and at least two
// rows on each side, best first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/split/method.hpp"

namespace treewright {

// `branch_of[row]` is 0, 1 or Rows::unknown for every row of the node; `own` are the columns of
// the node's own test.
std::vector<Surrogate> find_surrogates(const Node& node, std::span<const std::uint16_t> branch_of,
                                       std::span<const std::int32_t> own, std::size_t at_most,
                                       bool readable);

}  // namespace treewright
