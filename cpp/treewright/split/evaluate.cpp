#include <algorithm>

#include "treewright/split/method.hpp"

namespace treewright {

bool Outcome::is_admissible(const Problem& problem) const {
  int enough = 0;
  for (std::size_t b = 0; b < counts.size(); ++b) {
    enough += counts[b] >= problem.min_leaf - limit_slack &&
              weights[b] >= problem.min_leaf_weight * (1 - limit_slack);
  }
  return enough >= 2;
}

namespace {

using Numbers = std::vector<std::pair<double, double>>;

// Absolute error cannot be had from statistics: the medians need the rows.
double absolute_decrease(const Node& node, const std::vector<Numbers>& branches, Numbers judged) {
  double left = weighted_median(judged).deviation;
  for (Numbers branch : branches) left -= weighted_median(branch).deviation;
  return left / node.weight;
}

}  // namespace

Outcome evaluate(const Node& node, const Test& test) {
  const Problem& problem = node.problem;
  const Target& target = problem.target;
  const std::size_t k = target.n_outputs();
  const bool absolute = problem.measure.impurity == Impurity::absolute_error;

  Outcome out;
  out.n_branches = check_test(test, problem.table.n_levels);
  const auto n = static_cast<std::size_t>(out.n_branches);
  out.statistics.assign(n * k, 0.0);
  out.counts.assign(n, 0.0);
  out.weights.assign(n, 0.0);
  std::vector<double> missing(k, 0.0);
  std::vector<Numbers> numbers(absolute ? n : 0);
  Numbers missing_numbers;
  const auto branch_statistics = [&](std::size_t b) {
    return std::span(out.statistics).subspan(b * k, k);
  };
  route(view(test), problem.table, node.ids(), [&](std::uint32_t row, std::int32_t branch) {
    if (branch == unknown) {
      node.add_row(missing, row);
      out.unknown_count += node.count_of(row);
      out.unknown_weight += node.weights[row];
      if (absolute) missing_numbers.emplace_back(target.numbers[row], node.weights[row]);
      return;
    }
    const auto b = static_cast<std::size_t>(branch);
    node.add_row(branch_statistics(b), row);
    out.counts[b] += node.count_of(row);
    out.weights[b] += node.weights[row];
    if (absolute) numbers[b].emplace_back(target.numbers[row], node.weights[row]);
  });

  out.default_branch =
      static_cast<std::int32_t>(std::ranges::max_element(out.weights) - out.weights.begin());

  // The rows that the decrease is about: all of them, or the known ones.
  const bool place_unknown = problem.missing == Missing::default_branch && out.unknown_count > 0;
  std::vector<double> judged(k, 0.0);
  for (std::size_t b = 0; b < n; ++b) {
    add_statistics(judged, branch_statistics(b), target.is_classification());
  }
  if (place_unknown) add_statistics(judged, missing, target.is_classification());
  const double judged_weight = target.is_classification() ? sum_of(judged) : judged[0];

  const auto decrease_now = [&] {
    if (!absolute) {
      return problem.measure.decrease(judged, out.statistics) * judged_weight / node.weight;
    }
    Numbers all = place_unknown ? missing_numbers : Numbers{};
    for (const Numbers& branch : numbers) all.insert(all.end(), branch.begin(), branch.end());
    return absolute_decrease(node, numbers, std::move(all));
  };
  const auto information = [&] {
    std::vector<double> parts = out.weights;
    if (!place_unknown) parts.push_back(out.unknown_weight);
    return split_information(parts);
  };
  if (place_unknown) {
    double best_score = -std::numeric_limits<double>::infinity();
    bool best_fits = false;
    for (std::size_t b = 0; b < n; ++b) {
      const std::vector<double> statistics = out.statistics;
      const Numbers held = absolute ? numbers[b] : Numbers{};
      add_statistics(branch_statistics(b), missing, target.is_classification());
      if (absolute)
        numbers[b].insert(numbers[b].end(), missing_numbers.begin(), missing_numbers.end());
      const std::vector<double> counts = out.counts, weights = out.weights;
      out.counts[b] += out.unknown_count;
      out.weights[b] += out.unknown_weight;
      const bool fits = out.is_admissible(problem);
      const double decrease = decrease_now();
      const double score = score_of(problem.gain, decrease, information());
      if (best_score == -std::numeric_limits<double>::infinity() || (fits && !best_fits) ||
          (fits == best_fits && clearly_better(score, best_score))) {
        best_fits = fits;
        best_score = score;
        out.decrease = decrease;
        out.default_branch = static_cast<std::int32_t>(b);
      }
      out.statistics = statistics;
      out.counts = counts;
      out.weights = weights;
      if (absolute) numbers[b] = held;
    }
    const auto chosen = static_cast<std::size_t>(out.default_branch);
    add_statistics(branch_statistics(chosen), missing, target.is_classification());
    out.counts[chosen] += out.unknown_count;
    out.weights[chosen] += out.unknown_weight;
  } else {
    out.decrease = decrease_now();
  }

  out.split_information = information();
  return out;
}

}  // namespace treewright
