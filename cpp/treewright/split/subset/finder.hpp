// Conditions on the best few terms of a node, for soft targets.
//
// A term is a numeric column or the indicator of a level, without missing values. Row i has amounts
// q_ik of the classes, which add up to its weight (or a weight and a number). Conditions on one
// term are cut where the gain is largest, along bins of values. For sums of more terms the classes
// form two groups; with d the difference of the groups' means in standard deviations within
// the groups and R the correlations within them, shrunken to (1 - s) R + s I,
//
//   screening   the terms with the largest |d_j| and the largest |R^-1 d|_j, taken in turn
//   subsets     every C of two and of three of these, by d_C' R_C^-1 d_C, and beyond that the best
//               of each size with one term more; a level stands beside one number only, as an
//               allowance on it; the best few are kept
//   weights     ridge logistic regression of the group on the terms of C, in a few Newton steps,
//               rounded to two digits; for numbers ridge regression
//
// and the cut is that of the largest gain along the rounded sum: the numbers that are printed are
// those that were judged. The gain is that of soft entropy, W log W - sum_k c_k log c_k, or of
// squared deviations.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace treewright {

inline constexpr std::size_t most_subset_terms = 8;

struct SubsetCondition {
  std::vector<std::int32_t> terms;  // ascending
  std::vector<double> weights;      // one term: 1
  double threshold = 0.0;           // met where the sum is at most this
  double low = 0.0, high = 0.0;     // the sums of rows next to it
  double gain = -std::numeric_limits<double>::infinity();
};

struct SubsetOptions {
  std::size_t n_terms = 3;    // of a sum, at most
  double min_weight = 5.0;    // of a branch
  std::size_t screened = 10;  // terms
  std::size_t kept = 2;       // subsets of a size that are fitted
  double shrinkage = 0.3;     // s
  double ridge = 10.0;
  std::int32_t digits = 2;  // of weights
  bool only_sums = false;   // single terms are not cut
};

// What the conditions of all nodes are found from.
struct SoftTable {
  std::size_t n_rows = 0, n_terms = 0, n_outputs = 0;
  std::size_t n_numeric = 0;        // terms, the first ones; those of levels are 0 or 1
  std::span<const double> values;   // [term][row]
  std::span<const double> amounts;  // [row][output]: of classes, or weight and number
  bool is_classification = true;
};

// The rows of a node, each so many times as its factor says.
struct SoftNode {
  std::span<const std::uint32_t> rows;
  std::span<const double> factors;  // by row of the table; empty: all 1
};

class SubsetFinder {
 public:
  SubsetFinder(const SoftTable& table, const SubsetOptions& options);

  // The best condition of each number of terms, from one to at most so many; gains of -infinity:
  // there is none.
  std::vector<SubsetCondition> best(const SoftNode& node, std::size_t most) const;

  // The sums that `best` would cut, without thresholds.
  std::vector<SubsetCondition> sums(const SoftNode& node) const;

  // The sum of a condition at a row.
  double sum_at(const SubsetCondition& condition, std::size_t row) const;
  bool is_met(const SubsetCondition& condition, std::size_t row) const {
    return sum_at(condition, row) <= condition.threshold;
  }

 private:
  struct Work;
  struct Scatter;
  void list_levels();
  std::span<const std::uint32_t> levels_of(std::size_t row) const {
    return std::span(levels_).subspan(level_begin_[row], level_begin_[row + 1] - level_begin_[row]);
  }
  Work work_of(const SoftNode& node, std::size_t most) const;
  void cut_terms(Work& work) const;
  void cut_levels(Work& work) const;
  void offer_cut(Work& work, std::size_t term, double low, double high) const;
  double gain_of(Work& work, double left, double bar) const;
  Scatter scatter_of(const Work& work) const;
  void fit_sums(Work& work) const;
  void fit_subsets(Work& work, std::span<const double> difference,
                   std::span<const double> correlation, std::span<const double> deviation,
                   std::span<const double> share) const;
  void fit(Work& work, std::span<const std::size_t> subset, std::span<const double> deviation,
           std::span<const double> share) const;
  void cut_sum(Work& work, SubsetCondition condition) const;

  const SoftTable& table_;
  SubsetOptions options_;
  std::vector<std::uint16_t> bins_;                    // [numeric term][row]
  std::vector<std::vector<double>> lowest_, highest_;  // [numeric term][bin]
  std::vector<std::uint32_t> levels_;                  // the terms of levels that a row has
  std::vector<std::size_t> level_begin_;               // [row] in `levels_`, and their end
};

}  // namespace treewright
