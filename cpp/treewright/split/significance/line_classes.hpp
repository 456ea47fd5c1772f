// Classes along a line, by linear discriminant analysis of one variable: each class is predicted on
// one interval at most, so the prediction is a list of cuts.
//
// With class means m_k, pooled variance v (divisor rows - classes) and shares p_k, the score of
// class k at y is m_k y / v - m_k^2 / (2 v) + ln p_k; the upper envelope of these lines is what is
// predicted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/split/significance/significance.hpp"

namespace treewright {

// Lines score_k(y) = slopes[k] y + intercepts[k].
struct Lines {
  std::vector<double> slopes, intercepts;
};

// Empty for fewer than two classes or no spread.
Lines class_lines(std::span<const ClassMoments> classes);

// Scores are logarithms of probabilities up to a constant: what differs by less is equal, and the
// earlier class wins, whatever the rounding.
inline constexpr double score_tie = 1e-9;

// Where the upper envelope of the lines changes from one line to the next, ascending; of equal
// lines the first counts, and a line that only touches the others is not part of it.
std::vector<double> envelope_cuts(const Lines& lines);

// What cuts were found from, and so how many of their digits are sure.
enum class CutsFrom : std::uint8_t { moments, transformed, fit };

// The test with a branch for each interval between cuts that holds a row of the node: an axis test
// for two, beyond that linear scores of one column, b x - (t_1 + ... + t_b) for branch b, of which
// the largest is that of the interval t_b < x <= t_(b+1). A leaf if all rows are in one interval.
// Cuts are rounded to some 1e-12 of the spread, or 1e-9 where a model was fitted step by step;
// those of a transformed column may be that small themselves and keep their leading digits.
Test interval_test(const Node& node, std::int32_t column, std::vector<double> cuts,
                   CutsFrom origin);

}  // namespace treewright
