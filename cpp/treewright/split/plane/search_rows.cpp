#include "treewright/split/plane/search_rows.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <string>

namespace treewright {

namespace {

// Weights that differ by more are multiples of the largest instead: sums of them stay in range.
constexpr double widest_weights = 1e9;

// Rows by their values, then by what they hold of the target.
class InOrder {
 public:
  InOrder(const Node& node, std::span<const std::int32_t> columns)
      : table_(node.problem.table), target_(node.problem.target), columns_(columns) {}

  std::partial_ordering compare(std::uint32_t a, std::uint32_t b) const {
    for (const std::int32_t column : columns_) {
      const auto order = table_.at(a, column) <=> table_.at(b, column);
      if (order != 0) return order;
    }
    if (target_.is_classification()) return target_.labels[a] <=> target_.labels[b];
    return target_.numbers[a] <=> target_.numbers[b];
  }
  bool is_complete(std::uint32_t row) const {
    return std::ranges::none_of(
        columns_, [&](std::int32_t column) { return std::isnan(table_.at(row, column)); });
  }

 private:
  const Table& table_;
  const Target& target_;
  std::span<const std::int32_t> columns_;
};

double unit_of(const Node& node, std::span<const std::uint32_t> ids) {
  double least = std::numeric_limits<double>::infinity(), most = 0.0;
  for (const std::uint32_t row : ids) {
    least = std::min(least, node.weights[row]);
    most = std::max(most, node.weights[row]);
  }
  return most <= widest_weights * least ? least : most;
}

// Weights and counts by row id, of the rows that stand for others equal to them.
struct Merged {
  std::vector<std::uint32_t> ids;
  std::vector<double> weights, counts;
  double unit = 1.0;
};

const Merged& merged_rows(const Node& node, std::span<const std::int32_t> columns) {
  static thread_local Merged merged;  // only the rows named by `ids` are written and read
  if (merged.weights.size() < node.problem.table.n_rows) {
    merged.weights.resize(node.problem.table.n_rows);
    merged.counts.resize(node.problem.table.n_rows);
  }
  const InOrder order(node, columns);
  std::vector<std::uint32_t> ids;
  for (const std::uint32_t row : node.ids()) {
    if (order.is_complete(row)) ids.push_back(row);
  }
  std::ranges::sort(ids, [&](std::uint32_t a, std::uint32_t b) {
    const auto compared = order.compare(a, b);
    return compared != 0 ? compared < 0 : node.weights[a] < node.weights[b];
  });
  merged.ids.clear();
  merged.unit = unit_of(node, ids);
  for (const std::uint32_t row : ids) {
    if (merged.ids.empty() || order.compare(merged.ids.back(), row) != 0) {
      merged.ids.push_back(row);
      merged.weights[row] = merged.counts[row] = 0.0;
    }
    const std::uint32_t first = merged.ids.back();
    merged.weights[first] += node.weights[row] / merged.unit;
    merged.counts[first] += node.count_of(row);
  }
  return merged;
}

SearchRows without_counts(const Node& node, const StandardRows& standard,
                          std::span<const std::size_t> used) {
  SearchRows rows;
  const Target& target = node.problem.target;
  rows.sides.n_classes = static_cast<std::size_t>(target.n_classes);
  for (const std::uint32_t row : standard.ids) {
    if (target.is_classification()) {
      rows.sides.labels.push_back(target.labels[row]);
    } else {
      rows.sides.numbers.push_back(target.numbers[row]);
    }
  }
  rows.sides.weights = standard.weights;
  rows.values.reserve(used.size() * standard.n_rows());
  for (const std::size_t j : used) {
    rows.columns.push_back(standard.columns[j]);
    rows.centre.push_back(standard.mean[j]);
    rows.scale.push_back(standard.scale[j]);
    for (std::size_t b = 0; b < standard.n_blocks(); ++b) {
      const auto block = standard.column(b, j);
      rows.values.insert(rows.values.end(), block.begin(), block.end());
    }
  }
  return rows;
}

}  // namespace

SearchRows search_rows(const Node& node, std::span<const std::int32_t> columns) {
  const Merged& merged = merged_rows(node, columns);
  if (merged.ids.empty()) return {};
  const StandardRows standard =
      standard_rows(node.problem.table, columns, merged.ids, merged.weights);
  std::vector<std::size_t> all(standard.n_columns());
  for (std::size_t j = 0; j < all.size(); ++j) all[j] = j;
  SearchRows rows = without_counts(node, standard, all);
  for (const std::uint32_t row : standard.ids) rows.sides.counts.push_back(merged.counts[row]);
  rows.unit = merged.unit;
  return rows;
}

SearchRows search_rows(const Node& node, const StandardRows& standard,
                       std::span<const std::size_t> used) {
  SearchRows rows = without_counts(node, standard, used);
  for (const std::uint32_t row : standard.ids) rows.sides.counts.push_back(node.count_of(row));
  if (!standard.ids.empty()) rows.unit = node.weights[standard.ids[0]] / standard.weights[0];
  return rows;
}

SideRules side_rules(const Node& node, const SearchRows& rows) {
  const Problem& problem = node.problem;
  return {problem.measure, problem.gain, problem.min_leaf, problem.min_leaf_weight / rows.unit};
}

void require_sweepable(const Problem& problem, const char* method) {
  require(!problem.measure.needs_rows(),
          std::string("The split method ") + method +
              " minimizes the squared error, not the absolute one; use "
              "criterion='squared_error'.");
}

}  // namespace treewright
