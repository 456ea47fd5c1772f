#include "treewright/split/class_scatter.hpp"

#include <algorithm>
#include <cmath>

#include "treewright/split/blocks.hpp"

namespace treewright {

std::size_t ClassScatter::n_classes_present() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(weights, [](double weight) { return weight > 0; }));
}

double ClassScatter::weight() const { return sum_of(weights); }

std::vector<double> ClassScatter::centre() const {
  const std::size_t k = columns.size();
  const double total = weight();
  std::vector<double> mean(k, 0.0);
  for (std::size_t c = 0; c < weights.size(); ++c) {
    for (std::size_t j = 0; j < k; ++j) mean[j] += weights[c] / total * means[c * k + j];
  }
  return mean;
}

std::vector<double> ClassScatter::between() const {
  const std::size_t k = columns.size();
  const std::vector<double> mean = centre();
  std::vector<double> matrix(k * k, 0.0);
  for (std::size_t c = 0; c < weights.size(); ++c) {
    for (std::size_t i = 0; i < k; ++i) {
      const double off = weights[c] * (means[c * k + i] - mean[i]);
      for (std::size_t j = 0; j < k; ++j) matrix[i * k + j] += off * (means[c * k + j] - mean[j]);
    }
  }
  return matrix;
}

ClassScatter class_scatter(const Node& node, std::span<const std::int32_t> columns, Labels labels) {
  const std::size_t k = columns.size();
  ClassScatter scatter;
  scatter.columns.assign(columns.begin(), columns.end());
  scatter.weights.assign(labels.count, 0.0);
  scatter.means.assign(labels.count * k, 0.0);
  scatter.within.assign(k * k, 0.0);
  if (k == 0) return scatter;
  // Only shares of weights matter; with a power of two taken off, their scale does not show in the
  // last digits either.
  const double unit = std::ldexp(1.0, -std::ilogb(node.weight));
  const auto class_of = [&](std::uint32_t row) {
    return static_cast<std::size_t>(labels.of_row[row]);
  };
  // Sums are taken around the first row, so that large numbers of little spread keep their digits.
  std::vector<double> reference;
  for_each_complete_block(node, columns, [&](const Panel& panel, auto rows) {
    for (std::size_t j = reference.size(); j < k; ++j) reference.push_back(panel.column(j)[0]);
    for (const std::uint32_t row : rows) {
      scatter.weights[class_of(row)] += unit * node.weights[row];
      scatter.n_rows += node.count_of(row);
    }
    for (std::size_t j = 0; j < k; ++j) {
      const auto column = panel.column(j);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        scatter.means[class_of(rows[i]) * k + j] +=
            unit * node.weights[rows[i]] * (column[i] - reference[j]);
      }
    }
  });
  for (std::size_t c = 0; c < labels.count; ++c) {
    if (!(scatter.weights[c] > 0)) continue;
    for (std::size_t j = 0; j < k; ++j) {
      double& mean = scatter.means[c * k + j];
      mean = mean / scatter.weights[c] + reference[j];
    }
  }
  for_each_complete_block(node, columns, [&](const Panel& panel, auto rows) {
    for (std::size_t j = 0; j < k; ++j) {
      const auto column = panel.column(j);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        column[i] = std::sqrt(unit * node.weights[rows[i]]) *
                    (column[i] - scatter.means[class_of(rows[i]) * k + j]);
      }
    }
    add_cross_products(panel, scatter.within);
  });
  mirror(scatter.within, k);
  return scatter;
}

}  // namespace treewright
