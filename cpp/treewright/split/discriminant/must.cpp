// MUST: tests on one, two, three or all numeric columns by linear discriminant analysis
// (Leroux, Boussard, Des 2018, "Inducing readable oblique decision trees").
//
// The rows of a node form two groups: its two classes, or two groups of classes (two_groups.hpp).
//
//   one column    a threshold is estimated on each column from the means and deviations of the
//                 groups, the column whose estimate scores best is cut where it is best
//   2, 3 columns  those with the largest contribution (contributions.hpp), or the one with the
//                 largest by itself, joined by those with which the groups lie furthest apart
//                 ("forward"); all: every numeric column. The direction is that of direction.hpp,
//                 the threshold the best one along it
//
// The estimate on one column is that of group_threshold.hpp. A test on a few columns has a rival,
// the best cut of all on one column, which is taken unless the test scores better ("score") and its
// further columns save more bits than they cost ("bic", description.hpp); the paper has no such
// rival.
//
// Classes without groups ("scatter"): with B the scatter between all classes, weighted by their
// rows, and S that within them, columns contribute B_ii / S_ii and the direction leads in
// B w = lambda S w.
//
// Numbers: with S the total scatter and s the products with the target, the direction is one of
//
//   covariance    S^-1 s, which for two classes coded 0 and 1 is that of the classes
//   ridge         the same, drawn towards what each column says by itself (direction.hpp)
//   bipartition   that of two groups, the target cut where that leaves the least squared error

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "treewright/base/parallel.hpp"
#include "treewright/split/cut/cut.hpp"
#include "treewright/split/discriminant/contributions.hpp"
#include "treewright/split/discriminant/description.hpp"
#include "treewright/split/discriminant/direction.hpp"
#include "treewright/split/discriminant/discriminants.hpp"
#include "treewright/split/discriminant/group_threshold.hpp"
#include "treewright/split/discriminant/two_groups.hpp"
#include "treewright/split/evidence.hpp"
#include "treewright/split/list.hpp"
#include "treewright/split/rows/blocks.hpp"
#include "treewright/split/rows/known_columns.hpp"

namespace treewright {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<std::int32_t> all_of(std::span<const std::int32_t> columns) {
  return {columns.begin(), columns.end()};
}

enum class Selection : std::uint8_t { fisher, mahalanobis, forward };
enum class Concise : std::uint8_t { none, score, bic };
enum class NumberDirection : std::uint8_t { ridge, covariance, bipartition };

class Must : public Method {
 public:
  struct Options {
    std::size_t n_features = 2;  // 0: all
    Selection selection = Selection::forward;
    bool scatter = false;
    NumberDirection direction = NumberDirection::ridge;
    Grouping grouping = Grouping::means;
    SmallSample small_sample = SmallSample::ridge;
    Concise concise = Concise::bic;
  };

  explicit Must(Options options) : options_(options) {
    if (options.concise != Concise::none && options.n_features > 1)
      single_ = make_method("axis", {{"rules", "cart"}});
  }

  void prepare(const Problem& problem, const Rows& rows) override {
    known_.prepare(problem, rows);
    if (single_) single_->prepare(problem, rows);
    if (has_groups(problem.target)) halves_.resize(problem.table.n_rows);
  }
  bool needs_sorted_columns() const override { return single_ && single_->needs_sorted_columns(); }
  bool works_on_threads() const override { return true; }

  void propose(const Node& node, Rng& rng, std::vector<Candidate>& candidates) override {
    std::optional<Candidate> best = of_several(node);
    if (single_) {
      std::vector<Candidate> singles;
      single_->propose(node, rng, singles);
      std::optional<Candidate> one;
      for (Candidate& single : singles) keep_better(node, std::move(single), one);
      if (one && !(best && is_better(node, *best, *one))) best = std::move(one);
    }
    if (best) candidates.push_back(std::move(*best));
  }

 private:
  bool is_better(const Node& node, const Candidate& several, const Candidate& one) const {
    return clearly_better(score_of(node, several), score_of(node, one)) &&
           (options_.concise != Concise::bic || pays_for_columns(node, several.test, one.test));
  }

