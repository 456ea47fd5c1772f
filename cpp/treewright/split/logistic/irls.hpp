// Logistic regression by iteratively reweighted least squares, as R's glm has it: for comparing
// trees with programs that build on it. Where the groups can be separated it stops somewhere on
// the way to infinity; ridge.hpp is what trees are grown by.
//
// Columns are taken as they are. Each pass solves a weighted least-squares problem by Householder
// reflections; a column whose remaining length falls below 1e-11 of its own is left out of the
// pass and has slope 0. Passes end when the deviance changes by less than 1e-8 of it, or after 25.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/data/table.hpp"

namespace treewright {

struct IrlsFit {
  double intercept = 0.0;
  std::vector<double> slopes;  // of the columns, in their own units
  double deviance = 0.0;
  std::size_t rank = 0;  // of columns and intercept
  bool converged = false;
  std::int32_t iterations = 0;
};

// `weights` and `y` are by position in `ids`. Rows must be complete.
IrlsFit fit_irls_logistic(const Table& table, std::span<const std::int32_t> columns,
                          std::span<const std::uint32_t> ids, std::span<const double> weights,
                          std::span<const std::uint8_t> y);

}  // namespace treewright
