// Means and scatter of groups of rows on some numeric columns; rows with a gap in one of the
// columns are left out. Weights are taken in a unit that is a power of two near their sum, so that
// their scale does not show in the last digits.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "treewright/split/blocks.hpp"

namespace treewright {

struct GroupMeans {
  std::vector<double> weights;  // of each group
  std::vector<double> means;    // [group * columns.size() + position]; 0 without rows
  double n_rows = 0.0;
};

inline double unit_of_weights(const Node& node) {
  return node.problem.unit_weights ? 1.0 : std::ldexp(1.0, -std::ilogb(node.weight));
}

// group_of(row) in [0, n_groups).
template <class GroupOf>
GroupMeans group_means(const Node& node, std::span<const std::int32_t> columns,
                       std::size_t n_groups, GroupOf group_of) {
  const std::size_t k = columns.size();
  const double unit = unit_of_weights(node);
  GroupMeans result{std::vector<double>(n_groups, 0.0), std::vector<double>(n_groups * k, 0.0)};
  // Sums are taken around the first row, so that large numbers of little spread keep their digits.
  std::vector<double> reference;
  for_each_complete_block(node, columns, [&](const Panel& panel, auto rows) {
    for (std::size_t j = reference.size(); j < k; ++j) reference.push_back(panel.column(j)[0]);
    for (const std::uint32_t row : rows) {
      result.weights[group_of(row)] += unit * node.weights[row];
      result.n_rows += node.count_of(row);
    }
    for (std::size_t j = 0; j < k; ++j) {
      const auto column = panel.column(j);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        result.means[group_of(rows[i]) * k + j] +=
            unit * node.weights[rows[i]] * (column[i] - reference[j]);
      }
    }
  });
  for (std::size_t g = 0; g < n_groups; ++g) {
    if (!(result.weights[g] > 0)) continue;
    for (std::size_t j = 0; j < k; ++j) {
      double& mean = result.means[g * k + j];
      mean = mean / result.weights[g] + reference[j];
    }
  }
  return result;
}

// sum w (x - mean)(x - mean)' with the mean of the row's group, k x k.
template <class GroupOf>
std::vector<double> group_scatter(const Node& node, std::span<const std::int32_t> columns,
                                  std::span<const double> means, GroupOf group_of) {
  const std::size_t k = columns.size();
  const double unit = unit_of_weights(node);
  std::vector<double> matrix(k * k, 0.0), roots;
  std::vector<std::size_t> places;  // where the mean of a row's group stands
  for_each_complete_block(node, columns, [&](const Panel& panel, auto rows) {
    places.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) places[i] = group_of(rows[i]) * k;
    for (std::size_t j = 0; j < k; ++j) {
      const auto column = panel.column(j);
      for (std::size_t i = 0; i < rows.size(); ++i) column[i] -= means[places[i] + j];
    }
    if (!node.problem.unit_weights) {
      roots.resize(rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        roots[i] = std::sqrt(unit * node.weights[rows[i]]);
      }
      for (std::size_t j = 0; j < k; ++j) {
        const auto column = panel.column(j);
        for (std::size_t i = 0; i < rows.size(); ++i) column[i] *= roots[i];
      }
    }
    add_cross_products(panel, matrix);
  });
  mirror(matrix, k);
  return matrix;
}

}  // namespace treewright
