// Multinomial logistic regression with a ridge.
//
// Over a score eta_k = b_k0 + sum b_kj z_j a class, with standardised columns z, weights w and
// class c_i of row i,
//
//   F = sum w_i [ log(sum_k exp(eta_ik)) - eta_i,c_i ] + tau/2 sum_k sum_j b_kj^2
//
// is minimised; intercepts are free, and add up to 0. Of two classes only the difference of the
// scores is charged, tau/2 sum_j (b_1j - b_0j)^2, so that the fit is that of logistic regression.
//
// The steps are Newton's, each found by conjugate gradients to a thousandth, with the curvature of
// each class by itself as the preconditioner. The whole curvature, (classes * columns)^2 numbers,
// is never made: 30 classes on 100 columns are no problem.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "treewright/split/rows/standard_rows.hpp"

namespace treewright {

struct MultinomialFit {
  std::vector<double> weights;  // a row a class: one number a column, then the intercept
  double objective = 0.0;       // F
  bool converged = false;
};

// `labels` are by position in the rows, 0 to n_classes - 1, each of them there. `poll` is called
// between pieces of work, and ends the fit by what it throws.
MultinomialFit fit_multinomial(const StandardRows& rows, std::span<const std::int32_t> labels,
                               std::size_t n_classes, double tau,
                               const std::function<void()>& poll);

// The same by L-BFGS, ended where the gradient is a share `tolerance` of that at equal scores:
// quicker where nobody asks for the last digits.
MultinomialFit fit_multinomial_roughly(const StandardRows& rows,
                                       std::span<const std::int32_t> labels, std::size_t n_classes,
                                       double tau, double tolerance,
                                       const std::function<void()>& poll);

}  // namespace treewright
