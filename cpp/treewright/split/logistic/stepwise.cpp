#include "treewright/split/logistic/stepwise.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace treewright {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double least_gain = 1e-7;
constexpr std::size_t many_columns = 15;
constexpr std::size_t many_rows = 2000;
constexpr std::size_t tried_of_many = 3;

// Leaves the few whose columns matter least to first order: with many rows that is nearly exact, so
// those that cost clearly more than the least, or than they would save, are not among them.
void keep_promising(std::vector<Without>& starts, const LogisticModels& models, double k) {
  const bool has_many_rows = models.rows().n_rows() > many_rows;
  if (starts.size() <= many_columns && !has_many_rows) return;
  std::vector<double> costs;
  for (const Without& one : starts) costs.push_back(one.cost);
  std::ranges::sort(costs);
  double limit = costs[std::min(tried_of_many, costs.size()) - 1];
  if (has_many_rows) limit = std::min({limit, 1.5 * costs[0] + 1.0, 2.0 * k + 2.0});
  std::erase_if(starts, [&](const Without& one) { return one.cost > limit; });
}

// Models with one column less, in order of that column. Those that cannot save `k` may be left out.
std::vector<LogisticFit> smaller_models(const LogisticModels& models, const LogisticFit& fit,
                                        double k) {
  std::vector<LogisticFit> smaller;
  if (fit.used.size() < 2) return smaller;
  if (models.solver() == LogisticSolver::irls) {
    for (std::size_t out = 0; out < fit.used.size(); ++out) {
      std::vector<std::size_t> used = fit.used;
      used.erase(used.begin() + static_cast<std::ptrdiff_t>(out));
      smaller.push_back(models.fit(std::move(used)));
    }
    return smaller;
  }
  std::vector<Without> starts = without_each(fit);
  keep_promising(starts, models, k);
  for (const Without& one : starts) smaller.push_back(models.fit(one.start.used, &one.start));
  return smaller;
}

// The model without a column, to first order.
LogisticFit without(const LogisticFit& fit, const Without& one, std::size_t out) {
  LogisticFit smaller = one.start;
  const std::size_t k = fit.used.size() + 1;  // with the intercept
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k && i != out; ++j) {
      if (j != out) smaller.curvature.push_back(fit.curvature[i * k + j]);
    }
  }
  smaller.deviance = fit.deviance + one.cost;
  return smaller;
}

struct Shortened {
  LogisticFit model;
  bool is_last = false;  // the next step would not be legal
};

// With many rows: the model without the columns that clearly save more than they cost to first
// order, fitted once. The model itself where there are none, or where they cost more than that.
Shortened without_clear_ones(const LogisticModels& models, const LogisticFit& fit,
                             const StepRules& rules) {
  if (models.rows().n_rows() <= many_rows || models.solver() == LogisticSolver::irls) return {fit};
  std::vector<LogisticFit> met{fit};
  while (met.back().used.size() > 1) {
    const std::vector<Without> starts = without_each(met.back());
    const auto least = std::ranges::min_element(starts, {}, &Without::cost);
    if (!(least->cost < rules.k / 2)) break;
    met.push_back(without(met.back(), *least, static_cast<std::size_t>(least - starts.begin())));
  }
  bool is_last = false;
  if (met.size() > 1 && !rules.is_legal(met.back())) {
    const auto illegal = std::ranges::find_if_not(met.begin() + 1, met.end(), rules.is_legal);
    met.erase(illegal, met.end());
    is_last = true;
  }
  if (met.size() == 1) return {fit, is_last};
  LogisticFit found = models.fit(met.back().used, &met.back());
  const double expected = met.back().deviance - fit.deviance;
  if (found.deviance - fit.deviance > 1.5 * expected + 1.0 || !rules.is_legal(found)) return {fit};
  return {std::move(found), is_last};
}

