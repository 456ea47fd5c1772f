#include "treewright/split/significance/column_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "treewright/base/special.hpp"
#include "treewright/split/cut/candidates.hpp"
#include "treewright/split/evidence.hpp"

namespace treewright {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rounding = 1e-10;         // columns that differ by less are tied
constexpr double perfect = 1.0 - 1e-14;    // a squared correlation of 1, but for rounding
constexpr double least_rows_of_class = 2;  // known ones, where others are not

bool has_missing(const Node& node, double known) {
  return known < node.count - limit_slack * node.count;
}

ColumnRank rank_by_classes(const Node& node, std::span<const ClassMoments> classes) {
  const Spread spread = spread_of(classes);
  ColumnRank rank;
  double known = 0.0;
  for (const ClassMoments& c : classes) known += c.count;
  rank.has_missing = has_missing(node, known);
  rank.ratio = spread.is_rounding ? -infinity : spread.ratio();
  const auto is_known = [](const ClassMoments& c) {
    return c.count >= least_rows_of_class - limit_slack;
  };
  if (rank.has_missing && std::ranges::count_if(classes, is_known) < 2) rank.ratio = -infinity;
  rank.weight = rank.can_be_chosen() ? separation_of(classes, spread) : -infinity;
  rank.test = f_ratio(spread);
  return rank;
}

ColumnRank rank_by_target(const Node& node, const WithTarget& moments) {
  ColumnRank rank;
  rank.has_missing = has_missing(node, moments.count);
  rank.weight = rank.ratio = -infinity;
  const double largest = std::abs(moments.mean) + std::sqrt(moments.squares);
  const bool varies = moments.squares > 1e-24 * node.weight * largest * largest;
  if (!varies || !(moments.target_squares > 0) || !std::isfinite(moments.squares)) return rank;
  const double r = moments.product / std::sqrt(moments.squares) / std::sqrt(moments.target_squares);
  rank.weight = std::min(1.0, std::abs(r));
  rank.ratio = r * r < perfect ? r * r / (1 - r * r) : infinity;
  if (moments.count > 2 + limit_slack) {
    rank.test.degrees = 1;
    rank.test.denominator = moments.count - 2;
    rank.test.statistic = rank.ratio * rank.test.denominator;
  } else if (rank.has_missing) {
    rank.weight = rank.ratio = -infinity;
  }
  return rank;
}

// The target on each level of a column.
Significance level_test(const Node& node, std::int32_t column) {
  const Problem& problem = node.problem;
  if (problem.target.is_classification()) {
    return chi_square_test(contingency_of(node, column, classes_of(node)));
  }
  std::vector<ClassMoments> levels(static_cast<std::size_t>(problem.table.levels(column)));
  if (node.evidence != nullptr) {
    for (const LevelGroup& group : node.evidence->levels(column).levels) {
      const auto& s = group.statistics;
      levels[static_cast<std::size_t>(group.level)] = {{s[0], s[1], s[2]}, group.count};
    }
    return analysis_of_variance(levels);
  }
  const Column codes = problem.table.column(column);
  for (const std::uint32_t row : node.ids()) {
    if (std::isnan(codes[row])) continue;
    ClassMoments& here = levels[static_cast<std::size_t>(codes[row])];
    here.moments.add({node.weights[row], problem.target.numbers[row], 0.0});
    here.count += node.count_of(row);
  }
  return analysis_of_variance(levels);
}

// Positions by descending key; keys that differ by rounding only in order.
std::vector<std::size_t> by_key(std::span<const double> keys, std::vector<std::size_t> positions) {
  std::ranges::stable_sort(positions, std::ranges::greater{},
                           [&](std::size_t i) { return keys[i]; });
  for (auto first = positions.begin(); first != positions.end();) {
    const double best = keys[*first];
    const double tied = std::isfinite(best) ? best - rounding * std::abs(best) : best;
    const auto last =
        std::find_if(first, positions.end(), [&](std::size_t i) { return keys[i] < tied; });
    std::sort(first, last);
    first = last;
  }
  return positions;
}

}  // namespace

double separation_of(std::span<const ClassMoments> classes, const Spread& spread) {
  if (spread.n_classes != 2) return std::sqrt(spread.ratio());
  double sum = 0.0, product = 1.0;
  for (const ClassMoments& c : classes) {
    if (!(c.moments.weight > 0)) continue;
    sum += c.moments.weight;
    product *= c.moments.weight;
  }
  return std::sqrt(spread.ratio() * (sum / product));  // SSB = n1 n2 / n (m1 - m2)^2
}

bool ColumnRank::can_be_chosen() const { return is_categorical ? test.is_testable() : ratio >= 0; }

double log_p_of(const ColumnRank& rank) {
  const Significance& test = rank.test;
  if (rank.is_categorical || !test.is_testable()) return test.log_p;
  return special::log_f_tail(test.statistic, test.degrees, test.denominator);
}

ColumnRanks rank_columns(const Node& node, const Table& table, bool with_levels) {
  const bool is_classification = node.problem.target.is_classification();
  ColumnRanks result;
  for (const std::int32_t column : node.columns) {
    if (!table.is_categorical(column)) result.numeric.push_back(column);
  }
  const Labels labels = classes_of(node);
  if (is_classification) {
    result.classes = class_moments(node, table, result.numeric, labels);
  } else {
    result.with_target = moments_with_target(node, result.numeric);
  }
  std::size_t next = 0;
  bool by_p_value = false;
  for (const std::int32_t column : node.columns) {
    ColumnRank rank;
    if (table.is_categorical(column)) {
      if (!with_levels) continue;
      rank.is_categorical = by_p_value = true;
      rank.weight = std::numeric_limits<double>::quiet_NaN();
      rank.test = level_test(node, column);
    } else if (is_classification) {
      rank = rank_by_classes(
          node, std::span(result.classes).subspan(next++ * labels.count, labels.count));
    } else {
      rank = rank_by_target(node, result.with_target[next++]);
    }
    rank.column = column;
    by_p_value = by_p_value || rank.has_missing;
    result.ranks.push_back(rank);
  }
  std::vector<double> keys;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < result.ranks.size(); ++i) {
    ColumnRank& rank = result.ranks[i];
    if (by_p_value) rank.test.log_p = log_p_of(rank);
    keys.push_back(by_p_value ? -rank.test.log_p : rank.ratio);
    if (rank.can_be_chosen()) chosen.push_back(i);
  }
  result.order = by_key(keys, std::move(chosen));
  return result;
}

}  // namespace treewright
