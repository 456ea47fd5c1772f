#include "treewright/split/cut/value_cuts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "treewright/split/cut/keyed_sums.hpp"
#include "treewright/split/cut/scan.hpp"

namespace treewright {

namespace {

// Rows in the high half, their weight in the low one.
using RowsAndWeight = std::uint64_t;
constexpr int count_starts = 32;
double weight_in(RowsAndWeight sum) {
  return static_cast<double>(sum & ((RowsAndWeight{1} << count_starts) - 1));
}
RowsAndWeight count_of_row(const Node& node, std::uint32_t row) {
  return (RowsAndWeight{1} << count_starts) + static_cast<RowsAndWeight>(node.weights[row]);
}

}  // namespace

// So that nothing has to be allocated.
struct ValueCounter::Counted {
  std::int32_t column = -1;
  // Of each row of a node that is not large: what its class gets, or its number.
  std::vector<RowsAndWeight> counts_of_rows;
  std::vector<NumberSums> sums_of_rows;

  std::vector<RowsAndWeight> by_key;
  std::vector<NumberSums> by_rank;   // where the target is numeric
  std::vector<std::uint32_t> ranks;  // of the values that the node has
  std::vector<double> counts;        // rows of each of these
  std::size_t width = 0;
  std::vector<double> sums;     // `width` of each: weights of classes; or weight, sum of w (y - m)
  std::vector<double> missing;  // as one of these, of rows without a value
  double n_missing = 0.0;

  std::size_t size() const { return ranks.size(); }
  std::span<const double> sums_of(std::size_t i) const {
    return std::span(sums).subspan(i * width, width);
  }
  void put_rows_aside(const Node& node) {
    if (node.problem.target.is_classification()) {
      treewright::put_rows_aside(node, counts_of_rows, count_of_row);
    } else {
      treewright::put_rows_aside(node, sums_of_rows, sums_of_row);
    }
  }
  void clear(std::size_t n_sums) {
    ranks.clear();
    counts.clear();
    sums.clear();
    missing.clear();
    width = n_sums;
  }
};

void ValueCounter::count_classes(std::int32_t column) {
  Counted& counted = *counted_;
  const Ranks& ranks = *node_.rows.ranks();
  const auto keys = ranks.short_keys(column);
  const std::uint32_t n_values = ranks.n_values(column), label_bits = ranks.layout().label_bits;
  counted.by_key.assign((std::size_t{n_values} + 1) << label_bits, 0);
  const auto key_of = [&](std::uint32_t row) { return keys[row]; };
  add_by_key(node_, counted.counts_of_rows, counted.by_key, key_of, count_of_row);
  const std::size_t n_classes = node_.statistics.size();
  counted.clear(n_classes);
  const auto by_class = [&](std::uint32_t rank) {
    return std::span(counted.by_key).subspan(std::size_t{rank} << label_bits, n_classes);
  };
  const auto rows_in = [](std::span<const RowsAndWeight> sums) {
    std::uint64_t n_rows = 0;
    for (const RowsAndWeight sum : sums) n_rows += sum >> count_starts;
    return static_cast<double>(n_rows);
  };
  for (std::uint32_t rank = 0; rank < n_values; ++rank) {
    const double n_rows = rows_in(by_class(rank));
    if (n_rows == 0.0) continue;
    counted.ranks.push_back(rank);
    counted.counts.push_back(n_rows);
    for (const RowsAndWeight sum : by_class(rank)) counted.sums.push_back(weight_in(sum));
  }
  counted.n_missing = rows_in(by_class(n_values));
  for (const RowsAndWeight sum : by_class(n_values)) counted.missing.push_back(weight_in(sum));
}

void ValueCounter::sum_numbers(std::int32_t column) {
  Counted& counted = *counted_;
  const Ranks& ranks = *node_.rows.ranks();
  const auto keys = ranks.short_keys(column);
  const std::uint32_t n_values = ranks.n_values(column);
  counted.by_rank.assign(std::size_t{n_values} + 1, {});
  const auto key_of = [&](std::uint32_t row) { return keys[row]; };
  add_by_key(node_, counted.sums_of_rows, counted.by_rank, key_of, sums_of_row);
  counted.clear(2);
  for (std::uint32_t rank = 0; rank < n_values; ++rank) {
    const NumberSums& sums = counted.by_rank[rank];
    if (sums.count == 0.0) continue;
    counted.ranks.push_back(rank);
    counted.counts.push_back(sums.count);
    counted.sums.push_back(sums.weight);
    counted.sums.push_back(sums.sum);
  }
  const NumberSums& missing = counted.by_rank[n_values];
  counted.n_missing = missing.count;
  counted.missing.assign({missing.weight, missing.sum});
}

// The values of a node, as the scan sees them.
class ValueCounter::Cuts {
 public:
  Cuts(const Node& node, const Counted& counted) : node_(node), counted_(counted) {}

  std::size_t size() const { return counted_.size(); }
  MovedRows step(std::size_t i) const { return {counted_.sums_of(i)}; }
  bool is_cut(std::size_t) const { return true; }
  double gap(std::size_t) const { return std::numeric_limits<double>::infinity(); }  // not asked
  bool counts_labels() const { return true; }
  std::span<const double> logarithms() const { return node_.problem.x_log_x; }

