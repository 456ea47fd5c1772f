#include "treewright/split/discriminant/class_scatter.hpp"

#include <algorithm>

#include "treewright/split/evidence.hpp"
#include "treewright/split/rows/group_scatter.hpp"

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
  ClassScatter scatter;
  scatter.columns.assign(columns.begin(), columns.end());
  const auto class_of = [&](std::uint32_t row) {
    return static_cast<std::size_t>(labels.of_row[row]);
  };
  GroupScatter found =
      node.evidence != nullptr
          ? group_scatter(node, node.evidence->moments(columns), labels.count,
                          [](std::size_t label) { return label; })
          : group_scatter(node, columns, labels.count, class_of, [](const Panel&, auto) {});
  scatter.within = std::move(found.within);
  scatter.weights = std::move(found.weights);
  scatter.means = std::move(found.means);
  scatter.n_rows = found.n_rows;
  return scatter;
}

}  // namespace treewright
