#include "treewright/split/significance/significance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "treewright/base/special.hpp"
#include "treewright/split/evidence.hpp"

namespace treewright {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rounding_of_means = 1e-15;  // of the largest value
constexpr double rounding_of_spread =
    1e-12;  // likewise; and of means, of the spread inside classes

double square(double x) { return x * x; }

// Equal but for rounding is equal.
float sort_key(const Significance& test) { return static_cast<float>(test.log_p); }

// A p-value is below a limit by more than rounding.
bool is_below(double log_p, double limit) { return log_p < std::log(limit) - limit_slack; }

}  // namespace

double Spread::ratio() const {
  if (within > 0) return between / within;
  return between > 0 ? infinity : -infinity;
}

Spread spread_of(std::span<const ClassMoments> classes) {
  Spread spread;
  Moments all;
  double lowest = infinity, highest = -infinity;
  for (const ClassMoments& c : classes) {
    if (!(c.moments.weight > 0)) continue;
    all.add(c.moments);
    spread.within += c.moments.squares;
    spread.n_rows += c.count;
    spread.n_classes += 1.0;
    lowest = std::min(lowest, c.moments.mean);
    highest = std::max(highest, c.moments.mean);
  }
  if (spread.n_classes < 2) return {};
  for (const ClassMoments& c : classes) {
    spread.between += c.moments.weight * square(c.moments.mean - all.mean);
  }
  if (!std::isfinite(spread.within + spread.between)) return {};
  const double largest = std::max(std::abs(lowest), std::abs(highest)) + std::sqrt(spread.within);
  const double no_spread = all.weight * square(rounding_of_spread * largest);
  if (spread.within <= no_spread) {
    spread.within = 0.0;
    spread.is_rounding = square(highest - lowest) <= no_spread;
    return spread;
  }
  const double no_difference =
      all.weight * square(rounding_of_means * largest) + square(rounding_of_spread) * spread.within;
  if (spread.between <= no_difference) spread.between = 0.0;
  return spread;
}

Significance f_ratio(const Spread& spread) {
  Significance test;
  const bool has_spread = spread.within + spread.between > 0;
  if (!has_spread || !(spread.n_rows > spread.n_classes + limit_slack)) return test;
  test.degrees = spread.n_classes - 1;
  test.denominator = spread.n_rows - spread.n_classes;
  test.statistic = spread.ratio() * test.denominator / test.degrees;
  return test;
}

Significance analysis_of_variance(const Spread& spread) {
  Significance test = f_ratio(spread);
  if (test.is_testable()) {
    test.log_p = special::log_f_tail(test.statistic, test.degrees, test.denominator);
  }
  return test;
}

Significance analysis_of_variance(std::span<const ClassMoments> classes) {
  return analysis_of_variance(spread_of(classes));
}

Significance levene_test(std::span<const ClassMoments> distances) {
  // Two values are equally far from their mean: classes of no more rows say nothing of spread.
  const bool has_spread = std::ranges::any_of(distances, [](const ClassMoments& c) {
    return c.count > 2 + limit_slack && c.moments.squares > 0;
  });
  return has_spread ? analysis_of_variance(distances) : Significance{};
}

std::optional<TestedColumn> most_different_in_spread(const Node& node, const Table& table,
                                                     std::span<const std::int32_t> columns,
                                                     Labels labels,
                                                     std::span<const ClassMoments> classes) {
  const auto distances = distance_moments(node, table, columns, labels, classes);
  std::optional<TestedColumn> best;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const TestedColumn one{
        columns[j], levene_test(std::span(distances).subspan(j * labels.count, labels.count))};
    if (!one.test.is_testable()) continue;
    if (!best || sort_key(one.test) < sort_key(best->test)) best = one;
  }
  return best;
}

