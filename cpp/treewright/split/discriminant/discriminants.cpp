#include "treewright/split/discriminant/discriminants.hpp"

#include <algorithm>
#include <cmath>

#include "treewright/base/lapack.hpp"
#include "treewright/split/discriminant/direction.hpp"

namespace treewright {

namespace {

constexpr double zero_eigenvalue = 1e-9;
constexpr double ridge = 1e-3;
constexpr double rounding = 1e-9;

// m directions with total variance 1 each: component e of a row is
// sum basis[e * k + i] (x_i - centre_i).
struct Components {
  std::size_t m = 0, k = 0;
  std::vector<double> basis;
  std::vector<double> within;  // covariance, m x m
  std::vector<double> scales;  // of the columns, 1 / standard deviation; 0 without spread

  // B M B' for a k x k matrix.
  std::vector<double> of_matrix(std::span<const double> matrix) const {
    std::vector<double> half(m * k, 0.0), whole(m * m, 0.0);
    for (std::size_t e = 0; e < m; ++e) {
      for (std::size_t i = 0; i < k; ++i) {
        for (std::size_t j = 0; j < k; ++j) {
          half[e * k + j] += basis[e * k + i] * matrix[i * k + j];
        }
      }
      for (std::size_t f = 0; f < m; ++f) {
        for (std::size_t j = 0; j < k; ++j) whole[e * m + f] += half[e * k + j] * basis[f * k + j];
      }
    }
    return whole;
  }

  // Coefficients of the columns for coefficients of the components; what is rounding is 0.
  std::vector<double> of_columns(std::span<const double> coefficients) const {
    std::vector<double> result(k, 0.0);
    for (std::size_t e = 0; e < m; ++e) {
      for (std::size_t i = 0; i < k; ++i) result[i] += coefficients[e] * basis[e * k + i];
    }
    double largest = 0.0;
    for (std::size_t i = 0; i < k; ++i) {
      if (scales[i] > 0) largest = std::max(largest, std::abs(result[i]) / scales[i]);
    }
    for (std::size_t i = 0; i < k; ++i) {
      if (!(std::abs(result[i]) > rounding * largest * scales[i])) result[i] = 0.0;
    }
    return result;
  }
};

Components components_of(const ClassScatter& scatter, double least_share) {
  Components components;
  const std::size_t k = scatter.columns.size();
  components.k = k;
  const double n_classes = static_cast<double>(scatter.n_classes_present());
  if (k == 0 || n_classes < 2 || !(scatter.n_rows > n_classes + limit_slack)) return components;
  std::vector<double> total = scatter.between();
  for (std::size_t i = 0; i < k * k; ++i) total[i] += scatter.within[i];
  const std::vector<double> centre = scatter.centre();
  std::vector<double>& scales = components.scales;
  scales.assign(k, 0.0);
  for (std::size_t i = 0; i < k; ++i) {
    const double variance = total[i * k + i] / scatter.weight();
    if (!std::isfinite(variance)) return components;
    if (variance > 1e-28 * centre[i] * centre[i]) scales[i] = 1.0 / std::sqrt(variance);
  }
  std::vector<double> vectors(k * k), values(k);
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      vectors[i * k + j] = total[i * k + j] / scatter.weight() * scales[i] * scales[j];
    }
  }
  lapack::symmetric_eigen(vectors, values);
  const double least = std::max(least_share, least_component) * values[k - 1];
  for (std::size_t e = k; e-- > 0 && values[e] > least;) {
    for (std::size_t i = 0; i < k; ++i) {
      components.basis.push_back(vectors[e * k + i] * scales[i] / std::sqrt(values[e]));
    }
    ++components.m;
  }
  components.within = components.of_matrix(scatter.within);
  const double divisor = scatter.weight() * (1 - n_classes / scatter.n_rows);
  for (double& cell : components.within) cell /= divisor;
  std::vector<double> spectrum = components.within, spread(components.m);
  if (components.m == 0) return components;
  lapack::symmetric_eigen(spectrum, spread);
  if (!(spread.front() > zero_eigenvalue * spread.back())) {
    for (std::size_t e = 0; e < components.m; ++e) components.within[e * components.m + e] += ridge;
  }
  return components;
}

}  // namespace

ClassScores class_scores(const ClassScatter& scatter, double least_share) {
  const Components components = components_of(scatter, least_share);
  const std::size_t k = components.k, m = components.m;
  ClassScores scores;
  if (m == 0) return scores;
  const std::vector<double> centre = scatter.centre();
  for (std::size_t c = 0; c < scatter.weights.size(); ++c) {
    if (!(scatter.weights[c] > 0)) continue;
    std::vector<double> mean(m, 0.0);
    for (std::size_t e = 0; e < m; ++e) {
      for (std::size_t i = 0; i < k; ++i) {
        mean[e] += components.basis[e * k + i] * (scatter.means[c * k + i] - centre[i]);
      }
    }
    std::vector<double> matrix = components.within, solution = mean;
    if (!lapack::solve_positive(matrix, solution)) return {};
    double intercept = std::log(scatter.weights[c] / scatter.weight());
    for (std::size_t e = 0; e < m; ++e) intercept -= solution[e] * mean[e] / 2;
    const std::vector<double> coefficients = components.of_columns(solution);
    for (std::size_t i = 0; i < k; ++i) intercept -= coefficients[i] * centre[i];
    scores.classes.push_back(static_cast<std::int32_t>(c));
    scores.rows.insert(scores.rows.end(), coefficients.begin(), coefficients.end());
    scores.rows.push_back(intercept);
  }
  const bool is_usable =
      std::ranges::all_of(scores.rows, [](double number) { return std::isfinite(number); });
  return is_usable ? scores : ClassScores{};
}

std::vector<double> largest_discriminant(const ClassScatter& scatter, double least_share) {
  const Components components = components_of(scatter, least_share);
  if (components.m == 0) return {};
  const std::vector<double> along =
      leading_discriminant(components.of_matrix(scatter.between()), components.within);
  if (along.empty()) return {};
  std::vector<double> direction = components.of_columns(along);
  const auto lead = std::ranges::find_if(direction, [](double w) { return w != 0.0; });
  if (lead == direction.end()) return {};
  const bool flip = *lead < 0;
  for (double& w : direction) {
    if (!std::isfinite(w)) return {};
    if (flip) w = -w;
  }
  return direction;
}

}  // namespace treewright
