#include "treewright/split/significance/ranked_direction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "treewright/base/decimal.hpp"
#include "treewright/split/significance/split_point.hpp"

namespace treewright {

namespace {

constexpr int kept_digits = 40;  // binary, of coefficients: what is left is rounding

struct Term {
  std::int32_t column = 0;
  double coefficient = 0.0;
  double size = 0.0;  // of the column's values
};

// `is_high` is found on the first column, and kept.
Term term_of_classes(const ColumnRank& rank, const ColumnRanks& ranks, std::size_t at,
                     const DirectionRules& rules, std::vector<std::uint8_t>& is_high) {
  const std::size_t n_classes = ranks.classes.size() / ranks.numeric.size();
  const auto classes = std::span(ranks.classes).subspan(at * n_classes, n_classes);
  if (is_high.empty()) is_high = high_classes(classes);
  Moments groups[2], all;
  for (std::size_t c = 0; c < n_classes; ++c) {
    groups[is_high[c]].add(classes[c].moments);
    all.add(classes[c].moments);
  }
  const bool is_perfect = std::isinf(rank.ratio);
  Term term{rank.column, is_perfect ? 1.0 : rank.weight, std::abs(all.mean) + all.deviation()};
  if (rules.printed) return term;
  const double sign = difference_of(groups[1], groups[0]);
  const double within = spread_of(classes).within;
  term.coefficient = is_perfect ? 1.0 : std::sqrt(rank.ratio / within * all.weight);
  if (sign == 0.0) term.coefficient = 0.0;
  if (sign < 0) term.coefficient = -term.coefficient;
  return term;
}

Term term_of_target(const ColumnRank& rank, const WithTarget& moments,
                    const DirectionRules& rules) {
  const double size = std::abs(moments.mean) + std::sqrt(moments.squares);
  return {rank.column, rules.printed ? rank.weight : moments.product / moments.squares, size};
}

std::vector<Term> terms_of(const Node& node, const ColumnRanks& ranks, const KnownColumns& known,
                           const DirectionRules& rules) {
  const ColumnRank& best = ranks.ranks[ranks.order[0]];
  std::vector<std::int32_t> by_rank;
  for (const std::size_t i : ranks.order) {
    const ColumnRank& rank = ranks.ranks[i];
    const bool is_used = std::isinf(best.ratio) ? std::isinf(rank.ratio) : rank.ratio > 0;
    if (!rank.is_categorical && is_used) by_rank.push_back(rank.column);
  }
  const std::size_t most = rules.n_features == 0 ? by_rank.size() : rules.n_features;
  by_rank = known.joined(node, by_rank, most);
  std::vector<std::uint8_t> is_high;
  std::vector<Term> terms;
  for (const std::int32_t column : by_rank) {
    const auto rank = std::ranges::find(ranks.ranks, column, &ColumnRank::column);
    const auto at =
        static_cast<std::size_t>(std::ranges::find(ranks.numeric, column) - ranks.numeric.begin());
    terms.push_back(node.problem.target.is_classification()
                        ? term_of_classes(*rank, ranks, at, rules, is_high)
                        : term_of_target(*rank, ranks.with_target[at], rules));
  }
  std::erase_if(terms, [](const Term& term) { return term.coefficient == 0.0; });
  return terms;
}

}  // namespace

std::optional<Candidate> cut_ranked_direction(const Node& node, const ColumnRanks& ranks,
                                              const KnownColumns& known,
                                              const DirectionRules& rules, PointCuts& cuts) {
  std::vector<Term> terms = terms_of(node, ranks, known, rules);
  if (terms.size() < 2) return std::nullopt;
  std::ranges::sort(terms, {}, &Term::column);
  double largest = 0.0, size = 0.0;
  for (const Term& term : terms) largest = std::max(largest, std::abs(term.coefficient));
  std::vector<std::int32_t> columns;
  std::vector<double> coefficients;
  for (const Term& term : terms) {
    columns.push_back(term.column);
    coefficients.push_back(without_rounding(term.coefficient / largest, kept_digits));
    size += std::abs(coefficients.back()) * term.size;
  }
  if (!std::isfinite(size)) return std::nullopt;
  const double rounding =
      16.0 * static_cast<double>(columns.size()) * std::numeric_limits<double>::epsilon() * size;
  return cuts.along(node, columns, coefficients, rounding);
}

}  // namespace treewright
