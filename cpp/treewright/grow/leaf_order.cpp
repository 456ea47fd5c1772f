#include "treewright/grow/leaf_order.hpp"

#include <algorithm>

namespace treewright {

LeafOrder::LeafOrder(const Problem& problem, std::span<const std::uint32_t> rows, double answer)
    : problem_(problem) {
  places_.push_back({.region = Region(problem, rows), .answer = answer});
}

int LeafOrder::direction(std::int32_t node, std::int32_t other) const {
  std::int32_t branch = unknown;
  while (node != other) {
    const bool climbs = at(node).depth >= at(other).depth;
    if (climbs) branch = at(node).branch;
    std::int32_t& lower = climbs ? node : other;
    lower = at(lower).parent;
  }
  if (branch == unknown) return 0;  // above the other
  return branch == 0 ? at(node).trend : -at(node).trend;
}

Rivals LeafOrder::rivals_of(std::int32_t leaf) const {
  Rivals rivals{.region = &at(leaf).region, .others = {}};
  for (std::int32_t other = 0; other < static_cast<std::int32_t>(places_.size()); ++other) {
    if (other == leaf || !at(other).has_rows_that_end) continue;
    const int order = direction(other, leaf);
    if (order == 0) continue;
    const Region& region = at(other).region;
    const bool may = order > 0 ? may_precede(problem_, region, *rivals.region)
                               : may_precede(problem_, *rivals.region, region);
    if (may) rivals.others.push_back({&region, at(other).answer, order > 0});
  }
  return rivals;
}

void LeafOrder::divide(std::int32_t leaf, const Test& test, std::int32_t default_branch,
                       std::span<const double> answers) {
  const Place parent = at(leaf);
  for (std::size_t b = 0; b < answers.size(); ++b) {
    const auto branch = static_cast<std::int32_t>(b);
    places_.push_back({.region = parent.region.branch(problem_, test, branch, default_branch),
                       .answer = answers[b],
                       .parent = leaf,
                       .branch = branch,
                       .depth = parent.depth + 1});
  }
  Place& divided = places_[static_cast<std::size_t>(leaf)];
  divided.trend = trend_of(problem_, test).value_or(0);
  const auto columns = columns_of(test);
  divided.has_rows_that_end =
      default_branch == unknown && std::ranges::any_of(columns, [&](std::int32_t column) {
        return divided.region.missing[static_cast<std::size_t>(column)] != 0;
      });
  if (columns.size() != 1) return;
  // What ends here has no value in this column.
  const auto tested = static_cast<std::size_t>(columns[0]);
  std::swap(divided.region.low[tested], divided.region.high[tested]);
}

}  // namespace treewright
