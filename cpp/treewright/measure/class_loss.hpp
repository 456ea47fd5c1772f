// What predicting a class costs a row.
#pragma once

#include <span>

#include "treewright/data/target.hpp"

namespace treewright {

// `cost` is [truth][said]; empty: every mistake costs 1. A row that is several classes costs the
// mean of them.
inline double class_loss(const Target& target, std::size_t row, std::size_t said,
                         std::span<const double> cost) {
  const auto n_classes = static_cast<std::size_t>(target.n_classes);
  const auto loss_of = [&](std::size_t truth) {
    if (cost.empty()) return truth == said ? 0.0 : 1.0;
    return cost[truth * n_classes + said];
  };
  if (!target.is_soft()) return loss_of(static_cast<std::size_t>(target.labels[row]));
  const auto proportions = target.proportions_of(row);
  double loss = 0.0;
  for (std::size_t truth = 0; truth < n_classes; ++truth)
    loss += proportions[truth] * loss_of(truth);
  return loss;
}

}  // namespace treewright
