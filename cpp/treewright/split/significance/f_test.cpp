// FTest: the column on which the classes lie furthest apart, cut without a search (dGMML; Li, Chen
// 2022, "A novel splitting criterion inspired by geometric mean metric learning for decision
// tree"). How columns are ranked is in column_ranks.hpp, where they are cut in split_point.hpp.
//
// Several columns (dGMML-MDT, eq. 14): the direction a'x of the best few, cut in the same way.
//
//   printed     a_j = w_j; columns that rise and fall with a class cancel, and units decide
//   corrected   a_j = sign(m_high - m_low) w_j / s_j with s_j^2 = SSW_j / n; the high and the low
//               group of classes are those of the best column. For two classes that is linear
//               discriminant analysis with a diagonal covariance; for numbers a_j = S_xy / S_xx.
//
// Coefficients are divided by the largest. Columns that separate the classes without any spread
// enter alone, with the coefficient 1. Columns join a direction only while half of the node is
// known in all of them. Where the direction or a column cannot be cut, the next column in the order
// is.
//
// Blind spot: classes that differ in spread or shape but not in mean. Where no column is
// significant, by the smallest p-value times the number of columns, the column whose classes differ
// most in spread by Levene's test can be cut where it is best, if that is significant; for numbers
// the classes are the rows above the mean of the target and the others.

#include <algorithm>
#include <cmath>
#include <limits>

#include "treewright/base/decimal.hpp"
#include "treewright/split/cut/cut.hpp"
#include "treewright/split/cut/scored.hpp"
#include "treewright/split/list.hpp"
#include "treewright/split/rows/known_columns.hpp"
#include "treewright/split/significance/column_ranks.hpp"
#include "treewright/split/significance/split_point.hpp"

namespace treewright {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int kept_digits = 40;  // binary, of coefficients: what is left is rounding
constexpr std::size_t most_values_in_cache = std::size_t{1} << 18;

class FTest : public Method {
 public:
  struct Options {
    bool by_impurity = false;
    std::string threshold;
    std::size_t closest_k = 5;
    std::size_t n_features = 1;  // 0: all
    bool printed = false;
    double log_alpha = 0.0;
    double log_fallback = infinity;
  };

  FTest(Options options, Parts levels) : options_(std::move(options)) {
    require(levels.size() <= 1, "FTest takes one method for categorical columns.");
    if (!levels.empty()) levels_ = levels[0];
    if (options_.by_impurity) search_ = make_method("axis", {{"rules", "cart"}});
  }

  bool needs_sorted_columns() const override { return options_.by_impurity; }
  // Where all that were drawn are constant, all columns are ranked; a column that is refused for
  // its p-value makes a leaf.
  bool wants_other_columns() const override { return options_.by_impurity; }

  void prepare(const Problem& problem, const Rows& rows) override {
    if (options_.n_features != 1) known_.prepare(problem, rows);
    // The rows of a deep node lie far apart: all that is read of one should lie together.
    const Table& table = problem.table;
    const std::size_t n_values = table.n_rows * table.n_levels.size();
    const bool is_copied = !options_.by_impurity && problem.target.is_classification() &&
                           !table.is_row_major() && n_values > most_values_in_cache;
    if (is_copied) copy_ = by_rows(table, values_);
    table_ = is_copied ? &copy_ : &table;
    if (levels_) levels_->prepare(problem, rows);
    if (search_) search_->prepare(problem, rows);
    if (options_.threshold == "auto") {
      rule_ = problem.target.n_classes > 2 ? std::nullopt : std::optional(PointRule::mean);
    } else if (options_.threshold == "closest") {
      rule_ = PointRule::closest;
    } else if (options_.threshold == "median") {
      rule_ = PointRule::median;
    } else if (options_.threshold == "mean") {
      rule_ = PointRule::mean;
    } else if (options_.threshold == "class_midpoint") {
      rule_ = PointRule::class_midpoint;
    }
  }

  void propose(const Node& node, Rng& rng, std::vector<Candidate>& candidates) override {
    if (options_.by_impurity) {
      propose_by_impurity(node, rng, candidates);
      return;
    }
    const ColumnRanks ranks = rank_columns(node, *table_, levels_ != nullptr);
    if (!ranks.order.empty()) {
      propose_by_rank(node, ranks, rng, candidates);
    } else if (node.columns.size() < node.all_columns.size()) {
      Node wider = node;
      wider.columns = node.all_columns;
      propose(wider, rng, candidates);
    }
  }

