#include "treewright/split/levels/groups.hpp"

#include <algorithm>

#include "treewright/split/evidence.hpp"

namespace treewright {

LevelGroups group_by_level(const Node& node, std::int32_t column) {
  if (node.evidence != nullptr) return node.evidence->levels(column);
  LevelCounter counter(node);
  const LevelSums& sums = counter.count(column);
  const auto group_of = [&](std::int32_t level, double count, std::span<const double> of_level) {
    LevelGroup group{level, std::vector<double>(node.statistics.size(), 0.0), count};
    if (!of_level.empty()) add_level(node, of_level, group.statistics);
    return group;
  };
  LevelGroups groups;
  for (std::size_t i = 0; i < sums.n_levels; ++i) {
    groups.levels.push_back(group_of(sums.levels[i], sums.counts[i], sums.sums_of(i)));
  }
  const double without_level = sums.has_missing ? sums.counts[sums.n_levels] : 0.0;
  groups.without_value = group_of(unknown, without_level, sums.missing_sums());
  return groups;
}

LevelSums sums_of(const Node& node, const LevelGroups& groups) {
  const bool is_classification = node.problem.target.is_classification();
  LevelSums found;
  found.n_levels = groups.levels.size();
  found.has_missing = groups.without_value.count > 0;
  found.make_room(found.n_levels + 1, node.statistics.size());
  const auto put = [&](const LevelGroup& group, std::size_t i) {
    found.levels[i] = group.level;
    found.counts[i] = group.count;
    const auto sums = std::span(found.sums).subspan(i * found.width, found.width);
    std::ranges::copy(group.statistics, sums.begin());
    if (is_classification) return;
    const double off = group.statistics[1] - node.statistics[1];
    sums[1] = group.statistics[0] * off;
    sums[2] += sums[1] * off;
  };
  for (std::size_t i = 0; i < found.n_levels; ++i) put(groups.levels[i], i);
  if (found.has_missing) put(groups.without_value, found.n_levels);
  return found;
}

}  // namespace treewright
