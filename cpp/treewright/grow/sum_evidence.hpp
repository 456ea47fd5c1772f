// What is known of the rows of an open node beside sums by bin (partitioned.hpp), and the evidence
// that methods and readable tests take from it. What is missing is noted in `Wanted`.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "treewright/grow/readable.hpp"
#include "treewright/split/cut/column_sums.hpp"
#include "treewright/split/evidence.hpp"

namespace treewright {

// A linear combination at an open node, as another column beside those of the table.
struct Combination {
  std::size_t place = 0;
  Test test;
};

// A linear test at an open node, and another that may cut its rows the same way.
struct OtherTest {
  std::size_t place = 0;
  Test test, other;
};

// What is to be asked of the rows of open nodes.
struct Wanted {
  std::vector<std::pair<std::size_t, ColumnSet>> moments;
  std::vector<std::pair<std::size_t, std::int32_t>> bins;  // of columns and combinations
  struct Below {
    std::size_t place = 0;
    std::int32_t column = 0;
    double limit = 0.0;
  };
  std::vector<Below> below;
  std::vector<OtherTest> sides;
};

// Where the scores of another test lie: on the low side, on the high side; see parts/moments.hpp.
struct SideScores {
  double low_least, low_most, high_least, high_most;
  double n_revealed;
  double count, mean, squares;
};

// Of one open node.
struct KnownOfRows {
  std::map<ColumnSet, JointMoments> moments;  // by ascending columns
  std::map<std::pair<std::int32_t, double>, std::vector<double>> below;
  std::map<std::pair<std::int32_t, double>, ColumnSums> halves;  // of a line, at a limit
  std::map<std::vector<double>, SideScores> sides;               // by the numbers of both tests

  static std::vector<double> key_of(const Test& test, const Test& other);
};

}  // namespace treewright
