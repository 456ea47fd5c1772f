// Ideal splits: linear tests by logistic regression over bipartitions of the classes
// (Truong 2009, "Fast growing and concise oblique trees via logistic regression models").
//
// The classes of a node are divided in two in several ways (bipartitions.hpp). A logistic model of
// "the class is inside" is fitted for each, on all numeric columns; its decision boundary is a
// candidate, judged by the impurity of the original classes. A concise split keeps fewer columns:
//
//   aic, bic       columns are dropped or added while deviance + k (columns + 1) falls, with k = 2
//                  or the logarithm of the node's weight
//   l1_aic, l1_bic the sets of columns along an L1 path, each fitted anew ("relaxed") or with the
//                  slopes of the path, and the one with the least criterion
//
// Either the best full split alone is made concise, or all of them.

#include <algorithm>
#include <cmath>
#include <optional>

#include "treewright/base/decimal.hpp"
#include "treewright/split/cut/candidates.hpp"
#include "treewright/split/cut/cut.hpp"
#include "treewright/split/list.hpp"
#include "treewright/split/logistic/bipartitions.hpp"
#include "treewright/split/logistic/lasso.hpp"
#include "treewright/split/logistic/stepwise.hpp"
#include "treewright/split/plane/ascent.hpp"
#include "treewright/split/rows/known_columns.hpp"

namespace treewright {

namespace {

enum class Concise : std::uint8_t { none, aic, bic, l1_aic, l1_bic };

class Logistic : public Method {
 public:
  struct Options {
    Concise concise = Concise::none;
    bool all_are_concise = false;
    StepDirection direction = StepDirection::backward;
    double events = 0.0;         // rows of the smaller side a column must stand on; 0: no limit
    std::size_t most_terms = 0;  // of a split; 0: no limit
    bool relaxed = true;
    Bipartitions bipartitions = Bipartitions::automatic;
    std::size_t most_ways = 127;
    LogisticSolver solver = LogisticSolver::ridge;
    double tau = 1e-4;
    bool best_threshold = false;
    bool climbs = false;
  };

  explicit Logistic(Options options) : options_(options) {}

  void prepare(const Problem& problem, const Rows& rows) override {
    require(problem.target.is_classification(),
            "Logistic splits are for classification, and the target is numeric; use MUST instead.");
    known_.prepare(problem, rows);
    double weight = 0.0;
    const auto ids = rows.ids(rows.all());
    for (const std::uint32_t row : ids) weight += problem.target.split_weights[row];
    unit_ = std::max(1.0, static_cast<double>(ids.size()) / weight);
  }

  bool works_on_threads() const override { return true; }

  void propose(const Node& node, Rng& rng, std::vector<Candidate>& candidates) override {
    const Target& target = node.problem.target;
    const std::vector<std::int32_t> columns = known_.together(node);
    if (columns.empty()) return;
    if (columns.size() == 1) {
      if (auto found = cut_column(node, columns[0])) candidates.push_back(std::move(*found));
      return;
    }
    LogisticModels models(node.problem.table, columns, node.ids(), node.weights, options_.solver,
                          options_.tau, unit_);
    if (models.rows().n_columns() == 0) return;
    std::optional<Split> best;
    for (const auto& way : ways(node, models, rng)) {
      node.poll();
      if (!divide(models, target, way)) continue;
      LogisticFit fit = models.fit(models.all_columns());
      if (options_.all_are_concise) fit = concise(node, models, fit);
      std::optional<Candidate> candidate = candidate_of(node, models, fit);
      if (!candidate || (options_.all_are_concise && is_too_long(fit))) continue;
      if (!best || clearly_better(score(node, *candidate), score(node, best->candidate))) {
        best = Split{way, std::move(fit), std::move(*candidate)};
      }
    }
    if (!best) return propose_column(node, candidates);
    const bool becomes_concise = options_.concise != Concise::none && !options_.all_are_concise;
    if (becomes_concise || options_.climbs) {
      divide(models, target, best->way);
      if (becomes_concise) best->fit = concise(node, models, best->fit);
      if (is_too_long(best->fit)) return propose_column(node, candidates);
      if (options_.climbs) climb(node, models.rows(), best->fit);
      if (auto changed = candidate_of(node, models, best->fit))
        best->candidate = std::move(*changed);
    }
    candidates.push_back(std::move(best->candidate));
  }

 private:
  struct Split {
    std::vector<std::uint8_t> way;
    LogisticFit fit;
    Candidate candidate;
  };

  bool is_too_long(const LogisticFit& fit) const {
    return options_.most_terms > 0 && fit.used.size() > options_.most_terms;
  }

  // Where no boundary of few enough columns leaves rows on both sides: a threshold on one column.
  void propose_column(const Node& node, std::vector<Candidate>& candidates) const {
    if (options_.most_terms == 0) return;
    if (auto found = best_axis_cut(node)) candidates.push_back(std::move(*found));
  }

  static double score(const Node& node, const Candidate& candidate) {
    return score_of(node.problem.gain, candidate.decrease, candidate.split_information);
  }

  static bool divide(LogisticModels& models, const Target& target,
                     std::span<const std::uint8_t> way) {
    return models.divide(
        [&](std::uint32_t row) { return way[static_cast<std::size_t>(target.labels[row])] != 0; });
  }

  Ways ways(const Node& node, const LogisticModels& models, Rng& rng) const {
    const Target& target = node.problem.target;
    const auto n_classes = static_cast<std::size_t>(target.n_classes);
    // Programs built on R's glm divide all classes, also those that are not in the node.
    const bool takes_all = options_.solver == LogisticSolver::irls;
    std::vector<std::size_t> present;
    for (std::size_t c = 0; c < n_classes; ++c) {
      if (takes_all || node.statistics[c] > 0) present.push_back(c);
    }
    return ways_to_divide(models.rows(), target.labels, present, n_classes, options_.bipartitions,
                          options_.most_ways, rng, [&node] { node.poll(); });
  }

