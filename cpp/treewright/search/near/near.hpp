// All trees that cost little more than the best one (a Rashomon set): how many there are, which
// columns they read, the best of them one by one, and the best tree for each first question.
//
// A tree belongs to the set if it costs at most `slack` more than the optimum. Trees are told apart
// by their tests: at a node, tests of the same columns that divide its rows alike are one. Each
// leaf predicts its cheapest label. A test whose two leaves predict the same is left out, since the
// tree without it predicts the same.
//
// The set is kept as a graph of sets of rows (graph.hpp), as in TreeFARMS (Xin et al. 2022); trees
// are counted by sums over it, not one by one, and listed lazily in the order of their costs, as in
// SORTD (Arslan et al. 2025).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/search/problem.hpp"
#include "treewright/tree/column_rules.hpp"

namespace treewright::search {

struct NearOptions {
  Value slack = 0;           // beyond the optimum
  Value known = no_value;    // what a tree costs that is known from elsewhere
  std::int32_t n_trees = 0;  // that are wanted, no two of them with the same predictions
  // Trees are also counted if a test has two leaves that predict the same.
  bool with_idle_tests = false;
  bool with_first = true;  // the best tree for each first question
};

struct NearTree {
  Value cost = 0;
  Plan plan;
};

// The best tree whose root reads these columns, proved to be so.
struct FirstTree {
  Columns columns;
  Value cost = no_value;
  Plan plan;
};

struct NearResult {
  Value optimum = no_value;         // if it was found
  Status status = Status::optimal;  // if not, the set is larger than what is told of it
  // Trees of each cost; whole numbers up to 2^53.
  std::vector<Value> costs;
  std::vector<double> counts;
  std::vector<double> without;  // of each column, trees that do not read it
  std::vector<NearTree> trees;  // the best first
  bool has_all_trees = false;   // no tree of the set predicts anything else
  std::vector<FirstTree> first;
  Status status_of_first = Status::optimal;  // if not, first questions are missing
  std::int64_t n_nodes = 0;
  std::int64_t n_edges = 0;
};

// `columns` are those that each test reads, of `n_columns`.
NearResult find_near(const Problem& problem, const Options& options, const NearOptions& near,
                     std::span<const Columns> columns, std::int32_t n_columns,
                     const Report& report = {});

}  // namespace treewright::search
