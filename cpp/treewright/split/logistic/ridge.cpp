#include "treewright/split/logistic/ridge.hpp"

#include <algorithm>
#include <cmath>

#include "treewright/base/lapack.hpp"

namespace treewright {

namespace {

constexpr int most_steps = 50;
constexpr int most_halvings = 30;
constexpr double enough_descent = 1e-4;  // of what the slope promises
constexpr double least_decrement = 1e-13;
constexpr double close_decrement = 1e-6;  // of F: the curvature hardly changes any more
constexpr std::size_t many_rows = 4096;
constexpr std::size_t coarseness = 8;
constexpr double diagonal = 1e-12;  // keeps the curvature positive

double ridge_of(double tau, std::span<const double> slopes) {
  double sum = 0.0;
  for (const double b : slopes) sum += b * b;
  return tau / 2 * sum;
}

// Solves (curvature + ridge) step = gradient; empty if that fails.
std::vector<double> solve(std::span<const double> curvature, std::vector<double> right) {
  std::vector<double> matrix(curvature.begin(), curvature.end());
  mirror(matrix, right.size());
  if (!lapack::solve_positive(matrix, right)) right.clear();
  return right;
}

double log_odds_of(const StandardRows& rows, std::span<const std::uint8_t> y) {
  double inside = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) inside += y[i] ? rows.weights[i] : 0.0;
  return std::log(inside / (rows.weight - inside));
}

// That of every eighth row; not converged where these are all on one side.
LogisticFit coarse_fit(const StandardRows& rows, std::span<const std::uint8_t> y,
                       const std::vector<std::size_t>& used, double tau) {
  const StandardRows some = every_nth(rows, coarseness);
  std::vector<std::uint8_t> sides;
  for (std::size_t i = 0; i < rows.n_rows(); i += coarseness) sides.push_back(y[i]);
  if (!std::isfinite(log_odds_of(some, sides))) return {};
  return fit_ridge_logistic(some, sides, used, tau);
}

}  // namespace

LogisticPoint logistic_point(const StandardRows& rows, std::span<const std::uint8_t> y,
                             std::span<const std::size_t> used, std::span<const double> slopes,
                             double intercept, bool with_curvature) {
  const std::size_t k = used.size(), size = rows.block_size;
  LogisticPoint point;
  point.gradient.assign(k + 1, 0.0);
  if (with_curvature) point.curvature.assign((k + 1) * (k + 1), 0.0);
  std::vector<double> scores(size), rest(size), root(size), panel_values(size * (k + 1));
  for (std::size_t b = 0; b < rows.n_blocks(); ++b) {
    const std::size_t n = rows.rows_of_block(b), begin = b * size;
    std::fill_n(scores.begin(), n, intercept);
    for (std::size_t j = 0; j < k; ++j) {
      const auto z = rows.column(b, used[j]);
      for (std::size_t i = 0; i < n; ++i) scores[i] += slopes[j] * z[i];
    }
    double product = 1.0;
    for (std::size_t i = 0; i < n; ++i) {
      const double eta = scores[i], w = rows.weights[begin + i];
      const double e = std::exp(-std::abs(eta)), p = (eta >= 0 ? 1.0 : e) / (1.0 + e);
      const bool inside = y[begin + i] != 0;
      // log(1 + exp(eta)) - y eta without overflow
      point.loss += (eta >= 0) == inside ? 0.0 : w * std::abs(eta);
      if (w == 1.0) {
        product *= 1.0 + e;  // at most 2, so that a block of rows does not overflow
      } else {
        point.loss += w * std::log1p(e);
      }
      rest[i] = w * (p - (inside ? 1.0 : 0.0));
      root[i] = std::sqrt(w * e) / (1.0 + e);
      point.gradient[k] += rest[i];
    }
    point.loss += std::log(product);
    const Panel panel{panel_values, size, n, k + 1};
    for (std::size_t j = 0; j < k; ++j) {
      const auto z = rows.column(b, used[j]);
      double sum = 0.0;
      for (std::size_t i = 0; i < n; ++i) sum += rest[i] * z[i];
      point.gradient[j] += sum;
      if (!with_curvature) continue;
      const auto scaled = panel.column(j);
      for (std::size_t i = 0; i < n; ++i) scaled[i] = root[i] * z[i];
    }
    if (!with_curvature) continue;
    std::copy_n(root.begin(), n, panel.column(k).begin());
    add_cross_products(panel, point.curvature);
  }
  return point;
}

