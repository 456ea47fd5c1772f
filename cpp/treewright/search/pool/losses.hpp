// What leaves cost that hold the amounts of many sets of rows at once (pool.hpp has the formula).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace treewright::search {

class Losses {
 public:
  // costs[class][label]; none: numbers, with a weight and a sum as their two outputs. A label more
  // than there are classes is referral, for which it does not matter how mixed the rows are.
  Losses(std::span<const double> costs, std::size_t n_outputs, double gini, double min_weight)
      : costs_(costs), n_outputs_(n_outputs), gini_(gini), min_weight_(min_weight) {}

  // amounts[output][set], `stride` apart; for sets `first` to `last`.
  void operator()(const double* amounts, std::size_t stride, std::size_t first, std::size_t last,
                  double* out) {
    if (costs_.empty()) return of_numbers(amounts, stride, first, last, out);
    if (costs_.size() == 4 && n_outputs_ == 2)
      return of_few_classes<2>(amounts, stride, first, last, out);
    if (costs_.size() == 9 && n_outputs_ == 3)
      return of_few_classes<3>(amounts, stride, first, last, out);
    of_classes(amounts, stride, first, last, out);
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  void of_numbers(const double* amounts, std::size_t stride, std::size_t first, std::size_t last,
                  double* out) const {
    for (std::size_t i = first; i < last; ++i) {
      const double weight = amounts[i], sum = amounts[stride + i];
      const double loss = -(sum * sum) / weight;
      out[i] = weight >= min_weight_ ? loss : infinity;
    }
  }

  // As many labels as classes, in one pass without anything stored between.
  template <std::size_t n_classes>
  void of_few_classes(const double* amounts, std::size_t stride, std::size_t first,
                      std::size_t last, double* out) const {
    std::array<double, n_classes * n_classes> costs;
    std::copy(costs_.begin(), costs_.end(), costs.begin());
    const double gini = gini_, min_weight = min_weight_;
    for (std::size_t i = first; i < last; ++i) {
      double weight = 0.0, squares = 0.0;
      for (std::size_t k = 0; k < n_classes; ++k) {
        const double amount = amounts[k * stride + i];
        weight += amount;
        squares += amount * amount;
      }
      double least = infinity;
      for (std::size_t label = 0; label < n_classes; ++label) {
        double risk = 0.0;
        for (std::size_t k = 0; k < n_classes; ++k)
          risk += costs[k * n_classes + label] * amounts[k * stride + i];
        least = risk < least ? risk : least;
      }
      const double loss = least + gini * (weight - squares / weight);
      out[i] = weight >= min_weight ? loss : infinity;
    }
  }

  void of_classes(const double* amounts, std::size_t stride, std::size_t first, std::size_t last,
                  double* out) {
    const std::size_t n_labels = costs_.size() / n_outputs_;
    weight_.assign(last, 0.0);
    part_.assign(last, 0.0);
    risk_.resize(last);
    for (std::size_t k = 0; k < n_outputs_; ++k) {
      const double* of_class = amounts + k * stride;
      for (std::size_t i = first; i < last; ++i) {
        weight_[i] += of_class[i];
        part_[i] += of_class[i] * of_class[i];
      }
    }
    for (std::size_t i = first; i < last; ++i) {
      part_[i] = gini_ * (weight_[i] - part_[i] / weight_[i]);
      out[i] = infinity;
    }
    for (std::size_t label = 0; label < n_labels; ++label) {
      const bool is_referral = label == n_outputs_;
      std::fill(risk_.begin(), risk_.end(), 0.0);
      for (std::size_t k = 0; k < n_outputs_; ++k) {
        const double cost = costs_[k * n_labels + label];
        if (cost == 0.0) continue;
        const double* of_class = amounts + k * stride;
        for (std::size_t i = first; i < last; ++i) risk_[i] += cost * of_class[i];
      }
      for (std::size_t i = first; i < last; ++i)
        out[i] = std::min(out[i], is_referral ? risk_[i] - part_[i] : risk_[i]);
    }
    for (std::size_t i = first; i < last; ++i)
      out[i] = weight_[i] >= min_weight_ ? out[i] + part_[i] : infinity;
  }

  std::span<const double> costs_;
  std::size_t n_outputs_;
  double gini_, min_weight_;
  std::vector<double> weight_, part_, risk_;
};

}  // namespace treewright::search
