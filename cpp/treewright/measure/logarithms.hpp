// A table of x log2 x for counts.
#pragma once

#include <cstddef>
#include <vector>

namespace treewright {

// x log2 x of 0, 1, ..., n, rounded to multiples of one power of two, so that sums and differences
// of entries are exact as long as they stay below four times the last entry: entropies of equal
// counts are equal, in whatever order they were summed.
std::vector<double> x_log_x_table(std::size_t n);

}  // namespace treewright
