#include "treewright/split/rows/known_columns.hpp"

#include <algorithm>
#include <cmath>

#include "treewright/base/decimal.hpp"
#include "treewright/split/rows/blocks.hpp"

namespace treewright {

namespace {

constexpr double half = 0.5;

}  // namespace

void KnownColumns::prepare(const Problem& problem, const Rows& rows) {
  const std::size_t n_columns = problem.table.n_levels.size(), size = rows_in_block(n_columns);
  const auto ids = rows.ids(rows.all());
  has_missing_.assign(n_columns, false);
  for (std::size_t begin = 0; begin < ids.size(); begin += size) {
    const auto block = ids.subspan(begin, std::min(size, ids.size() - begin));
    for (std::size_t c = 0; c < n_columns; ++c) {
      const Column column = problem.table.column(static_cast<std::int32_t>(c));
      double sum = 0.0;  // not a number if one of them is none
      for (const std::uint32_t row : block) sum += column[row] * 0.0;
      if (std::isnan(sum)) has_missing_[c] = true;
    }
  }
}

std::vector<std::int32_t> KnownColumns::of(const Node& node, double least_share) const {
  std::vector<std::int32_t> columns;
  for (const std::int32_t column : node.columns) {
    if (node.problem.table.is_categorical(column)) continue;
    if (has_missing_[static_cast<std::size_t>(column)]) {
      const Column values = node.problem.table.column(column);
      double known = 0.0;
      for (const std::uint32_t row : node.ids()) {
        if (!std::isnan(values[row])) known += node.weights[row];
      }
      const double least = least_share * node.weight * (1 - limit_slack);
      if (!(known > 0 && known >= least)) continue;
    }
    columns.push_back(column);
  }
  return columns;
}

std::vector<std::int32_t> KnownColumns::together(const Node& node) const {
  std::vector<std::int32_t> columns = of(node, half);
  const auto gap_of = [&](std::int32_t column) {
    if (!has_missing_[static_cast<std::size_t>(column)]) return 0.0;
    const Column values = node.problem.table.column(column);
    double missing = 0.0;
    for (const std::uint32_t row : node.ids()) {
      if (std::isnan(values[row])) missing += node.weights[row];
    }
    return without_rounding(missing, 30);  // whose last digits depend on the order of rows
  };
  std::vector<std::pair<double, std::int32_t>> by_gap;
  for (const std::int32_t column : columns) by_gap.emplace_back(gap_of(column), column);
  std::ranges::sort(by_gap, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  });
  columns.clear();
  for (const auto& [gap, column] : by_gap) columns.push_back(column);
  columns = joined(node, columns, columns.size());
  std::ranges::sort(columns);
  return columns;
}

std::vector<std::int32_t> KnownColumns::joined(const Node& node,
                                               std::span<const std::int32_t> columns,
                                               std::size_t most) const {
  std::vector<bool> lacks(node.ids().size(), false);
  std::vector<std::int32_t> chosen;
  double missing = 0.0;
  for (const std::int32_t column : columns) {
    if (chosen.size() == most) break;
    if (has_missing_[static_cast<std::size_t>(column)]) {
      const Column values = node.problem.table.column(column);
      double more = 0.0;
      for (std::size_t i = 0; i < lacks.size(); ++i) {
        const std::uint32_t row = node.ids()[i];
        if (!lacks[i] && std::isnan(values[row])) more += node.weights[row];
      }
      if (!chosen.empty() && missing + more > half * node.weight * (1 + limit_slack)) continue;
      missing += more;
      for (std::size_t i = 0; i < lacks.size(); ++i) {
        if (std::isnan(values[node.ids()[i]])) lacks[i] = true;
      }
    }
    chosen.push_back(column);
  }
  return chosen;
}

}  // namespace treewright
