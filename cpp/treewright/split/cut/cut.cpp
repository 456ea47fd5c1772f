// Cuts between rows. One loop serves all measures (scan.hpp); what differs is in goodness.hpp.

#include "treewright/split/cut/cut.hpp"

#include <algorithm>
#include <cmath>

#include "treewright/base/decimal.hpp"
#include "treewright/split/cut/medians.hpp"
#include "treewright/split/cut/scan.hpp"
#include "treewright/split/evidence.hpp"
#include "treewright/split/trend.hpp"

namespace treewright {

namespace {

// The rows of a node in order, and where cuts between them may be.
class OrderedRows {
 public:
  OrderedRows(const Node& node, std::span<const Entry> entries, std::size_t n_known, Column values)
      : node_(node),
        layout_(node.rows.layout()),
        known_(entries.first(n_known)),
        without_value_(entries.subspan(n_known)),
        values_(values) {}

  std::size_t size() const { return known_.size(); }
  bool is_cut(std::size_t i) const {
    return layout_.rank(known_[i]) != layout_.rank(known_[i + 1]);
  }
  double gap(std::size_t i) const { return values_[known_[i + 1].row] - values_[known_[i].row]; }
  bool counts_labels() const { return layout_.label_bits > 0; }
  std::span<const double> logarithms() const { return node_.problem.x_log_x; }

  Standing missing() const {
    Standing standing;
    for (const Entry e : without_value_) {
      standing.count += node_.count_of(e.row);
      standing.weight += node_.weights[e.row];
    }
    return standing;
  }
  void add_missing(std::span<double> to) const { add(without_value_, to); }
  void add_known(std::span<double> to) const { add(known_, to); }

  Window window(double min_weight, Standing left, Standing right) const {
    const std::size_t n = known_.size();
    const double min_leaf = node_.problem.min_leaf;
    if (node_.shares.empty() && min_weight <= 0) {
      const auto wanted = [&](double already) {
        return static_cast<std::size_t>(std::max(1.0, std::ceil(min_leaf - already)));
      };
      const std::size_t on_left = wanted(left.count), on_right = wanted(right.count);
      if (on_left + on_right > n) return {};
      return {on_left - 1, n - 1 - on_right};
    }
    return window_of(node_.problem, n, min_weight, left, right, [&](std::size_t i) {
      return Standing{node_.count_of(known_[i].row), node_.weights[known_[i].row]};
    });
  }

 protected:
  std::span<const Entry> without_value(bool are_here) const {
    return without_value_.first(are_here ? without_value_.size() : 0);
  }
  void add(std::span<const Entry> entries, std::span<double> to) const {
    for (const Entry e : entries) node_.add_row(to, e.row);
  }

  const Node& node_;
  KeyLayout layout_;
  std::span<const Entry> known_, without_value_;
  Column values_;
};

// Cuts between rows of one class, or one number, each.
class RowCuts : public OrderedRows {
 public:
  using OrderedRows::OrderedRows;

  Entry step(std::size_t i) const { return known_[i]; }
  AbsoluteError by_medians(bool unknown_left, bool unknown_right) const {
    return {node_, known_, without_value(unknown_left), without_value(unknown_right)};
  }
  TrendWatch watch(const CutRules& rules, bool unknown_left, bool unknown_right) const {
    return TrendWatch(node_, rules.trend, rules.column, values_, known_,
                      without_value(unknown_left), without_value(unknown_right));
  }
};

// Cuts between rows that are some of every class.
class SoftRowCuts : public OrderedRows {
 public:
  using OrderedRows::OrderedRows;

  // Valid until the next call.
  MovedRows step(std::size_t i) const {
    const std::uint32_t row = known_[i].row;
    const auto proportions = node_.problem.target.proportions_of(row);
    moved_.resize(proportions.size());
    for (std::size_t c = 0; c < moved_.size(); ++c) moved_[c] = node_.weights[row] * proportions[c];
    return {moved_};
  }

 private:
  mutable std::vector<double> moved_;
};

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
  const KeyLayout layout = node.rows.layout();
  const std::size_t n_known = count_known(node, entries);
  const auto known = entries.first(n_known);
  if (n_known < 2 || layout.rank(known.front()) == layout.rank(known.back())) return std::nullopt;
  if (node.problem.target.is_soft())
    return best_of(node, SoftRowCuts(node, entries, n_known, values), rules);
  return best_of(node, RowCuts(node, entries, n_known, values), rules);
}

double cut_information(const Node& node, double left, double missing, bool unknown_left) {
  double right = std::max(0.0, node.weight - left - missing);
  if (takes_default_branch(node.problem.missing)) {
    (unknown_left ? left : right) += missing;
    missing = 0.0;
  }
  const double parts[] = {left, right, missing};
  return split_information(parts);
}

double cut_information(const Node& node, std::span<const Entry> entries, const Cut& cut) {
  double left = 0.0, missing = 0.0;
  for (const Entry e : entries.first(cut.position + 1)) left += node.weights[e.row];
  for (const Entry e : entries.subspan(count_known(node, entries))) missing += node.weights[e.row];
  return cut_information(node, left, missing, cut.unknown_left);
}

std::optional<Candidate> cut_values(const Node& node, Column values, double min_gap, int trend,
                                    std::int32_t column) {
  static thread_local std::vector<Entry> entries;
  sort_by_value(values, node.ids(), node.problem.target, node.rows.layout(), entries);
  const std::optional<Cut> cut =
      best_cut(node, entries, values, {.min_gap = min_gap, .trend = trend, .column = column});
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
  if (node.evidence != nullptr) return node.evidence->cut_column(column);
  const int trend = trend_of_column(node.problem, column);
  auto found = cut_values(node, node.problem.table.column(column), 0.0, trend, column);
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
  if (node.evidence != nullptr) return node.evidence->cut_along(columns, coefficients);
  const Table& table = node.problem.table;
  const std::optional<int> trend = trend_along(node.problem, columns, coefficients);
  if (!trend) return std::nullopt;
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
  auto found = cut_values(node, Column{by_row.data(), 1}, rounding, *trend);
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
