#include <algorithm>
#include <cmath>
#include <limits>

#include "treewright/base/pace.hpp"
#include "treewright/split/evidence.hpp"

namespace treewright {

Outcome::Outcome(std::int32_t branches, std::size_t n_outputs) : n_branches(branches) {
  require(branches < Rows::unknown, "A split may have at most 65,534 branches.");
  const auto n = static_cast<std::size_t>(branches);
  statistics.assign(n * n_outputs, 0.0);
  counts.assign(n, 0.0);
  weights.assign(n, 0.0);
}

bool Outcome::holds_a_leaf(std::size_t branch, const Problem& problem) const {
  return counts[branch] >= problem.min_leaf - limit_slack &&
         weights[branch] >= problem.min_leaf_weight * (1 - limit_slack);
}

bool Outcome::is_admissible(const Problem& problem) const {
  int enough = 0;
  for (std::size_t b = 0; b < counts.size(); ++b) enough += holds_a_leaf(b, problem);
  return enough >= 2;
}

namespace {

using Numbers = std::vector<std::pair<double, double>>;

// The numbers of rows with their weights, where a measure takes these.
struct NumbersByBranch {
  std::vector<Numbers> known;
  Numbers missing;
};

// Absolute error cannot be had from statistics: the medians need the rows.
double absolute_decrease(const Node& node, const std::vector<Numbers>& branches) {
  Numbers all;
  double inside = 0.0;
  for (Numbers branch : branches) {
    all.insert(all.end(), branch.begin(), branch.end());
    inside += weighted_median(branch).deviation;
  }
  return (weighted_median(all).deviation - inside) / node.weight;
}

void judge(const Node& node, Outcome& out, std::span<const double> missing,
           NumbersByBranch* numbers);

}  // namespace

Outcome evaluate(const Node& node, const Test& test) {
  if (node.evidence != nullptr) return node.evidence->outcome(test);
  const Problem& problem = node.problem;
  const Target& target = problem.target;
  const bool absolute = problem.measure.needs_rows();

  Outcome out(check_test(test, problem.table.n_levels), target.n_outputs());
  std::vector<double> missing(target.n_outputs(), 0.0);
  NumbersByBranch numbers;
  if (absolute) numbers.known.resize(out.counts.size());
  Pace pace(problem.monitor);
  route(view(test), problem.table, node.ids(), [&](std::uint32_t row, std::int32_t branch) {
    pace.is_over_after(test.numbers.size());  // lets Ctrl-C end it
    if (branch == unknown) {
      node.add_row(missing, row);
      out.unknown_count += node.count_of(row);
      out.unknown_weight += node.weights[row];
      if (absolute) numbers.missing.emplace_back(target.numbers[row], node.weights[row]);
      return;
    }
    const auto b = static_cast<std::size_t>(branch);
    node.add_row(out.statistics_of(b), row);
    out.counts[b] += node.count_of(row);
    out.weights[b] += node.weights[row];
    if (absolute) numbers.known[b].emplace_back(target.numbers[row], node.weights[row]);
  });
  judge(node, out, missing, absolute ? &numbers : nullptr);
  return out;
}

void judge(const Node& node, Outcome& out, std::span<const double> missing) {
  judge(node, out, missing, nullptr);
}

namespace {

void judge(const Node& node, Outcome& out, std::span<const double> missing,
           NumbersByBranch* numbers) {
  const Problem& problem = node.problem;
  const Target& target = problem.target;
  const std::size_t n = out.counts.size(), k = target.n_outputs();
  const bool absolute = numbers != nullptr;
  out.default_branch = static_cast<std::int32_t>(first_largest(out.weights));

  // The rows that the decrease is about: all of them, or the known ones.
  const bool place_unknown = takes_default_branch(problem.missing) && out.unknown_count > 0;
  std::vector<double> judged(k, 0.0);
  for (std::size_t b = 0; b < n; ++b) {
    add_statistics(judged, out.statistics_of(b), target.is_classification());
  }
  if (place_unknown) add_statistics(judged, missing, target.is_classification());
  const double judged_weight = target.is_classification() ? sum_of(judged) : judged[0];

  const Measure& measure = problem.measure;
  const double judged_share = judged_weight / node.weight;
  const auto decrease_now = [&] {
    return node.without_noise(absolute ? absolute_decrease(node, numbers->known)
                                       : measure.decrease(judged, out.statistics) * judged_share);
  };
  const auto information = [&] {
    std::vector<double> parts = out.weights;
    if (!place_unknown) parts.push_back(out.unknown_weight);
    return split_information(parts);
  };
  if (!place_unknown) {
    out.decrease = decrease_now();
    out.split_information = information();
    return;
  }

  // Where one branch changes at a time, only its contribution has to be found anew.
  const bool by_parts = !absolute && measure.is_sum_over_branches();
  std::vector<double> contributions;
  for (std::size_t b = 0; by_parts && b < n; ++b) {
    contributions.push_back(measure.contribution(judged, out.statistics_of(b)));
  }
  const double nothing_placed = measure.of_split(judged) - sum_of(contributions);
  const auto enough_in = [&](std::size_t b) { return out.holds_a_leaf(b, problem) ? 1 : 0; };
  int enough = 0;
  for (std::size_t b = 0; b < n; ++b) enough += enough_in(b);

  double best_score = 0.0;
  bool best_fits = false;
  for (std::size_t b = 0; b < n; ++b) {
    const auto here = out.statistics_of(b);
    const std::vector<double> before(here.begin(), here.end());
    const Numbers numbers_before = absolute ? numbers->known[b] : Numbers{};
    const double count = out.counts[b], weight = out.weights[b];
    const int others = enough - enough_in(b);
    add_statistics(here, missing, target.is_classification());
    out.counts[b] += out.unknown_count;
    out.weights[b] += out.unknown_weight;
    if (absolute) {
      auto& here_numbers = numbers->known[b];
      here_numbers.insert(here_numbers.end(), numbers->missing.begin(), numbers->missing.end());
    }

    const bool fits = others + enough_in(b) >= 2;
    const double decrease = by_parts ? node.without_noise((nothing_placed + contributions[b] -
                                                           measure.contribution(judged, here)) *
                                                          judged_share)
                                     : decrease_now();
    const double score = score_of(problem.gain, decrease,
                                  needs_split_information(problem.gain) ? information() : 0.0);
    if (b == 0 || (fits && !best_fits) ||
        (fits == best_fits && clearly_better(score, best_score))) {
      best_fits = fits;
      best_score = score;
      out.decrease = decrease;
      out.default_branch = static_cast<std::int32_t>(b);
    }

    std::ranges::copy(before, here.begin());
    out.counts[b] = count;
    out.weights[b] = weight;
    if (absolute) numbers->known[b] = numbers_before;
  }
  const auto chosen = static_cast<std::size_t>(out.default_branch);
  add_statistics(out.statistics_of(chosen), missing, target.is_classification());
  out.counts[chosen] += out.unknown_count;
  out.weights[chosen] += out.unknown_weight;
  out.split_information = information();
}

}  // namespace

}  // namespace treewright
