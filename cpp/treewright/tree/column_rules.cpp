#include "treewright/tree/column_rules.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "treewright/base/error.hpp"

namespace treewright {

namespace {

bool holds(const Columns& columns, std::int32_t column) {
  return std::ranges::binary_search(columns, column);
}

std::size_t n_terms_of(const Test& test) {
  switch (test.kind) {
    case Kind::linear:
      return test.features.size();  // levels of one column are terms of their own
    case Kind::axis:
    case Kind::subset:
    case Kind::multiway:
    case Kind::pair:
    case Kind::machine:
    case Kind::leaf:
      break;
  }
  return distinct_columns(test).size();
}

bool is_whole(const Test& test, double largest) {
  switch (test.kind) {
    case Kind::linear:
      return std::ranges::all_of(std::get<Linear>(view(test)).coefficients, [&](double c) {
        return c == std::floor(c) && std::abs(c) <= largest;
      });
    case Kind::machine:
      return test.features.size() == 1;  // cuts along one column
    case Kind::axis:
    case Kind::subset:
    case Kind::multiway:
    case Kind::pair:
    case Kind::leaf:
      break;
  }
  return true;
}

}  // namespace

bool ColumnRules::is_empty() const {
  return costs.empty() && max_columns == 0 && groups.empty() && enemies.empty() && first.empty() &&
         max_terms == 0 && largest_whole == 0;
}

void ColumnRules::check(std::int32_t n_columns) const {
  const auto is_one = [&](std::int32_t column) { return column >= 0 && column < n_columns; };
  const auto are_ones = [&](const Columns& columns) {
    return std::ranges::all_of(columns, is_one) && std::ranges::is_sorted(columns) &&
           std::ranges::adjacent_find(columns) == columns.end();
  };
  require(costs.empty() || costs.size() == static_cast<std::size_t>(n_columns),
          "There must be one cost a column.");
  require(std::ranges::all_of(costs, [](double cost) { return cost >= 0 && std::isfinite(cost); }),
          "Costs of columns must be 0 or more.");
  require(max_columns >= 0 && max_terms >= 0 && largest_whole >= 0,
          "Limits of columns must be 0 or more.");
  require(are_ones(first) && std::ranges::all_of(groups, are_ones),
          "Columns must be those of the table, ascending.");
  require(std::ranges::all_of(enemies,
                              [&](const auto& pair) {
                                return is_one(pair.first) && is_one(pair.second) &&
                                       pair.first != pair.second;
                              }),
          "Pairs must be of two columns of the table.");
}

Columns distinct_columns(const Test& test) {
  Columns columns = columns_of(test);
  std::ranges::sort(columns);
  const auto repeated = std::ranges::unique(columns);
  columns.erase(repeated.begin(), repeated.end());
  return columns;
}

Columns joined(const Columns& some, const Columns& others) {
  Columns all;
  std::ranges::set_union(some, others, std::back_inserter(all));
  return all;
}

ColumnWatch::ColumnWatch(const ColumnRules& rules, std::int32_t n_columns)
    : rules_(rules), n_columns_(n_columns) {
  rules.check(n_columns);
  if (rules.enemies.empty()) return;
  enemies_.resize(static_cast<std::size_t>(n_columns));
  for (const auto& [one, other] : rules.enemies) {
    enemies_[static_cast<std::size_t>(one)].push_back(other);
    enemies_[static_cast<std::size_t>(other)].push_back(one);
  }
}

Columns ColumnWatch::offered(const Columns& path, bool is_root) const {
  Columns columns;
  for (std::int32_t column = 0; column < n_columns_; ++column) {
    if (is_root && !rules_.first.empty() && !holds(rules_.first, column)) continue;
    if (allows(path, Columns{column})) columns.push_back(column);
  }
  return columns;
}

bool ColumnWatch::allows(const Columns& path, const Columns& columns) const {
  if (rules_.max_terms > 0 && columns.size() > static_cast<std::size_t>(rules_.max_terms)) {
    return false;
  }
  if (rules_.max_columns > 0 &&
      joined(of_tree_, columns).size() > static_cast<std::size_t>(rules_.max_columns)) {
    return false;
  }
  const Columns together = joined(path, columns);
  return in_one_group(together) && are_at_peace(together);
}

bool ColumnWatch::allows(const Columns& path, const Test& test) const {
  if (rules_.max_terms > 0 && n_terms_of(test) > static_cast<std::size_t>(rules_.max_terms)) {
    return false;
  }
  if (rules_.largest_whole > 0 && !is_whole(test, rules_.largest_whole)) return false;
  return allows(path, distinct_columns(test));
}

double ColumnWatch::price_of(const Columns& path, std::int32_t column) const {
  const bool is_paid = rules_.costs.empty() || holds(path, column);
  return is_paid ? 0.0 : rules_.costs[static_cast<std::size_t>(column)];
}

double ColumnWatch::price_of(const Columns& path, const Columns& columns) const {
  double price = 0.0;
  for (const std::int32_t column : columns) price += price_of(path, column);
  return price;
}

bool ColumnWatch::in_one_group(const Columns& columns) const {
  return rules_.groups.empty() || std::ranges::any_of(rules_.groups, [&](const Columns& group) {
           return std::ranges::includes(group, columns);
         });
}

bool ColumnWatch::are_at_peace(const Columns& columns) const {
  if (enemies_.empty()) return true;
  return std::ranges::none_of(columns, [&](std::int32_t column) {
    return std::ranges::any_of(enemies_[static_cast<std::size_t>(column)],
                               [&](std::int32_t enemy) { return holds(columns, enemy); });
  });
}

}  // namespace treewright
