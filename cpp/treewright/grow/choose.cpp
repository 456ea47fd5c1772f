#include "treewright/grow/choose.hpp"

#include <algorithm>

#include "treewright/split/trend.hpp"

namespace treewright {

namespace {

// The levels that a test gives branches of their own.
std::size_t n_levels_of(const Test& test) {
  switch (test.kind) {
    case Kind::multiway:
      return test.features.size() - 1;
    case Kind::axis:
    case Kind::linear:
    case Kind::subset:
    case Kind::pair:
    case Kind::machine:
    case Kind::leaf:
      break;
  }
  return 0;
}

const Candidate* best_ratio(const Node& node, const std::vector<Candidate>& candidates) {
  constexpr double epsilon = 1e-3;
  const double many = 0.3 * static_cast<double>(node.problem.n_rows);
  const auto has_many_levels = [&](const Candidate& c) {
    const std::size_t n_levels = n_levels_of(c.test);
    return n_levels > 0 && static_cast<double>(n_levels) >= many;
  };
  const bool all_many = std::ranges::all_of(candidates, has_many_levels);
  double sum = 0.0, n = 0.0;
  for (const Candidate& c : candidates) {
    if (!all_many && has_many_levels(c)) continue;
    sum += c.net();
    n += 1.0;
  }
  const double mean = sum / n;
  const Candidate* best = nullptr;
  double best_value = 0.0;
  for (const Candidate& c : candidates) {
    if (c.net() < mean - epsilon || c.split_information <= epsilon) continue;
    const double ratio = c.net() / c.split_information;
    if (best == nullptr || clearly_better(ratio, best_value)) {
      best = &c;
      best_value = ratio;
    }
  }
  return best;
}

}  // namespace

bool propose_in_time(Method& method, const Node& node, Rng& rng,
                     std::vector<Candidate>& candidates) {
  candidates.clear();
  try {
    method.propose(node, rng, candidates);
  } catch (const OutOfTime&) {
    return false;
  }
  return true;
}

std::optional<Candidate> choose(const Node& node, std::vector<Candidate>& candidates) {
  for (Candidate& candidate : candidates) {
    if (candidate.is_scored) continue;
    const Outcome outcome = evaluate(node, candidate.test);
    if (!outcome.is_admissible(node.problem)) continue;
    candidate.is_scored = true;
    candidate.decrease = outcome.decrease;
    candidate.split_information = outcome.split_information;
  }
  std::erase_if(candidates, [&](const Candidate& c) {
    return !c.is_scored || (!node.problem.trends.empty() && !keeps_trends(node, c));
  });
  if (candidates.empty()) return std::nullopt;
  if (candidates.size() == 1 && !needs_all_candidates(node.problem.gain)) {
    return std::move(candidates.front());
  }
  std::ranges::stable_sort(candidates, {}, [](const Candidate& c) {
    const auto columns = columns_of(c.test);
    return std::pair(columns.size() > 1, columns[0]);
  });
  const Candidate* best = nullptr;
  if (needs_all_candidates(node.problem.gain)) {
    best = best_ratio(node, candidates);
  } else {
    const auto score = [&](const Candidate& c) {
      return score_of(node.problem.gain, c.net(), c.split_information);
    };
    for (const Candidate& c : candidates) {
      if (best == nullptr || clearly_better(score(c), score(*best))) best = &c;
    }
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}

}  // namespace treewright
