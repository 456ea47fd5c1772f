#include "treewright/base/lapack.hpp"

#include <algorithm>

#include <vector>

namespace treewright::lapack {

Functions& functions() {
  static Functions table;
  return table;
}

void symmetric_eigen(std::span<double> matrix, std::span<double> values) {
  const int n = static_cast<int>(values.size());
  require(matrix.size() == values.size() * values.size(), "The matrix must be square.");
  require(functions().dsyev != nullptr, "LAPACK was not handed over by SciPy.");
  int info = 0, query = -1;
  double wanted = 0.0;
  functions().dsyev("V", "L", &n, matrix.data(), &n, values.data(), &wanted, &query, &info);
  const int length = static_cast<int>(wanted);
  std::vector<double> work(static_cast<std::size_t>(length));
  functions().dsyev("V", "L", &n, matrix.data(), &n, values.data(), work.data(), &length, &info);
  require(info == 0, "The eigenvalues of a symmetric matrix did not converge.");
}

bool solve_positive(std::span<double> matrix, std::span<double> right) {
  const int n = static_cast<int>(right.size()), one = 1;
  require(matrix.size() == right.size() * right.size(), "The matrix must be square.");
  require(functions().dposv != nullptr, "LAPACK was not handed over by SciPy.");
  int info = 0;
  functions().dposv("L", &n, &one, matrix.data(), &n, right.data(), &n, &info);
  return info == 0;
}

void add_cross_products(std::span<const double> rows, std::size_t k, std::span<double> matrix) {
  constexpr std::size_t few = 4;  // columns that a plain loop is faster for
  const std::size_t n_rows = rows.size() / k;
  if (k <= few) {
    double sums[few][few] = {};
    for (std::size_t r = 0; r < n_rows; ++r) {
      const double* row = rows.data() + r * k;
      for (std::size_t i = 0; i < k; ++i) {
        for (std::size_t j = 0; j <= i; ++j) sums[i][j] += row[i] * row[j];
      }
    }
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < k; ++j) {
        matrix[i * k + j] += sums[std::max(i, j)][std::min(i, j)];
      }
    }
    return;
  }
  require(functions().dsyrk != nullptr, "BLAS was not handed over by SciPy.");
  const int n = static_cast<int>(k), length = static_cast<int>(n_rows);
  const double one = 1.0;
  functions().dsyrk("L", "N", &n, &length, &one, rows.data(), &n, &one, matrix.data(), &n);
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = i + 1; j < k; ++j) matrix[j * k + i] = matrix[i * k + j];
  }
}

}  // namespace treewright::lapack
