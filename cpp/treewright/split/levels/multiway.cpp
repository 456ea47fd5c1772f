#include "treewright/split/levels/multiway.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "treewright/split/evidence.hpp"

namespace treewright {

void propose_multiway(const Node& node, std::int32_t column, std::vector<Candidate>& candidates) {
  const std::int32_t levels = node.problem.table.levels(column);
  if (levels < 2 || levels >= Rows::unknown) return;
  std::vector<double> counts(static_cast<std::size_t>(levels), 0.0);
  if (node.evidence != nullptr) {
    for (const LevelGroup& group : node.evidence->levels(column).levels) {
      counts[static_cast<std::size_t>(group.level)] = group.count;
    }
    return propose_multiway_of(node, column, counts, candidates);
  }
  const Column codes = node.problem.table.column(column);
  for (const std::uint32_t row : node.ids()) {
    const double code = codes[row];
    if (!std::isnan(code)) counts[static_cast<std::size_t>(code)] += node.count_of(row);
  }
  propose_multiway_of(node, column, counts, candidates);
}

void propose_multiway_of(const Node& node, std::int32_t column, std::span<const double> counts,
                         std::vector<Candidate>& candidates) {
  const std::size_t levels = counts.size();
  if (levels < 2 || levels >= Rows::unknown) return;
  const double least = node.problem.min_leaf - limit_slack;
  if (std::ranges::count_if(counts, [&](double c) { return c >= least; }) < 2) return;
  std::vector<std::int32_t> branch_of_level(levels);
  std::iota(branch_of_level.begin(), branch_of_level.end(), 0);
  Candidate candidate;
  candidate.test = multiway_test(column, branch_of_level);
  candidates.push_back(std::move(candidate));
}

}  // namespace treewright
