// Trends: columns with which the answer of a tree may only rise, or only fall.
//
// The answer is the share of the second of two classes, or a number. A row precedes another if it
// differs from it in columns with trends alone, each in the direction of smaller answers; then its
// answer must not be larger. A tree keeps that if it holds for any two leaves between which there
// may be such rows. Growth keeps it at every step: the branches of a new test must fit each other
// and all other leaves as they stand (`Rivals`).
//
// Where rows may lie is known from tests of one column (`Region`); tests of several columns are
// left out of it, so that more is asked than needed. But a test without such columns keeps rows
// that precede each other together, and one with such columns parts them in one direction only:
// linear tests are allowed where all their columns agree on it, tests that join conditions are not.
#pragma once

#include <optional>
#include <span>
#include <vector>

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

// The rows that may come to a node, as far as single columns say.
struct Region {
  std::vector<double> low, high;      // of each column: low < x <= high
  std::vector<std::uint8_t> missing;  // whether it may be without a value
  std::vector<std::uint8_t> levels;   // whether it may have each level, of all columns in turn

  // Of all rows of a table.
  explicit Region(const Problem& problem, std::span<const std::uint32_t> rows);
  // Of a branch of a test.
  Region branch(const Problem& problem, const Test& test, std::int32_t branch,
                std::int32_t default_branch) const;
};

// A row here may precede one there.
bool may_precede(const Problem& problem, const Region& here, const Region& there);

// Another leaf, or another node where rows end, that a node must fit.
struct Rival {
  const Region* region;
  double answer;
  bool is_below;  // its rows may precede those of the node, or else follow them
};

struct Rivals {
  const Region* region = nullptr;  // of the node itself
  std::vector<Rival> others;

  bool fit(const Problem& problem, const Region& branch, double answer) const;
};

// The branches of a test have answers that they may have.
bool keeps_trends(const Node& node, const Candidate& candidate);

// The smallest and the largest answer that a branch may have.
struct Limits {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();

  void add(const Rival& rival);
  bool hold(double answer) const { return answer >= least && answer <= most; }
};

// Follows the answers on both sides of a cut while rows move from right to left.
class TrendWatch {
 public:
  // `column` is -1 for a sum. Rows `without_left` and `without_right` have no value.
  TrendWatch(const Node& node, int trend, std::int32_t column, Column values,
             std::span<const Entry> moving, std::span<const Entry> without_left,
             std::span<const Entry> without_right);
  void move(Entry e) { add(left_, e); }
  // Whether a cut behind a row of `moving` will do.
  bool allows(std::size_t last);

 private:
  struct Sum {
    double weight = 0.0;
    double answer = 0.0;
  };
  // Rivals that bind from a value on, or up to it: all of these together.
  struct Bound {
    double from;
    Limits limits;
  };
  void add(Sum& to, Entry e) const;
  void find_limits(std::int32_t column, bool missing_left, bool missing_right);

  const Node& node_;
  int trend_;
  Column values_;
  std::span<const Entry> moving_;
  Sum left_, total_;
  std::vector<Bound> on_left_, on_right_;
  std::size_t next_left_ = 0, next_right_ = 0;
};

}  // namespace treewright
