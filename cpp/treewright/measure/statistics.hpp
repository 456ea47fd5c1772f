// Node statistics: class weights W_c, or (weight, mean, sum of squared deviations) of numbers.
#pragma once

#include <cstdint>
#include <span>

#include "treewright/data/target.hpp"

namespace treewright {

inline double sum_of(std::span<const double> values) {
  double sum = 0.0;
  for (const double v : values) sum += v;
  return sum;
}

// Adds number `y` of weight `w` to (weight, mean, sum of squared deviations); Welford 1962.
inline void add_number(std::span<double> statistics, double y, double w) {
  const double weight = statistics[0] + w;
  const double delta = y - statistics[1];
  const double part = w / weight;
  statistics[2] += delta * delta * statistics[0] * part;
  statistics[1] += delta * part;
  statistics[0] = weight;
}

// Adds a row of weight `w` to node statistics.
inline void add_row(std::span<double> statistics, const Target& target, std::uint32_t row,
                    double w) {
  if (target.is_soft()) {
    const auto proportions = target.proportions_of(row);
    for (std::size_t c = 0; c < proportions.size(); ++c) statistics[c] += w * proportions[c];
  } else if (target.is_classification()) {
    statistics[static_cast<std::size_t>(target.labels[row])] += w;
  } else {
    add_number(statistics, target.numbers[row], w);
  }
}

// Adds node statistics of the same kind.
void add_statistics(std::span<double> to, std::span<const double> from, bool is_classification);

}  // namespace treewright
