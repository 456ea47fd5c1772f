// Error-based pruning with subtree raising (Quinlan 1993, section 4.2, as release 8 does it).
//
// A leaf of weight N with e errors is expected to make E = e + extra(N, e) errors on new rows. At
// each inner node, children first:
//
//   E_leaf    of the node as a leaf
//   E_tree    summed over the leaves below it
//   E_branch  of its heaviest branch (the last on ties) if all rows of the node went there
//
//   E_leaf <= E_tree + 0.1 and E_leaf <= E_branch + 0.1   the node becomes a leaf
//   else E_branch <= E_tree + 0.1                         the branch takes the node's place, and is
//                                                         pruned anew with all its rows
//
// E_branch takes the branch as it stands. Rows that stop at an inner node count as a leaf of their
// own, which answers as the node does. A node without rows becomes a leaf with E = 0 and its
// parent's answer.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "treewright/base/monitor.hpp"
#include "treewright/data/target.hpp"
#include "treewright/prune/expected_errors.hpp"
#include "treewright/tree/tree.hpp"

namespace treewright {

// The pruned tree, its statistics those of the given rows, and the old id of each of its nodes.
std::pair<Tree, std::vector<std::int32_t>> error_based(const Tree& tree, const Table& table,
                                                       const Target& target,
                                                       const ExtraErrors& extra_errors,
                                                       Monitor& monitor);

}  // namespace treewright
