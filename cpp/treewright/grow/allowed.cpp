#include "treewright/grow/allowed.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "treewright/grow/whole.hpp"

namespace treewright {

namespace {

// How much each column of a proposal spreads the scores of the node's rows.
std::vector<double> spreads_of(const Node& node, const Test& test, const Columns& columns) {
  std::vector<double> largest(columns.size(), 0.0);
  const auto raise = [&](std::int32_t column, double coefficient) {
    const auto place = std::ranges::lower_bound(columns, column) - columns.begin();
    double& most = largest[static_cast<std::size_t>(place)];
    most = std::max(most, std::abs(coefficient));
  };
  switch (test.kind) {
    case Kind::linear: {
      const Linear linear = std::get<Linear>(view(test));
      for (std::size_t j = 0; j < linear.features.size(); ++j) {
        raise(linear.features[j], linear.coefficients[j]);
      }
      break;
    }
    case Kind::machine: {
      const Machine machine = std::get<Machine>(view(test));
      const std::size_t width = machine.features.size() + 1;
      for (std::size_t i = 0; i < machine.weights.size(); ++i) {
        if (i % width + 1 < width) raise(machine.features[i % width], machine.weights[i]);
      }
      break;
    }
    case Kind::axis:
    case Kind::subset:
    case Kind::multiway:
    case Kind::pair:
    case Kind::leaf:
      return largest;  // as they stand
  }
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const Column values = node.problem.table.column(columns[j]);
    double count = 0.0, mean = 0.0, squares = 0.0;
    for (const std::uint32_t row : node.ids()) {
      const double value = values[row];
      if (!std::isfinite(value)) continue;
      const double off = value - mean;
      mean += off / ++count;
      squares += off * (value - mean);
    }
    largest[j] *= std::sqrt(squares);
  }
  return largest;
}

Node with_columns(const Node& node, const Columns& columns) {
  Node fewer = node;
  fewer.columns = columns;
  fewer.all_columns = columns;
  return fewer;
}

Columns offered_by(const Node& node) { return {node.columns.begin(), node.columns.end()}; }

}  // namespace

std::optional<Candidate> AllowedChoice::best(const Node& given) {
  Node node = given;
  node.wants_each_column = true;
  std::optional<Candidate> best;
  Columns columns = offered_by(node);
  const auto score = [&](const Candidate& c) {
    return score_of(node.problem.gain, c.net(), c.split_information);
  };
  while (!columns.empty()) {
    const bool are_all = columns.size() == node.columns.size();
    const auto found = best_of(are_all ? node : with_columns(node, columns));
    if (!found) break;
    if (!best || clearly_better(score(*found), score(*best))) best = found;
    // Without the dearest column no test decreases impurity more.
    if (found->price == 0.0 || found->decrease <= best->net() || out_of_time_) break;
    double dearest = 0.0;
    for (const std::int32_t column : distinct_columns(found->test)) {
      dearest = std::max(dearest, watch_.price_of(path_, column));
    }
    std::erase_if(columns, [&](auto column) { return watch_.price_of(path_, column) >= dearest; });
  }
  return best;
}

std::optional<Candidate> AllowedChoice::best_of(const Node& node) {
  found_.clear();
  asked_.clear();
  was_narrowed_ = false;
  ask(node);
  if (found_.empty() && was_narrowed_ && method_.wants_other_columns()) {
    for (const std::int32_t column : node.columns) ask(with_columns(node, {column}));
  }
  for (Candidate& candidate : found_) {
    candidate.price = watch_.price_of(path_, distinct_columns(candidate.test));
  }
  return choose(node, found_);
}

void AllowedChoice::ask(const Node& node) {
  const Columns offered = offered_by(node);
  if (out_of_time_ || offered.empty() || std::ranges::find(asked_, offered) != asked_.end()) return;
  asked_.push_back(offered);
  std::vector<Candidate> proposals;
  if (!propose_in_time(method_, node, rng_, proposals)) out_of_time_ = true;
  std::vector<Columns> next;
  for (Candidate& proposal : proposals) {
    if (!std::ranges::includes(offered, distinct_columns(proposal.test))) continue;
    if (watch_.allows(path_, proposal.test)) {
      found_.push_back(std::move(proposal));
      continue;
    }
    if (watch_.rules().largest_whole > 0) {
      auto whole = with_whole_coefficients(node, proposal.test, watch_.rules().largest_whole);
      if (whole && watch_.allows(path_, whole->test)) {
        found_.push_back(std::move(*whole));
        continue;
      }
    }
    was_narrowed_ = true;
    next.push_back(narrowed(node, proposal.test));
  }
  for (const Columns& columns : next) ask(with_columns(node, columns));
}

Columns AllowedChoice::narrowed(const Node& node, const Test& proposal) const {
  const Columns own = distinct_columns(proposal);
  if (own.size() < 2) return {};
  const std::vector<double> spreads = spreads_of(node, proposal, own);
  std::vector<std::size_t> order(own.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t j) { return spreads[j]; });
  if (watch_.allows(path_, own)) {  // not the columns, but what the test makes of them
    Columns fewer = own;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(order.back()));
    return fewer;
  }
  Columns kept;
  const auto add = [&](std::int32_t column) {
    Columns more = joined(kept, {column});
    if (more.size() > kept.size() && watch_.allows(path_, more)) kept = std::move(more);
  };
  for (const std::size_t j : order) add(own[j]);
  for (const std::int32_t column : node.columns) add(column);
  return kept;
}

}  // namespace treewright
