#include "treewright/split/machine/multinomial.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "treewright/base/lapack.hpp"
#include "treewright/base/lbfgs.hpp"
#include "treewright/split/logistic/ridge.hpp"

namespace treewright {

namespace {

constexpr int most_steps = 100;
constexpr int most_halvings = 40;
constexpr double enough_descent = 1e-4;    // of what the slope promises
constexpr double close_decrement = 1e-9;   // of F: Newton's step needs no check any more
constexpr double least_decrement = 1e-20;  // of F
constexpr double solved = 1e-3;            // of the gradient, in the norm of the preconditioner

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// L y = r, then L' x = y; L stands in the upper triangle of `factor`, read row by row.
void solve_factored(std::span<const double> factor, std::span<double> right) {
  const std::size_t n = right.size();
  for (std::size_t i = 0; i < n; ++i) {
    right[i] /= factor[i * n + i];
    for (std::size_t j = i + 1; j < n; ++j) right[j] -= factor[i * n + j] * right[i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) right[i] -= factor[i * n + j] * right[j];
    right[i] /= factor[i * n + i];
  }
}

class Fit {
 public:
  Fit(const StandardRows& rows, std::span<const std::int32_t> labels, std::size_t n_classes,
      double tau, const std::function<void()>& poll)
      : poll_(poll),
        rows_(rows),
        labels_(labels),
        n_classes_(n_classes),
        width_(rows.n_columns() + 1),
        ridge_(n_classes == 2 ? 2 * tau : tau),  // b_1 = -b_0: 2 tau (b_0^2 + b_1^2) / 2
        weights_(n_classes * width_, 0.0),
        probabilities_(n_classes * rows.n_blocks() * rows.block_size, 0.0) {}

  MultinomialFit run() {
    start_at_the_shares();
    MultinomialFit fit;
    double objective = read(weights_);
    for (int step = 0; step < most_steps && !fit.converged; ++step) {
      const std::vector<double> direction = newton_direction();
      const double decrement = dot(direction, gradient_), size = std::abs(objective) + 1e-3;
      if (!(decrement > 0) || !std::isfinite(decrement)) break;
      const bool is_close = decrement < close_decrement * size;
      std::vector<double> to = weights_;
      double there = objective, length = 1.0;
      bool descends = false;
      for (int halving = 0; halving < most_halvings && !descends; ++halving, length /= 2) {
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = weights_[i] - length * direction[i];
        there = read(to);
        descends = is_close || there <= objective - enough_descent * length * decrement;
      }
      if (!descends) break;
      weights_ = std::move(to);
      objective = there;
      fit.converged = decrement / 2 < least_decrement * size;
    }
    drop_rounding();
    fit.weights = std::move(weights_);
    fit.objective = objective;
    return fit;
  }

  MultinomialFit run_roughly(double tolerance) {
    start_at_the_shares();
    const Smooth function = [&](std::span<const double> at, std::span<double> gradient) {
      const double loss = read(at);
      std::ranges::copy(gradient_, gradient.begin());
      return loss;
    };
    Minimum found = minimum_of(function, std::move(weights_), {most_steps, tolerance});
    return {std::move(found.at), found.value, found.converged};
  }

 private:
  std::span<const double> of_class(std::span<const double> vector, std::size_t k) const {
    return vector.subspan(k * width_, width_);
  }
  std::span<double> probabilities(std::size_t block, std::size_t k) {
    const std::size_t size = rows_.block_size;
    return std::span(probabilities_)
        .subspan((block * n_classes_ + k) * size, rows_.rows_of_block(block));
  }

  void start_at_the_shares() {
    std::vector<double> shares(n_classes_, 0.0);
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      shares[static_cast<std::size_t>(labels_[i])] += rows_.weights[i];
    }
    double mean = 0.0;
    for (const double share : shares) mean += std::log(share) / static_cast<double>(n_classes_);
    for (std::size_t k = 0; k < n_classes_; ++k) {
      weights_[(k + 1) * width_ - 1] = std::log(shares[k]) - mean;
    }
  }

  // Classes of the same mean have slopes that are nothing but rounding, and would part by it.
  void drop_rounding() {
    for (std::size_t at = 0; at < weights_.size(); ++at) {
      const bool is_slope = at % width_ + 1 < width_;
      if (is_slope && std::abs(weights_[at]) <= least_log_odds) weights_[at] = 0.0;
    }
  }