LogisticFit fit_ridge_logistic(const StandardRows& rows, std::span<const std::uint8_t> y,
                               std::vector<std::size_t> used, double tau,
                               const LogisticFit* start) {
  const std::size_t k = used.size();
  LogisticFit fit, coarse;
  if (!start && rows.n_rows() >= many_rows) {
    coarse = coarse_fit(rows, y, used, tau);
    if (coarse.converged) start = &coarse;
  }
  fit.intercept = start ? start->intercept : log_odds_of(rows, y);
  fit.slopes = start ? start->slopes : std::vector<double>(k, 0.0);
  fit.used = std::move(used);
  LogisticPoint point = logistic_point(rows, y, fit.used, fit.slopes, fit.intercept);
  while (true) {
    fit.objective = point.loss + ridge_of(tau, fit.slopes);
    fit.deviance = 2.0 * point.loss;
    for (std::size_t j = 0; j < k; ++j) point.gradient[j] += tau * fit.slopes[j];
    if (!point.curvature.empty()) {  // else that of the last point is near enough
      fit.curvature = std::move(point.curvature);
      for (std::size_t j = 0; j <= k; ++j) {
        fit.curvature[j * (k + 1) + j] += diagonal + (j < k ? tau : 0.0);
      }
    }
    const std::vector<double> step = solve(fit.curvature, point.gradient);
    if (step.empty()) return fit;
    double decrement = 0.0;
    for (std::size_t j = 0; j <= k; ++j) decrement += step[j] * point.gradient[j];
    const auto moved = [&](double length) {
      LogisticFit to = fit;
      for (std::size_t j = 0; j < k; ++j) to.slopes[j] -= length * step[j];
      to.intercept -= length * step[k];
      return to;
    };
    if (decrement / 2 < least_decrement * (std::abs(fit.objective) + 1e-3)) {
      fit = moved(1.0);  // what is left is far below rounding of the deviance
      fit.converged = true;
      return fit;
    }
    if (fit.iterations == most_steps) return fit;
    const bool is_close = decrement < close_decrement * std::abs(fit.objective);
    double length = 1.0;
    for (int halving = 0;; ++halving, length /= 2) {
      if (halving == most_halvings) return fit;
      LogisticFit to = moved(length);
      LogisticPoint there = logistic_point(rows, y, to.used, to.slopes, to.intercept, !is_close);
      const double objective = there.loss + ridge_of(tau, to.slopes);
      if (objective > fit.objective - enough_descent * length * decrement) continue;
      fit = std::move(to);
      point = std::move(there);
      break;
    }
    ++fit.iterations;
  }
}

std::vector<Without> without_each(const LogisticFit& fit) {
  const std::size_t k = fit.used.size();
  std::vector<Without> all;
  for (std::size_t out = 0; out < k; ++out) {
    std::vector<double> unit(k + 1, 0.0);
    unit[out] = 1.0;
    const std::vector<double> inverse = solve(fit.curvature, std::move(unit));
    Without one;
    if (inverse.empty()) {
      one.start.slopes = fit.slopes;
      one.start.intercept = fit.intercept;
    } else {
      const double ratio = fit.slopes[out] / inverse[out];
      one.cost = fit.slopes[out] * ratio;
      for (std::size_t j = 0; j < k; ++j) {
        one.start.slopes.push_back(fit.slopes[j] - ratio * inverse[j]);
      }
      one.start.intercept = fit.intercept - ratio * inverse[k];
    }
    one.start.slopes.erase(one.start.slopes.begin() + static_cast<std::ptrdiff_t>(out));
    one.start.used = fit.used;
    one.start.used.erase(one.start.used.begin() + static_cast<std::ptrdiff_t>(out));
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace treewright
