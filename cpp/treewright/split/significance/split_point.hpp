// Split points: where to cut a line without a search (Li, Chen 2022, eq. 11 to 13).
//
// With "low" the group of rows with the smaller mean on the line, "high" the other:
//
//   closest         middle of the mean of the k largest values of low and that of the k smallest of
//                   high; a group of fewer rows gives all of them
//   median, mean    of all values
//   class_midpoint  middle of the means of the groups (ours; discriminant analysis with equal
//   shares)
//
// More than two classes become two groups: of the cuts of their order by mean, that with the
// largest w of column_ranks.hpp, the first on ties. For numbers (ours) the groups are the rows up
// to the mean of the target and above it.
//
// A point that leaves a leaf too small is repaired: of all middles between neighbouring values that
// leave enough the nearest is taken, the lower one on ties. Values no further from the point than
// rounding lie at the point, on its left.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "treewright/split/rows/moments.hpp"

namespace treewright {

// Whether each class belongs to the high group; classes without rows do not.
std::vector<std::uint8_t> high_classes(std::span<const ClassMoments> classes);

// What numbers of the high group exceed: the mean of the target, and as much as it may be wrong by.
double target_limit(const Node& node);

enum class PointRule : std::uint8_t { closest, median, mean, class_midpoint };

// The rows of a node along a line; those without a value are left out.
struct Points {
  std::vector<std::uint32_t> rows;
  std::vector<double> values;
  Test line;  // where the rows are elsewhere: an axis or a linear test
  bool is_empty = true;
  double grain = 0.0;  // values that differ by less are one

  void read(const Node& node, std::int32_t column);
  // Along a direction; `rounding` is what a sum may be wrong by.
  void read(const Node& node, const Test& linear, double rounding);

 private:
  void measure();
  void measure(double low, double high);
  void ask(const Node& node, Test along);
};

// The point by a rule, of points of at least one row.
double split_point(const Node& node, const Points& points, PointRule rule, std::size_t closest_k);

// The candidate of this test with its threshold at the point, repaired where needed; none where no
// threshold leaves enough on both sides.
std::optional<Candidate> cut_at(const Node& node, const Points& points, Test test, double point);

}  // namespace treewright
