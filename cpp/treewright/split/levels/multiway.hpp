// Multiway: one branch for each level of a column, empty ones included (ID3, C4.5).
#pragma once

#include <cstdint>
#include <vector>

#include "treewright/split/method.hpp"

namespace treewright {

void propose_multiway(const Node& node, std::int32_t column, std::vector<Candidate>& candidates);

}  // namespace treewright
