// Direction: where two groups of rows lie furthest apart, measured by their spread (Fisher 1936).
//
// With the within scatter S and the difference d of the group means, w = S^-1 d maximises
// (w'd)^2 / (w'Sw). Everything is done on scaled columns, C = D^-1 S D^-1 with D^2 the diagonal of
// S, so that the test for a singular S does not depend on units: eigenvalues of C up to 1e-9 of the
// largest count as 0. Where S is singular with kernel Q (Chen et al. 2000):
//
//   Q'd is not 0   w = Q Q'd: every row of a group projects to one value, the groups to different
//                  ones. With no more rows than columns that always happens and means nothing;
//                  unless asked for, a ridge of 1e-3 on C is used then.
//   Q'd is 0       constant or repeated columns: the pseudo-inverse, w = S^+ d.
//
// A column that repeats another but for rounding makes a kernel with a difference that is rounding
// too: the kernel must be the better of the two by (w'd)^2 / (w'Sw).
//
// Ridge: for a numeric target, S is the total scatter and d holds the products with the target, so
// that b = C^-1 D^-1 d are its regression coefficients on columns of scatter 1. Few rows or columns
// that go together make them uncertain; they are drawn towards D^-1 d, what each column says by
// itself, by k s^2 / b'b on the diagonal of C (Hoerl, Kennard, Baldwin 1975), with k the columns
// and s^2 the error of the regression a degree of freedom. A row counts as many
// times as it weighs, and not less than once on average.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace treewright {

enum class SmallSample : std::uint8_t { ridge, null_space };

// The direction for a k x k scatter, or nothing if the groups do not differ. Not normalised.
std::vector<double> discriminant_direction(std::span<const double> scatter,
                                           std::span<const double> difference, double n_rows,
                                           SmallSample small_sample);

// The same for a numeric target whose squared deviations sum to `target_squares`, by ridge;
// `weight` is that of all rows.
std::vector<double> ridge_direction(std::span<const double> scatter,
                                    std::span<const double> products, double target_squares,
                                    double n_rows, double weight);

// The leading solution of B w = lambda S w, for more than two groups; S is made regular by the
// ridge where it is singular. Nothing if B is 0.
std::vector<double> leading_discriminant(std::span<const double> between,
                                         std::span<const double> scatter);

}  // namespace treewright
