#include "treewright/split/logistic/lasso.hpp"

#include <algorithm>
#include <cmath>

namespace treewright {

namespace {

constexpr int most_steps = 100;
constexpr int most_sweeps = 1000;
constexpr int most_halvings = 30;
constexpr int most_bisections = 20;
constexpr double least_decrement = 1e-11;
constexpr double least_move = 1e-13;
constexpr double least_slope = 1e-9;  // of the largest

double soften(double x, double by) { return x > by ? x - by : x < -by ? x + by : 0.0; }

class Lasso {
 public:
  Lasso(const StandardRows& rows, std::span<const std::uint8_t> y,
        std::span<const std::size_t> used, const LassoRules& rules)
      : rows_(rows), y_(y), used_(used), factors_(rules.factors) {
    if (factors_.empty()) factors_.assign(rows.n_columns(), 1.0);
  }

  LassoPoint without_columns() const {
    LassoPoint point;
    point.slopes.assign(rows_.n_columns(), 0.0);
    const LogisticFit fit = fit_ridge_logistic(rows_, y_, {}, 0.0);
    point.intercept = fit.intercept;
    point.deviance = fit.deviance;
    const LogisticPoint here = at(point);
    for (std::size_t i = 0; i < used_.size(); ++i) {
      const double pull = std::abs(here.gradient[i]) / factors_[used_[i]];
      point.lambda = std::max(point.lambda, pull / rows_.weight);
    }
    return point;
  }

  LassoPoint solve(double lambda, LassoPoint from) const {
    const std::size_t k = used_.size();
    from.lambda = lambda;
    LogisticPoint here = at(from);
    for (int step = 0; step < most_steps; ++step) {
      const LassoPoint to = minimum_of_model(lambda, from, here);
      double slope = here.gradient[k] * (to.intercept - from.intercept);
      for (std::size_t i = 0; i < k; ++i) {
        slope += here.gradient[i] * (to.slopes[used_[i]] - from.slopes[used_[i]]);
      }
      const double promised = slope + penalty(lambda, to) - penalty(lambda, from);
      const double value = here.loss + penalty(lambda, from);
      if (-promised < least_decrement * (std::abs(value) + 1e-3)) break;
      bool moved = false;
      double length = 1.0;
      for (int halving = 0; halving < most_halvings && !moved; ++halving, length /= 2) {
        LassoPoint trial = to;
        trial.intercept = from.intercept + length * (to.intercept - from.intercept);
        for (const std::size_t j : used_) {
          trial.slopes[j] = from.slopes[j] + length * (to.slopes[j] - from.slopes[j]);
        }
        LogisticPoint there = at(trial);
        if (there.loss + penalty(lambda, trial) > value + 1e-4 * length * promised) continue;
        from = std::move(trial);
        here = std::move(there);
        moved = true;
      }
      if (!moved) break;
    }
    from.deviance = 2.0 * here.loss;
    drop_rounding(from);
    return from;
  }

 private:
  // A column that another repeats is pulled exactly as hard as its penalty holds it: the slope that
  // rounding leaves it would make it active.
  void drop_rounding(LassoPoint& point) const {
    double largest = 0.0;
    for (const double slope : point.slopes) largest = std::max(largest, std::abs(slope));
    for (double& slope : point.slopes) {
      if (std::abs(slope) <= least_slope * largest) slope = 0.0;
    }
  }

  LogisticPoint at(const LassoPoint& point) const {
    std::vector<double> slopes;
    for (const std::size_t j : used_) slopes.push_back(point.slopes[j]);
    return logistic_point(rows_, y_, used_, slopes, point.intercept);
  }

  double penalty(double lambda, const LassoPoint& point) const {
    double sum = 0.0;
    for (const std::size_t j : used_) sum += factors_[j] * std::abs(point.slopes[j]);
    return rows_.weight * lambda * sum;
  }

  LassoPoint minimum_of_model(double lambda, const LassoPoint& from,
                              const LogisticPoint& here) const {
    const std::size_t k = used_.size();
    const auto curvature = [&](std::size_t i, std::size_t j) {
      return here.curvature[std::max(i, j) * (k + 1) + std::min(i, j)];
    };
    LassoPoint to = from;
    std::vector<double> gradient = here.gradient;  // of the model, at `to`
    const auto move = [&](std::size_t i, double by) {
      for (std::size_t j = 0; j <= k; ++j) gradient[j] += by * curvature(i, j);
    };
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      double largest = 0.0;
      for (std::size_t i = 0; i < k; ++i) {
        const double c = curvature(i, i);
        if (!(c > 0)) continue;
        double& slope = to.slopes[used_[i]];
        const double limit = rows_.weight * lambda * factors_[used_[i]] / c;
        const double by = soften(slope - gradient[i] / c, limit) - slope;
        if (by == 0) continue;
        slope += by;
        move(i, by);
        largest = std::max(largest, std::abs(by));
      }
      const double c = curvature(k, k);
      if (c > 0) {
        const double by = -gradient[k] / c;
        to.intercept += by;
        move(k, by);
        largest = std::max(largest, std::abs(by));
      }
      if (largest < least_move * (1.0 + std::abs(to.intercept))) break;
    }
    return to;
  }

