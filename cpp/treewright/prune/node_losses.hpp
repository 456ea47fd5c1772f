// What rows would lose at every node they pass, if the node answered for them.
#pragma once

#include <vector>

#include "treewright/data/table.hpp"
#include "treewright/data/target.hpp"
#include "treewright/tree/tree.hpp"

namespace treewright {

// Sums over rows, one entry a node. The loss of a row is the cost of the node's class, the squared,
// or the absolute error of its number. Priors and class weights scale it: a row of weight w and
// case weight c counts as c cases of loss (w / c) * loss.
struct NodeLosses {
  std::vector<double> loss, squares;                  // of all rows that come by
  std::vector<double> stopped_loss, stopped_squares;  // of those that go no further from here
};

NodeLosses node_losses(const Tree& tree, const Table& table, const Target& target,
                       bool absolute_error);

}  // namespace treewright
