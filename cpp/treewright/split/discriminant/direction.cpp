#include "treewright/split/discriminant/direction.hpp"

#include <algorithm>
#include <cmath>

#include "treewright/base/lapack.hpp"
#include "treewright/split/method.hpp"

namespace treewright {

namespace {

constexpr double zero_eigenvalue = 1e-9;   // of the largest
constexpr double zero_difference = 1e-7;   // of the whole difference, in the kernel
constexpr double ridge = 1e-3;             // on columns of scatter 1
constexpr double safe_pivot = 1e-6;        // of a Cholesky factor on such columns
constexpr double zero_coefficient = 1e-9;  // of the largest, on such columns

// One over the root of the diagonal; 1 for columns without spread, 0 for those whose squares are
// too large for a sum and which are left out.
std::vector<double> scales_of(std::span<const double> scatter, std::size_t k) {
  std::vector<double> scales(k, 1.0);
  for (std::size_t i = 0; i < k; ++i) {
    const double squares = scatter[i * k + i];
    if (squares > 0) scales[i] = 1.0 / std::sqrt(squares);
    if (!std::isfinite(squares)) scales[i] = 0.0;
  }
  return scales;
}

std::vector<double> scaled(std::span<const double> matrix, const std::vector<double>& scales) {
  const std::size_t k = scales.size();
  std::vector<double> result(k * k);
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      const bool is_used = scales[i] > 0 && scales[j] > 0;
      result[i * k + j] = is_used ? matrix[i * k + j] * scales[i] * scales[j] : i == j;
    }
  }
  return result;
}

void add_ridge(std::vector<double>& matrix, std::size_t k, double amount = ridge) {
  for (std::size_t i = 0; i < k; ++i) matrix[i * k + i] += amount;
}

double norm_of(std::span<const double> vector) {
  double sum = 0.0;
  for (const double x : vector) sum += x * x;
  return std::sqrt(sum);
}

// Coefficients of the columns for those of columns of scatter 1; what is rounding is 0, lest a
// column that says nothing becomes part of a test.
std::vector<double> of_columns(std::vector<double> direction, const std::vector<double>& scales) {
  double largest = 0.0;
  for (const double w : direction) largest = std::max(largest, std::abs(w));
  for (std::size_t i = 0; i < direction.size(); ++i) {
    direction[i] =
        std::abs(direction[i]) <= zero_coefficient * largest ? 0.0 : direction[i] * scales[i];
  }
  return direction;
}

// Solves by Cholesky's factors where they show that the matrix is far from singular.
bool solve_if_regular(std::vector<double> matrix, std::vector<double>& right) {
  const std::size_t k = right.size();
  std::vector<double> solution = right;
  if (!lapack::solve_positive(matrix, solution)) return false;
  for (std::size_t i = 0; i < k; ++i) {
    const double pivot = matrix[i * k + i];
    if (!(pivot * pivot > safe_pivot)) return false;
  }
  right = std::move(solution);
  return true;
}

// A singular or nearly singular C: by its eigenvectors.
std::vector<double> solve_by_parts(std::vector<double> matrix, const std::vector<double>& right,
                                   double n_rows, SmallSample small_sample) {
  const std::size_t k = right.size();
  std::vector<double> vectors = matrix, values(k);
  lapack::symmetric_eigen(vectors, values);
  const double tolerance = zero_eigenvalue * std::max(values[k - 1], 0.0);
  std::vector<double> kernel_part(k, 0.0), range_part(k, 0.0);
  double kernel_spread = 0.0, range_ratio = 0.0;
  for (std::size_t e = 0; e < k; ++e) {
    const auto vector = std::span(vectors).subspan(e * k, k);
    double along = 0.0;
    for (std::size_t i = 0; i < k; ++i) along += vector[i] * right[i];
    const bool is_zero = !(values[e] > tolerance);
    (is_zero ? kernel_spread : range_ratio) +=
        is_zero ? std::max(values[e], 0.0) * along * along : along * along / values[e];
    auto& part = is_zero ? kernel_part : range_part;
    const double factor = is_zero ? along : along / values[e];
    for (std::size_t i = 0; i < k; ++i) part[i] += factor * vector[i];
  }
  const double kernel_size = norm_of(kernel_part);
  if (!(kernel_size > zero_difference * norm_of(right))) return range_part;
  if (!(std::pow(kernel_size, 4) > range_ratio * kernel_spread)) return range_part;
  if (small_sample == SmallSample::null_space || n_rows > static_cast<double>(k) + limit_slack) {
    return kernel_part;
  }
  std::vector<double> solution = right;
  add_ridge(matrix, k);
  lapack::solve_positive(matrix, solution);
  return solution;
}

}  // namespace

