// Trends: columns with which the answer of a tree may only rise, or only fall.
//
// The answer is the share of the second of two classes, or a number. A test on such a column parts
// the answers below it: those of one branch are at most half-way between the answers of both
// branches, those of the other at least, and so is all that grows below (`Node::least`, `most`).
// Other tests keep their branches within the limits of the node. A row whose column grows then
// changes to a branch of larger answers or to none, so that the whole tree keeps the trend. Linear
// tests are allowed where all their columns agree on the branch of larger answers; tests that join
// conditions on such a column are not.
#pragma once

#include <optional>
#include <span>

#include "treewright/split/method.hpp"

namespace treewright {

// Which branch of a test must have the larger answers: 1 the right one, -1 the left one, 0 either.
// None if the test cannot keep the trends of its columns.
int trend_of_column(const Problem& problem, std::int32_t column);
std::optional<int> trend_along(const Problem& problem, std::span<const std::int32_t> columns,
                               std::span<const double> coefficients);
std::optional<int> trend_of(const Problem& problem, const Test& test);

// What a node with these statistics answers; it must hold some weight.
double answer_of(const Target& target, std::span<const double> statistics);

// The answers of both branches are within the limits of the node, and the larger one where it must
// be.
bool keeps_trend(const Node& node, int trend, double left, double right);

// The branches of a test have answers that they may have.
bool keeps_trends(const Node& node, const Candidate& candidate);

// Follows the answers on both sides of a cut while rows move from right to left.
class TrendWatch {
 public:
  // `standing` rows are on the left from the start, `others` on the right for good.
  TrendWatch(const Node& node, int trend, std::span<const Entry> moving,
             std::span<const Entry> standing, std::span<const Entry> others);
  void move(Entry e) { add(left_, e); }
  bool allows() const;

 private:
  struct Sum {
    double weight = 0.0;
    double answer = 0.0;
  };
  void add(Sum& to, Entry e) const;

  const Node& node_;
  int trend_;
  Sum left_, total_;
};

}  // namespace treewright
