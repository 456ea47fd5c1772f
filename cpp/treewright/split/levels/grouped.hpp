// Grouped: a branch for each of several sets of levels of a column (C4.5, option -s). Levels that
// are pure in the same class go together first; then, again and again, the two sets whose union
// gives the largest ratio of decrease to split information (the balanced one under Gain::balanced),
// as long as the ratio does not fall and two sets hold a leaf. Levels that are not in the node go
// with the heaviest set.
#pragma once

#include <cstdint>
#include <vector>

#include "treewright/split/levels/groups.hpp"

namespace treewright {

// An Error for measures that cannot judge sets one by one.
void require_groups(const Measure& measure);

void propose_grouped(const Node& node, std::int32_t column, std::vector<Candidate>& candidates);
// The same of rows that are counted already.
void propose_grouped_of(const Node& node, std::int32_t column, LevelGroups groups,
                        std::vector<Candidate>& candidates);

}  // namespace treewright