Contingency contingency_of(const Node& node, std::int32_t column, Labels labels) {
  Contingency table;
  table.n_levels = static_cast<std::size_t>(node.problem.table.levels(column));
  table.n_classes = labels.count;
  table.weights.assign(table.n_levels * table.n_classes, 0.0);
  table.counts = table.weights;
  if (node.evidence != nullptr) {
    for (const LevelGroup& group : node.evidence->levels(column).levels) {
      const std::size_t cell = static_cast<std::size_t>(group.level) * table.n_classes;
      std::ranges::copy(group.statistics,
                        table.weights.begin() + static_cast<std::ptrdiff_t>(cell));
      table.counts[cell] = group.count;  // of all classes: tests ask for no more than the sum
    }
    return table;
  }
  const Column codes = node.problem.table.column(column);
  for (const std::uint32_t row : node.ids()) {
    if (std::isnan(codes[row])) continue;
    const std::size_t cell = static_cast<std::size_t>(codes[row]) * table.n_classes +
                             static_cast<std::size_t>(labels.of_row[row]);
    table.weights[cell] += node.weights[row];
    table.counts[cell] += node.count_of(row);
  }
  return table;
}

Significance chi_square_test(const Contingency& table) {
  std::vector<double> of_level(table.n_levels, 0.0), of_class(table.n_classes, 0.0);
  for (std::size_t cell = 0; cell < table.weights.size(); ++cell) {
    of_level[cell / table.n_classes] += table.weights[cell];
    of_class[cell % table.n_classes] += table.weights[cell];
  }
  const auto occurs = [](double weight) { return weight > 0; };
  const auto n_levels = static_cast<double>(std::ranges::count_if(of_level, occurs));
  const auto n_classes = static_cast<double>(std::ranges::count_if(of_class, occurs));
  Significance test;
  if (n_levels < 2 || n_classes < 2) return test;
  const double total = sum_of(of_level);
  double sum = 0.0;
  for (std::size_t cell = 0; cell < table.weights.size(); ++cell) {
    const double expected =
        of_level[cell / table.n_classes] * (of_class[cell % table.n_classes] / total);
    const double off = table.weights[cell] - expected;
    if (expected > 0) sum += off * off / expected;
  }
  test.degrees = (n_levels - 1) * (n_classes - 1);
  test.statistic = sum / total * sum_of(table.counts);
  test.log_p = special::log_chi_square_tail(test.statistic, test.degrees);
  return test;
}

std::vector<std::int32_t> columns_by_significance(const Node& node, Labels labels, double alpha) {
  std::vector<std::int32_t> numeric;
  for (const std::int32_t column : node.columns) {
    if (!node.problem.table.is_categorical(column)) numeric.push_back(column);
  }
  const std::vector<ClassMoments> moments = class_moments(node, numeric, labels);
  const auto classes_on = [&](std::size_t j) {
    return std::span(moments).subspan(j * labels.count, labels.count);
  };
  std::vector<TestedColumn> tested;
  std::size_t next = 0;
  for (const std::int32_t column : node.columns) {
    const Significance test = node.problem.table.is_categorical(column)
                                  ? chi_square_test(contingency_of(node, column, labels))
                                  : analysis_of_variance(classes_on(next++));
    if (test.is_testable()) tested.push_back({column, test});
  }
  std::ranges::stable_sort(tested, {}, [](const TestedColumn& t) { return sort_key(t.test); });

  const auto n_columns = static_cast<double>(node.columns.size());
  const auto n_tests = n_columns + static_cast<double>(numeric.size());
  const bool is_settled = !tested.empty() && is_below(tested[0].test.log_p, alpha / n_columns);
  std::optional<TestedColumn> by_spread;
  if (!is_settled) {
    by_spread = most_different_in_spread(node, node.problem.table, numeric, labels, moments);
    if (by_spread && !is_below(by_spread->test.log_p, alpha / n_tests)) by_spread.reset();
  }
  std::vector<std::int32_t> order;
  if (by_spread) order.push_back(by_spread->column);
  for (const TestedColumn& t : tested) {
    if (!by_spread || t.column != by_spread->column) order.push_back(t.column);
  }
  return order;
}

}  // namespace treewright
