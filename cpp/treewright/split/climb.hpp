// Hill climbing: the coefficients of a linear test, one at a time, moved to where the impurity of
// the node falls most.
//
// With scores s = a0 + sum a_j z_j (below 0: branch 0), a row i changes sides when a_j passes
// u_i = -(s_i - a_j z_ij) / z_ij. Rows in the order of u are moved one by one, and the best gap
// between two of them is taken; the intercept is the coefficient of a column of ones. That is exact
// for each coefficient; sweeps over all of them end when none helps.
#pragma once

#include "treewright/split/method.hpp"
#include "treewright/split/ridge_logistic.hpp"

namespace treewright {

// Coefficients that are 0 stay so. The fit is never worse than before; its deviance is no longer
// that of a model.
LogisticFit climb(const Node& node, const StandardRows& rows, LogisticFit fit);

}  // namespace treewright
