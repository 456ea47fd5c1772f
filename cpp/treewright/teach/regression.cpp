#include "treewright/teach/regression.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "treewright/base/cross_products.hpp"
#include "treewright/base/error.hpp"
#include "treewright/base/lapack.hpp"
#include "treewright/split/logistic/ridge.hpp"
#include "treewright/split/machine/multinomial.hpp"
#include "treewright/split/rows/blocks.hpp"
#include "treewright/split/rows/standard_rows.hpp"

namespace treewright {

namespace {

constexpr double tolerance = 1e-3;  // closer answers teach no better

StandardRows in_blocks(const TermMatrix& matrix, std::span<const double> weights) {
  const std::size_t k = matrix.n_terms;
  StandardRows rows;
  rows.columns.resize(k);
  std::iota(rows.columns.begin(), rows.columns.end(), 0);
  rows.mean.assign(k, 0.0);
  rows.scale.assign(k, 1.0);
  rows.ids.resize(matrix.n_rows);
  std::iota(rows.ids.begin(), rows.ids.end(), 0U);
  rows.weights.assign(weights.begin(), weights.end());
  rows.weight = std::accumulate(weights.begin(), weights.end(), 0.0);
  rows.block_size = rows_in_block(k + 1);
  rows.values.resize(rows.n_blocks() * rows.block_size * k);
  for (std::size_t b = 0; b < rows.n_blocks(); ++b) {
    for (std::size_t j = 0; j < k; ++j) {
      const auto from = matrix.term(j).subspan(b * rows.block_size, rows.rows_of_block(b));
      std::ranges::copy(from, rows.values.data() + (b * k + j) * rows.block_size);
    }
  }
  return rows;
}

// A score for each row; the intercept is the last of the coefficients.
std::vector<double> scores_of(const TermMatrix& matrix, std::span<const double> coefficients) {
  std::vector<double> scores(matrix.n_rows, coefficients.back());
  for (std::size_t t = 0; t < matrix.n_terms; ++t) {
    const auto values = matrix.term(t);
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += coefficients[t] * values[i];
  }
  return scores;
}

std::vector<double> two_classes(const StandardRows& rows, std::span<const std::int32_t> labels,
                                double ridge, const TermMatrix& asked) {
  const std::vector<std::uint8_t> is_second(labels.begin(), labels.end());
  std::vector<std::size_t> every(asked.n_terms);
  std::iota(every.begin(), every.end(), std::size_t{0});
  const LogisticFit fit = fit_ridge_logistic(rows, is_second, every, ridge);
  std::vector<double> coefficients = fit.slopes;
  coefficients.push_back(fit.intercept);
  std::vector<double> answers;
  for (const double score : scores_of(asked, coefficients)) {
    const double e = std::exp(-std::abs(score)), larger = 1.0 / (1.0 + e), smaller = e * larger;
    answers.push_back(score > 0.0 ? smaller : larger);
    answers.push_back(score > 0.0 ? larger : smaller);
  }
  return answers;
}

}  // namespace

std::vector<double> logistic_answers(const TermMatrix& learned,
                                     std::span<const std::int32_t> labels,
                                     std::span<const double> weights, std::size_t n_classes,
                                     double ridge, const TermMatrix& asked,
                                     const std::function<void()>& poll) {
  const StandardRows rows = in_blocks(learned, weights);
  if (n_classes == 2) return two_classes(rows, labels, ridge, asked);
  const MultinomialFit fit =
      fit_multinomial_roughly(rows, labels, n_classes, ridge, tolerance, poll);
  const std::size_t width = learned.n_terms + 1;
  std::vector<double> answers(asked.n_rows * n_classes);
  for (std::size_t k = 0; k < n_classes; ++k) {
    const auto scores = scores_of(asked, std::span(fit.weights).subspan(k * width, width));
    for (std::size_t i = 0; i < scores.size(); ++i) answers[i * n_classes + k] = scores[i];
  }
  for (std::size_t i = 0; i < asked.n_rows; ++i) {
    const auto row = std::span(answers).subspan(i * n_classes, n_classes);
    const double largest = std::ranges::max(row);
    double sum = 0.0;
    for (double& score : row) sum += score = std::exp(score - largest);
    for (double& score : row) score /= sum;
  }
  return answers;
}

std::vector<double> linear_answers(const TermMatrix& learned, std::span<const double> numbers,
                                   std::span<const double> weights, double ridge,
                                   const TermMatrix& asked) {
  const std::size_t k = learned.n_terms, size = rows_in_block(k + 1);
  const double weight = std::accumulate(weights.begin(), weights.end(), 0.0);
  const auto mean_of = [&](std::span<const double> values) {
    return std::inner_product(values.begin(), values.end(), weights.begin(), 0.0) / weight;
  };
  std::vector<double> means;
  for (std::size_t j = 0; j < k; ++j) means.push_back(mean_of(learned.term(j)));
  means.push_back(mean_of(numbers));
  // The numbers stand as the last column, so that one product has the right side, too.
  const std::size_t width = k + 1;
  std::vector<double> values(size * width), products(width * width, 0.0);
  for (std::size_t begin = 0; begin < learned.n_rows; begin += size) {
    const std::size_t n = std::min(size, learned.n_rows - begin);
    const Panel panel{values, size, n, width};
    for (std::size_t j = 0; j < width; ++j) {
      const auto from = (j < k ? learned.term(j) : numbers).subspan(begin, n);
      const auto to = panel.column(j);
      for (std::size_t i = 0; i < n; ++i) {
        to[i] = std::sqrt(weights[begin + i]) * (from[i] - means[j]);
      }
    }
    add_cross_products(panel, products);
  }
  mirror(products, width);
  std::vector<double> curvature, slopes;
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      curvature.push_back(products[i * width + j] + (i == j ? ridge : 0.0));
    }
    slopes.push_back(products[i * width + k]);
  }
  require(lapack::solve_positive(curvature, slopes), "The terms of a regression are not finite.");
  double intercept = means[k];
  for (std::size_t j = 0; j < k; ++j) intercept -= slopes[j] * means[j];
  slopes.push_back(intercept);
  return scores_of(asked, slopes);
}

}  // namespace treewright
