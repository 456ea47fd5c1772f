#include "treewright/split/levels/groups.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "treewright/split/evidence.hpp"

namespace treewright {

LevelGroups group_by_level(const Node& node, std::int32_t column) {
  if (node.evidence != nullptr) return node.evidence->levels(column);
  const Problem& problem = node.problem;
  const Target& target = problem.target;
  const bool absolute = problem.measure.needs_rows();
  constexpr std::int32_t none = -1;
  static thread_local std::vector<std::int32_t> place_of;  // of each level in `levels`
  const auto n_levels = static_cast<std::size_t>(problem.table.levels(column));
  if (place_of.size() < n_levels) place_of.resize(n_levels, none);
  LevelGroups groups;
  const auto group_of = [&](std::int32_t level) -> LevelGroup& {
    std::int32_t& place = place_of[static_cast<std::size_t>(level)];
    if (place == none) {
      groups.levels.emplace_back().level = level;
      groups.levels.back().statistics.assign(target.n_outputs(), 0.0);
      place = static_cast<std::int32_t>(groups.levels.size() - 1);
    }
    return groups.levels[static_cast<std::size_t>(place)];
  };
  struct Forget {  // the places, also when memory runs out
    const std::vector<LevelGroup>& levels;
    ~Forget() {
      for (const LevelGroup& g : levels) place_of[static_cast<std::size_t>(g.level)] = none;
    }
  };
  groups.without_value.statistics.assign(target.n_outputs(), 0.0);
  const Column codes = problem.table.column(column);
  std::optional<Forget> forget(groups.levels);
  for (const std::uint32_t row : node.ids()) {
    const double code = codes[row];
    LevelGroup& group =
        std::isnan(code) ? groups.without_value : group_of(static_cast<std::int32_t>(code));
    node.add_row(group.statistics, row);
    group.count += node.count_of(row);
    if (absolute) group.numbers.emplace_back(target.numbers[row], node.weights[row]);
  }
  forget.reset();
  std::ranges::sort(groups.levels, {}, &LevelGroup::level);
  return groups;
}

}  // namespace treewright
