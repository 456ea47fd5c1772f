// Tail probabilities of test statistics, by SciPy's special functions, which are handed over as
// function pointers when the module is imported (scipy.special.cython_special publishes them as
// capsules).
//
// The logarithms are finite where the probabilities themselves are below the smallest double, so
// that very small ones can still be compared. There the leading terms are taken, with a geometric
// bound for the rest:
//
//   F            x = d2 / (d2 + d1 F), a = d2 / 2, b = d1 / 2:
//                x^a (1 - x)^b / (a B(a, b)) / (1 - x (a + b) / (a + 1))
//   chi-square   y = X / 2, s = df / 2:  y^(s - 1) e^-y / Gamma(s) / (1 - (s - 1) / y)
#pragma once

#include "treewright/base/error.hpp"

namespace treewright::special {

// As Cython compiles them: the last argument is not used by functions that are not overridden.
struct Functions {
  double (*fdtrc)(double numerator, double denominator, double f, int) = nullptr;
  double (*chdtrc)(double degrees, double x, int) = nullptr;
  double (*betaln)(double a, double b, int) = nullptr;
  double (*gammaln)(double x, int) = nullptr;
};

// Set once at import, read-only afterwards.
Functions& functions();

// The logarithm of the probability of a larger F with so many degrees of freedom.
double log_f_tail(double f, double numerator, double denominator);

// That of a larger chi-square.
double log_chi_square_tail(double x, double degrees);

}  // namespace treewright::special