  const StandardRows& rows_;
  std::span<const std::uint8_t> y_;
  std::span<const std::size_t> used_;
  std::vector<double> factors_;
};

std::size_t count_of_changes(const LassoPoint& a, const LassoPoint& b) {
  std::size_t changes = 0;
  for (std::size_t j = 0; j < a.slopes.size(); ++j) {
    changes += (a.slopes[j] != 0) != (b.slopes[j] != 0) ? 1 : 0;
  }
  return changes;
}

// Points between two neighbours, so that active columns change one at a time.
void add_between(const Lasso& lasso, const LassoPoint& high, const LassoPoint& low, int depth,
                 std::vector<LassoPoint>& path) {
  if (depth == most_bisections || count_of_changes(high, low) < 2) return;
  const LassoPoint middle = lasso.solve(std::sqrt(high.lambda * low.lambda), high);
  add_between(lasso, high, middle, depth + 1, path);
  path.push_back(middle);
  add_between(lasso, middle, low, depth + 1, path);
}

}  // namespace

std::vector<std::size_t> LassoPoint::active() const {
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < slopes.size(); ++j) {
    if (slopes[j] != 0) columns.push_back(j);
  }
  return columns;
}

LogisticFit LassoPoint::fit() const {
  LogisticFit fit;
  fit.used = active();
  fit.intercept = intercept;
  fit.deviance = deviance;
  for (const std::size_t j : fit.used) fit.slopes.push_back(slopes[j]);
  return fit;
}

std::vector<LassoPoint> lasso_path(const StandardRows& rows, std::span<const std::uint8_t> y,
                                   std::span<const std::size_t> used, const LassoRules& rules) {
  const Lasso lasso(rows, y, used, rules);
  std::vector<LassoPoint> path{lasso.without_columns()};
  const double largest = path[0].lambda, all = path[0].deviance;
  if (!(largest > 0)) return path;
  const double ratio = std::pow(rules.least_lambda, 1.0 / static_cast<double>(rules.n_lambdas - 1));
  double lambda = largest;
  for (std::size_t i = 1; i < rules.n_lambdas; ++i) {
    rules.poll();
    lambda *= ratio;
    const LassoPoint last = path.back();
    const LassoPoint next = lasso.solve(lambda, last);
    if (rules.one_at_a_time) add_between(lasso, last, next, 0, path);
    path.push_back(next);
    if (next.deviance < rules.least_deviance * all) break;
  }
  return path;
}

LassoPoint squeeze(const StandardRows& rows, std::span<const std::uint8_t> y,
                   std::span<const LassoPoint> path, double share) {
  const auto length = [](const LassoPoint& point) {
    double sum = 0.0;
    for (const double slope : point.slopes) sum += std::abs(slope);
    return sum;
  };
  const double wanted = share * length(path.back());
  const auto after = std::ranges::find_if(
      path, [&](const LassoPoint& point) { return length(point) > wanted * (1 + 1e-12); });
  if (after == path.end()) return path.back();
  if (after == path.begin()) return *after;
  const LassoPoint& low = *(after - 1);
  const double part = (wanted - length(low)) / (length(*after) - length(low));
  LassoPoint point = low;
  for (std::size_t j = 0; j < point.slopes.size(); ++j) {
    point.slopes[j] += part * (after->slopes[j] - low.slopes[j]);
  }
  point.intercept += part * (after->intercept - low.intercept);
  const std::vector<std::size_t> used = point.active();
  const std::size_t k = used.size();
  const std::vector<double> slopes = point.fit().slopes;
  for (int step = 0; step < most_steps; ++step) {
    const LogisticPoint here = logistic_point(rows, y, used, slopes, point.intercept);
    point.deviance = 2.0 * here.loss;
    const double by = here.gradient[k] / here.curvature[k * (k + 1) + k];
    if (!(std::abs(by) > 1e-12 * (1.0 + std::abs(point.intercept)))) break;
    point.intercept -= std::clamp(by, -1.0, 1.0);
  }
  return point;
}

}  // namespace treewright
