// Subset: x in S against the rest, for the levels of one column.
//
// For two classes, and for squared error, ordering the levels by the share of class 1 (by the mean)
// and cutting the order is exact (Fisher 1958, Breiman et al. 1984). For more classes all subsets
// are tried up to 10 levels in the node; beyond that the levels are ordered by the share of each
// class in turn and the best of these cuts is taken, a heuristic. For absolute error the order is
// by median, a heuristic too. Levels that are not in the node stand on neither side and follow the
// missing policy; rows without a value are searched over like one more level under
// Missing::default_branch. Ties: fewer levels on the left, then the earlier levels.
#pragma once

#include <cstdint>
#include <vector>

#include "treewright/split/levels/groups.hpp"

namespace treewright {

// The best over the categorical columns of a node; of each column where the gain or trends compare
// them.
void propose_subsets(const Node& node, std::vector<Candidate>& candidates);
// That of a column whose rows are counted already.
void propose_subset_of(const Node& node, std::int32_t column, const LevelGroups& groups,
                       std::vector<Candidate>& candidates);

}  // namespace treewright