  // None if the test leaves too few rows on a side.
  std::optional<Candidate> candidate_of(const Node& node, const LogisticModels& models,
                                        const LogisticFit& fit) const {
    Candidate candidate;
    candidate.test = models.test_of(fit);
    if (candidate.test.is_leaf()) return std::nullopt;
    if (options_.best_threshold) {
      if (is_axis(candidate.test.kind)) return cut_column(node, candidate.test.features[0]);
      return cut_along(node, candidate.test.features,
                       std::span(candidate.test.numbers).first(candidate.test.features.size()));
    }
    const Outcome outcome = evaluate(node, candidate.test);
    if (!outcome.is_admissible(node.problem)) return std::nullopt;
    candidate.is_scored = true;
    candidate.decrease = outcome.decrease;
    candidate.split_information = outcome.split_information;
    return candidate;
  }

  // Moves the coefficients while the impurity falls; the deviance is no longer that of a model.
  static void climb(const Node& node, const StandardRows& standard, LogisticFit& fit) {
    constexpr std::size_t most_passes = 20;
    const SearchRows rows = search_rows(node, standard, fit.used);
    Ascent ascent(rows, side_rules(node, rows), {.max_passes = most_passes}, [&] { node.poll(); });
    Plane plane{fit.intercept, fit.slopes};
    Rng unused(0);  // nothing is drawn without jumps
    ascent.climb(plane, unused);
    fit.intercept = plane.offset;
    fit.slopes = plane.slopes;
  }

  LogisticFit concise(const Node& node, const LogisticModels& models,
                      const LogisticFit& full) const {
    const bool by_bic = options_.concise == Concise::bic || options_.concise == Concise::l1_bic;
    const double k = by_bic ? std::log(models.rows().weight) : 2.0;
    std::size_t most_columns = 0;
    if (options_.events > 0) {
      most_columns = static_cast<std::size_t>(
          std::max(1.0, std::floor(models.events() / options_.events + limit_slack)));
    }
    if (options_.most_terms > 0 && (most_columns == 0 || most_columns > options_.most_terms))
      most_columns = options_.most_terms;
    const auto is_legal = [&](const LogisticFit& fit) {
      node.poll();
      return candidate_of(node, models, fit).has_value();
    };
    if (options_.concise == Concise::l1_aic || options_.concise == Concise::l1_bic) {
      return along_lasso(node, models, full, k, most_columns, is_legal);
    }
    return step_by_step(models, full, {options_.direction, k, most_columns, is_legal});
  }

  // The first model of each set of columns along the path competes.
  template <class IsLegal>
  LogisticFit along_lasso(const Node& node, const LogisticModels& models, const LogisticFit& full,
                          double k, std::size_t most_columns, IsLegal is_legal) const {
    std::vector<LogisticFit> found, too_large;
    std::vector<std::size_t> last;
    LassoRules rules;
    rules.poll = [&] { node.poll(); };
    for (const LassoPoint& point : lasso_path(models.rows(), models.y(), full.used, rules)) {
      const std::vector<std::size_t> used = point.active();
      const bool is_new = used != last;
      last = used;
      if (used.empty() || (options_.relaxed && !is_new)) continue;
      auto& kept = most_columns > 0 && used.size() > most_columns ? too_large : found;
      kept.push_back(options_.relaxed ? models.fit(used) : models.from_standard(point.fit()));
    }
    // Criteria that are equal but for rounding are equal: the first on the path is taken.
    constexpr int digits = 30;
    std::ranges::stable_sort(found, {}, [&](const LogisticFit& fit) {
      return without_rounding(models.criterion(fit, k), digits);
    });
    std::ranges::stable_sort(too_large, {}, [](const LogisticFit& fit) { return fit.used.size(); });
    found.insert(found.end(), too_large.begin(), too_large.end());
    const auto legal = std::ranges::find_if(found, is_legal);
    return legal == found.end() ? full : *legal;
  }

  Options options_;
  KnownColumns known_;
  // Weights count as so many rows. Those that sum to less than the rows cannot be meant so: they
  // are taken as shares of all rows.
  double unit_ = 1.0;
};

std::shared_ptr<Method> make(const Parameters& parameters, Parts) {
  Logistic::Options options;
  const auto place = [&](const std::string& name, const std::vector<std::string>& words) {
    return std::ranges::find(words, choice(parameters, name, words)) - words.begin();
  };
  options.concise =
      static_cast<Concise>(place("concise", {"none", "aic", "bic", "l1_aic", "l1_bic"}));
  options.all_are_concise = place("scope", {"best", "all"}) == 1;
  options.direction =
      static_cast<StepDirection>(place("direction", {"backward", "forward", "both"}));
  options.bipartitions = bipartitions_named(std::get<std::string>(parameters.at("bipartitions")));
  options.solver = static_cast<LogisticSolver>(place("solver", {"ridge", "irls"}));
  options.best_threshold = place("threshold", {"boundary", "best"}) == 1;
  options.events = number(parameters, "events");
  options.most_terms = static_cast<std::size_t>(number(parameters, "max_terms"));
  options.relaxed = number(parameters, "relaxed") != 0;
  options.climbs = number(parameters, "climb") != 0;
  options.most_ways = static_cast<std::size_t>(number(parameters, "max_bipartitions"));
  options.tau = number(parameters, "tau");
  return std::make_shared<Logistic>(options);
}

const Listed listed{"logistic", make};

}  // namespace

}  // namespace treewright
