// The search under rules of columns (tree/column_rules.hpp): what a node may test, and what its
// test costs, depends on the columns that were read above it. And the search among tests with more
// than two branches.
//
// The optimum of a node is that of its rows, the depth left and the columns on its path:
//
//   f(R, d, P) = min of leaf(R) and, over the tests t that P allows,
//                penalty + price(t) + sum over columns c of t, not in P, of cost(c) W(R)
//                + f(R passing t, d - 1, P + t) + f(R failing t, d - 1, P + t)
//
// where W(R) is the weight of the rows. A test with a branch for each level of a column that its
// rows have, k of them, costs (k - 1) penalty, and below it stand k parts. Costs are doubles, as
// prices are paid by every row; what they may be off by rounding is for the caller to say. One
// thread searches.
//
// Where columns have trends, only trees are allowed whose leaves stand in the order that these ask
// for, answers being those of the rows of a leaf (order.hpp).
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "treewright/search/limited/order.hpp"
#include "treewright/search/problem.hpp"
#include "treewright/tree/column_rules.hpp"

namespace treewright::search {

// A column whose levels may have a branch each, at nodes whose rows have three of them or more: two
// are parted by a test of two branches, too. Rows without a level take the branch of one of them,
// which makes as many tests as there are levels; where all rows have one, these are the same.
struct LevelColumn {
  std::span<const std::int32_t> levels;  // of each row; -1: none
  std::int32_t n_levels = 0;
  std::int32_t column = 0;
};

struct LimitedProblem {
  std::size_t n_rows = 0;
  std::size_t n_tests = 0;
  std::span<const std::uint8_t> bits;   // as in Problem
  std::span<const std::int32_t> codes;  // class of each row; none for numbers
  std::span<const double> numbers;      // of each row; none for classes
  std::span<const double> weights;      // > 0
  std::span<const double> costs;        // [class][label]; none where every mistake costs 1
  std::size_t n_classes = 0;
  std::size_t n_labels = 0;
  std::span<const double> prices;  // of using a test once
  std::span<const std::int32_t> last_levels;
  std::span<const std::int32_t> chains;  // as in Problem
  std::span<const Columns> columns;      // that each test reads
  // Their tests are numbered after those of two branches, one a level.
  std::vector<LevelColumn> level_columns;
  ColumnRules rules;  // costs are those of a unit of weight
  OrderRules order;   // none, or for two classes or numbers
  Plan hint;  // a tree that costs `hint_cost`, taken if its leaves are in order; none: no nodes
};

struct LimitedOptions {
  std::int32_t max_depth = 3;
  double penalty = 0.0;
  double min_rows = 1.0;
  double min_weight = 0.0;
  double limit = std::numeric_limits<double>::infinity();  // as in Options
  double seconds = std::numeric_limits<double>::infinity();
  std::size_t memory = std::size_t{1} << 30;
  double hint_cost = std::numeric_limits<double>::infinity();
  double least = 0.0;  // no tree costs less
  double unit = 1.0;   // that costs are reported in, as whole numbers
};

struct LimitedResult {
  bool found = true;  // a tree below the limit; if not, `plan` is one leaf
  Plan plan;
  double objective = 0.0;
  double lower_bound = 0.0;
  Status status = Status::optimal;
  std::int64_t n_nodes = 0;
  std::int64_t n_remembered = 0;
};

LimitedResult solve_limited(const LimitedProblem& problem, const LimitedOptions& options,
                            const Report& report = {});

}  // namespace treewright::search