  Standing missing() const { return {counted_.n_missing, weight_of(counted_.missing)}; }
  void add_missing(std::span<double> to) const {
    if (is_classification()) return add_statistics(to, counted_.missing, true);
    // Squared deviations are not among the sums.
    const Ranks& ranks = *node_.rows.ranks();
    const auto keys = ranks.short_keys(counted_.column);
    const std::uint32_t missing = ranks.n_values(counted_.column);
    for (const std::uint32_t row : node_.ids()) {
      if (keys[row] == missing) node_.add_row(to, row);
    }
  }
  // Of classes only.
  void add_known(std::span<double> to) const {
    for (std::size_t i = 0; i < size(); ++i) add_statistics(to, counted_.sums_of(i), true);
  }

  Window window(double min_weight, Standing left, Standing right) const {
    // Every value has a row.
    if (node_.problem.min_leaf <= 1 && min_weight <= 0) return {0, size() - 2};
    return window_of(node_.problem, size(), min_weight, left, right, [&](std::size_t i) {
      return Standing{counted_.counts[i], weight_of(counted_.sums_of(i))};
    });
  }

 private:
  bool is_classification() const { return node_.problem.target.is_classification(); }
  double weight_of(std::span<const double> sums) const {
    return is_classification() ? sum_of(sums) : sums[0];
  }

  const Node& node_;
  const Counted& counted_;
};

namespace {

// Whether sums by value are as good as those of the rows in order.
bool has_sums_by_value(const Node& node) {
  const Problem& problem = node.problem;
  const bool has_labels = node.rows.layout().label_bits > 0;
  switch (problem.measure.traits().sums) {
    case Sums::squares:
      return has_labels;
    case Sums::logarithms:
      return has_labels && problem.unit_weights;
    case Sums::moments:
      return true;
    case Sums::roots:
    case Sums::differences:
    case Sums::class_weights:
    case Sums::medians:
      break;
  }
  return false;
}

}  // namespace

bool has_countable_weights(const Problem& problem, const Rows& rows) {
  if (!problem.target.is_classification()) return true;
  constexpr double most = 1u << 25;
  double total = 0.0;
  for (const std::uint32_t row : rows.ids(rows.all())) {
    const double weight = problem.target.split_weights[row];
    if (weight != std::floor(weight)) return false;
    total += weight;
  }
  return total <= most;
}

bool may_count_values(const Node& node, std::int32_t column) {
  const Ranks* ranks = node.rows.ranks();
  if (ranks == nullptr || ranks->short_keys(column).empty()) return false;
  const std::size_t n_sums = (std::size_t{ranks->n_values(column)} + 1)
                             << node.rows.layout().label_bits;
  const Problem& problem = node.problem;
  return n_sums <= 2 * node.range.size() && has_sums_by_value(node) && node.shares.empty() &&
         problem.trends.empty() && !needs_split_information(problem.gain);
}

bool has_one_value(const Node& node, std::int32_t column) {
  const Ranks* ranks = node.rows.ranks();
  if (ranks == nullptr || ranks->short_keys(column).empty()) return false;
  const auto keys = ranks->short_keys(column);
  const auto ids = node.ids();
  const auto rank = [&, label_bits = node.rows.layout().label_bits](std::uint32_t row) {
    return std::uint32_t{keys[row]} >> label_bits;
  };
  return std::ranges::all_of(ids, [&](auto row) { return rank(row) == rank(ids[0]); });
}

ValueCounter::ValueCounter(const Node& node) : node_(node) {}
ValueCounter::~ValueCounter() = default;

bool ValueCounter::count(std::int32_t column) {
  if (counted_ == nullptr) {
    lent_ = std::make_unique<Lent<Counted>>();
    counted_ = &lent_->get();
    counted_->put_rows_aside(node_);
  }
  counted_->column = column;
  if (node_.problem.target.is_classification()) {
    count_classes(column);
    return true;
  }
  sum_numbers(column);
  // Otherwise the mean is that of the rows with a value, not the one that sums are around.
  return counted_->n_missing == 0.0 || takes_default_branch(node_.problem.missing);
}

std::optional<ValueCut> ValueCounter::best_cut() const {
  if (counted_->size() < 2) return std::nullopt;
  const std::optional<Cut> cut = best_of(node_, Cuts(node_, *counted_), {});
  if (!cut) return std::nullopt;
  return ValueCut{*cut, counted_->ranks[cut->position], counted_->ranks[cut->position + 1]};
}

Candidate candidate_of(const Node& node, std::int32_t column, const ValueCut& found) {
  const auto values = node.rows.ranks()->values(column);
  Candidate candidate;
  candidate.low = values[found.low];
  candidate.high = values[found.high];
  candidate.test = axis_test(column, middle_of(candidate.low, candidate.high));
  candidate.is_scored = true;
  candidate.decrease = found.cut.decrease / node.weight;
  return candidate;
}

}  // namespace treewright
