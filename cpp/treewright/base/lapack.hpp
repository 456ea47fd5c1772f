// SciPy's BLAS and LAPACK, handed over as function pointers when the module is imported
// (scipy.linalg.cython_blas and cython_lapack publish them as capsules). The core links with no
// linear algebra library of its own.
#pragma once

#include <span>

#include "treewright/base/error.hpp"

namespace treewright::lapack {

// Fortran names and conventions: column-major, every argument by pointer.
struct Functions {
  void (*dsyev)(const char* jobz, const char* uplo, const int* n, double* a, const int* lda,
                double* w, double* work, const int* lwork, int* info) = nullptr;
  void (*dposv)(const char* uplo, const int* n, const int* nrhs, double* a, const int* lda,
                double* b, const int* ldb, int* info) = nullptr;
};

// Set once at import, read-only afterwards.
Functions& functions();

// Eigenvalues (ascending, into `values`) and eigenvectors (columns, in place) of a symmetric
// n x n matrix.
void symmetric_eigen(std::span<double> matrix, std::span<double> values);

// Solves A x = b in place (b becomes x) for a symmetric positive definite A; false if it is not.
bool solve_positive(std::span<double> matrix, std::span<double> right);

}  // namespace treewright::lapack
