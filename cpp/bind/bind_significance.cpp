// The arithmetic of significance tests and discriminant analysis by itself, for comparison with
// other implementations.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <tuple>

#include "bind.hpp"
#include "treewright/split/significance/column_ranks.hpp"
#include "treewright/split/significance/crimcoord.hpp"
#include "treewright/split/significance/normal_point.hpp"

namespace treewright::bind {

namespace {

void require_classes(const TargetHandle& target) {
  require(target.target.is_classification(), "The target must be classes.");
}

// All rows of positive weight as a node.
template <class Use>
auto at_root(const TableHandle& table, const TargetHandle& target, Use use) {
  require(target.target.size() == table.table.n_rows, "X and y differ in length.");
  Monitor monitor(std::nullopt, {});
  const Problem problem{.table = table.table, .target = target.target, .measure = {}};
  const Rows rows(table.table, target.target, false, false, monitor);
  std::vector<std::int32_t> columns;
  for (std::int32_t c = 0; c < table.table.n_columns(); ++c) columns.push_back(c);
  require(rows.all().size() > 0, "There is no row with a positive weight.");
  std::vector<double> statistics(target.target.n_outputs(), 0.0);
  Node node{.problem = problem,
            .rows = rows,
            .range = rows.all(),
            .weights = target.target.split_weights,
            .shares = {},
            .statistics = statistics,
            .count = static_cast<double>(rows.all().size()),
            .columns = columns,
            .all_columns = columns};
  for (const std::uint32_t row : node.ids()) {
    node.add_row(statistics, row);
    node.weight += node.weights[row];
  }
  return use(node, Labels{target.target.labels, static_cast<std::size_t>(target.target.n_classes)});
}

}  // namespace

void bind_significance(nb::module_& m) {
  m.def(
      "significance",
      [](const TableHandle& table, const TargetHandle& target, std::int32_t column,
         const std::string& test) {
        require_classes(target);
        require(column >= 0 && column < table.table.n_columns(), "There is no such column.");
        require(test == "f" || test == "levene" || test == "chi_square",
                "The significance test must be 'f', 'levene' or 'chi_square'.");
        require(table.table.is_categorical(column) == (test == "chi_square"),
                "This significance test does not fit the kind of column.");
        const Significance found = at_root(table, target, [&](const Node& node, Labels labels) {
          if (test == "chi_square") return chi_square_test(contingency_of(node, column, labels));
          const auto one = std::span(&column, 1);
          const auto classes = class_moments(node, one, labels);
          if (test == "f") return analysis_of_variance(classes);
          return levene_test(distance_moments(node, table.table, one, labels, classes));
        });
        return std::tuple(found.statistic, found.degrees, found.denominator, found.log_p);
      },
      nb::arg("table"), nb::arg("target"), nb::arg("column"), nb::arg("test"),
      "Statistic, degrees of freedom (the second 0 for chi-square) and logarithm of the p-value.");
  m.def(
      "columns_by_significance",
      [](const TableHandle& table, const TargetHandle& target, double alpha) {
        require_classes(target);
        return at_root(table, target, [&](const Node& node, Labels labels) {
          return columns_by_significance(node, labels, alpha);
        });
      },
      nb::arg("table"), nb::arg("target"), nb::arg("alpha"),
      "The columns in the order of QUEST's choice.");
  m.def(
      "rank_columns",
      [](const TableHandle& table, const TargetHandle& target) {
        return at_root(table, target, [&](const Node& node, Labels) {
          const ColumnRanks found = rank_columns(node, table.table, true);
          std::vector<std::size_t> order = found.order;
          for (std::size_t i = 0; i < found.ranks.size(); ++i) {
            if (!found.ranks[i].can_be_chosen()) order.push_back(i);
          }
          using Row = std::tuple<std::int32_t, double, double, double>;
          std::vector<Row> ranked;
          for (const std::size_t i : order) {
            const ColumnRank& rank = found.ranks[i];
            const double none = std::numeric_limits<double>::quiet_NaN();
            ranked.emplace_back(rank.column, rank.weight,
                                rank.test.is_testable() ? rank.test.statistic : none,
                                log_p_of(rank));
          }
          return std::pair(std::move(ranked), node.ids().size());
        });
      },
      nb::arg("table"), nb::arg("target"),
      "Column, weight, statistic and logarithm of the p-value of every column, the best first; and "
      "the number of rows.");
  m.def(
      "normal_point",
      [](double share_a, double mean_a, double variance_a, double share_b, double mean_b,
         double variance_b) {
        return normal_point({share_a, mean_a, variance_a}, {share_b, mean_b, variance_b});
      },
      nb::arg("share_a"), nb::arg("mean_a"), nb::arg("variance_a"), nb::arg("share_b"),
      nb::arg("mean_b"), nb::arg("variance_b"), "Where two normal groups meet.");
  m.def(
      "crimcoord",
      [](const Matrix& table) {
        Contingency contingency{table.shape(0), table.shape(1), copy_of(table), copy_of(table)};
        return to_array(crimcoord(contingency));
      },
      nb::arg("table"), "The crimcoord of each level, from the table of levels and classes.");
}

}  // namespace treewright::bind
