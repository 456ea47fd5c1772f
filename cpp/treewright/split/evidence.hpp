// Evidence: what split methods ask about the rows of a node, where the rows are elsewhere.
//
// Functions that read the rows of a node (moments, scatter, cuts, outcomes of tests) ask the
// evidence instead where the node has one, so that a method decides by the same code wherever the
// rows are. What is not known yet is noted and `NotKnown` thrown: once it has been asked of the
// rows, the method is run again from the beginning, and comes further.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "treewright/data/joint_moments.hpp"
#include "treewright/split/levels/groups.hpp"
#include "treewright/split/method.hpp"

namespace treewright {

struct NotKnown {};

using ColumnSet = std::vector<std::int32_t>;

// Rows that share a value along a line.
struct ValueSums {
  double value = 0.0, count = 0.0, weight = 0.0;
};

// The rows along a line up to a limit, and above it.
struct LineSides {
  double low = -std::numeric_limits<double>::infinity();  // the largest value on the left
  double high = std::numeric_limits<double>::infinity();  // the smallest on the right
  std::vector<double> statistics[2];
  double counts[2] = {0.0, 0.0};
};

class Evidence {
 public:
  virtual ~Evidence() = default;

  // Over the rows that have a value in each of these columns.
  virtual JointMoments moments(std::span<const std::int32_t> columns) = 0;
  // Sets whose moments are likely to be asked for next, so that they come together.
  virtual void expect(std::span<const ColumnSet> sets) = 0;
  // For each class and column, [class * columns.size() + position]: the weight of the rows with a
  // value of at most limits[position].
  virtual std::vector<double> weights_below(std::span<const std::int32_t> columns,
                                            std::span<const double> limits) = 0;
  virtual LevelGroups levels(std::int32_t column) = 0;

  virtual std::optional<Candidate> cut_column(std::int32_t column) = 0;
  virtual std::optional<Candidate> cut_along(std::span<const std::int32_t> columns,
                                             std::span<const double> coefficients) = 0;
  // The best cuts of all numeric columns, as the method "axis" proposes them.
  virtual void propose_cuts(std::vector<Candidate>& candidates) = 0;
  virtual Outcome outcome(const Test& test) = 0;

  // Along a line, which is an axis or a linear test whose threshold says nothing: the least and the
  // largest value, the sides of a limit, and all values in order.
  virtual std::pair<double, double> range_along(const Test& line) = 0;
  virtual LineSides sides_along(const Test& line, double limit) = 0;
  virtual std::vector<ValueSums> values_along(const Test& line) = 0;
};

}  // namespace treewright
