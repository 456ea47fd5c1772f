// Logistic regression with a trace of ridge: the fit that ideal splits come from.
//
// Over intercept b0 and slopes b on standardised columns z, with y in {0, 1} and weights w,
//
//   F = sum w [ log(1 + exp(eta)) - y eta ] + tau/2 sum b_j^2,     eta = b0 + sum b_j z_j
//
// is minimised by damped Newton steps. With many rows the fit of every eighth is the start, so that
// two or three steps over all rows are enough. The ridge makes the minimum unique also where the
// groups can be separated, so that the same rows give the same split on any machine.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/split/rows/standard_rows.hpp"

namespace treewright {

// A slope of less, in log-odds a standard deviation of its column, is rounding.
inline constexpr double least_log_odds = 1e-9;

struct LogisticFit {
  std::vector<std::size_t> used;  // positions among the columns of the rows, ascending
  double intercept = 0.0;
  std::vector<double> slopes;  // of the columns used
  double objective = 0.0;      // F
  double deviance = 0.0;       // 2 F without the ridge
  bool converged = false;
  std::int32_t iterations = 0;
  std::vector<double> curvature;  // of F, row by row; the intercept is the last
};

// What F is at a point, with its derivatives; the curvature may be left out.
struct LogisticPoint {
  double loss = 0.0;              // without the ridge
  std::vector<double> gradient;   // likewise; the intercept is the last
  std::vector<double> curvature;  // lower triangle, likewise
};
LogisticPoint logistic_point(const StandardRows& rows, std::span<const std::uint8_t> y,
                             std::span<const std::size_t> used, std::span<const double> slopes,
                             double intercept, bool with_curvature = true);

// `y` is by position in the rows. The fit starts at `start`, if given, which has the same columns.
LogisticFit fit_ridge_logistic(const StandardRows& rows, std::span<const std::uint8_t> y,
                               std::vector<std::size_t> used, double tau,
                               const LogisticFit* start = nullptr);

// The fit without the column at position `out` of those used, to first order: a start for fitting
// it, and the deviance it costs, b_j^2 / (H^-1)_jj.
struct Without {
  LogisticFit start;
  double cost = 0.0;
};
std::vector<Without> without_each(const LogisticFit& fit);

}  // namespace treewright
