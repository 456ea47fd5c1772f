// Bounds: what no cut inside a bin can exceed, from the sums of the bin alone.
//
// With T the sums of a node and L those left of a cut, W * decrease is a convex function G of L for
// every measure here (HDDT: quasi-convex). Rows of a bin that sum to b come after rows that sum to
// A, so a cut inside it has L = A + u with 0 <= u_c <= b_c for every class: L lies in a box, and
// G is largest at one of its corners, of which there are two for each class of the bin. The two
// ends of the bin, u = 0 and u = b, are not enough: all rows of one class may come first.
//
// Numbers: with targets in [l, h], u = (t, s) has l t <= s <= h t, and so has the rest b - u. That
// is a parallelogram with the corners 0, b, (t*, h t*) and b - (t*, h t*) mirrored in l, where
// t* = (b_s - l b_w) / (h - l).
//
// More than 8 classes in a bin have too many corners; these are left out on both sides but for the
// 8 heaviest, which an impurity phi (concave, of degree 1, so superadditive) allows:
// phi(A + u + v) >= phi(A + u). Measures that are no impurities have bounds of their own.
#pragma once

#include <vector>

#include "treewright/split/cut/column_sums.hpp"

namespace treewright {

// What the cuts of a column at a node are worth, as scores times the node's weight.
struct Worth {
  // The bound of the cuts inside each step; minus infinity where there are none, and infinity where
  // it is not a number: that excludes nothing.
  std::vector<double> inside;
  // Of the cut after each step, for each place of the rows without a value; minus infinity where a
  // side would hold too few rows.
  std::vector<std::vector<double>> at_ends;
};

Worth worth_of(const Node& node, const ColumnSums& steps);

// Whether bounds hold: they do not for costs under which impurity may grow by a split.
bool has_bound(const Measure& measure, std::size_t n_classes);

}  // namespace treewright
