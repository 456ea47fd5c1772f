// Discriminants: linear discriminant analysis of many classes on the principal components of a
// node.
//
// The components are those of the correlation matrix of the columns with eigenvalues above a share
// of the largest: without it directions in which the rows hardly vary would be stretched most. On
// the components, with class means m_k, pooled within covariance S (divisor rows - classes) and
// class shares p_k, the score of class k at z is
//
//   m_k' S^-1 z - m_k' S^-1 m_k / 2 + ln p_k                                        (Fisher 1936)
//
// and the largest discriminant coordinate is the direction of the largest ratio of spread between
// classes to spread within. Both are given as coefficients of the columns themselves. Where S is
// singular on the components, a ridge of 1e-3 is added to it, in units of the total variance.
#pragma once

#include <vector>

#include "treewright/split/discriminant/class_scatter.hpp"

namespace treewright {

// Components of no more than this share of the largest eigenvalue are rounding.
inline constexpr double least_component = 1e-9;

// A row a class, one number a column and then the intercept; classes without rows have none. Empty
// if fewer than two classes have rows or no column varies.
struct ClassScores {
  std::vector<std::int32_t> classes;
  std::vector<double> rows;
};

ClassScores class_scores(const ClassScatter& scatter, double least_share);

// One coefficient a column, the first that is not 0 positive; empty likewise, or if the means of
// the classes do not differ.
std::vector<double> largest_discriminant(const ClassScatter& scatter, double least_share);

}  // namespace treewright
