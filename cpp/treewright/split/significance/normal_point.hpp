// Where two groups of classes meet on a line, if each were normal (Loh, Shih 1997, section 3).
//
// With shares P, means m and variances v of the groups A and B, the point x solves
//
//   P(A) phi(x; mA, vA) = P(B) phi(x; mB, vB)
//
//   (1/vB - 1/vA) x^2 + 2 (mA/vA - mB/vB) x + mB^2/vB - mA^2/vA + ln(vB/vA) + 2 ln(PA/PB) = 0
//
// Of two roots the one nearer the mean of A is taken. Both means lie on the same side of the middle
// of the roots, (mA vB - mB vA) / (vB - vA), so it is also the one nearer the mean of B and it does
// not matter which group is called A. On equal means it is the lower root. Where there is no root,
// or a group has no spread, it is the middle of the means.
//
// More than two classes become two groups by 2-means on their means, started from the two extreme
// ones; classes with one common mean are divided into the largest and the others.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "treewright/split/significance/significance.hpp"

namespace treewright {

struct NormalGroup {
  double share = 0.0;
  double mean = 0.0;
  double variance = 0.0;
};

// The point between two groups.
double normal_point(const NormalGroup& a, const NormalGroup& b);

// Whether each class belongs to the upper group, by means of classes that have a positive weight.
std::vector<bool> upper_classes(std::span<const ClassMoments> classes);

// The power of two near 1e-12 of a size.
double grain_of(double size);

// The same for what has that size by its place only: a few times the rounding of such a number;
// 0 for 0.
double least_grain_of(double size);

// The variance of a class with the divisor rows - 1; 0 for a single row.
double sample_variance(const ClassMoments& values);

// The point between the groups, and the middle of their means for where the point leaves a side
// empty. Both are multiples of a power of two, `grain`, some 1e-12 of the spread of the
// values: the order in which sums were taken does not show in them.
struct Meeting {
  double point = 0.0;
  double middle = 0.0;
  double grain = 0.0;
};

// None where there are fewer than two classes or no spread.
std::optional<Meeting> meeting_of(std::span<const ClassMoments> classes);

}  // namespace treewright
