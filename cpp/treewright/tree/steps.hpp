// Steps: a tree whose tests are all axis tests, laid out so that many rows go down it fast.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/tree/tree.hpp"

namespace treewright {

// One node, small enough to stay in cache. A leaf sends
// every row back to itself, so that steps need no branch; it looks at its parent's column, which
// cannot show a missing value that was not seen before.
struct Step {
  double threshold;
  std::uint32_t feature;
  std::uint32_t child;
};

struct Steps {
  std::vector<Step> steps;                   // of each node
  std::vector<std::uint8_t> default_branch;  // likewise; empty unless all nodes take it
  bool settles_missing() const { return !default_branch.empty(); }
};

bool has_only_axis_tests(const Tree& tree);

// Of a tree with such tests, which is not a leaf.
Steps steps_of(const Tree& tree);

// Rows of up to so many columns are fetched before their turn.
inline constexpr std::size_t most_columns_fetched = 64;

// A row-major table that is known to have no missing value is faster.
enum class Values { any, plain };

// The leaf of each row. Where steps do not settle gaps, `unknown` for rows that showed a missing
// value on their way.
void follow(const Steps& steps, const Table& table, Values values, std::span<std::int32_t> leaves);

}  // namespace treewright
