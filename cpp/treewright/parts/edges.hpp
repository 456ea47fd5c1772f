// Edges: where to part the columns of open nodes into bins, from a sample of the rows.
//
// Half of the edges lie at quantiles, so that no bin holds many rows; half at the cuts that are
// worth most in the sample, so that bins are narrow where the best cut of all rows is likely to be.
// A column with fewer values in the sample than that has an edge at each. Edges decide nothing but
// how much has to be asked again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/measure/measure.hpp"
#include "treewright/parts/cells.hpp"

namespace treewright::parts {

struct Edges {
  std::vector<std::int32_t> place, column;
  std::vector<std::int64_t> begin{0};
  std::vector<double> edges;
};

// A cell for each of these columns at its place, with `n_edges[place]` edges at most; one for each
// level where the column has levels.
Edges edges_from(const Standing& sample, const Table& table, const Target& target,
                 const Measure& measure, const Projections& projections,
                 std::span<const std::int32_t> places, std::span<const std::int32_t> columns,
                 std::span<const std::int32_t> n_edges);

}  // namespace treewright::parts
