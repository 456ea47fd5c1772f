// The rows of a node by their level of a categorical column, as node statistics.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/split/levels/level_sums.hpp"
#include "treewright/split/method.hpp"

namespace treewright {

// The rows of a node that share a level, or have none.
struct LevelGroup {
  std::int32_t level = unknown;
  std::vector<double> statistics;
  double count = 0.0;
};

struct LevelGroups {
  std::vector<LevelGroup> levels;  // that occur in the node, by code
  LevelGroup without_value;
};

LevelGroups group_by_level(const Node& node, std::int32_t column);

// The same as sums.
LevelSums sums_of(const Node& node, const LevelGroups& groups);

inline double weight_of(std::span<const double> statistics, bool is_classification) {
  return is_classification ? sum_of(statistics) : statistics[0];
}

}  // namespace treewright
