// Bags: how often each row is drawn for a tree of a forest (Breiman 1996).
#pragma once

#include <cstdint>
#include <vector>

#include "treewright/base/numpy_random.hpp"

namespace treewright {

// Drawn with replacement; scaling is faster than drawing whole numbers, its bias below n_rows/2^53.
inline std::vector<double> bag_counts(const SeedSequence& seeds, std::size_t n_rows,
                                      std::size_t n_draws) {
  Pcg64 random(seeds);
  std::vector<double> counts(n_rows, 0.0);
  for (std::size_t i = 0; i < n_draws; ++i) {
    counts[static_cast<std::size_t>(random.uniform() * static_cast<double>(n_rows))] += 1.0;
  }
  return counts;
}

}  // namespace treewright