 private:
  void propose_by_rank(const Node& node, const ColumnRanks& ranks, Rng& rng,
                       std::vector<Candidate>& candidates) {
    const ColumnRank& best = ranks.ranks[ranks.order[0]];
    if (options_.log_alpha < 0 || options_.log_fallback < infinity) {
      const double log_p = log_p_of(best);
      const double log_columns = std::log(static_cast<double>(node.columns.size()));
      if (log_p + log_columns > options_.log_fallback + limit_slack) {
        if (auto found = cut_by_spread(node, ranks)) {
          candidates.push_back(std::move(*found));
          return;
        }
      }
      if (log_p > options_.log_alpha + limit_slack) return;
    }
    if (options_.n_features != 1 && !best.is_categorical) {
      if (auto found = cut_direction(node, ranks)) {
        candidates.push_back(std::move(*found));
        return;
      }
    }
    for (const std::size_t i : ranks.order) {
      node.breathe();
      const std::size_t before = candidates.size();
      if (ranks.ranks[i].is_categorical) {
        divide_levels(node, ranks.ranks[i].column, rng, candidates);
      } else if (auto found = cut_numbers(node, ranks.ranks[i].column)) {
        candidates.push_back(std::move(*found));
      }
      if (candidates.size() > before) return;
    }
  }

  // The best cut of the column whose classes differ in spread, if that is significant.
  std::optional<Candidate> cut_by_spread(const Node& node, const ColumnRanks& ranks) {
    const Target& target = node.problem.target;
    std::optional<TestedColumn> found;
    if (target.is_classification()) {
      found =
          most_different_in_spread(node, *table_, ranks.numeric, classes_of(node), ranks.classes);
    } else {
      is_above_.resize(node.problem.table.n_rows);
      const double limit = target_limit(node);
      for (const std::uint32_t row : node.ids()) {
        is_above_[row] = target.numbers[row] > limit ? 1 : 0;
      }
      const Labels labels{is_above_, 2};
      found = most_different_in_spread(node, *table_, ranks.numeric, labels,
                                       class_moments(node, *table_, ranks.numeric, labels));
    }
    const double log_columns = std::log(static_cast<double>(node.columns.size()));
    if (!found || found->test.log_p + log_columns > options_.log_fallback + limit_slack) {
      return std::nullopt;
    }
    return cut_column(node, found->column);
  }

  void propose_by_impurity(const Node& node, Rng& rng, std::vector<Candidate>& candidates) {
    std::vector<Candidate> searched;
    search_->propose(node, rng, searched);
    if (levels_) levels_->propose(node, rng, searched);
    if (!rule_) {
      std::ranges::move(searched, std::back_inserter(candidates));
      return;
    }
    std::optional<Candidate> best;
    for (Candidate& found : searched) {
      if (!found.is_scored) {
        auto with_score = scored(node, std::move(found.test));
        if (!with_score) continue;
        found = std::move(*with_score);
      }
      const auto score = [&](const Candidate& c) {
        return score_of(node.problem.gain, c.decrease, c.split_information);
      };
      if (!best || clearly_better(score(found), score(*best))) best = std::move(found);
    }
    if (best && best->test.kind == Kind::axis) best = cut_numbers(node, best->test.features[0]);
    if (best) candidates.push_back(std::move(*best));
  }

  void divide_levels(const Node& node, std::int32_t column, Rng& rng,
                     std::vector<Candidate>& candidates) const {
    Node alone = node;
    alone.columns = std::span(&column, 1);
    std::vector<Candidate> found;
    levels_->propose(alone, rng, found);
    for (Candidate& candidate : found) {
      if (!candidate.is_scored) {
        auto with_score = scored(node, std::move(candidate.test));
        if (!with_score) continue;
        candidate = std::move(*with_score);
      }
      candidates.push_back(std::move(candidate));
    }
  }

  std::optional<Candidate> cut_numbers(const Node& node, std::int32_t column) {
    if (!rule_) return cut_column(node, column);
    points_.read(node, column);
    return cut_at(node, points_, axis_test(column, 0.0),
                  split_point(node, points_, *rule_, options_.closest_k));
  }

  // ---------------------------------------------------------------- several columns

  struct Term {
    std::int32_t column = 0;
    double coefficient = 0.0;
    double size = 0.0;  // of the column's values
  };

