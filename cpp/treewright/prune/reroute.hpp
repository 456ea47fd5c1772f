// The rows of one node sent down its branches anew, after a test was changed: what it would lose,
// and the tree that comes of it. For trees that do not divide rows among branches.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "treewright/data/target.hpp"
#include "treewright/tree/tree.hpp"

namespace treewright {

enum class Risk : std::uint8_t { errors, gini, entropy, deviance, squared_error };

Risk risk_named(const std::string& name);

// What the rows of a node with these statistics lose if it is a leaf that answers as it should;
// `cost` (K x K, row = truth) may be empty.
double risk_of(std::span<const double> statistics, Risk risk, std::span<const double> cost);

// What some of these rows lose by the answer of all of them, given the statistics of both.
double risk_of_part(std::span<const double> part, std::span<const double> all, Risk risk,
                    std::span<const double> cost);

struct Below {
  double risk = 0.0;       // of the leaves
  std::int64_t terms = 0;  // columns in the tests
};

// What stands at and below a node when these rows reach it. With `drop_empty` tests that send all
// rows one way do not count. Rows that stop on their way lose what the answer of their node costs.
Below what_is_below(const Tree& tree, std::size_t node, const Table& table, const Target& target,
                    std::span<const std::uint32_t> rows, Risk risk, bool drop_empty);

struct Refitted {
  Tree tree;
  std::map<std::size_t, std::vector<std::uint32_t>> rows;  // of the node and those below it
};

// The tree with rows, statistics and answers of these rows at and below a node; numbers are
// answered by the median under `absolute_error`, else by the mean.
Refitted refit_below(const Tree& tree, std::size_t node, const Table& table, const Target& target,
                     std::span<const std::uint32_t> rows, bool absolute_error);

}  // namespace treewright
