#include "treewright/prune/expected_errors.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace treewright {

bool ExpectedErrors::Leaf::is_whole() const {
  return weight == std::floor(weight) && errors == std::floor(errors);
}

void ExpectedErrors::add(std::span<const double> class_weights, std::size_t said) {
  const double weight = std::accumulate(class_weights.begin(), class_weights.end(), 0.0);
  leaves_.push_back({weight, weight - class_weights[said]});
}

void ExpectedErrors::add(std::span<const double> class_weights) {
  const auto heaviest = std::ranges::max_element(class_weights) - class_weights.begin();
  add(class_weights, static_cast<std::size_t>(heaviest));
}

void ExpectedErrors::estimate() {
  expected_.resize(size());
  asked_.clear();
  weights_.clear();
  errors_.clear();
  for (std::size_t i = 0; i < size(); ++i) {
    if (const auto known = known_.find(leaves_[i]); known != known_.end()) {
      expected_[i] = known->second;
    } else {
      asked_.push_back(i);
      weights_.push_back(leaves_[i].weight);
      errors_.push_back(leaves_[i].errors);
    }
  }
  if (asked_.empty()) return;
  extra_.resize(asked_.size());
  extra_errors_(weights_, errors_, extra_);
  for (std::size_t a = 0; a < asked_.size(); ++a) {
    const Leaf& leaf = leaves_[asked_[a]];
    expected_[asked_[a]] = leaf.errors + extra_[a];
    if (leaf.is_whole()) known_.emplace(leaf, leaf.errors + extra_[a]);
  }
}

double ExpectedErrors::sum(std::size_t begin, std::size_t end) const {
  return std::accumulate(expected_.begin() + static_cast<std::ptrdiff_t>(begin),
                         expected_.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
}

}  // namespace treewright
