// How the rows of a node go to its branches. Those who divide many nodes keep one, so that hardly
// anything has to be allocated at a node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "treewright/data/rows.hpp"
#include "treewright/tree/tree.hpp"

namespace treewright {

struct Division {
  Test test;
  std::size_t n_branches = 0;
  std::int32_t default_branch = 0;
  std::vector<Surrogate> surrogates;
  std::vector<double> part;        // share of unknown rows that each branch gets; fractional only
  std::vector<double> statistics;  // of each branch
  std::vector<double> counts;      // rows of each branch
  std::vector<double> known;       // those among them that the test itself sent there
  std::vector<double> answers;     // of each branch, where the split method has some
  std::vector<bool> kept;          // branches that may be split further
  std::vector<Range> ranges;       // their rows, once these were moved
  std::vector<double> values;      // what they predict
};

}  // namespace treewright
