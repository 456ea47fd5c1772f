#include "treewright/split/logistic/irls.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace treewright {

namespace {

constexpr int most_passes = 25;
constexpr double least_change = 1e-8;   // of the deviance
constexpr double least_length = 1e-11;  // of a column's own
constexpr double largest_score = 30.0;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

double length_of(std::span<const double> x) {
  double squares = 0.0;
  for (const double value : x) squares += value * value;
  return std::sqrt(squares);
}

// A x = b in the sense of least squares; columns that depend on those before them get 0.
struct LeastSquares {
  std::vector<double> solution;
  std::size_t rank = 0;
};

LeastSquares least_squares(std::vector<std::vector<double>> columns, std::vector<double> right) {
  const std::size_t k = columns.size(), n = right.size();
  std::vector<std::size_t> order(k);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> own, length;
  for (const auto& column : columns) {
    length.push_back(length_of(column));
    own.push_back(length.back() > 0 ? length.back() : 1.0);
  }
  std::size_t rank = std::min(k, n);
  const auto to_end = [&](std::size_t at) {
    const auto rotate = [&](auto& items) {
      std::rotate(items.begin() + static_cast<std::ptrdiff_t>(at),
                  items.begin() + static_cast<std::ptrdiff_t>(at) + 1, items.end());
    };
    rotate(columns), rotate(order), rotate(own), rotate(length);
  };
  for (std::size_t l = 0; l < rank; ++l) {
    while (l < rank && length[l] < own[l] * least_length) {
      to_end(l);
      --rank;
    }
    if (l == rank) break;
    // The reflection that takes the rest of column l to its first entry.
    std::vector<double> mirror(columns[l].begin() + static_cast<std::ptrdiff_t>(l),
                               columns[l].end());
    const double size = length_of(mirror);
    if (size == 0) continue;
    mirror[0] += std::copysign(size, mirror[0]);
    const double norm = std::inner_product(mirror.begin(), mirror.end(), mirror.begin(), 0.0);
    const auto reflect = [&](std::vector<double>& x) {
      const auto rest = std::span(x).subspan(l);
      const double along =
          2.0 * std::inner_product(mirror.begin(), mirror.end(), rest.begin(), 0.0) / norm;
      for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= along * mirror[i];
    };
    for (std::size_t j = l; j < columns.size(); ++j) reflect(columns[j]);
    reflect(right);
    for (std::size_t j = l + 1; j < columns.size(); ++j) {
      length[j] = length_of(std::span(columns[j]).subspan(l + 1));
    }
  }
  LeastSquares result{std::vector<double>(k, 0.0), rank};
  for (std::size_t i = rank; i-- > 0;) {
    double sum = right[i];
    for (std::size_t j = i + 1; j < rank; ++j) sum -= columns[j][i] * result.solution[order[j]];
    result.solution[order[i]] = sum / columns[i][i];
  }
  return result;
}

double share_of(double score) {
  const double odds = score < -largest_score  ? epsilon
                      : score > largest_score ? 1.0 / epsilon
                                              : std::exp(score);
  return odds / (1.0 + odds);
}

double slope_of(double score) {
  if (std::abs(score) > largest_score) return epsilon;
  const double odds = std::exp(score);
  return odds / ((1.0 + odds) * (1.0 + odds));
}

}  // namespace

IrlsFit fit_irls_logistic(const Table& table, std::span<const std::int32_t> columns,
                          std::span<const std::uint32_t> ids, std::span<const double> weights,
                          std::span<const std::uint8_t> y) {
  const std::size_t n = ids.size(), k = columns.size();
  std::vector<double> score(n), share(n);
  const auto deviance = [&] {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      sum -= 2.0 * weights[i] * std::log(y[i] ? share[i] : 1.0 - share[i]);
    }
    return sum;
  };
  for (std::size_t i = 0; i < n; ++i) {
    const double w = weights[i];
    share[i] = (w * (y[i] ? 1.0 : 0.0) + 0.5) / (w + 1.0);
    score[i] = std::log(share[i] / (1.0 - share[i]));
  }
  IrlsFit fit;
  double last = deviance();
  for (fit.iterations = 1; fit.iterations <= most_passes; ++fit.iterations) {
    std::vector<std::vector<double>> scaled(k + 1, std::vector<double>(n));
    std::vector<double> right(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double slope = slope_of(score[i]);
      const double root = std::sqrt(weights[i] * slope * slope / (share[i] * (1.0 - share[i])));
      right[i] = root * (score[i] + ((y[i] ? 1.0 : 0.0) - share[i]) / slope);
      scaled[0][i] = root;
      for (std::size_t j = 0; j < k; ++j) scaled[j + 1][i] = root * table.at(ids[i], columns[j]);
    }
    const LeastSquares solved = least_squares(std::move(scaled), std::move(right));
    fit.intercept = solved.solution[0];
    fit.slopes.assign(solved.solution.begin() + 1, solved.solution.end());
    fit.rank = solved.rank;
    for (std::size_t i = 0; i < n; ++i) {
      score[i] = fit.intercept;
      for (std::size_t j = 0; j < k; ++j) score[i] += fit.slopes[j] * table.at(ids[i], columns[j]);
      share[i] = share_of(score[i]);
    }
    fit.deviance = deviance();
    if (std::abs(fit.deviance - last) / (std::abs(fit.deviance) + 0.1) < least_change) {
      fit.converged = true;
      return fit;
    }
    last = fit.deviance;
  }
  fit.iterations = most_passes;
  return fit;
}

}  // namespace treewright