  std::optional<Candidate> of_several(const Node& node) {
    if (node.evidence != nullptr && options_.n_features != 1) {
      ColumnSet all;  // says what any of them do where no value is missing
      std::ranges::copy_if(node.columns, std::back_inserter(all), [&](std::int32_t column) {
        return !node.problem.table.is_categorical(column);
      });
      node.evidence->expect(std::span(&all, 1));
    }
    // A column that lacks most of its values would leave few rows to find a direction by.
    std::vector<std::int32_t> columns = known_.of(node, options_.n_features == 1 ? 0.0 : 0.5);
    if (options_.n_features != 1 && takes_all(columns.size())) columns = known_.together(node);
    if (columns.empty()) return std::nullopt;
    const Target& target = node.problem.target;
    if (!target.is_classification()) return by_numbers(node, columns);
    return by_labels(node, columns, {target.labels, static_cast<std::size_t>(target.n_classes)});
  }

  bool takes_all(std::size_t n_columns) const {
    return options_.n_features == 0 || options_.n_features >= n_columns;
  }

  // Columns are looked at one by one, by the moments of the labels.
  bool judges_columns(std::size_t n_columns) const {
    const bool chooses = !takes_all(n_columns) && options_.selection != Selection::mahalanobis;
    return options_.scatter || options_.n_features == 1 || chooses;
  }

  // ---------------------------------------------------------------- classes

  std::optional<Candidate> by_labels(const Node& node, std::span<const std::int32_t> columns,
                                     Labels labels) const {
    if (labels.count == 2 && !judges_columns(columns.size())) {
      return by_groups(node, columns, labels, {}, std::vector<std::uint8_t>{0, 1});
    }
    const auto moments = moments_by_label(node, columns, labels);
    if (options_.scatter) return by_scatter(node, columns, labels, moments);
    std::optional<Candidate> best;
    for (const auto& group : two_groups(node, columns, labels, moments, options_.grouping)) {
      node.poll();
      keep_better(node, by_groups(node, columns, labels, moments, group), best);
    }
    return best;
  }

  std::optional<Candidate> by_scatter(const Node& node, std::span<const std::int32_t> columns,
                                      Labels labels, std::span<const Moments> moments) const {
    const std::size_t k = columns.size();
    std::vector<double> worth;
    for (std::size_t j = 0; j < k; ++j) {
      Moments all;
      double within = 0.0;
      for (std::size_t i = j; i < moments.size(); i += k) {
        all.add(moments[i]);
        within += moments[i].squares;
      }
      worth.push_back(ratio_of(std::sqrt(std::max(0.0, all.squares - within)), within));
    }
    if (options_.n_features == 1) return first_cut(node, columns, worth);
    const auto used = takes_all(k)
                          ? all_of(columns)
                          : leading_columns(node, known_, columns, worth, options_.n_features);
    return cut_direction(node, used,
                         largest_discriminant(class_scatter(node, used, labels), least_component));
  }

  std::optional<Candidate> by_groups(const Node& node, std::span<const std::int32_t> columns,
                                     Labels labels, std::span<const Moments> moments,
                                     std::span<const std::uint8_t> group) const {
    const std::size_t k = columns.size();
    const auto [minus, plus] = in_groups(moments, group, k);
    if (options_.n_features == 1)
      return by_estimated_threshold(node, columns, moments, minus, plus);
    std::vector<std::int32_t> used = all_of(columns);
    const auto scatter_on = [&](std::span<const std::int32_t> some) {
      return scatter_of(node, some, labels, group);
    };
    if (!takes_all(k)) {
      const bool is_joint = options_.selection == Selection::mahalanobis;
      const Scatter joint = is_joint ? scatter_on(columns) : Scatter{};
      if (is_joint && !joint.has_both && moments.empty()) {  // no row without a gap
        return by_groups(node, columns, labels, moments_by_label(node, columns, labels), group);
      }
      const std::vector<double> worth =
          joint.has_both ? distance_terms(joint, direction_of(joint)) : fisher_ratios(minus, plus);
      used = leading(node, columns, worth, scatter_on);
    }
    return cut_direction(node, used, direction_of(scatter_on(used)));
  }

