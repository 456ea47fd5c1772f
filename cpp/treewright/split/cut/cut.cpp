// One loop serves all measures; what differs is in goodness.hpp.

#include "treewright/split/cut/cut.hpp"

#include <algorithm>
#include <cmath>

#include "treewright/base/decimal.hpp"
#include "treewright/split/cut/goodness.hpp"
#include "treewright/split/cut/twoing.hpp"

namespace treewright {

namespace {

// The positions whose cut leaves enough on both sides; empty when first > last.
struct Window {
  std::size_t first = 1;
  std::size_t last = 0;
};

// What stands on a side whatever the cut: rows without a value.
struct Standing {
  double count = 0.0;
  double weight = 0.0;
};

Window allowed_window(const Node& node, std::span<const Entry> known, const CutRules& rules,
                      Standing left, Standing right) {
  const std::size_t n = known.size();
  const double min_leaf = node.problem.min_leaf;
  const double min_weight = std::max(rules.min_weight, node.problem.min_leaf_weight);
  if (node.shares.empty() && min_weight <= 0) {
    const auto wanted = [&](double already) {
      return static_cast<std::size_t>(std::max(1.0, std::ceil(min_leaf - already)));
    };
    const std::size_t on_left = wanted(left.count), on_right = wanted(right.count);
    if (on_left + on_right > n) return {};
    return {on_left - 1, n - 1 - on_right};
  }
  const auto enough_with = [&](Standing& side, Entry e) {
    side.count += node.count_of(e.row);
    side.weight += node.weights[e.row];
    return side.count >= min_leaf - limit_slack && side.weight >= min_weight * (1 - limit_slack);
  };
  Window window;
  std::size_t i = 0;
  while (i < n && !enough_with(left, known[i])) ++i;
  window.first = i;
  for (i = n; i-- > 1;) {
    if (enough_with(right, known[i])) {
      window.last = i - 1;
      return window;
    }
  }
  return {};
}

struct Scanned {
  bool found = false;
  std::size_t position = 0;
  std::size_t n_tries = 0;
};

template <class Goodness>
Scanned scan(Goodness& goodness, std::span<const Entry> known, Window window, KeyLayout layout,
             Column values, double min_gap) {
  Scanned result;
  for (std::size_t i = 0; i < window.first; ++i) goodness.move(known[i]);
  for (std::size_t i = window.first; i <= window.last; ++i) {
    goodness.move(known[i]);
    if (layout.rank(known[i]) == layout.rank(known[i + 1])) continue;
    if (min_gap > 0) {
      if (!(values[known[i + 1].row] - values[known[i].row] > min_gap)) continue;
      ++result.n_tries;
    }
    if (goodness.better()) {
      result.found = true;
      result.position = i;
    }
  }
  return result;
}

template <class Goodness>
double score_of_best(const Goodness& goodness) {
  if constexpr (requires { goodness.score(); }) {
    return goodness.score();
  } else {
    return goodness.decrease();
  }
}

}  // namespace

std::size_t count_known(const Node& node, std::span<const Entry> entries) {
  const KeyLayout layout = node.rows.layout();
  if (entries.empty() || !layout.is_missing(entries.back())) return entries.size();
  return static_cast<std::size_t>(
      std::ranges::partition_point(entries, [&](Entry e) { return !layout.is_missing(e); }) -
      entries.begin());
}

double middle_of(double low, double high) {
  const double middle = low + (high - low) / 2;
  return middle < high ? middle : low;
}

std::optional<Cut> best_cut(const Node& node, std::span<const Entry> entries, Column values,
                            const CutRules& rules) {
  const Problem& problem = node.problem;
  const KeyLayout layout = node.rows.layout();
  const std::size_t n_known = count_known(node, entries);
  const auto known = entries.first(n_known), without_value = entries.subspan(n_known);
  if (n_known < 2 || layout.rank(known.front()) == layout.rank(known.back())) return std::nullopt;

  const std::size_t k = problem.target.n_outputs();
  const bool is_classification = problem.target.is_classification();
  static thread_local std::vector<double> space;  // saves four allocations a column
  space.assign(4 * k, 0.0);
  const auto left = std::span(space).first(k), right = std::span(space).subspan(k, k);
  const auto known_part = std::span(space).subspan(2 * k, k);
  const auto unknown_part = std::span(space).subspan(3 * k, k);
  Standing unknown_rows;
  for (const Entry e : without_value) {
    node.add_row(unknown_part, e.row);
    unknown_rows.count += node.count_of(e.row);
    unknown_rows.weight += node.weights[e.row];
  }
  const bool judges_all = without_value.empty() || takes_default_branch(problem.missing);
  if (!judges_all) {
    for (const Entry e : known) node.add_row(known_part, e.row);
  }

  std::optional<Cut> best;
  const auto try_side = [&](bool unknown_left, bool unknown_right) {
    const Sides sides{node, judges_all ? node.statistics : std::span<const double>(known_part),
                      left, right};
    std::ranges::fill(left, 0.0);
    if (unknown_left) add_statistics(left, unknown_part, is_classification);
    for (std::size_t c = 0; c < k; ++c) right[c] = sides.total[c] - left[c];
    const Window window =
        allowed_window(node, known, rules, unknown_left ? unknown_rows : Standing{},
                       unknown_right ? unknown_rows : Standing{});
    if (window.first > window.last) return;

    const auto run = [&](auto&& goodness) {
      const Scanned scanned = scan(goodness, known, window, layout, values, rules.min_gap);
      if (!scanned.found) return;
      const double decrease = node.without_noise(goodness.decrease() / node.weight) * node.weight;
      const double score = decrease == 0.0 ? 0.0 : score_of_best(goodness);
      if (best && !clearly_better(score, best->score)) return;
      best = Cut{.position = scanned.position,
                 .decrease = decrease,
                 .score = score,
                 .unknown_left = unknown_left,
                 .n_tries = scanned.n_tries};
    };
    const bool by_decrease = orders_cuts_by_decrease(problem.gain);
    const bool by_counts =
        problem.unit_weights && layout.label_bits > 0 && is_classification && by_decrease;
    switch (problem.measure.traits().sums) {
      case Sums::squares:
        if (by_counts && k == 2) return run(TwoClassCounts(sides));
        if (by_counts) return run(ManyCounts(sides));
        if (k == 2 && by_decrease) return run(TwoClassWeights(sides));
        return run(WeightedGini(sides));
      case Sums::logarithms:
        if (!problem.x_log_x.empty()) return run(EntropyCounts(sides));
        return run(Entropy(sides));
      case Sums::roots:
        return run(Hellinger(sides));
      case Sums::differences:
        return run(Twoing(sides));
      case Sums::class_weights:
        return run(AnyMeasure(sides));
      case Sums::moments:
        return run(SquaredError(sides));
      case Sums::medians: {
        const auto none = without_value.first(0);
        return run(AbsoluteError(node, known, unknown_left ? without_value : none,
                                 unknown_right ? without_value : none));
      }
    }
  };
  if (without_value.empty() || !takes_default_branch(problem.missing)) {
    try_side(false, false);
  } else {
    try_side(true, false);
    try_side(false, true);
  }
  return best;
}

double cut_information(const Node& node, std::span<const Entry> entries, const Cut& cut) {
  double left = 0.0, missing = 0.0;
  for (const Entry e : entries.first(cut.position + 1)) left += node.weights[e.row];
  for (const Entry e : entries.subspan(count_known(node, entries))) missing += node.weights[e.row];
  double right = std::max(0.0, node.weight - left - missing);
  if (takes_default_branch(node.problem.missing)) {
    (cut.unknown_left ? left : right) += missing;
    missing = 0.0;
  }
  const double parts[] = {left, right, missing};
  return split_information(parts);
}

std::optional<Candidate> cut_values(const Node& node, Column values, double min_gap) {
  static thread_local std::vector<Entry> entries;
  sort_by_value(values, node.ids(), node.problem.target, node.rows.layout(), entries);
  const std::optional<Cut> cut = best_cut(node, entries, values, {.min_gap = min_gap});
  if (!cut) return std::nullopt;
  Candidate candidate;
  candidate.low = values[entries[cut->position].row];
  candidate.high = values[entries[cut->position + 1].row];
  candidate.is_scored = true;
  candidate.decrease = cut->decrease / node.weight;
  if (needs_split_information(node.problem.gain)) {
    candidate.split_information = cut_information(node, entries, *cut);
  }
  return candidate;
}

namespace {

// The size of what is summed to a score, by some of the rows.
double size_of_terms(const Linear& linear, const Table& table,
                     std::span<const std::uint32_t> rows) {
  double largest = 0.0;
  for (const std::uint32_t row : rows.first(std::min<std::size_t>(rows.size(), 64))) {
    double size = 0.0;
    for (std::size_t j = 0; j < linear.features.size(); ++j) {
      size +=
          std::abs(linear.coefficients[j] * linear.factor(j, table.at(row, linear.features[j])));
    }
    if (std::isfinite(size)) largest = std::max(largest, size);
  }
  return largest;
}

}  // namespace

std::optional<Candidate> cut_column(const Node& node, std::int32_t column) {
  auto found = cut_values(node, node.problem.table.column(column), 0.0);
  if (found) found->test = axis_test(column, middle_of(found->low, found->high));
  return found;
}

std::optional<Candidate> best_axis_cut(const Node& node) {
  std::optional<Candidate> best;
  for (const std::int32_t column : node.columns) {
    if (!node.problem.table.is_categorical(column)) {
      keep_better(node, cut_column(node, column), best);
    }
  }
  return best;
}

std::optional<Candidate> cut_along(const Node& node, std::span<const std::int32_t> columns,
                                   std::span<const double> coefficients) {
  const Table& table = node.problem.table;
  const Test direction = linear_test(columns, coefficients, 0.0);
  check_test(direction, table.n_levels);
  static thread_local std::vector<double> by_row;  // only the node's rows are written and read
  if (by_row.size() < table.n_rows) by_row.resize(table.n_rows);
  const Linear linear = std::get<Linear>(view(direction));
  for_each_scores(linear, table, node.ids(), [&](auto rows, auto scores) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool is_finite = std::isfinite(scores[i]);
      by_row[rows[i]] = is_finite ? scores[i] : std::numeric_limits<double>::quiet_NaN();
    }
    return true;
  });
  // Sums that differ by rounding only are one value.
  const double rounding = 4.0 * static_cast<double>(columns.size()) *
                          std::numeric_limits<double>::epsilon() *
                          size_of_terms(linear, table, node.ids());
  auto found = cut_values(node, Column{by_row.data(), 1}, rounding);
  if (!found) return std::nullopt;
  found->test = linear_test(columns, coefficients, middle_of(found->low, found->high));
  found->low = found->high = std::numeric_limits<double>::quiet_NaN();
  return found;
}

std::optional<Candidate> cut_direction(const Node& node, std::span<const std::int32_t> columns,
                                       std::span<const double> direction) {
  constexpr int bits = 40;  // the same rows in another order differ in the last digits
  double scale = 0.0;
  for (const double w : direction) scale = std::max(scale, std::abs(w));
  if (!(scale > 0)) return std::nullopt;
  std::vector<std::int32_t> used;
  std::vector<double> coefficients;
  for (std::size_t j = 0; j < direction.size(); ++j) {
    if (direction[j] / scale == 0.0) continue;
    if (used.empty() && direction[j] < 0) scale = -scale;
    used.push_back(columns[j]);
    coefficients.push_back(without_rounding(direction[j] / scale, bits));
  }
  if (used.size() == 1) return cut_column(node, used[0]);
  return cut_along(node, used, coefficients);
}

}  // namespace treewright