std::vector<LogisticFit> larger_models(const LogisticModels& models, const LogisticFit& fit) {
  std::vector<LogisticFit> larger;
  for (const std::size_t column : models.all_columns()) {
    const auto place = std::ranges::lower_bound(fit.used, column);
    if (place != fit.used.end() && *place == column) continue;
    LogisticFit start = fit;
    const auto at = place - fit.used.begin();
    start.used.insert(start.used.begin() + at, column);
    start.slopes.insert(start.slopes.begin() + at, 0.0);
    larger.push_back(models.fit(start.used, &start));
  }
  return larger;
}

// The last column that others make up for altogether: the model without it, if there is one.
std::optional<LogisticFit> without_spare_column(const LogisticModels& models,
                                                const LogisticFit& fit,
                                                const std::vector<LogisticFit>& smaller) {
  if (models.solver() != LogisticSolver::irls) return std::nullopt;
  for (auto one = smaller.rbegin(); one != smaller.rend(); ++one) {
    if (models.rank(*one) == models.rank(fit)) return *one;
  }
  return std::nullopt;
}

}  // namespace

namespace {

bool is_too_large(const LogisticFit& model, const StepRules& rules) {
  return rules.most_columns > 0 && model.used.size() > rules.most_columns;
}

}  // namespace

LogisticFit step_by_step(const LogisticModels& models, const LogisticFit& full,
                         const StepRules& rules) {
  const bool forward = rules.direction == StepDirection::forward;
  LogisticFit model = forward ? models.fit({}) : full;
  bool is_legal = !forward && rules.is_legal(model);
  std::optional<LogisticFit> kept;  // the smallest legal one met
  if (is_legal) kept = model;
  if (rules.direction == StepDirection::backward && is_legal) {
    Shortened clear = without_clear_ones(models, model, rules);
    model = std::move(clear.model);
    kept = model;
    if (clear.is_last && !is_too_large(model, rules)) return model;
  }
  bool forced = false;  // the next step is taken whatever it costs
  while (true) {
    const bool too_large = is_too_large(model, rules);
    forced = too_large || ((forced || forward) && !is_legal);
    std::vector<LogisticFit> next;
    std::optional<LogisticFit> best;
    if (!forward) {
      next = smaller_models(models, model, forced ? infinity : rules.k);
      best = without_spare_column(models, model, next);
    }
    const bool is_spare = best.has_value();
    const bool may_grow = rules.most_columns == 0 || model.used.size() < rules.most_columns;
    if (rules.direction != StepDirection::backward && !too_large && may_grow) {
      std::ranges::move(larger_models(models, model), std::back_inserter(next));
    }
    for (std::size_t i = 0; !is_spare && i < next.size(); ++i) {
      if (!best || models.criterion(next[i], rules.k) < models.criterion(*best, rules.k) - 1e-12) {
        best = std::move(next[i]);
      }
    }
    if (!best) break;
    const double gain = models.criterion(model, rules.k) - models.criterion(*best, rules.k);
    if (!forced && !(gain > (is_spare ? -least_gain : least_gain))) break;
    const bool next_is_legal = rules.is_legal(*best);
    if (is_legal && !next_is_legal && !forced) break;
    model = std::move(*best);
    is_legal = next_is_legal;
    if (is_legal) kept = model;
  }
  if (kept) return *kept;
  StepRules backward = rules;
  backward.direction = StepDirection::backward;
  return forward ? step_by_step(models, full, backward) : full;
}

std::vector<LogisticFit> dropping_columns(const LogisticModels& models, const LogisticFit& from,
                                          const std::function<void()>& poll) {
  std::vector<LogisticFit> sequence;
  LogisticFit model = from;
  while (model.used.size() > 1) {
    poll();
    std::vector<LogisticFit> next = smaller_models(models, model, infinity);
    std::size_t best = 0;
    for (std::size_t i = 1; i < next.size(); ++i) {
      if (next[i].deviance < next[best].deviance - 1e-12) best = i;
    }
    model = std::move(next[best]);
    sequence.push_back(model);
  }
  return sequence;
}

}  // namespace treewright
