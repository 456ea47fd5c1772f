// Steps: a tree whose tests read one column each, laid out so that many rows go down it fast.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/tree/tree.hpp"

namespace treewright {

// One node of a tree whose tests are all axis tests, small enough to stay in cache. A leaf sends
// every row back to itself, so that steps need no branch; it looks at its parent's column, which
// cannot show a missing value that was not seen before.
struct Step {
  double threshold;
  std::uint32_t feature;
  std::uint32_t child;
};

// One node of a tree that tests levels too. Where it does, the branch of a level is looked up, and
// behind the last level that of rows whose level is missing or out of range; the threshold is then
// infinite. An axis test looks up a branch of 0, to which its own is added.
struct LevelStep {
  double threshold;
  double n_levels;  // 0: an axis test
  std::uint32_t feature;
  std::uint32_t child;
  std::uint32_t first;  // of its levels in `branches`
  std::uint32_t default_branch;
};

// A row-major table that is known to have no missing value is faster.
enum class Values { any, plain };

struct Steps {
  std::vector<Step> steps;                   // of each node; empty where levels are tested
  std::vector<std::uint8_t> default_branch;  // likewise
  std::vector<LevelStep> level_steps;        // of each node where levels are tested
  std::vector<std::uint8_t> branches;        // of levels
  bool settles_missing = false;              // all nodes take the default branch

  // Whether rows with such values are never unsure of their branch.
  bool settle(Values values) const {
    return settles_missing || (values == Values::plain && level_steps.empty());
  }
  bool empty() const { return steps.empty() && level_steps.empty(); }
  std::size_t bytes() const {
    return steps.size() * (sizeof(Step) + 1) + level_steps.size() * sizeof(LevelStep) +
           branches.size();
  }
};

// Whether a tree can be laid out so: its tests are on one column each, thresholds or levels.
bool has_steps(const Tree& tree);

// Of such a tree, which is not a leaf.
Steps steps_of(const Tree& tree);

// Rows of up to so many columns are fetched before their turn.
inline constexpr std::size_t most_columns_fetched = 64;

// The leaf of each row. Where steps do not settle gaps, `unknown` for rows that showed a missing
// value, or a level that a test does not know, on their way.
void follow(const Steps& steps, const Table& table, Values values, std::span<std::int32_t> leaves);

}  // namespace treewright
