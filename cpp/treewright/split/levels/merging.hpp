// Levels merged into sets, a branch for each (C4.5, option -s). Levels that are pure in the same
// class go together first; then, again and again, the two sets whose union gives the largest ratio
// of decrease to split information (the balanced one under Gain::balanced), as long as the ratio
// does not fall and two sets hold a leaf. Levels that are not in the node go with the heaviest set.
#pragma once

#include <cstdint>
#include <vector>

#include "treewright/split/levels/groups.hpp"

namespace treewright {

// The branch of each level of the column, or nothing where fewer than two sets hold a leaf.
std::vector<std::int32_t> merged_levels(const Node& node, std::int32_t column);

}  // namespace treewright