std::vector<double> discriminant_direction(std::span<const double> scatter,
                                           std::span<const double> difference, double n_rows,
                                           SmallSample small_sample) {
  const std::size_t k = difference.size();
  const std::vector<double> scales = scales_of(scatter, k);
  std::vector<double> direction(k);
  for (std::size_t i = 0; i < k; ++i)
    direction[i] = scales[i] > 0 ? difference[i] * scales[i] : 0.0;
  if (!(norm_of(direction) > 0)) return {};
  std::vector<double> matrix = scaled(scatter, scales);
  if (!solve_if_regular(matrix, direction)) {
    direction = solve_by_parts(std::move(matrix), direction, n_rows, small_sample);
  }
  direction = of_columns(std::move(direction), scales);
  const bool is_usable =
      std::ranges::all_of(direction, [](double w) { return std::isfinite(w); }) &&
      std::ranges::any_of(direction, [](double w) { return w != 0.0; });
  return is_usable ? direction : std::vector<double>{};
}

std::vector<double> ridge_direction(std::span<const double> scatter,
                                    std::span<const double> products, double target_squares,
                                    double n_rows, double weight) {
  std::vector<double> direction =
      discriminant_direction(scatter, products, n_rows, SmallSample::ridge);
  if (direction.empty()) return direction;
  const std::size_t k = products.size();
  const std::vector<double> scales = scales_of(scatter, k);
  std::vector<double> right(k, 0.0);
  double n_columns = 0.0, explained = 0.0, length = 0.0;
  for (std::size_t i = 0; i < k; ++i) {
    if (!(scales[i] > 0) || !(scatter[i * k + i] > 0)) continue;
    ++n_columns;
    right[i] = products[i] * scales[i];
    explained += direction[i] * products[i];
    length += std::pow(direction[i] / scales[i], 2);
  }
  // Where there are too few rows to tell, all of the target's spread may be error.
  const double freedom = weight - n_columns - 1;
  const double error = freedom >= 1 - limit_slack
                           ? std::max(0.0, target_squares - explained) / freedom
                           : target_squares / std::max(weight - 1, 1.0);
  const double amount = n_columns * error / length;
  std::vector<double> matrix = scaled(scatter, scales);
  add_ridge(matrix, k, amount);
  if (!std::isfinite(amount) || !solve_if_regular(std::move(matrix), right)) return direction;
  return of_columns(std::move(right), scales);
}

std::vector<double> leading_discriminant(std::span<const double> between,
                                         std::span<const double> scatter) {
  const auto k = static_cast<std::size_t>(std::lround(std::sqrt(scatter.size())));
  const std::vector<double> scales = scales_of(scatter, k);
  std::vector<double> vectors = scaled(scatter, scales), values(k);
  lapack::symmetric_eigen(vectors, values);
  if (!(values[0] > zero_eigenvalue * values[k - 1])) {
    for (double& value : values) value = std::max(value, 0.0) + ridge;
  }
  // With C = V L V' and A = L^-1/2 V' B V L^-1/2, w = V L^-1/2 u for the leading u of A.
  for (std::size_t e = 0; e < k; ++e) {
    for (std::size_t i = 0; i < k; ++i) vectors[e * k + i] /= std::sqrt(values[e]);
  }
  const std::vector<double> spread = scaled(between, scales);
  std::vector<double> half(k * k, 0.0), whole(k * k, 0.0);
  for (std::size_t e = 0; e < k; ++e) {
    for (std::size_t j = 0; j < k; ++j) {
      for (std::size_t i = 0; i < k; ++i) half[e * k + j] += vectors[e * k + i] * spread[i * k + j];
    }
  }
  for (std::size_t e = 0; e < k; ++e) {
    for (std::size_t f = 0; f < k; ++f) {
      for (std::size_t j = 0; j < k; ++j) whole[e * k + f] += half[e * k + j] * vectors[f * k + j];
    }
  }
  lapack::symmetric_eigen(whole, values);
  if (!(values[k - 1] > 0)) return {};
  std::vector<double> direction(k, 0.0);
  for (std::size_t e = 0; e < k; ++e) {
    for (std::size_t i = 0; i < k; ++i) {
      direction[i] += whole[(k - 1) * k + e] * vectors[e * k + i] * scales[i];
    }
  }
  return direction;
}

}  // namespace treewright
