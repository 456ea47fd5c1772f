#include "treewright/search/limited/order.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace treewright::search {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void mix(Hash& hash, std::uint64_t number) {
  hash.low = (hash.low ^ number) * 0x9E3779B97F4A7C15ULL;
  hash.low ^= hash.low >> 29;
  hash.high = (hash.high + number) * 0xC2B2AE3D27D4EB4FULL;
  hash.high ^= hash.high >> 31;
}

}  // namespace

bool LeafOrder::has_choice(std::size_t test) const {
  const std::int32_t column = rules_.columns[test];
  return column >= 0 && !is_exact(column);
}

// Places in a column of numbers without missing values meet, or follow each other, whatever lies
// around both: of intervals that meet two by two all meet. Of other columns what lies above counts.
Hash LeafOrder::box(const OrderPath& path) const {
  Hash hash;
  for (std::int32_t column = 0; column < static_cast<std::int32_t>(rules_.trends.size());
       ++column) {
    const bool is_read =
        std::ranges::any_of(path, [&](const PathStep& step) { return column_of(step) == column; });
    if (!is_read || !is_exact(column)) continue;
    const Reach reach = reach_of(path, column);
    mix(hash, static_cast<std::uint64_t>(column) + 1);
    mix(hash, reach.may_miss ? 1 : 0);
    mix(hash, std::bit_cast<std::uint64_t>(reach.low));
    mix(hash, std::bit_cast<std::uint64_t>(reach.high));
    for (const std::uint8_t level : reach.levels) mix(hash, level);
  }
  return hash;
}

bool LeafOrder::Reach::is_empty(bool has_levels) const {
  if (has_levels)
    return std::ranges::none_of(levels, [](std::uint8_t is_there) { return is_there; });
  return low >= high;
}

LeafOrder::Reach LeafOrder::reach_of(const OrderPath& path, std::int32_t column) const {
  const auto n_levels = static_cast<std::size_t>(rules_.n_levels[place(column)]);
  Reach reach{-infinity, infinity, rules_.has_missing[place(column)] != 0,
              std::vector<std::uint8_t>(n_levels, 1)};
  for (const PathStep& step : path) {
    if (column_of(step) != column) continue;
    const std::size_t test = place(step.first);
    if (reach.may_miss) reach.may_miss = (rules_.unknown[test] == 0) == step.passed;
    if (n_levels > 0) {
      std::vector<std::uint8_t> passes(n_levels, 0);
      for (const std::int32_t level : rules_.levels[test]) passes[place(level)] = 1;
      for (std::size_t level = 0; level < n_levels; ++level) {
        if ((passes[level] != 0) != step.passed) reach.levels[level] = 0;
      }
    } else if (step.passed) {
      reach.high = std::min(reach.high, rules_.thresholds[test]);
    } else {
      reach.low = std::max(reach.low, rules_.thresholds[test]);
    }
  }
  return reach;
}

bool LeafOrder::is_apart(const Reach& lower, const Reach& upper, std::int32_t column) const {
  if (lower.may_miss && upper.may_miss) return false;
  const bool has_levels = rules_.n_levels[place(column)] > 0;
  if (lower.is_empty(has_levels) || upper.is_empty(has_levels)) return true;
  const std::int32_t trend = rules_.trends[place(column)];
  const Reach& a = trend < 0 ? upper : lower;  // the one of smaller values
  const Reach& b = trend < 0 ? lower : upper;
  if (!has_levels) return a.low >= b.high || (trend == 0 && b.low >= a.high);
  bool is_met = false;  // a level of `a` was met at or before this one
  for (std::size_t level = 0; level < a.levels.size(); ++level) {
    is_met = a.levels[level] != 0 || (trend != 0 && is_met);
    if (is_met && b.levels[level] != 0) return false;
  }
  return true;
}

bool LeafOrder::are_wrong(const OrderedLeaf& a, const OrderedLeaf& b, std::size_t& parting,
                          bool& is_turned) const {
  if (a.answer == b.answer) return false;
  parting = 0;
  while (a.path[parting].node == b.path[parting].node &&
         a.path[parting].passed == b.path[parting].passed) {
    ++parting;
  }
  const PathStep& step = a.path[parting];
  const std::int32_t side = side_of(step.first);
  if (side == 0) return false;
  // The lower one of the two is on the side of smaller answers.
  is_turned = (side > 0) != step.passed;
  return is_turned ? b.answer > a.answer : a.answer > b.answer;
}

LeafOrder::Verdict LeafOrder::judge(const OrderPath& lower, const OrderPath& upper,
                                    std::size_t parting, Ways& ways) const {
  ways.clear();
  bool is_apart_for_sure = false;
  const auto keep_apart = [&](const PathStep& low, const PathStep& high) {
    if (high_of(low) <= low_of(high)) is_apart_for_sure = true;
    if (low_of(low) <= high_of(high)) ways.push_back({low, high});
  };
  // One of two places ends before the other begins.
  const auto ends_before = [&](const OrderPath& one, const OrderPath& other, std::int32_t column) {
    for (std::size_t i = parting; i < one.size(); ++i) {
      if (column_of(one[i]) != column || !one[i].passed) continue;
      for (std::size_t j = parting; j < other.size(); ++j) {
        if (column_of(other[j]) == column && !other[j].passed) keep_apart(one[i], other[j]);
      }
    }
  };
  std::vector<std::int32_t> seen;
  for (const OrderPath* path : {&lower, &upper}) {
    for (std::size_t i = parting; i < path->size(); ++i) {
      const std::int32_t column = column_of((*path)[i]);
      if (column < 0 || std::ranges::find(seen, column) != seen.end()) continue;
      seen.push_back(column);
      if (is_exact(column)) {
        is_apart_for_sure =
            is_apart_for_sure || is_apart(reach_of(lower, column), reach_of(upper, column), column);
        continue;
      }
      const std::int32_t trend = rules_.trends[place(column)];
      if (trend <= 0) ends_before(lower, upper, column);
      if (trend >= 0) ends_before(upper, lower, column);
    }
  }
  if (is_apart_for_sure) return Verdict::apart;
  return ways.empty() ? Verdict::together : Verdict::depends;
}

