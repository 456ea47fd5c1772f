// A plane through the rows of a search: row z stands left if offset + sum slopes_j z_j <= 0.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "treewright/split/plane/search_rows.hpp"

namespace treewright {

struct Plane {
  double offset = 0.0;
  std::vector<double> slopes;  // one a column of the rows

  // Moves by `length` along a direction.
  void move(const Plane& direction, double length);
  // Divides by a power of two, so that the largest slope is of the size of 1; no row changes sides.
  void normalise();
};

// All numbers drawn from [-1, 1).
Plane random_plane(std::size_t n_columns, Rng& rng);

// offset + sum slopes_j z_j of each row.
void values_along(const SearchRows& rows, const Plane& plane, std::vector<double>& values);

// The plane of an axis or linear test on columns of the rows; columns of the test that are not
// among them, as they have no spread, are left out. None if all are, or if the test is of another
// kind.
std::optional<Plane> plane_of(const SearchRows& rows, const Test& test);

// The plane of the best test on one of the columns of the rows, where `axis` is the best on any.
std::optional<Plane> axis_plane(const Node& node, const SearchRows& rows, const Candidate& axis);

// The test along the plane's direction in original units, with the best threshold for all rows of
// the node. None where no threshold is allowed.
std::optional<Candidate> candidate_along(const Node& node, const SearchRows& rows,
                                         const Plane& plane);

}  // namespace treewright
