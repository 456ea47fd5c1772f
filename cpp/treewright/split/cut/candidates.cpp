#include "treewright/split/cut/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace treewright {

void require_classes(const Problem& problem, const std::string& method) {
  require(problem.target.is_classification(),
          "The split method " + method +
              " is for classification only; use split=MUST() or split='axis' for regression.");
}

Labels classes_of(const Node& node) {
  const Target& target = node.problem.target;
  return {target.labels, static_cast<std::size_t>(target.n_classes)};
}

std::vector<std::int32_t> varying_columns(const Node& node) {
  std::vector<std::int32_t> columns;
  for (const std::int32_t column : node.columns) {
    if (node.problem.table.is_categorical(column)) continue;
    const Column values = node.problem.table.column(column);
    double smallest = std::numeric_limits<double>::infinity(), largest = -smallest, known = 0.0;
    for (const std::uint32_t row : node.ids()) {
      if (std::isnan(values[row])) continue;
      smallest = std::min(smallest, values[row]);
      largest = std::max(largest, values[row]);
      known += node.weights[row];
    }
    if (smallest < largest && known >= node.weight / 2 * (1 - limit_slack))
      columns.push_back(column);
  }
  return columns;
}

std::optional<Candidate> evaluated(const Node& node, Test test) {
  if (test.is_leaf()) return std::nullopt;
  const bool is_finite =
      std::ranges::all_of(test.numbers, [](double number) { return std::isfinite(number); });
  if (!is_finite) return std::nullopt;
  const Outcome outcome = evaluate(node, test);
  if (!outcome.is_admissible(node.problem)) return std::nullopt;
  Candidate candidate;
  candidate.test = std::move(test);
  candidate.is_scored = true;
  candidate.decrease = outcome.decrease;
  candidate.split_information = outcome.split_information;
  return candidate;
}

Test direction_of(std::span<const std::int32_t> columns, std::span<const double> coefficients) {
  double largest = 0.0;
  for (const double w : coefficients) largest = std::max(largest, std::abs(w));
  std::vector<std::int32_t> used;
  std::vector<double> kept;
  for (std::size_t j = 0; j < coefficients.size(); ++j) {
    if (coefficients[j] == 0.0) continue;
    used.push_back(columns[j]);
    kept.push_back(coefficients[j] / largest);
  }
  return used.empty() ? Test{} : linear_test(used, kept, 0.0);
}

}  // namespace treewright
