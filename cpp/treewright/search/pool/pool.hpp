// The best tree of every size over a small pool of conditions, by counting all triples of them.
//
// Each row has an amount of every class (a label, or class proportions times a weight), or a weight
// and a number, all whole, so that sums are exact and the same for any number of threads. A leaf
// with class amounts c and their sum W costs
//
//   min_j sum_k cost_kj c_k + gini (W - sum_k c_k^2 / W),    for numbers   -(sum of numbers)^2 / W
//
// (a last label that is no class, referral, without the second term), and each use of a condition
// its price. Three conditions divide the rows into eight parts whichever of them stands at the
// root, so each triple is counted once and serves three pairs of upper conditions; what is kept for
// a pair is the best third one in each of its four parts. The trees are those of depth three at
// most.
//
// Under rules of columns (paths.hpp) a row also pays for each column where its path first reads it,
// and triples that may not stand on one path are left out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/base/monitor.hpp"
#include "treewright/search/problem.hpp"
#include "treewright/tree/column_rules.hpp"

namespace treewright::search {

struct Pool {
  std::size_t n_rows = 0;
  std::size_t n_tests = 0;
  std::span<const std::uint8_t> bits;      // [condition][byte]: bit r is set when row r meets it
  std::span<const std::uint32_t> amounts;  // [row][output]
  std::size_t n_outputs = 0;               // classes, or 2: weight and number times weight
  std::span<const double> costs;           // [class][label], with referral last; empty: numbers
  double gini = 0.5;
  std::span<const double> prices;  // of using a condition once
  // Which conditions are alike at the root, from 0 on; empty: roots are not told apart.
  std::span<const std::int32_t> groups;
  // What paths may read, with prices of columns for a unit of weight; how many terms or columns,
  // and with which coefficients, is not looked at.
  ColumnRules rules;
  std::span<const Columns> columns;  // that each condition reads; needed under rules
  // On which side of each condition answers must be larger (order.hpp); none: on either.
  std::span<const std::int32_t> trends;
  double min_weight = 1.0;  // of a leaf
  std::int32_t max_depth = 3;
  std::int32_t max_leaves = 8;
  std::size_t n_threads = 1;

  bool is_classification() const { return !costs.empty(); }
};

struct PoolTree {
  double cost = 0.0;
  Plan plan;
};

// The best tree of each number of leaves, from one leaf on; sizes that are no better than a smaller
// one are left out. Of equally good trees the one whose conditions come first in the pool.
struct PoolFront {
  std::vector<PoolTree> trees;
  // The same for each group of conditions at the root, without one leaf; groups of the cheapest
  // trees first.
  std::vector<std::vector<PoolTree>> by_group;
};

PoolFront search_pool(const Pool& pool, Monitor& monitor);

}  // namespace treewright::search