  // scores[i] = the linear score of a class at the rows of a block.
  void add_scores(std::size_t block, std::span<const double> coefficients,
                  std::span<double> scores) const {
    std::ranges::fill(scores, coefficients.back());
    for (std::size_t j = 0; j + 1 < width_; ++j) {
      const auto z = rows_.column(block, j);
      for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += coefficients[j] * z[i];
    }
  }

  // sums += Z' values over the rows of a block; the intercept is the last.
  void add_products(std::size_t block, std::span<const double> values,
                    std::span<double> sums) const {
    for (std::size_t j = 0; j + 1 < width_; ++j) sums[j] += dot(values, rows_.column(block, j));
    sums[width_ - 1] = std::accumulate(values.begin(), values.end(), sums[width_ - 1]);
  }

  // F, and with it the probabilities and the gradient.
  double read(std::span<const double> weights) {
    double loss = ridge_term(weights);
    gradient_.assign(weights.size(), 0.0);
    for (std::size_t b = 0; b < rows_.n_blocks(); ++b) {
      poll_();
      const std::size_t n = rows_.rows_of_block(b), begin = b * rows_.block_size;
      for (std::size_t k = 0; k < n_classes_; ++k) {
        add_scores(b, of_class(weights, k), probabilities(b, k));
      }
      for (std::size_t i = 0; i < n; ++i) {
        double largest = probabilities(b, 0)[i], sum = 0.0;
        for (std::size_t k = 1; k < n_classes_; ++k) {
          largest = std::max(largest, probabilities(b, k)[i]);
        }
        const auto label = static_cast<std::size_t>(labels_[begin + i]);
        const double own = probabilities(b, label)[i] - largest;
        for (std::size_t k = 0; k < n_classes_; ++k) {
          double& p = probabilities(b, k)[i];
          p = std::exp(p - largest);
          sum += p;
        }
        for (std::size_t k = 0; k < n_classes_; ++k) probabilities(b, k)[i] /= sum;
        loss += rows_.weights[begin + i] * (std::log(sum) - own);
      }
      std::vector<double> rest(n);
      for (std::size_t k = 0; k < n_classes_; ++k) {
        for (std::size_t i = 0; i < n; ++i) {
          const bool is_own = static_cast<std::size_t>(labels_[begin + i]) == k;
          rest[i] = rows_.weights[begin + i] * (probabilities(b, k)[i] - (is_own ? 1.0 : 0.0));
        }
        add_products(b, rest, std::span(gradient_).subspan(k * width_, width_));
      }
    }
    add_ridge(weights, gradient_);
    return loss;
  }

  double ridge_term(std::span<const double> weights) const {
    double sum = 0.0;
    for (std::size_t at = 0; at < weights.size(); ++at) {
      if (at % width_ + 1 < width_) sum += weights[at] * weights[at];
    }
    return ridge_ / 2 * sum;
  }

