// Writes down the tree of a known cost. The search keeps costs only, and the best test of some sets
// of rows; the rest is found again, at the price of a few nodes.
#pragma once

#include "treewright/search/worker.hpp"

namespace treewright::search {

// The tree of the node at `level` of a worker, whose optimum for this depth is `cost`.
Plan rebuild(Worker& worker, std::int32_t level, std::int32_t depth, Value cost,
             const Choice* choice = nullptr);

// What a tree costs, from the rows as they were given; throws if it breaks a limit.
Value cost_of(const Context& context, const Plan& plan);

}  // namespace treewright::search
