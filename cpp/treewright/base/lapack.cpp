#include "treewright/base/lapack.hpp"

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

}  // namespace treewright::lapack