  // What the ridge adds to a product with the curvature. Scores may all be raised alike: the square
  // of the sum of intercepts is charged too, which is 0 at the start and stays so.
  void add_ridge(std::span<const double> vector, std::span<double> to) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < n_classes_; ++k) sum += vector[(k + 1) * width_ - 1];
    for (std::size_t at = 0; at < vector.size(); ++at) {
      to[at] += at % width_ + 1 < width_ ? ridge_ * vector[at] : sum;
    }
  }

  // With scores s of the vector, u_ik = w_i p_ik (s_ik - sum_l p_il s_il): the product is Z' u.
  std::vector<double> times_curvature(std::span<const double> vector) {
    std::vector<double> product(vector.size(), 0.0), mean(rows_.block_size);
    std::vector<double> scores(n_classes_ * rows_.block_size);
    for (std::size_t b = 0; b < rows_.n_blocks(); ++b) {
      poll_();
      const std::size_t n = rows_.rows_of_block(b), begin = b * rows_.block_size;
      std::ranges::fill(mean, 0.0);
      for (std::size_t k = 0; k < n_classes_; ++k) {
        const auto own = std::span(scores).subspan(k * rows_.block_size, n);
        add_scores(b, of_class(vector, k), own);
        const auto p = probabilities(b, k);
        for (std::size_t i = 0; i < n; ++i) mean[i] += p[i] * own[i];
      }
      for (std::size_t k = 0; k < n_classes_; ++k) {
        const auto own = std::span(scores).subspan(k * rows_.block_size, n);
        const auto p = probabilities(b, k);
        for (std::size_t i = 0; i < n; ++i) {
          own[i] = rows_.weights[begin + i] * p[i] * (own[i] - mean[i]);
        }
        add_products(b, own, std::span(product).subspan(k * width_, width_));
      }
    }
    add_ridge(vector, product);
    return product;
  }

  // The curvature of each class by itself, factored.
  std::vector<std::vector<double>> class_factors() {
    std::vector<std::vector<double>> factors;
    std::vector<double> values(rows_.block_size * width_);
    for (std::size_t k = 0; k < n_classes_; ++k) {
      poll_();
      std::vector<double> matrix(width_ * width_, 0.0);
      for (std::size_t b = 0; b < rows_.n_blocks(); ++b) {
        const std::size_t n = rows_.rows_of_block(b), begin = b * rows_.block_size;
        const Panel panel{values, rows_.block_size, n, width_};
        const auto p = probabilities(b, k), root = panel.column(width_ - 1);
        for (std::size_t i = 0; i < n; ++i) {
          root[i] = std::sqrt(rows_.weights[begin + i] * p[i] * (1.0 - p[i]));
        }
        for (std::size_t j = 0; j + 1 < width_; ++j) {
          const auto z = rows_.column(b, j);
          const auto scaled = panel.column(j);
          for (std::size_t i = 0; i < n; ++i) scaled[i] = root[i] * z[i];
        }
        add_cross_products(panel, matrix);
      }
      for (std::size_t j = 0; j < width_; ++j) {
        matrix[j * width_ + j] += j + 1 < width_ ? ridge_ : 1.0;
      }
      mirror(matrix, width_);
      std::vector<double> unused(width_, 0.0);
      if (!lapack::solve_positive(matrix, unused)) return {};
      factors.push_back(std::move(matrix));
    }
    return factors;
  }

  // Curvature times direction = gradient, by preconditioned conjugate gradients.
  std::vector<double> newton_direction() {
    const std::vector<std::vector<double>> factors = class_factors();
    const auto preconditioned = [&](std::vector<double> vector) {
      for (std::size_t k = 0; k < factors.size(); ++k) {
        solve_factored(factors[k], std::span(vector).subspan(k * width_, width_));
      }
      return vector;
    };
    std::vector<double> direction(gradient_.size(), 0.0), residual = gradient_;
    std::vector<double> rest = preconditioned(residual), along = rest;
    double size = dot(residual, rest);
    const double target = solved * solved * size;
    for (std::size_t pass = 0; pass < 2 * gradient_.size() + 10 && size > target; ++pass) {
      const std::vector<double> bent = times_curvature(along);
      const double length = size / dot(along, bent);
      for (std::size_t i = 0; i < direction.size(); ++i) {
        direction[i] += length * along[i];
        residual[i] -= length * bent[i];
      }
      rest = preconditioned(residual);
      const double next = dot(residual, rest);
      for (std::size_t i = 0; i < along.size(); ++i) along[i] = rest[i] + next / size * along[i];
      size = next;
    }
    return direction;
  }

  const std::function<void()>& poll_;
  const StandardRows& rows_;
  std::span<const std::int32_t> labels_;
  std::size_t n_classes_, width_;
  double ridge_;
  std::vector<double> weights_, gradient_;
  std::vector<double> probabilities_;  // of block b: class k from (b * classes + k) * block_size on
};

}  // namespace

MultinomialFit fit_multinomial(const StandardRows& rows, std::span<const std::int32_t> labels,
                               std::size_t n_classes, double tau,
                               const std::function<void()>& poll) {
  return Fit(rows, labels, n_classes, tau, poll).run();
}

MultinomialFit fit_multinomial_roughly(const StandardRows& rows,
                                       std::span<const std::int32_t> labels, std::size_t n_classes,
                                       double tau, double tolerance,
                                       const std::function<void()>& poll) {
  return Fit(rows, labels, n_classes, tau, poll).run_roughly(tolerance);
}

}  // namespace treewright
