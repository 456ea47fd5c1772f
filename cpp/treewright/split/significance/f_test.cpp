// FTest: the column on which the classes lie furthest apart, cut without a search (dGMML; Li, Chen
// 2022, "A novel splitting criterion inspired by geometric mean metric learning for decision
// tree"). How columns are ranked is in column_ranks.hpp, where they are cut in split_point.hpp.
//
// Several columns are cut along a direction (ranked_direction.hpp). Where the direction or a column
// cannot be cut, the next column in the order is.
//
// Blind spot: classes that differ in spread or shape but not in mean. Where no column is
// significant, by the smallest p-value times the number of columns, the column whose classes differ
// most in spread by Levene's test can be cut where it is best, if that is significant; for numbers
// the classes are the rows above the mean of the target and the others.

#include <algorithm>
#include <cmath>
#include <limits>

#include "treewright/split/cut/candidates.hpp"
#include "treewright/split/cut/cut.hpp"
#include "treewright/split/list.hpp"
#include "treewright/split/significance/column_ranks.hpp"
#include "treewright/split/significance/impurity_column.hpp"
#include "treewright/split/significance/ranked_direction.hpp"

namespace treewright {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t most_values_in_cache = std::size_t{1} << 18;

class FTest : public Method {
 public:
  struct Options {
    DirectionRules direction;
    double log_alpha = 0.0;
    double log_fallback = infinity;
  };

  // `levels` proposes on categorical columns; it may be null.
  FTest(Options options, PointCuts cuts, std::shared_ptr<Method> levels)
      : options_(options), cuts_(std::move(cuts)), levels_(std::move(levels)) {}

  // Where all that were drawn are constant, all columns are ranked; a column that is refused for
  // its p-value makes a leaf.
  bool wants_other_columns() const override { return false; }

  void prepare(const Problem& problem, const Rows& rows) override {
    if (options_.direction.n_features != 1) known_.prepare(problem, rows);
    // The rows of a deep node lie far apart: all that is read of one should lie together.
    const Table& table = problem.table;
    const std::size_t n_values = table.n_rows * table.n_levels.size();
    const bool is_copied = problem.target.is_classification() && !table.is_row_major() &&
                           n_values > most_values_in_cache;
    if (is_copied) copy_ = by_rows(table, values_);
    table_ = is_copied ? &copy_ : &table;
    if (levels_) levels_->prepare(problem, rows);
    cuts_.prepare(problem);
  }

  void propose(const Node& node, Rng& rng, std::vector<Candidate>& candidates) override {
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
    if (options_.direction.n_features != 1 && !best.is_categorical) {
      if (auto found = cut_ranked_direction(node, ranks, known_, options_.direction, cuts_)) {
        candidates.push_back(std::move(*found));
        return;
      }
    }
    for (const std::size_t i : ranks.order) {
      node.poll();
      const std::size_t before = candidates.size();
      if (ranks.ranks[i].is_categorical) {
        divide_levels(node, ranks.ranks[i].column, rng, candidates);
      } else if (auto found = cuts_.of(node, ranks.ranks[i].column)) {
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

  void divide_levels(const Node& node, std::int32_t column, Rng& rng,
                     std::vector<Candidate>& candidates) const {
    Node alone = node;
    alone.columns = std::span(&column, 1);
    std::vector<Candidate> found;
    levels_->propose(alone, rng, found);
    for (Candidate& candidate : found) {
      if (!candidate.is_scored) {
        auto with_score = evaluated(node, std::move(candidate.test));
        if (!with_score) continue;
        candidate = std::move(*with_score);
      }
      candidates.push_back(std::move(candidate));
    }
  }

  Options options_;
  PointCuts cuts_;
  std::shared_ptr<Method> levels_;
  KnownColumns known_;
  const Table* table_ = nullptr;  // that of the problem, or a copy by rows
  Table copy_;
  std::vector<double> values_;          // of the copy
  std::vector<std::int32_t> is_above_;  // of each row: the mean of a numeric target
};

std::shared_ptr<Method> make(const Parameters& parameters, Parts parts) {
  require(parts.size() <= 1, "FTest takes one method for categorical columns.");
  std::shared_ptr<Method> levels = parts.empty() ? nullptr : parts[0];
  const auto whole = [&](const std::string& name, double least) {
    const double value = number(parameters, name);
    require(value >= least && value == std::floor(value), "'" + name + "' must be a whole number.");
    return static_cast<std::size_t>(value);
  };
  PointCuts cuts(choice(parameters, "threshold",
                        {"auto", "closest", "median", "mean", "class_midpoint", "impurity"}),
                 whole("closest_k", 1));
  FTest::Options options;
  options.direction.printed = choice(parameters, "form", {"corrected", "printed"}) == "printed";
  options.direction.n_features = whole("features", 0);
  options.log_alpha = std::log(number(parameters, "alpha"));
  if (const double fallback = number(parameters, "fallback"); fallback <= 1) {
    options.log_fallback = std::log(fallback);
  }
  if (choice(parameters, "selection", {"f_test", "impurity"}) == "impurity") {
    return impurity_column(std::move(cuts), std::move(levels));
  }
  return std::make_shared<FTest>(options, std::move(cuts), std::move(levels));
}

const Listed listed{"f_test", make};

}  // namespace

}  // namespace treewright
