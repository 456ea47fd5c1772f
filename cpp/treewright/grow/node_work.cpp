#include "treewright/grow/node_work.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "treewright/grow/allowed.hpp"
#include "treewright/grow/choose.hpp"
#include "treewright/grow/drawn_columns.hpp"
#include "treewright/grow/held_out.hpp"
#include "treewright/grow/readable.hpp"
#include "treewright/grow/rules.hpp"
#include "treewright/grow/surrogate.hpp"
#include "treewright/measure/median.hpp"

namespace treewright {

namespace {

Problem with_monitor(Problem problem, Monitor& monitor) {
  problem.monitor = &monitor;
  return problem;
}

}  // namespace

Growing::Growing(const Table& table, const Target& target, Method& asked, const GrowOptions& wanted,
                 Monitor& monitor, const Ranks* ranks)
    : method(asked),
      options(wanted),
      fractional(divides_rows(wanted.missing)),
      problem{.table = table,
              .target = target,
              .measure = wanted.measure,
              .gain = wanted.gain,
              .missing = wanted.missing,
              .min_leaf = wanted.min_samples_leaf,
              .min_leaf_weight = wanted.min_leaf_weight,
              .trends = wanted.trends,
              .n_threads = wanted.n_threads,
              .monitor = &monitor},
      rows(table, target, asked.needs_sorted_columns() || uses_surrogates(wanted.missing),
           fractional, monitor, ranks, wanted.n_threads),
      columns(table.n_levels.size()) {
  const std::size_t n_rows = rows.all().size();
  require(n_rows > 0, "There is no row with a positive weight.");
  std::iota(columns.begin(), columns.end(), 0);
  problem.n_rows = wanted.origin ? wanted.origin->n_rows : n_rows;
  same_weights = target.weights.data() == target.split_weights.data();
  problem.unit_weights =
      !fractional && !target.is_soft() && (!wanted.origin || wanted.origin->unit_weights) &&
      std::ranges::all_of(rows.ids(rows.all()),
                          [&](std::uint32_t row) { return target.split_weights[row] == 1.0; });
  if (problem.unit_weights && need_logarithms(wanted.measure.traits().sums)) {
    problem.x_log_x = x_log_x_table(n_rows, problem.n_rows);
  }
  if (!wanted.columns.is_empty()) watch.emplace(wanted.columns, table.n_columns());
  method.prepare(problem, rows);
}

double Growing::weight_of(std::span<const double> statistics) const {
  return problem.target.is_classification() ? sum_of(statistics) : statistics[0];
}

NodeWork::NodeWork(Growing& growing, Monitor& monitor)
    : growing_(growing),
      options_(growing.options),
      monitor_(monitor),
      problem_(with_monitor(growing.problem, monitor)),
      table_(problem_.table),
      target_(problem_.target),
      branch_of_(table_.n_rows) {
  if (!growing.fractional) return;
  weights_.assign(target_.split_weights.begin(), target_.split_weights.end());
  shares_.assign(table_.n_rows, 1.0);
}

std::optional<Candidate> NodeWork::find_split(const OpenLeaf& open) {
  const Root& root = growing_.root;
  if (!may_split(options_, root, open.depth, open.count, open.statistics)) return std::nullopt;
  if (growing_.fractional) load_shares(open.range);
  const std::span<const double> statistics = split_statistics(open);
  const double weight = growing_.weight_of(statistics);
  if (!(weight > 0)) return std::nullopt;
  if (!is_impure(options_, root, weight, impurity_of(open, statistics))) return std::nullopt;
  Node node = view_of(open, statistics);
  const Rivals rivals = growing_.order ? growing_.order->rivals_of(open.node) : Rivals{};
  node.rivals = &rivals;
  Columns offered;
  if (growing_.watch) offered = growing_.watch->offered(open.columns_read, open.node == 0);
  const Columns& allowed = growing_.watch ? offered : growing_.columns;
  if (allowed.empty()) return std::nullopt;
  Rng rng(open.path);
  const auto accepted = [&]() -> std::optional<Candidate> {
    std::optional<Candidate> chosen = choose_from(open, node, rng);
    if (!chosen || !std::isfinite(chosen->decrease)) return std::nullopt;
    return is_worth_it(options_, root, node, chosen->net()) ? chosen : std::nullopt;
  };
  return find_on_drawn_columns(node, allowed, static_cast<std::size_t>(options_.max_features),
                               growing_.method.wants_other_columns(), rng, drawn_, accepted);
}

std::optional<Candidate> NodeWork::choose_from(const OpenLeaf& open, const Node& node, Rng& rng) {
  if (growing_.watch) {
    AllowedChoice choice(growing_.method, *growing_.watch, open.columns_read, rng);
    std::optional<Candidate> chosen = choice.best(node);
    if (choice.out_of_time()) growing_.out_of_time = true;
    return chosen;
  }
  if (!propose_in_time(growing_.method, node, rng, candidates_)) growing_.out_of_time = true;
  return choose(node, candidates_);
}

Division& NodeWork::divide(const OpenLeaf& open) {
  if (growing_.fractional) load_shares(open.range);
  route_rows(open, division_);
  count_branches(open, division_);
  return division_;
}

void NodeWork::move_rows(const OpenLeaf& open, Division& division) {
  Rows& rows = growing_.rows;
  const Range moving = may_stop(options_.missing)
                           ? rows.set_aside_unknown(open.range, branch_of_, buffers_)
                           : open.range;
  if (growing_.fractional) {
    division.ranges = rows.divide_shared(moving, branch_of_, division.part, division.kept);
  } else {
    rows.divide(moving, branch_of_, division.kept, buffers_, division.ranges);
  }
}

std::int32_t NodeWork::otherwise(const Division& division) const {
  return may_stop(options_.missing) ? unknown : division.default_branch;
}

// As route, by what a test of one column does with each of its few values; whether it is one. The
// values are near by, where the rows of a table are far apart.
template <class Put>
bool NodeWork::route_by_value(const Predicate& predicate, std::span<const std::uint32_t> ids,
                              Put put) {
  const Ranks* ranks = growing_.rows.ranks();
  if (ranks == nullptr) return false;
  const auto of_column = [&](const auto& test) {
    const auto keys = ranks->short_keys(test.feature);
    if (keys.empty()) return false;
    const auto values = ranks->values(test.feature);
    const std::uint32_t label_bits = ranks->layout().label_bits;
    const auto branch_of = [&](std::size_t rank) {
      return test.branch([&](std::int32_t) { return values[rank]; });
    };
    if (ids.size() < values.size()) {
      for (const std::uint32_t row : ids) put(row, branch_of(keys[row] >> label_bits));
      return true;
    }
    branch_of_value_.resize(values.size());
    for (std::size_t rank = 0; rank < values.size(); ++rank) {
      branch_of_value_[rank] = branch_of(rank);
    }
    for (const std::uint32_t row : ids) put(row, branch_of_value_[keys[row] >> label_bits]);
    return true;
  };
  return std::visit(
      [&](const auto& test) {
        if constexpr (requires { test.feature; }) {
          return of_column(test);
        } else {
          return false;
        }
      },
      predicate);
}

// Sets `branch_of_` for the node's rows by the finished test. Rows whose branch is unknown are
// placed by the missing policy; they stay unknown when they are divided or stop.
void NodeWork::route_rows(const OpenLeaf& open, Division& division) {
  const auto ids = growing_.rows.ids(open.range);
  division.answers = open.chosen->answers;
  if (options_.readable) {
    const Terms kept = options_.columns.largest_whole > 0 ? Terms::whole : Terms::needed;
    Readable finished = readable(*open.chosen, table_, ids, &monitor_, kept);
    division.test = std::move(finished.test);
    if (finished.is_turned) std::ranges::reverse(division.answers);
  } else {
    division.test = open.chosen->test;
  }
  division.n_branches = static_cast<std::size_t>(check_test(division.test, table_.n_levels));
  division.surrogates.clear();
  division.part.clear();

  const auto counted = uses_surrogates(options_.missing) ? target_.case_weights : target_.weights;
  std::vector<double>& known = known_weights_;
  known.assign(division.n_branches, 0.0);
  division.known.assign(division.n_branches, 0.0);
  bool has_unknown = false;
  const auto put = [&](std::uint32_t row, std::int32_t branch) {
    if (branch == unknown) {
      has_unknown = true;
      branch_of_[row] = Rows::unknown;
    } else {
      const double part = share(row);
      branch_of_[row] = static_cast<std::uint16_t>(branch);
      known[static_cast<std::size_t>(branch)] += counted[row] * part;
      division.known[static_cast<std::size_t>(branch)] += part;
    }
  };
  const Predicate test = view(division.test);
  if (!route_by_value(test, ids, put)) route(test, table_, ids, put);
  division.default_branch = static_cast<std::int32_t>(first_largest(known));

  switch (options_.missing) {
    case Missing::default_branch:
      if (has_unknown) {
        const std::span<const double> statistics = split_statistics(open);
        division.default_branch = evaluate(view_of(open, statistics), division.test).default_branch;
      }
      break;
    case Missing::stop:
      break;
    case Missing::surrogate:
    case Missing::surrogate_or_stop:
      if (division.n_branches == 2) {
        const std::span<const double> statistics = split_statistics(open);
        division.surrogates =
            find_surrogates(view_of(open, statistics), branch_of_, columns_of(division.test),
                            static_cast<std::size_t>(options_.max_surrogates), options_.readable);
      }
      break;
    case Missing::fraction: {
      const double total = sum_of(known);
      for (const double weight : known) division.part.push_back(weight / total);
      return;
    }
  }
  if (has_unknown) {
    place_unknown(ids, division.surrogates, otherwise(division), table_, branch_of_);
  }
  division.part.assign(division.n_branches, 0.0);
}

void NodeWork::count_branches(const OpenLeaf& open, Division& division) const {
  const std::size_t n = division.n_branches, k = target_.n_outputs();
  division.statistics.assign(n * k, 0.0);
  division.counts.assign(n, 0.0);
  const auto add = [&](std::size_t b, std::uint32_t row, double part) {
    add_row(std::span(division.statistics).subspan(b * k, k), row, part);
    division.counts[b] += part;
  };
  for (const std::uint32_t row : growing_.rows.ids(open.range)) {
    if (branch_of_[row] != Rows::unknown) {
      add(branch_of_[row], row, share(row));
      continue;
    }
    for (std::size_t b = 0; b < n; ++b) {
      if (division.part[b] > 0) add(b, row, share(row) * division.part[b]);
    }
  }
}

double NodeWork::value_of(const OpenLeaf& parent, const Division& division, std::size_t branch,
                          Range range) const {
  if (is_told(*parent.chosen, division, branch)) return division.answers[branch];
  const std::size_t k = target_.n_outputs();
  return value_of(std::span(division.statistics).subspan(branch * k, k), range, parent.value);
}

// The split method says what a branch answers.
bool NodeWork::is_told(const Candidate& chosen, const Division& division,
                       std::size_t branch) const {
  if (chosen.answers.empty()) return false;
  const std::size_t k = target_.n_outputs();
  const std::span<const double> statistics(division.statistics);
  if (!(growing_.weight_of(statistics.subspan(branch * k, k)) > 0)) return true;
  // Parts of rows say little about those that are here as a whole.
  const bool is_known = growing_.fractional || division.counts[branch] == division.known[branch];
  return chosen.overrules_rows && is_known && options_.cost.empty();
}

double NodeWork::value_of(std::span<const double> statistics, Range range, double parent) const {
  if (!(growing_.weight_of(statistics) > 0)) return parent;
  if (!target_.is_classification()) {
    if (!options_.measure.needs_rows()) return statistics[1];
    return weighted_median(target_, growing_.rows, range).median;
  }
  return class_of(options_, statistics);
}

double NodeWork::impurity_of(const OpenLeaf& open, std::span<const double> statistics) const {
  if (!options_.measure.needs_rows()) return problem_.measure.of(statistics);
  const Node node = view_of(open, statistics);
  std::vector<std::pair<double, double>> numbers;
  for (const std::uint32_t row : node.ids()) {
    numbers.emplace_back(target_.numbers[row], node.weights[row]);
  }
  return weighted_median(numbers).deviation / node.weight;
}

// Puts the shares of the node's rows where methods look them up by row.
void NodeWork::load_shares(Range range) {
  const auto ids = growing_.rows.ids(range);
  const auto shares = growing_.rows.shares(range);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    shares_[ids[i]] = shares[i];
    weights_[ids[i]] = target_.split_weights[ids[i]] * shares[i];
  }
}

void NodeWork::add_row(std::span<double> to, std::uint32_t row, double share) const {
  treewright::add_row(to, target_, row, target_.weights[row] * share);
}

std::span<const double> NodeWork::split_statistics(const OpenLeaf& open) {
  if (growing_.same_weights) return open.statistics;
  split_statistics_.assign(open.statistics.size(), 0.0);
  const Node node = view_of(open, split_statistics_);
  for (const std::uint32_t row : node.ids()) node.add_row(split_statistics_, row);
  return split_statistics_;
}

Node NodeWork::view_of(const OpenLeaf& open, std::span<const double> statistics) const {
  return {
      .problem = problem_,
      .rows = growing_.rows,
      .range = open.range,
      .weights = growing_.fractional ? std::span<const double>(weights_) : target_.split_weights,
      .shares = shares_,
      .statistics = statistics,
      .weight = growing_.weight_of(statistics),
      .noise = problem_.measure.noise_of(statistics),
      .count = open.count,
      .depth = open.depth,
      .columns = growing_.columns,
      .all_columns = growing_.columns};
}

}  // namespace treewright
