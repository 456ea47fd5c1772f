#include "treewright/split/logistic/models.hpp"

#include <cmath>
#include <numeric>

#include "treewright/base/decimal.hpp"
#include "treewright/split/logistic/irls.hpp"

namespace treewright {

namespace {

constexpr double boundary = 1e-9;  // of the spread of scores: rows so near lie on the boundary
constexpr int bits = 36;           // of a number, or of the spread of scores, that are kept

// From slopes of standardised columns to those of the columns themselves.
LogisticFit in_units_of(const StandardRows& rows, LogisticFit fit) {
  for (std::size_t i = 0; i < fit.used.size(); ++i) {
    fit.slopes[i] /= rows.scale[fit.used[i]];
    fit.intercept -= fit.slopes[i] * rows.mean[fit.used[i]];
  }
  return fit;
}

}  // namespace

LogisticModels::LogisticModels(const Table& table, std::span<const std::int32_t> columns,
                               std::span<const std::uint32_t> ids, std::span<const double> weights,
                               LogisticSolver solver, double tau, double unit)
    : table_(table),
      solver_(solver),
      tau_(tau),
      rows_(standard_rows(table, columns, ids, weights)) {
  if (unit == 1.0) return;
  for (double& weight : rows_.weights) weight *= unit;
  rows_.weight *= unit;
}

std::vector<std::size_t> LogisticModels::all_columns() const {
  std::vector<std::size_t> all(rows_.n_columns());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

LogisticFit LogisticModels::fit(std::vector<std::size_t> used, const LogisticFit* start) const {
  if (solver_ == LogisticSolver::ridge) {
    return fit_ridge_logistic(rows_, y_, std::move(used), tau_, start);
  }
  std::vector<std::int32_t> columns;
  for (const std::size_t j : used) columns.push_back(rows_.columns[j]);
  IrlsFit found = fit_irls_logistic(table_, columns, rows_.ids, rows_.weights, y_);
  LogisticFit fit;
  fit.used = std::move(used);
  fit.intercept = found.intercept;
  fit.slopes = std::move(found.slopes);
  fit.objective = found.deviance / 2;
  fit.deviance = found.deviance;
  fit.converged = found.converged;
  fit.iterations = found.iterations;
  return fit;
}

std::size_t LogisticModels::rank(const LogisticFit& fit) const {
  std::size_t rank = 1;
  for (const double slope : fit.slopes) rank += slope != 0 ? 1 : 0;
  return rank;
}

double LogisticModels::criterion(const LogisticFit& fit, double k) const {
  return fit.deviance + k * static_cast<double>(rank(fit));
}

LogisticFit LogisticModels::original(const LogisticFit& fit) const {
  return solver_ == LogisticSolver::irls ? fit : in_units_of(rows_, fit);
}

LogisticFit LogisticModels::from_standard(LogisticFit fit) const {
  return solver_ == LogisticSolver::irls ? in_units_of(rows_, std::move(fit)) : fit;
}

Test LogisticModels::test_of(const LogisticFit& fit) const {
  const LogisticFit plain = original(fit);
  std::vector<std::int32_t> columns;
  std::vector<double> slopes;
  double spread = 0.0, threshold = -plain.intercept;
  for (std::size_t i = 0; i < plain.used.size(); ++i) {
    const std::size_t column = plain.used[i];
    if (std::abs(plain.slopes[i]) * rows_.scale[column] <= least_log_odds) continue;
    // The same rows in another order have slopes that differ in the last digits.
    const double slope = without_rounding(plain.slopes[i], bits);
    threshold += (slope - plain.slopes[i]) * rows_.mean[column];
    columns.push_back(rows_.columns[column]);
    slopes.push_back(slope);
    spread += std::abs(slope) * rows_.scale[column];
  }
  if (columns.empty() || !std::isfinite(threshold) || !std::isfinite(spread)) return {};
  const bool is_axis = columns.size() == 1;
  if (is_axis) {
    threshold /= slopes[0];
    spread /= std::abs(slopes[0]);
  }
  const double step = std::ldexp(1.0, binary_exponent(spread) - bits);
  threshold = std::round((threshold - boundary * spread) / step) * step;
  return is_axis ? axis_test(columns[0], threshold) : linear_test(columns, slopes, threshold);
}

}  // namespace treewright
