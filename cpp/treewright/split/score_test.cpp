#include "treewright/split/score_test.hpp"

#include <cmath>

#include "treewright/split/line_classes.hpp"
#include "treewright/split/scored.hpp"

namespace treewright {

namespace {

// Scores are logarithms of probabilities up to a constant: what differs by less is equal, and the
// earlier class wins, whatever the rounding.
constexpr double tie = 1e-9;

// Which scores are the largest at some row of the node.
std::vector<bool> winners(const Node& node, const Test& machine) {
  std::vector<bool> wins(std::get<Machine>(view(machine)).n_branches(), false);
  route(view(machine), node.problem.table, node.ids(), [&](std::uint32_t, std::int32_t branch) {
    if (branch != unknown) wins[static_cast<std::size_t>(branch)] = true;
  });
  return wins;
}

// score_1 - score_0 <= 0 is branch 0.
Test two_way(std::span<const std::int32_t> columns, std::span<const double> difference) {
  const Test direction = direction_of(columns, difference.first(columns.size()));
  if (direction.kind == Kind::leaf) return direction;
  double largest = 0.0;
  for (const double w : difference.first(columns.size())) largest = std::max(largest, std::abs(w));
  const double threshold = -difference.back() / largest;
  const Linear linear = std::get<Linear>(view(direction));
  return linear_test(linear.features, linear.coefficients, threshold);
}

}  // namespace

void require_many_branches(const Problem& problem, const std::string& method) {
  require(problem.measure.impurity != Impurity::twoing,
          method + " makes a branch a class, which twoing cannot judge; use another measure.");
}

Test score_test(const Node& node, std::span<const std::int32_t> columns,
                const ClassScores& scores) {
  const std::size_t width = columns.size() + 1;
  if (scores.classes.size() < 2) return {};
  if (columns.size() == 1) {
    Lines lines;
    for (std::size_t b = 0; b < scores.classes.size(); ++b) {
      lines.slopes.push_back(scores.rows[2 * b]);
      lines.intercepts.push_back(scores.rows[2 * b + 1]);
    }
    return interval_test(node, columns[0], envelope_cuts(lines), false);
  }
  const std::vector<bool> wins = winners(node, machine_test(columns, scores.rows));
  std::vector<double> rows;
  const double* base = nullptr;
  for (std::size_t b = 0; b < wins.size(); ++b) {
    if (!wins[b]) continue;
    const double* row = scores.rows.data() + b * width;
    if (base == nullptr) base = row;
    for (std::size_t i = 0; i < width; ++i) rows.push_back(row[i] - base[i]);
    rows.back() -= tie * static_cast<double>(rows.size() / width - 1);
  }
  if (rows.size() <= width) return {};
  if (rows.size() == 2 * width) return two_way(columns, std::span(rows).subspan(width));
  // Columns without a coefficient in any score are left out.
  std::vector<std::int32_t> used;
  std::vector<double> numbers;
  std::vector<bool> is_used(width, false);
  is_used[width - 1] = true;
  for (std::size_t i = 0; i + 1 < width; ++i) {
    for (std::size_t at = i; at < rows.size(); at += width)
      is_used[i] = is_used[i] || rows[at] != 0.0;
    if (is_used[i]) used.push_back(columns[i]);
  }
  for (std::size_t at = 0; at < rows.size(); ++at) {
    if (is_used[at % width]) numbers.push_back(rows[at]);
  }
  return used.empty() ? Test{} : machine_test(used, numbers);
}

}  // namespace treewright
