// The cuts between steps (column_sums.hpp), as the scan (scan.hpp) sees them.
#pragma once

#include "treewright/split/cut/column_sums.hpp"
#include "treewright/split/cut/scan.hpp"

namespace treewright {

class SumCuts {
 public:
  SumCuts(const Node& node, const ColumnSums& steps) : node_(node), steps_(steps) {}

  std::size_t size() const { return steps_.size(); }
  MovedRows step(std::size_t i) const { return {steps_.sums_of(i)}; }
  bool is_cut(std::size_t) const { return true; }
  double gap(std::size_t i) const { return steps_.low[i + 1] - steps_.high[i]; }
  bool counts_labels() const { return true; }
  RoundedLogarithms logarithms() const { return RoundedLogarithms(node_.problem.n_rows); }

  Standing missing() const {
    if (!(steps_.missing_count > 0)) return {};
    return {steps_.missing_count, weight_of(steps_.missing_sums)};
  }
  void add_missing(std::span<double> to) const {
    add_statistics(to, missing_statistics(node_, steps_), node_.problem.target.is_classification());
  }
  void add_known(std::span<double> to) const {
    if (size() == 0) return;
    add_statistics(to, sides_of(node_, steps_, size() - 1).left,
                   node_.problem.target.is_classification());
  }

  Window window(double min_weight, Standing left, Standing right) const {
    return window_of(node_.problem, size(), min_weight, left, right, [&](std::size_t i) {
      return Standing{steps_.counts[i], weight_of(steps_.sums_of(i))};
    });
  }

 private:
  double weight_of(std::span<const double> sums) const {
    return node_.problem.target.is_classification() ? sum_of(sums) : sums[0];
  }

  const Node& node_;
  const ColumnSums& steps_;
};

}  // namespace treewright
