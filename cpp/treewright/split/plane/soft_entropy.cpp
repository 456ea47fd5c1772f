#include "treewright/split/plane/soft_entropy.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "treewright/measure/measure.hpp"

namespace treewright {

namespace {

constexpr std::size_t block_size = 256;  // rows whose numbers stay in the cache

double log_of(double weight) {
  constexpr double least = 1e-300;  // for a class that a side has nothing of
  return std::log2(std::max(weight, least));
}

}  // namespace

SoftEntropy::SoftEntropy(const SearchRows& rows)
    : rows_(rows),
      right_share_(rows.n_rows()),
      left_(rows.sides.n_classes),
      right_(rows.sides.n_classes),
      turn_(rows.sides.n_classes) {}

void SoftEntropy::divide(std::span<const double> at) {
  const std::size_t k = rows_.n_columns(), n = rows_.n_rows();
  std::ranges::fill(left_, 0.0);
  std::ranges::fill(right_, 0.0);
  for (std::size_t begin = 0; begin < n; begin += block_size) {
    const auto shares = std::span(right_share_).subspan(begin, std::min(block_size, n - begin));
    std::ranges::fill(shares, -at[k]);
    for (std::size_t j = 0; j < k; ++j) {
      const double* z = rows_.column(j).data() + begin;
      for (std::size_t i = 0; i < shares.size(); ++i) shares[i] += at[j] * z[i];
    }
    for (std::size_t i = 0; i < shares.size(); ++i) {
      shares[i] = 1.0 / (1.0 + std::exp(-shares[i]));
      const auto label = static_cast<std::size_t>(rows_.sides.labels[begin + i]);
      const double weight = rows_.sides.weights[begin + i];
      right_[label] += weight * shares[i];
      left_[label] += weight * (1.0 - shares[i]);
    }
  }
}

double SoftEntropy::operator()(std::span<const double> at, std::span<double> gradient) {
  const std::size_t k = rows_.n_columns(), n = rows_.n_rows();
  divide(at);
  const double on_left = sum_of(left_), on_right = sum_of(right_);
  double value = x_log_x(on_left) + x_log_x(on_right);
  for (std::size_t c = 0; c < left_.size(); ++c) {
    value -= x_log_x(left_[c]) + x_log_x(right_[c]);
    turn_[c] = log_of(left_[c]) + log_of(on_right) - log_of(on_left) - log_of(right_[c]);
  }
  std::ranges::fill(gradient, 0.0);
  std::array<double, block_size> pulls;
  for (std::size_t begin = 0; begin < n; begin += block_size) {
    const std::size_t size = std::min(block_size, n - begin);
    for (std::size_t i = 0; i < size; ++i) {
      const double share = right_share_[begin + i];
      const auto label = static_cast<std::size_t>(rows_.sides.labels[begin + i]);
      pulls[i] = rows_.sides.weights[begin + i] * share * (1.0 - share) * turn_[label];
      gradient[k] -= pulls[i];
    }
    for (std::size_t j = 0; j < k; ++j) {
      const double* z = rows_.column(j).data() + begin;
      double sum = 0.0;
      for (std::size_t i = 0; i < size; ++i) sum += pulls[i] * z[i];
      gradient[j] += sum;
    }
  }
  return value;
}

}  // namespace treewright
