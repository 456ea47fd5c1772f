// Crimcoord: numbers for the levels of a categorical column that tell the classes apart best, the
// largest discriminant coordinate of the indicators of the levels (Gnanadesikan 1977, section 4.2;
// Loh, Vanichsetakul 1988).
//
// With the table N of levels and classes, r and c its sums by level and by class and n of all, the
// coordinate of level l is the mean over its rows of a score a of their class,
//
//   f_l = sum_k N_lk a_k / r_l,   a_k = v_k sqrt(n / c_k),
//
// where v is the leading eigenvector of sum_l N_lj N_lk / (r_l sqrt(c_j c_k)) - sqrt(c_j c_k) / n.
// The table is enough; no row is looked at.
#pragma once

#include <vector>

#include "treewright/split/significance/significance.hpp"

namespace treewright {

// The coordinate of each level, NaN for one without rows; nothing if the classes do not differ.
std::vector<double> crimcoord(const Contingency& table);

// The values of each class along such coordinates.
std::vector<ClassMoments> moments_along(const Contingency& table,
                                        const std::vector<double>& coordinates);

}  // namespace treewright
