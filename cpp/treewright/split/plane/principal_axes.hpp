// Principal axes: the eigenvectors of a covariance matrix, the largest eigenvalue first, chosen so
// that rounding does not show.
//
// The sign of an eigenvector is free: here its first number that is not 0 is negative. Where
// eigenvalues are equal, any turn of their eigenvectors would do: here the projection onto the
// space they span is taken, and its columns are made orthogonal one by one, the longest first.
#pragma once

#include <span>
#include <vector>

namespace treewright {

// The axes of a k x k matrix, of length 1, one after the other: k numbers each.
std::vector<double> principal_axes(std::span<const double> covariance, std::size_t k);

}  // namespace treewright
