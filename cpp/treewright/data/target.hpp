// Target: what the tree predicts, labels 0..K-1 or numbers, with the weight of every row.
// `split_weights` differ from `weights` when misclassification costs alter the priors that splits
// are judged by (Breiman et al. 1984, section 4.4); node statistics always use `weights`.
#pragma once

#include <cstdint>
#include <span>

namespace treewright {

struct Target {
  std::int32_t n_classes = 0;  // 0: numbers
  std::span<const std::int32_t> labels;
  // [row][class]: the share of each class in a row, where a row may be several; empty: its label is
  // all of it.
  std::span<const double> proportions;
  std::span<const double> numbers;
  std::span<const double> weights;
  std::span<const double> split_weights;
  std::span<const double>
      case_weights;  // before priors: what surrogates and default branches count

  bool is_classification() const { return n_classes > 0; }
  bool is_soft() const { return !proportions.empty(); }
  std::span<const double> proportions_of(std::size_t row) const {
    return proportions.subspan(row * static_cast<std::size_t>(n_classes),
                               static_cast<std::size_t>(n_classes));
  }
  std::size_t size() const { return weights.size(); }
  // Statistics of a node: class weights, or (weight, mean, sum of squared deviations).
  std::size_t n_outputs() const {
    return is_classification() ? static_cast<std::size_t>(n_classes) : 3;
  }
};

}  // namespace treewright
