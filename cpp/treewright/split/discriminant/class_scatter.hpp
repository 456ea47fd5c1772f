// Class scatter: weights, means and the pooled within scatter of the classes of a node on some
// numeric columns. Rows with a gap in one of the columns are left out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/split/rows/moments.hpp"

namespace treewright {

struct ClassScatter {
  std::vector<std::int32_t> columns;
  std::vector<double> weights;  // of each class, in a unit of their own
  std::vector<double> means;    // [class * columns.size() + position]; 0 without rows
  std::vector<double> within;   // k x k, sum w (x - mean)(x - mean)'
  double n_rows = 0.0;

  std::size_t n_classes_present() const;
  double weight() const;
  std::vector<double> centre() const;   // the mean of all rows
  std::vector<double> between() const;  // k x k, sum over classes W (mean - centre)(mean - centre)'
};

ClassScatter class_scatter(const Node& node, std::span<const std::int32_t> columns, Labels labels);

}  // namespace treewright
