// Multiway: one branch for each level of a column, empty ones included (ID3, C4.5).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/split/method.hpp"

namespace treewright {

void propose_multiway(const Node& node, std::int32_t column, std::vector<Candidate>& candidates);
// The same from the rows of each level.
void propose_multiway_of(const Node& node, std::int32_t column, std::span<const double> counts,
                         std::vector<Candidate>& candidates);

}  // namespace treewright