  std::vector<double> direction_of(const Scatter& scatter) const {
    if (!scatter.has_both) return {};
    if (scatter.target_squares > 0 && options_.direction == NumberDirection::ridge) {
      return ridge_direction(scatter.within, scatter.difference, scatter.target_squares,
                             scatter.n_rows, std::max(scatter.weight, scatter.n_rows));
    }
    return discriminant_direction(scatter.within, scatter.difference, scatter.n_rows,
                                  options_.small_sample);
  }

  // Those of largest worth that are known together, ascending; with Selection::forward the first
  // of these, joined one by one by the column with which the groups lie furthest apart.
  template <class ScatterOn>
  std::vector<std::int32_t> leading(const Node& node, std::span<const std::int32_t> columns,
                                    std::span<const double> worth, ScatterOn scatter_on) const {
    if (options_.selection != Selection::forward) {
      return leading_columns(node, known_, columns, worth, options_.n_features);
    }
    std::vector<std::int32_t> chosen = leading_columns(node, known_, columns, worth, 1);
    while (chosen.size() < options_.n_features) {
      node.poll();
      std::vector<ColumnSet> sets;
      for (const std::int32_t column : columns) {
        sets.push_back(chosen);
        sets.back().push_back(column);
      }
      if (node.evidence != nullptr) node.evidence->expect(sets);
      std::vector<double> joint(sets.size(), -infinity);
      const bool shares = node.evidence == nullptr && node.rows.is_for_threads(node.range);
      in_parallel(
          sets.size(), shares ? node.problem.n_threads : 1,
          [&](std::size_t i) {
            const ColumnSet& some = sets[i];
            const bool is_new = std::ranges::find(chosen, some.back()) == chosen.end() &&
                                known_.joined(node, some, some.size()).size() == some.size();
            if (is_new) joint[i] = distance_of(scatter_on(some));
          },
          [&] { node.poll(); });
      const std::size_t next = by_worth(joint).front();
      if (joint[next] == -infinity) break;
      chosen.push_back(columns[next]);
    }
    std::ranges::sort(chosen);
    return chosen;
  }

  // How far apart the groups lie along their direction, in terms of their spread; a row counts as
  // much in all scatters.
  double distance_of(const Scatter& scatter) const {
    const std::vector<double> direction = direction_of(scatter);
    const std::size_t k = direction.size();
    double apart = 0.0, spread = 0.0;
    for (std::size_t i = 0; i < k; ++i) {
      apart += direction[i] * scatter.difference[i];
      for (std::size_t j = 0; j < k; ++j) {
        spread += direction[i] * direction[j] * scatter.within[i * k + j];
      }
    }
    return scatter.n_rows * ratio_of(apart, std::max(0.0, spread));
  }

  std::optional<Candidate> by_estimated_threshold(const Node& node,
                                                  std::span<const std::int32_t> columns,
                                                  std::span<const Moments> moments,
                                                  std::span<const Moments> minus,
                                                  std::span<const Moments> plus) const {
    const Problem& problem = node.problem;
    const std::size_t k = columns.size(), n_classes = problem.target.n_outputs();
    std::vector<double> thresholds(k, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t j = 0; j < k; ++j) {
      if (minus[j].weight > 0 && plus[j].weight > 0) {
        const double nudge = 1e-9 * (minus[j].deviation() + plus[j].deviation());
        thresholds[j] =
            threshold_between(minus[j], plus[j]) + nudge;  // a value may lie right there
      }
    }
    const auto below = weights_below(node, columns, {problem.target.labels, n_classes}, thresholds);
    std::vector<double> worth(k, -infinity), both(n_classes), sides(2 * n_classes);
    for (std::size_t j = 0; j < k; ++j) {
      double weights[2] = {0.0, 0.0};
      for (std::size_t c = 0; c < n_classes; ++c) {
        both[c] = moments[c * k + j].weight;
        sides[c] = below[c * k + j];
        sides[n_classes + c] = std::max(0.0, both[c] - sides[c]);
        weights[0] += sides[c];
        weights[1] += sides[n_classes + c];
      }
      const double known = weights[0] + weights[1];
      if (!(std::min(weights[0], weights[1]) > limit_slack * known)) continue;
      worth[j] = score_of(problem.gain, known / node.weight * problem.measure.decrease(both, sides),
                          split_information(weights));
    }
    return first_cut(node, columns, worth);
  }

