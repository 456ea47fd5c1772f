#include "treewright/split/rows/known_columns.hpp"

#include <algorithm>
#include <cmath>

#include "treewright/base/decimal.hpp"
#include "treewright/split/evidence.hpp"
#include "treewright/split/rows/blocks.hpp"

namespace treewright {

namespace {

constexpr double half = 0.5;

// The weight of the rows that have a value in all of these columns.
double weight_known(Evidence& evidence, std::span<const std::int32_t> columns) {
  const JointMoments moments = evidence.moments(columns);
  double weight = 0.0;
  for (std::size_t c = 0; c < moments.n_classes(); ++c) weight += moments.weight(c);
  return weight;
}

// The weight of the rows that have a value in a column, or of those that have none.
double weight_where(const Node& node, std::int32_t column, bool is_missing) {
  if (node.evidence != nullptr) {
    const double known = weight_known(*node.evidence, {&column, 1});
    return is_missing ? node.weight - known : known;
  }
  const Column values = node.problem.table.column(column);
  double weight = 0.0;
  for (const std::uint32_t row : node.ids()) {
    if (std::isnan(values[row]) == is_missing) weight += node.weights[row];
  }
  return weight;
}

bool lack_too_many(double missing, double weight) {
  return missing > half * weight * (1 + limit_slack);
}

std::vector<std::int32_t> joined_by(Evidence& evidence, double weight,
                                    std::span<const std::int32_t> columns, std::size_t most) {
  // Most often none is passed over.
  std::vector<ColumnSet> sets;
  for (std::size_t n = 1; n <= std::min(most, columns.size()); ++n) {
    sets.emplace_back(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(n));
  }
  evidence.expect(sets);
  std::vector<std::int32_t> chosen;
  for (const std::int32_t column : columns) {
    if (chosen.size() == most) break;
    chosen.push_back(column);
    if (chosen.size() == 1) continue;
    if (lack_too_many(weight - weight_known(evidence, chosen), weight)) chosen.pop_back();
  }
  return chosen;
}

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
  if (node.evidence != nullptr) {
    std::vector<ColumnSet> sets;
    for (const std::int32_t column : node.columns) {
      if (!node.problem.table.is_categorical(column)) sets.push_back({column});
    }
    node.evidence->expect(sets);
  }
  std::vector<std::int32_t> columns;
  for (const std::int32_t column : node.columns) {
    if (node.problem.table.is_categorical(column)) continue;
    if (may_lack(node, column)) {
      const double known = weight_where(node, column, false);
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
    if (!may_lack(node, column)) return 0.0;
    // Its last digits depend on the order of rows.
    return without_rounding(weight_where(node, column, true), 30);
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
  if (node.evidence != nullptr) return joined_by(*node.evidence, node.weight, columns, most);
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
      if (!chosen.empty() && lack_too_many(missing + more, node.weight)) continue;
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