  std::optional<Candidate> cut_direction(const Node& node, const ColumnRanks& ranks) {
    std::vector<Term> terms = terms_of(node, ranks);
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
    if (!rule_) return cut_along(node, columns, coefficients);
    const double rounding =
        16.0 * static_cast<double>(columns.size()) * std::numeric_limits<double>::epsilon() * size;
    const Test direction = linear_test(columns, coefficients, 0.0);
    points_.read(node, direction, rounding);
    if (points_.values.empty()) return std::nullopt;
    return cut_at(node, points_, direction, split_point(node, points_, *rule_, options_.closest_k));
  }

  std::vector<Term> terms_of(const Node& node, const ColumnRanks& ranks) const {
    const ColumnRank& best = ranks.ranks[ranks.order[0]];
    std::vector<std::int32_t> by_rank;
    for (const std::size_t i : ranks.order) {
      const ColumnRank& rank = ranks.ranks[i];
      const bool is_used = std::isinf(best.ratio) ? std::isinf(rank.ratio) : rank.ratio > 0;
      if (!rank.is_categorical && is_used) by_rank.push_back(rank.column);
    }
    const std::size_t most = options_.n_features == 0 ? by_rank.size() : options_.n_features;
    by_rank = known_.joined(node, by_rank, most);
    std::vector<std::uint8_t> is_high;
    std::vector<Term> terms;
    for (const std::int32_t column : by_rank) {
      const auto rank = std::ranges::find(ranks.ranks, column, &ColumnRank::column);
      const auto at = static_cast<std::size_t>(std::ranges::find(ranks.numeric, column) -
                                               ranks.numeric.begin());
      terms.push_back(node.problem.target.is_classification()
                          ? term_of_classes(*rank, ranks, at, is_high)
                          : term_of_target(*rank, ranks.with_target[at]));
    }
    std::erase_if(terms, [](const Term& term) { return term.coefficient == 0.0; });
    return terms;
  }

  // `is_high` is found on the first column, and kept.
  Term term_of_classes(const ColumnRank& rank, const ColumnRanks& ranks, std::size_t at,
                       std::vector<std::uint8_t>& is_high) const {
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
    if (options_.printed) return term;
    const double sign = difference_of(groups[1], groups[0]);
    const double within = spread_of(classes).within;
    term.coefficient = is_perfect ? 1.0 : std::sqrt(rank.ratio / within * all.weight);
    if (sign == 0.0) term.coefficient = 0.0;
    if (sign < 0) term.coefficient = -term.coefficient;
    return term;
  }

  Term term_of_target(const ColumnRank& rank, const WithTarget& moments) const {
    const double size = std::abs(moments.mean) + std::sqrt(moments.squares);
    return {rank.column, options_.printed ? rank.weight : moments.product / moments.squares, size};
  }

  Options options_;
  std::shared_ptr<Method> levels_;  // for categorical columns
  std::shared_ptr<Method> search_;
  std::optional<PointRule> rule_;  // none: the best cut
  KnownColumns known_;
  const Table* table_ = nullptr;  // that of the problem, or a copy by rows
  Table copy_;
  std::vector<double> values_;  // of the copy
  Points points_;
  std::vector<std::int32_t> is_above_;  // of each row: the mean of a numeric target
};

std::shared_ptr<Method> make(const Parameters& parameters, Parts levels) {
  FTest::Options options;
  options.by_impurity = choice(parameters, "selection", {"f_test", "impurity"}) == "impurity";
  options.threshold = choice(parameters, "threshold",
                             {"auto", "closest", "median", "mean", "class_midpoint", "impurity"});
  options.printed = choice(parameters, "form", {"corrected", "printed"}) == "printed";
  const auto whole = [&](const std::string& name, double least) {
    const double value = number(parameters, name);
    require(value >= least && value == std::floor(value), "'" + name + "' must be a whole number.");
    return static_cast<std::size_t>(value);
  };
  options.closest_k = whole("closest_k", 1);
  options.n_features = whole("features", 0);
  options.log_alpha = std::log(number(parameters, "alpha"));
  if (const double fallback = number(parameters, "fallback"); fallback <= 1) {
    options.log_fallback = std::log(fallback);
  }
  return std::make_shared<FTest>(std::move(options), std::move(levels));
}

const Listed listed{"f_test", make};

}  // namespace

}  // namespace treewright
