#include "treewright/split/trend.hpp"

#include <algorithm>

namespace treewright {

int trend_of_column(const Problem& problem, std::int32_t column) {
  return problem.trends.empty() ? 0 : problem.trends[static_cast<std::size_t>(column)];
}

std::optional<int> trend_along(const Problem& problem, std::span<const std::int32_t> columns,
                               std::span<const double> coefficients) {
  int trend = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const int here = coefficients[i] == 0.0 ? 0
                     : coefficients[i] > 0  ? trend_of_column(problem, columns[i])
                                            : -trend_of_column(problem, columns[i]);
    if (here == 0) continue;
    if (trend == -here) return std::nullopt;
    trend = here;
  }
  return trend;
}

std::optional<int> trend_of(const Problem& problem, const Test& test) {
  switch (test.kind) {
    case Kind::axis:
      return trend_of_column(problem, test.features[0]);
    case Kind::linear: {
      const Linear linear = std::get<Linear>(view(test));
      return trend_along(problem, linear.features, linear.coefficients);
    }
    case Kind::subset: {
      const Subset subset = std::get<Subset>(view(test));
      const int trend = trend_of_column(problem, subset.feature);
      return subset.left[0] == 0 ? trend : -trend;  // of the two levels of a boolean
    }
    case Kind::leaf:
    case Kind::multiway:
    case Kind::pair:
    case Kind::machine:
      break;
  }
  const auto columns = columns_of(test);
  const bool is_free = std::ranges::all_of(
      columns, [&](std::int32_t column) { return trend_of_column(problem, column) == 0; });
  return is_free ? std::optional(0) : std::nullopt;
}

double answer_of(const Target& target, std::span<const double> statistics) {
  return target.is_classification() ? statistics[1] / sum_of(statistics) : statistics[1];
}

bool keeps_trend(const Node& node, int trend, double left, double right) {
  const auto is_within = [&](double answer) { return answer >= node.least && answer <= node.most; };
  return is_within(left) && is_within(right) && trend * (right - left) >= 0;
}

bool keeps_trends(const Node& node, const Candidate& candidate) {
  const Problem& problem = node.problem;
  const std::optional<int> trend = trend_of(problem, candidate.test);
  if (!trend || candidate.overrules_rows) return false;
  const auto n_branches =
      static_cast<std::size_t>(check_test(candidate.test, problem.table.n_levels));
  const std::size_t k = problem.target.n_outputs();
  std::vector<double> statistics(n_branches * k, 0.0);
  std::vector<std::pair<std::uint32_t, std::int32_t>> routed;
  bool has_unknown = false;
  route(view(candidate.test), problem.table, node.ids(), [&](auto row, std::int32_t branch) {
    has_unknown = has_unknown || branch == unknown;
    routed.emplace_back(row, branch);
  });
  std::int32_t otherwise = unknown;
  if (has_unknown && takes_default_branch(problem.missing)) {
    otherwise = evaluate(node, candidate.test).default_branch;
  }
  // As the grower sums them, so that what is judged here is what the branches answer.
  for (const auto& [row, found] : routed) {
    const std::int32_t branch = found == unknown ? otherwise : found;
    if (branch == unknown) continue;
    add_row(std::span(statistics).subspan(static_cast<std::size_t>(branch) * k, k), problem.target,
            row, problem.target.weights[row]);
  }
  std::vector<double> answers;
  for (std::size_t b = 0; b < n_branches; ++b) {
    const auto here = std::span<const double>(statistics).subspan(b * k, k);
    const double weight = problem.target.is_classification() ? sum_of(here) : here[0];
    if (weight > 0) answers.push_back(answer_of(problem.target, here));
  }
  if (n_branches == 2) {
    return answers.size() == 2 && keeps_trend(node, *trend, answers[0], answers[1]);
  }
  return std::ranges::all_of(answers,
                             [&](double answer) { return keeps_trend(node, 0, answer, answer); });
}

TrendWatch::TrendWatch(const Node& node, int trend, std::span<const Entry> moving,
                       std::span<const Entry> standing, std::span<const Entry> others)
    : node_(node), trend_(trend) {
  for (const Entry e : standing) add(left_, e);
  total_ = left_;
  for (const Entry e : moving) add(total_, e);
  for (const Entry e : others) add(total_, e);
}

void TrendWatch::add(Sum& to, Entry e) const {
  const Target& target = node_.problem.target;
  const double weight = target.weights[e.row];
  to.weight += weight;
  to.answer += weight * (target.is_classification() ? target.labels[e.row] : target.numbers[e.row]);
}

bool TrendWatch::allows() const {
  const double right = total_.weight - left_.weight;
  if (!(left_.weight > 0) || !(right > 0)) return false;
  return keeps_trend(node_, trend_, left_.answer / left_.weight,
                     (total_.answer - left_.answer) / right);
}

}  // namespace treewright
