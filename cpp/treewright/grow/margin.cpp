// Which bins are unsettled: the margin of partitioned.hpp.

#include <algorithm>
#include <cmath>
#include <limits>

#include "treewright/grow/partitioned.hpp"

namespace treewright {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double steps_of_margin = 64;   // of what one cut must be better by
constexpr double widest_margin = 1e6;    // times the first one
constexpr double one_step = 1.0 + 1e-6;  // a gap wider than a step, rounding included

// How far below `best` cuts can matter, and the step by which one is better than another.
struct Margin {
  double tolerance;  // of columns, relative
  double size;       // of what is summed
  double widening;

  double step(double best) const { return 1e-13 * std::abs(best) + 2e-13 * size; }
  double in_column(double best) const { return widening * steps_of_margin * step(best); }
  double of(double best) const {
    return std::max(widening * tolerance * std::abs(best), in_column(best));
  }
};

// Whether the cuts of a place at or above `from` leave a gap wider than a step below the best.
bool have_gap(std::span<const double> scores, double from, double best, double step) {
  std::vector<double> above;
  for (const double score : scores) {
    if (score >= from) above.push_back(score);
  }
  if (static_cast<double>(above.size() + 1) * step * one_step < best - from) return true;
  std::ranges::sort(above);
  double last = from;
  for (const double score : above) {
    if (score - last > step * one_step) return true;
    last = score;
  }
  return false;
}

}  // namespace

std::vector<Unsettled> PartitionedGrowth::unsettled() {
  std::vector<Unsettled> found;
  for (std::size_t place = 0; place < open_.size(); ++place) {
    const bool is_over = open_[place].is_found || open_[place].is_given_up;
    if (!is_over) find_unsettled(place, found);
  }
  return found;
}

Worth PartitionedGrowth::worth_at(std::size_t place, std::int32_t column) const {
  require(place < open_.size() && open_[place].numeric.contains(column),
          "There are no sums of such a column.");
  return worth_of(view_of(open_[place]), open_[place].numeric.at(column));
}

const PartitionedGrowth::Judged& PartitionedGrowth::judge_column(const Node& node, Open& open,
                                                                 std::int32_t column) const {
  const auto known = open.judged.find(column);
  if (known != open.judged.end()) return known->second;
  const ColumnSums& sums = open.numeric.at(column);
  Judged judged{worth_of(node, sums), -infinity, {}};
  if (const auto cut = best_cut(node, sums, rules_of(open, column))) judged.best = cut->score;
  for (const auto& scores : judged.worth.at_ends) {
    double largest = -infinity;
    for (const double score : scores) largest = std::max(largest, score);
    judged.best_at_place.push_back(largest);
  }
  return open.judged.emplace(column, std::move(judged)).first->second;
}

void PartitionedGrowth::find_unsettled(std::size_t place, std::vector<Unsettled>& found) {
  Open& open = open_[place];
  const Node node = view_of(open);
  open.gap = 0.0;
  double best = -infinity;
  const auto is_compared = [&](std::int32_t line) {
    return !method_ || (open.compares_columns && line < table_.n_columns());
  };
  for (const auto& [column, sums] : open.numeric) {
    if (!is_compared(column) && !open.by_itself.contains(column)) continue;
    if (sums.size() == 0) continue;
    const double own = judge_column(node, open, column).best;
    if (is_compared(column)) best = std::max(best, own);
  }
  const bool compares_all = needs_all_candidates(problem_.gain);
  if (!compares_all && !method_) {
    Open levels_only;
    levels_only.levels = open.levels;
    for (const Candidate& candidate : candidates_of(node, levels_only)) {
      best = std::max(best, score_of(node, candidate) * node.weight);
    }
    // What is not accepted cannot matter: the node stays a leaf.
    const double accepted = options_.min_gain * root_.weight;
    if (!options_.zero_gain && orders_cuts_by_decrease(problem_.gain)) {
      best = std::max({best, accepted * (1 - 1e-9), node.noise * node.weight * (1 - 1e-9)});
    }
  }

  for (const std::int32_t line : open.by_value) {
    const auto known = open.numeric.find(line);
    if (known == open.numeric.end()) continue;
    const ColumnSums& sums = known->second;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (!sums.has_cuts_inside(i)) continue;
      found.push_back({static_cast<std::int32_t>(place), line,
                       i == 0 ? -infinity : sums.upper[i - 1], sums.upper[i], sums.low[i],
                       sums.high[i], sums.counts[i]});
    }
  }
  const double size = is_classification() ? node.weight : node.statistics[2];
  const double tolerance = 1e-9 + 2e-10 * static_cast<double>(columns_.size());
  for (; open.widening <= widest_margin; open.widening *= 10) {
    const Margin margin{tolerance, size, open.widening};
    const std::size_t before = found.size();
    bool is_certain = true;
    for (const auto& [column, judged] : open.judged) {
      const ColumnSums& sums = open.numeric.at(column);
      const bool by_itself = compares_all || open.by_itself.contains(column);
      const double top = by_itself ? judged.best : best;
      const double bar = top == -infinity ? -infinity : top - margin.of(top);
      double lowest = bar;
      for (std::size_t p = 0; p < judged.worth.at_ends.size(); ++p) {
        const double here = judged.best_at_place[p];
        if (here < bar || here == -infinity) continue;
        lowest = std::min(lowest, here - margin.in_column(here));
      }
      double lower = -infinity;
      bool is_settled = true, is_known = true;
      for (std::size_t i = 0; i < sums.size(); ++i) {
        const double bound = judged.worth.inside[i];
        is_known = is_known && bound == -infinity;
        if (bound > -infinity && !(bound < lowest)) {
          is_settled = false;
          found.push_back({static_cast<std::int32_t>(place), column, lower, sums.upper[i],
                           sums.low[i], sums.high[i], sums.counts[i]});
          open.gap =
              std::max(open.gap, top > 0 ? std::max(0.0, bound - top) / top + 1e-9 : infinity);
        }
        lower = sums.upper[i];
      }
      for (std::size_t p = 0; is_settled && !is_known && p < judged.worth.at_ends.size(); ++p) {
        const double here = judged.best_at_place[p];
        if (here < bar || here == -infinity) continue;
        is_certain =
            is_certain && have_gap(judged.worth.at_ends[p], lowest, here, margin.step(here));
      }
    }
    if (is_certain || found.size() > before) return;
  }
  open.gap = std::max(open.gap, tolerance);
}

}  // namespace treewright
