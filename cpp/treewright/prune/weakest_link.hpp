// Weakest-link pruning (Breiman et al. 1984, chapter 3).
//
// With risks R(t) of the nodes as leaves and sizes s(t) > 0 of the inner nodes, the link of inner
// node t is
//
//   g(t) = (R(t) - sum of R over the leaves below t) / (sum of s over the inner nodes from t down)
//
// The nodes with the smallest g become leaves, again and again, until the root is one. s = number
// of branches - 1 counts leaves, s = number of columns in the test counts attributes.
#pragma once

#include <span>
#include <vector>

#include "treewright/tree/tree.hpp"

namespace treewright {

// For each inner node the alpha at which it ceases to be one; never below 0, and nowhere above its
// parent's. The tree for a given alpha has just the inner nodes whose number is larger. Leaves get
// -1. Links that differ by less than 1e-9 of themselves are cut together.
std::vector<double> weakest_links(const Tree& tree, std::span<const double> risk,
                                  std::span<const double> size);

}  // namespace treewright
