// ColumnSums: a numeric column at a node by sums, in the order of its values, for rows that are
// elsewhere. A step is a bin between two edges, or one distinct value. The ends of steps are cuts
// like any between two rows, and the scan of rows (scan.hpp) goes over them; what cuts inside a
// bin may be worth is bounded by its sums alone (bound.hpp).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "treewright/split/cut/cut.hpp"

namespace treewright {

struct ColumnSums {
  // Of one step, in this order: class weights; or weight, sum of w (y - m), of w (y - m)^2 around
  // the mean m of the node.
  std::size_t width = 0;
  std::vector<double> upper;        // the largest value that belongs to the step
  std::vector<double> low, high;    // the least and the largest value of its rows
  std::vector<double> counts;       // rows
  std::vector<double> sums;         // `width` for each step
  std::vector<double> least, most;  // target of its rows; numbers only

  // Rows without a value.
  double missing_count = 0.0;
  std::vector<double> missing_sums;
  double missing_least = 0.0, missing_most = 0.0;

  std::size_t size() const { return upper.size(); }
  std::span<const double> sums_of(std::size_t i) const {
    return std::span(sums).subspan(i * width, width);
  }
  // Whether cuts may lie inside of a step.
  bool has_cuts_inside(std::size_t i) const { return low[i] < high[i]; }
  // Adds a step behind the last; one without rows is left out.
  void append(const ColumnSums& from, std::size_t i);
  // Puts the steps of `finer` in the place of those whose rows they hold; others are left out.
  void refine(const ColumnSums& finer);
};

// Node statistics of sums: class weights as they are; for numbers around `mean`, exact where all
// are one number, `least` = `most`.
void add_sums(std::span<double> statistics, std::span<const double> sums, double mean, double least,
              double most, bool is_classification);

// The statistics of the rows at or below the end of a step, and of those above it.
struct SumSides {
  std::vector<double> left, right;
  double left_count = 0.0, right_count = 0.0;
};
SumSides sides_of(const Node& node, const ColumnSums& steps, std::size_t position);
// Of those without a value.
std::vector<double> missing_statistics(const Node& node, const ColumnSums& steps);

// As for rows; `node` needs none.
std::optional<Cut> best_cut(const Node& node, const ColumnSums& steps, const CutRules& rules = {});
double cut_information(const Node& node, const ColumnSums& steps, const Cut& cut);

}  // namespace treewright
