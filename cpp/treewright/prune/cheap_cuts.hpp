// Where rows that stand along a line, and lose something by being on its first side, could be
// parted with the least loss, without sorting them all.
//
// Rows are put into bins of one width. No cut inside a bin loses less than what all rows before the
// bin lose and those of its rows that gain: only bins where that is not more than the best cut
// between bins are sorted.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace treewright {

// Cuts in ascending order: what the rows before each lose together, and the values next to it.
struct CheapCuts {
  std::vector<double> lost, low, high;
};

// `extra` is what a row loses more on the first side. Values that differ by `gap` or less are not
// parted. All cuts that lose least are among them.
CheapCuts cheap_cuts(std::span<const double> values, std::span<const double> extra, double gap);

}  // namespace treewright
