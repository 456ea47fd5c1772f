// Moments of the numeric columns of a node, label by label, and scatter matrices of groups of
// labels. Labels are the classes, or what a method makes of a numeric target.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/split/method.hpp"

namespace treewright {

// The label of each row id, and how many labels there are.
struct Labels {
  std::span<const std::int32_t> of_row;
  std::size_t count = 0;
};

// Weight, mean and sum of squared deviations of one column over some rows; rows without a value
// are left out.
struct Moments {
  double weight = 0.0;
  double mean = 0.0;
  double squares = 0.0;

  void add(const Moments& other);
  double deviation() const;  // standard, divisor `weight`
};

// For each label and column: moments[label * columns.size() + position].
std::vector<Moments> moments_by_label(const Node& node, std::span<const std::int32_t> columns,
                                      Labels labels);

// The values of one class on a column, or along a direction.
struct ClassMoments {
  Moments moments;
  double count = 0.0;  // rows
};

// The same with rows counted, for each column and class: [position * labels.count + label]. `table`
// is that of the node, or one that holds the same values in another order in memory.
std::vector<ClassMoments> class_moments(const Node& node, const Table& table,
                                        std::span<const std::int32_t> columns, Labels labels);
inline std::vector<ClassMoments> class_moments(const Node& node,
                                               std::span<const std::int32_t> columns,
                                               Labels labels) {
  return class_moments(node, node.problem.table, columns, labels);
}

// For each label and column, as moments are: the weight of the rows with a value of at most
// limits[j].
std::vector<double> weights_below(const Node& node, std::span<const std::int32_t> columns,
                                  Labels labels, std::span<const double> limits);

// For each column and class, as class_moments gives `classes`: the distances of the values from the
// mean of their class.
std::vector<ClassMoments> distance_moments(const Node& node, const Table& table,
                                           std::span<const std::int32_t> columns, Labels labels,
                                           std::span<const ClassMoments> classes);

// The difference of two means, 0 where it is no more than rounding.
double difference_of(const Moments& a, const Moments& b);

// Squared deviations of each column and their products with those of a numeric target, over the
// rows that have a value.
struct WithTarget {
  double squares = 0.0;
  double product = 0.0;  // 0 where it is no more than rounding
  double target_squares = 0.0;
  double mean = 0.0;
  double count = 0.0;  // rows
};
std::vector<WithTarget> moments_with_target(const Node& node,
                                            std::span<const std::int32_t> columns);

// Two groups of rows on some columns, the rows without gaps in them only.
struct Scatter {
  std::vector<double> within;      // k x k, summed over both groups
  std::vector<double> difference;  // of the means, group 1 less group 0
  double n_rows = 0.0;
  bool has_both = false;        // groups with a row
  double target_squares = 0.0;  // squared deviations of a numeric target
  double weight = 0.0;          // of all rows, for a numeric target
};

Scatter scatter_of(const Node& node, std::span<const std::int32_t> columns, Labels labels,
                   std::span<const std::uint8_t> group_of_label);

// Total scatter of the columns and their products with a numeric target, likewise; the products
// stand in `difference`.
Scatter covariance_of(const Node& node, std::span<const std::int32_t> columns);

}  // namespace treewright
