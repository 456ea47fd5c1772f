// Means and scatter of groups of rows on some numeric columns, in one pass; rows with a gap in one
// of the columns are left out.
//
// Rows are taken less a first estimate of their group's mean, r, made from the first rows of the
// node. With s the sum of what is left in a group of weight W, its mean is r + s / W and its
// scatter is that around r less s s' / W, a small correction: large numbers of little spread keep
// their digits. Weights are taken in a unit that is a power of two near their sum, so that their
// scale does not show in the last digits.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "treewright/data/joint_moments.hpp"
#include "treewright/split/rows/blocks.hpp"

namespace treewright {

struct GroupScatter {
  std::vector<double> weights;  // of each group
  std::vector<double> means;    // [group * columns.size() + position]; 0 without rows
  std::vector<double> shifts;   // of the means from the first estimate, likewise
  std::vector<double> within;   // k x k, sum w (x - mean)(x - mean)' over all groups
  double n_rows = 0.0;
};

inline double unit_of_weights(const Node& node) {
  return node.problem.unit_weights ? 1.0 : std::ldexp(1.0, -std::ilogb(node.weight));
}

// The means of the groups over a few rows, around the first row; those of all where there is none.
template <class GroupOf>
std::vector<double> first_means(const Panel& panel, std::span<const std::uint32_t> rows,
                                std::size_t n_groups, GroupOf group_of) {
  const std::size_t k = panel.n_columns;
  std::vector<double> counts(n_groups, 0.0), means(n_groups * k, 0.0);
  for (const std::uint32_t row : rows) ++counts[group_of(row)];
  for (std::size_t j = 0; j < k; ++j) {
    const auto column = panel.column(j);
    double all = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      all += column[i] - column[0];
      means[group_of(rows[i]) * k + j] += column[i] - column[0];
    }
    for (std::size_t g = 0; g < n_groups; ++g) {
      double& mean = means[g * k + j];
      mean = counts[g] > 0 ? mean / counts[g] : all / static_cast<double>(rows.size());
      mean += column[0];
    }
  }
  return means;
}

// group_of(row) in [0, n_groups); use(panel, rows) sees every block, less the first means.
template <class GroupOf, class Use>
GroupScatter group_scatter(const Node& node, std::span<const std::int32_t> columns,
                           std::size_t n_groups, GroupOf group_of, Use use) {
  const std::size_t k = columns.size();
  const double unit = unit_of_weights(node);
  GroupScatter result;
  result.weights.assign(n_groups, 0.0);
  result.means.assign(n_groups * k, 0.0);
  result.shifts.assign(n_groups * k, 0.0);
  result.within.assign(k * k, 0.0);
  std::vector<double> reference, sums(n_groups * k, 0.0), weights;
  std::vector<std::size_t> places;  // where the numbers of a row's group stand
  for_each_complete_block(node, columns, [&](const Panel& panel, auto rows) {
    if (reference.empty()) reference = first_means(panel, rows, n_groups, group_of);
    places.resize(rows.size());
    weights.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t group = group_of(rows[i]);
      places[i] = group * k;
      weights[i] = unit * node.weights[rows[i]];
      result.weights[group] += weights[i];
      result.n_rows += node.count_of(rows[i]);
    }
    for (std::size_t j = 0; j < k; ++j) {
      const auto column = panel.column(j);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        column[i] -= reference[places[i] + j];
        sums[places[i] + j] += weights[i] * column[i];
      }
    }
    use(panel, rows);
    if (!node.problem.unit_weights) {
      for (double& weight : weights) weight = std::sqrt(weight);
      for (std::size_t j = 0; j < k; ++j) {
        const auto column = panel.column(j);
        for (std::size_t i = 0; i < rows.size(); ++i) column[i] *= weights[i];
      }
    }
    add_cross_products(panel, result.within);
  });
  for (std::size_t g = 0; g < n_groups; ++g) {
    if (!(result.weights[g] > 0)) continue;
    const double* sum = sums.data() + g * k;
    double* shift = result.shifts.data() + g * k;
    for (std::size_t i = 0; i < k; ++i) {
      shift[i] = sum[i] / result.weights[g];
      result.means[g * k + i] = reference[g * k + i] + shift[i];
      for (std::size_t j = 0; j <= i; ++j) result.within[i * k + j] -= sum[i] * shift[j];
    }
  }
  mirror(result.within, k);
  return result;
}

// The same from the moments of classes; group_of(class) in [0, n_groups). Without shifts.
template <class GroupOf>
GroupScatter group_scatter(const Node& node, const JointMoments& classes, std::size_t n_groups,
                           GroupOf group_of) {
  const JointLayout& layout = classes.layout;
  const std::size_t k = layout.width;
  const double unit = unit_of_weights(node);
  JointMoments groups{layout, std::vector<double>(n_groups * layout.size(), 0.0)};
  for (std::size_t c = 0; c < classes.n_classes(); ++c) {
    layout.merge(std::span(groups.numbers).subspan(group_of(c) * layout.size(), layout.size()),
                 classes.of(c));
  }
  GroupScatter result;
  result.within.assign(k * k, 0.0);
  for (std::size_t g = 0; g < n_groups; ++g) {
    result.n_rows += groups.count(g);
    result.weights.push_back(unit * groups.weight(g));
    for (std::size_t i = 0; i < k; ++i) {
      result.means.push_back(groups.mean(g, i));
      for (std::size_t j = 0; j < k; ++j) {
        result.within[i * k + j] += unit * groups.product(g, i, j);
      }
    }
  }
  return result;
}

}  // namespace treewright
