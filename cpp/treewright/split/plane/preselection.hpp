// A coarse look at many directions: which of them could hold a better cut than the best so far.
//
// Rows are counted in bins of equal width, by class, which needs no sorting. What a cut is worth is
// then known between two bins. Inside one it is bounded: with f = W Delta, a row of weight w that
// changes sides changes f by at most s w, where
//
//   gini    s = 2, as the slope 2 (p_c - q_c) - (sum p^2 - sum q^2) lies between -2 and 2 for the
//           shares p on the left and q on the right; less where their range in the bin says so
//   twoing  s = 1, as twoing is half the largest Gini decrease of two groups of classes
//
// so that a cut inside a bin of weight w between f and f' is worth at most (f + f' + s w) / 2. A
// direction none of whose bins reaches the best cut so far cannot hold a better one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/split/method.hpp"
#include "treewright/split/rows/standard_rows.hpp"

namespace treewright {

class Preselection {
 public:
  // The rows of a node that directions are judged by.
  Preselection(const Node& node, const StandardRows& rows);

  // Whether a cut along these values, one a row, may score more than `score`; always for other
  // measures and where rows of the node have gaps.
  bool may_beat(std::span<const double> values, double score);

 private:
  // The largest slope inside a bin that ends with `left_` on the left.
  double gini_slope(std::span<const double> bin, double on_left, double in_bin) const;
  // W Delta of the cut that leaves `left_` on the left.
  double worth(double on_left) const;
  void count(std::span<const double> values, double low, double high);

  bool is_known_ = false;
  bool is_twoing_ = false;
  double steepest_ = 0.0;              // slope s
  std::vector<std::uint32_t> labels_;  // of each row, among the classes that occur
  std::vector<double> weights_;        // of each row
  std::vector<double> total_, left_;   // of each class
  double weight_ = 0.0;
  std::size_t n_bins_ = 0;
  std::vector<double> bins_;  // weight by bin and class
};

}  // namespace treewright
