#include "treewright/split/machine/class_rows.hpp"

#include <algorithm>

#include "treewright/split/cut/candidates.hpp"

namespace treewright {

ClassRows class_rows(const Node& node, std::span<const std::uint32_t> ids) {
  ClassRows data;
  data.rows = standard_rows(node.problem.table, varying_columns(node), ids, node.weights);
  const Labels labels = classes_of(node);
  std::vector<std::int32_t> position(labels.count, -1);
  for (const std::uint32_t row : data.rows.ids) {
    position[static_cast<std::size_t>(labels.of_row[row])] = 0;
  }
  for (std::size_t c = 0; c < labels.count; ++c) {
    if (position[c] < 0) continue;
    position[c] = static_cast<std::int32_t>(data.classes.size());
    data.classes.push_back(static_cast<std::int32_t>(c));
  }
  for (const std::uint32_t row : data.rows.ids) {
    data.labels.push_back(position[static_cast<std::size_t>(labels.of_row[row])]);
  }
  return data;
}

ClassScores in_units(const ClassRows& data, std::span<const double> weights) {
  const std::size_t k = data.rows.n_columns();
  ClassScores scores{data.classes, {}};
  for (std::size_t c = 0; c < data.classes.size(); ++c) {
    const auto row = weights.subspan(c * (k + 1), k + 1);
    double intercept = row[k];
    for (std::size_t j = 0; j < k; ++j) {
      scores.rows.push_back(row[j] / data.rows.scale[j]);
      intercept -= scores.rows.back() * data.rows.mean[j];
    }
    scores.rows.push_back(intercept);
  }
  return scores;
}

}  // namespace treewright