bool LeafOrder::fits(const std::vector<OrderedLeaf>& others, const OrderedLeaf& leaf) const {
  bool depends = false;
  Ways ways;
  std::int32_t n_nodes = 0;
  for (const OrderedLeaf& other : others) {
    for (const PathStep& step : other.path) n_nodes = std::max(n_nodes, step.node + 1);
    std::size_t parting = 0;
    bool is_turned = false;
    if (!are_wrong(other, leaf, parting, is_turned)) continue;
    const OrderPath& lower = is_turned ? leaf.path : other.path;
    const OrderPath& upper = is_turned ? other.path : leaf.path;
    const Verdict verdict = judge(lower, upper, parting, ways);
    if (verdict == Verdict::together) return false;
    depends = depends || verdict == Verdict::depends;
  }
  if (!depends) return true;
  for (const PathStep& step : leaf.path) n_nodes = std::max(n_nodes, step.node + 1);
  std::vector<OrderedLeaf> all = others;
  all.push_back(leaf);
  return !choice(all, place(n_nodes)).empty();
}

std::vector<std::int32_t> LeafOrder::choice(const std::vector<OrderedLeaf>& leaves,
                                            std::size_t n_nodes) const {
  std::vector<PathStep> nodes(n_nodes), found;
  std::vector<Ways> open;
  Ways ways;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    for (const PathStep& step : leaves[i].path) {
      if (step.node >= 0) nodes[place(step.node)] = step;
    }
    for (std::size_t j = 0; j < i; ++j) {
      std::size_t parting = 0;
      bool is_turned = false;
      if (!are_wrong(leaves[j], leaves[i], parting, is_turned)) continue;
      const OrderPath& lower = is_turned ? leaves[i].path : leaves[j].path;
      const OrderPath& upper = is_turned ? leaves[j].path : leaves[i].path;
      const Verdict verdict = judge(lower, upper, parting, ways);
      if (verdict == Verdict::together) return {};
      if (verdict == Verdict::depends) open.push_back(ways);
    }
  }
  // Two leaves that are surely apart stay so for every choice; those with the fewest ways first.
  std::ranges::stable_sort(open, {}, [](const Ways& some) { return some.size(); });
  std::vector<NotAbove> chosen;
  if (!choose(nodes, open, 0, chosen, found)) return {};
  std::vector<std::int32_t> tests;
  for (const PathStep& node : found) tests.push_back(node.first);
  return tests;
}

bool LeafOrder::raise(std::vector<PathStep>& nodes, std::span<const NotAbove> pairs) const {
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (const NotAbove& pair : pairs) {
      const double least = low_of(nodes[place(pair.low.node)]);
      PathStep& raised = nodes[place(pair.high.node)];
      while (low_of(raised) < least) {
        if (raised.first == raised.last) return false;
        ++raised.first;
        has_changed = true;
      }
    }
  }
  return true;
}

bool LeafOrder::choose(std::vector<PathStep> nodes, const std::vector<Ways>& open, std::size_t next,
                       std::vector<NotAbove>& chosen, std::vector<PathStep>& found) const {
  if (!raise(nodes, chosen)) return false;
  if (next == open.size()) {
    found = std::move(nodes);
    return true;
  }
  // What keeps other leaves apart may do for these, too.
  const auto is_chosen = [&](const NotAbove& way) {
    return std::ranges::any_of(chosen, [&](const NotAbove& other) {
      return other.low.node == way.low.node && other.high.node == way.high.node;
    });
  };
  if (std::ranges::any_of(open[next], is_chosen)) {
    return choose(std::move(nodes), open, next + 1, chosen, found);
  }
  for (const NotAbove& way : open[next]) {
    chosen.push_back(way);
    const bool is_found = choose(nodes, open, next + 1, chosen, found);
    chosen.pop_back();
    if (is_found) return true;
  }
  return false;
}

std::int32_t LeafOrder::rules_over(const OrderedLeaf& leaf, const OrderPath& path) const {
  std::size_t parting = 0;
  while (leaf.path[parting].node == path[parting].node &&
         leaf.path[parting].passed == path[parting].passed) {
    ++parting;
  }
  const std::int32_t side = side_of(leaf.path[parting].first);
  if (side == 0) return 0;
  const bool is_lower = (side > 0) == leaf.path[parting].passed;
  // Along columns with trends, and nowhere else, the leaf lies on its own side of what is tested:
  // so its place ends where all of that side do, and some row of every place beyond compares.
  for (std::size_t i = parting; i < leaf.path.size(); ++i) {
    const PathStep& step = leaf.path[i];
    const std::int32_t column = column_of(step);
    if (column < 0) continue;
    const std::int32_t trend = rules_.trends[place(column)];
    if (trend == 0 || rules_.has_missing[place(column)] != 0) return 0;
    if (((side_of(step.first) > 0) == step.passed) != is_lower) return 0;
  }
  return is_lower ? 1 : -1;
}

}  // namespace treewright::search
