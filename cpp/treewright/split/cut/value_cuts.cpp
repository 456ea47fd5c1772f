#include "treewright/split/cut/value_cuts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "treewright/split/cut/scan.hpp"

namespace treewright {

namespace {

// What is counted; kept from column to column, so that nothing has to be allocated.
struct Counted {
  std::vector<std::uint64_t> by_key;  // rows in the high half, their weight in the low one
  std::vector<std::uint32_t> ranks;   // of the values that the node has
  std::vector<double> counts, sums;   // of these: rows, and the weight of each class
  std::vector<double> missing;        // the weight of each class of rows without a value
  double n_missing = 0.0;
};

constexpr int count_starts = 32;  // in the bits of a sum by key
double weight_in(std::uint64_t sum) {
  return static_cast<double>(sum & ((std::uint64_t{1} << count_starts) - 1));
}

void count_values(const Node& node, std::int32_t column, Counted& counted) {
  const Ranks& ranks = *node.rows.ranks();
  const auto keys = ranks.short_keys(column);
  const std::uint32_t n_values = ranks.n_values(column), label_bits = node.rows.layout().label_bits;
  counted.by_key.assign((std::size_t{n_values} + 1) << label_bits, 0);
  for (const std::uint32_t row : node.ids()) {
    counted.by_key[keys[row]] +=
        (std::uint64_t{1} << count_starts) + static_cast<std::uint64_t>(node.weights[row]);
  }
  counted.ranks.clear();
  counted.counts.clear();
  counted.sums.clear();
  const std::size_t n_classes = node.statistics.size();
  const auto by_class = [&](std::uint32_t rank) {
    return std::span(counted.by_key).subspan(std::size_t{rank} << label_bits, n_classes);
  };
  const auto rows_in = [](std::span<const std::uint64_t> sums) {
    std::uint64_t n_rows = 0;
    for (const std::uint64_t sum : sums) n_rows += sum >> count_starts;
    return static_cast<double>(n_rows);
  };
  for (std::uint32_t rank = 0; rank < n_values; ++rank) {
    const double n_rows = rows_in(by_class(rank));
    if (n_rows == 0.0) continue;
    counted.ranks.push_back(rank);
    counted.counts.push_back(n_rows);
    for (const std::uint64_t sum : by_class(rank)) counted.sums.push_back(weight_in(sum));
  }
  counted.n_missing = rows_in(by_class(n_values));
  counted.missing.clear();
  for (const std::uint64_t sum : by_class(n_values)) counted.missing.push_back(weight_in(sum));
}

// The values of a node, as the scan sees them.
class ValueCuts {
 public:
  ValueCuts(const Node& node, const Counted& counted) : node_(node), counted_(counted) {}

  std::size_t size() const { return counted_.ranks.size(); }
  MovedRows step(std::size_t i) const {
    const std::size_t k = counted_.missing.size();
    return {std::span(counted_.sums).subspan(i * k, k)};
  }
  bool is_cut(std::size_t) const { return true; }
  double gap(std::size_t) const { return std::numeric_limits<double>::infinity(); }  // not asked
  bool counts_labels() const { return true; }
  std::span<const double> logarithms() const { return node_.problem.x_log_x; }

  Standing missing() const { return {counted_.n_missing, sum_of(counted_.missing)}; }
  void add_missing(std::span<double> to) const { add_statistics(to, counted_.missing, true); }
  void add_known(std::span<double> to) const {
    for (std::size_t i = 0; i < size(); ++i) add_statistics(to, step(i).sums, true);
  }

  Window window(double min_weight, Standing left, Standing right) const {
    return window_of(node_.problem, size(), min_weight, left, right, [&](std::size_t i) {
      return Standing{counted_.counts[i], sum_of(step(i).sums)};
    });
  }

 private:
  const Node& node_;
  const Counted& counted_;
};

// Where weights are whole numbers.
bool has_exact_sums(const Problem& problem) {
  switch (problem.measure.traits().sums) {
    case Sums::squares:
      return true;
    case Sums::logarithms:
      return problem.unit_weights;
    case Sums::roots:
    case Sums::differences:
    case Sums::class_weights:
    case Sums::moments:
    case Sums::medians:
      break;
  }
  return false;
}

}  // namespace

bool has_whole_weights(const Problem& problem, const Rows& rows) {
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
  const std::uint32_t label_bits = node.rows.layout().label_bits;
  if (ranks == nullptr || label_bits == 0 || ranks->short_keys(column).empty()) return false;
  const std::size_t n_sums = (std::size_t{ranks->n_values(column)} + 1) << label_bits;
  const Problem& problem = node.problem;
  return n_sums <= 2 * node.range.size() && has_exact_sums(problem) && node.shares.empty() &&
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

std::optional<ValueCut> best_value_cut(const Node& node, std::int32_t column) {
  static thread_local Counted counted;
  count_values(node, column, counted);
  if (counted.ranks.size() < 2) return std::nullopt;
  const std::optional<Cut> cut = best_of(node, ValueCuts(node, counted), {});
  if (!cut) return std::nullopt;
  return ValueCut{*cut, counted.ranks[cut->position], counted.ranks[cut->position + 1]};
}

Candidate candidate_of(const Node& node, std::int32_t column, const ValueCut& found) {
  const auto keys = node.rows.ranks()->short_keys(column);
  const auto has_rank = [&, label_bits = node.rows.layout().label_bits](std::uint32_t rank) {
    return [=](std::uint32_t row) { return std::uint32_t{keys[row]} >> label_bits == rank; };
  };
  const auto ids = node.ids();
  // As if rows had been sorted: the last of one value and the first of the next.
  const auto last = std::ranges::find_if(ids.rbegin(), ids.rend(), has_rank(found.low));
  const auto first = std::ranges::find_if(ids, has_rank(found.high));
  Candidate candidate;
  candidate.low = node.problem.table.at(*last, column);
  candidate.high = node.problem.table.at(*first, column);
  candidate.test = axis_test(column, middle_of(candidate.low, candidate.high));
  candidate.is_scored = true;
  candidate.decrease = found.cut.decrease / node.weight;
  return candidate;
}

}  // namespace treewright
