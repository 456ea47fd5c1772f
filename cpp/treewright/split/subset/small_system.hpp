// Linear systems of a few unknowns, solved where they stand: a call of LAPACK would take longer.
#pragma once

#include <cmath>
#include <cstddef>

namespace treewright {

// Solves a small symmetric positive definite system in place; false where it is none.
inline bool solve_small(double* matrix, double* right, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) {
    double pivot = matrix[j * n + j];
    for (std::size_t k = 0; k < j; ++k) pivot -= matrix[j * n + k] * matrix[j * n + k];
    if (!(pivot > 1e-12)) return false;
    pivot = std::sqrt(pivot);
    matrix[j * n + j] = pivot;
    for (std::size_t i = j + 1; i < n; ++i) {
      double sum = matrix[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= matrix[i * n + k] * matrix[j * n + k];
      matrix[i * n + j] = sum / pivot;
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) right[i] -= matrix[i * n + k] * right[k];
    right[i] /= matrix[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) right[i] -= matrix[k * n + i] * right[k];
    right[i] /= matrix[i * n + i];
  }
  return true;
}

}  // namespace treewright