  // The best cut on the column of largest worth that can be cut.
  static std::optional<Candidate> first_cut(const Node& node, std::span<const std::int32_t> columns,
                                            std::span<const double> worth) {
    for (const std::size_t j : by_worth(worth)) {
      if (worth[j] == -infinity) break;
      if (auto found = cut_column(node, columns[j])) return found;
    }
    return std::nullopt;
  }

  // ---------------------------------------------------------------- numbers

  std::optional<Candidate> by_numbers(const Node& node, std::span<const std::int32_t> columns) {
    const bool divides = has_groups(node.problem.target);
    const Labels halves = divides ? halves_of(node) : Labels{};
    const auto scatter_on = [&](std::span<const std::int32_t> some) {
      return divides ? scatter_of(node, some, halves, std::vector<std::uint8_t>{0, 1})
                     : covariance_of(node, some);
    };
    std::vector<std::int32_t> used = all_of(columns);
    if (options_.n_features == 1 || !takes_all(columns.size())) {
      const bool is_joint = options_.selection == Selection::mahalanobis;
      const Scatter joint = is_joint ? scatter_on(columns) : Scatter{};
      const std::vector<double> worth = joint.has_both ? distance_terms(joint, direction_of(joint))
                                                       : correlation_ratios(node, columns);
      if (options_.n_features == 1) return first_cut(node, columns, worth);
      used = leading(node, columns, worth, scatter_on);
    }
    return cut_direction(node, used, direction_of(scatter_on(used)));
  }

  bool has_groups(const Target& target) const {
    return !target.is_classification() && options_.direction == NumberDirection::bipartition;
  }

  // The parts of the target as labels.
  Labels halves_of(const Node& node) {
    const double cut = target_cut(node);
    for (const std::uint32_t row : node.ids()) {
      halves_[row] = node.problem.target.numbers[row] > cut ? 1 : 0;
    }
    return {halves_, 2};
  }

  Options options_;
  std::shared_ptr<Method> single_;    // proposes the tests of one column that others must beat
  std::vector<std::int32_t> halves_;  // by row id
  KnownColumns known_;
};

std::shared_ptr<Method> make(const Parameters& parameters, Parts) {
  Must::Options options;
  const double features = number(parameters, "features");
  require(features >= 0 && features == std::floor(features), "'features' must be 0 or more.");
  options.n_features = static_cast<std::size_t>(features);
  const std::string selection =
      choice(parameters, "selection", {"forward", "fisher", "mahalanobis"});
  options.selection = selection == "fisher"    ? Selection::fisher
                      : selection == "forward" ? Selection::forward
                                               : Selection::mahalanobis;
  const std::string direction =
      choice(parameters, "direction", {"ridge", "covariance", "bipartition"});
  options.direction = direction == "ridge"        ? NumberDirection::ridge
                      : direction == "covariance" ? NumberDirection::covariance
                                                  : NumberDirection::bipartition;
  options.small_sample = choice(parameters, "small_sample", {"ridge", "null_space"}) == "ridge"
                             ? SmallSample::ridge
                             : SmallSample::null_space;
  const std::string grouping =
      choice(parameters, "multiclass", {"rows", "means", "best_bipartition", "scatter", "largest"});
  options.scatter = grouping == "scatter";
  options.grouping = grouping == "rows"               ? Grouping::rows
                     : grouping == "means"            ? Grouping::means
                     : grouping == "best_bipartition" ? Grouping::best_bipartition
                     : grouping == "largest"          ? Grouping::largest
                                                      : Grouping::means;
  const std::string concise = choice(parameters, "concise", {"bic", "score", "none"});
  options.concise = concise == "bic"     ? Concise::bic
                    : concise == "score" ? Concise::score
                                         : Concise::none;
  return std::make_shared<Must>(options);
}

const Listed listed{"must", make};

}  // namespace

}  // namespace treewright
