// Whether the leaves of a tree stand in the order that columns with trends ask for.
//
// The answer of a leaf is the share of the second of two classes among its rows, or their mean.
// A row precedes another one if it differs from it in columns with trends alone, each in the
// direction of smaller answers. Where some row of one leaf may precede one of another leaf, the
// first leaf must not answer more:
//
//   for all leaves a, b:   a row at a may precede one at b   =>   answer(a) <= answer(b)
//
// Such leaves part at a test with a trend, and the places where their rows lie meet in every
// column, or follow each other there in the direction of its trend. A place is known by the tests
// of one column on the path; other tests with a trend part rows in one direction only.
//
// Rows of a node pass several thresholds of a column alike. A node stands for all of them, and a
// tree is in order if one of each can be chosen so that it is. Two leaves in the wrong order are
// kept apart by two thresholds of a column of which one is not above the other; the least choice
// that satisfies some such pairs is found by raising thresholds from the lowest ones.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "treewright/search/context.hpp"

namespace treewright::search {

// What is known of columns and tests; without trends no order is asked for.
struct OrderRules {
  // Of each column: 1 answers may only rise with it, -1 only fall, 0 either.
  std::vector<std::int32_t> trends;
  std::vector<std::int32_t> n_levels;     // 0: numbers
  std::vector<std::int32_t> has_missing;  // whether values are missing
  // Of each test: 1 rows that fail it must answer more, -1 rows that pass it, 0 either.
  std::vector<std::int32_t> sides;
  std::vector<std::int32_t> columns;  // the one whose values it parts; -1: it tells no place
  std::vector<double> thresholds;     // of numbers: x <= threshold passes
  std::vector<std::vector<std::int32_t>> levels;  // that pass
  std::vector<std::int32_t> unknown;              // rows without a value: 0 pass, 1 fail
};

// One branch of a node on a path: of any of the tests from `first` to `last`.
struct PathStep {
  std::int32_t node = -1;
  std::int32_t first = 0, last = 0;
  bool passed = false;
};
using OrderPath = std::vector<PathStep>;

struct OrderedLeaf {
  double answer = 0.0;
  OrderPath path;
};

class LeafOrder {
 public:
  explicit LeafOrder(const OrderRules& rules) : rules_(rules) {}

  bool is_asked_for() const { return !rules_.trends.empty(); }
  std::int32_t side_of(std::int32_t test) const { return rules_.sides[place(test)]; }
  // Whether a node may stand for several thresholds of the column of a test.
  bool has_choice(std::size_t test) const;
  // Of all that the order of leaves below a path can depend on, beside what lies below.
  Hash box(const OrderPath& path) const;

  // Whether a leaf can stand beside others that can stand beside each other.
  bool fits(const std::vector<OrderedLeaf>& others, const OrderedLeaf& leaf) const;
  // The test of each node with which leaves are in order; none if they never are.
  std::vector<std::int32_t> choice(const std::vector<OrderedLeaf>& leaves,
                                   std::size_t n_nodes) const;
  // Whether every leaf that can stand at the end of a path is compared with this one: 1 they must
  // not answer less, -1 not more, 0 they need not be.
  std::int32_t rules_over(const OrderedLeaf& leaf, const OrderPath& path) const;

 private:
  // The first threshold must not be above the second.
  struct NotAbove {
    PathStep low, high;
  };
  using Ways = std::vector<NotAbove>;  // each of them keeps two leaves apart
  enum class Verdict : std::int8_t { apart, depends, together };

  static std::size_t place(std::int32_t number) { return static_cast<std::size_t>(number); }
  std::int32_t column_of(const PathStep& step) const { return rules_.columns[place(step.first)]; }
  double low_of(const PathStep& step) const { return rules_.thresholds[place(step.first)]; }
  double high_of(const PathStep& step) const { return rules_.thresholds[place(step.last)]; }
  // Whether two leaves, of which the rows of the first may precede those of the second as far as
  // the test says where their paths part, have answers in the wrong order.
  bool are_wrong(const OrderedLeaf& a, const OrderedLeaf& b, std::size_t& parting,
                 bool& is_turned) const;
  Verdict judge(const OrderPath& lower, const OrderPath& upper, std::size_t parting,
                Ways& ways) const;
  // What may lie at a place, in a column whose places are known exactly.
  struct Reach {
    double low, high;
    bool may_miss = false;
    std::vector<std::uint8_t> levels;
    bool is_empty(bool has_levels) const;
  };
  Reach reach_of(const OrderPath& path, std::int32_t column) const;
  bool is_apart(const Reach& lower, const Reach& upper, std::int32_t column) const;
  bool is_exact(std::int32_t column) const {
    return rules_.n_levels[place(column)] > 0 || rules_.has_missing[place(column)] != 0;
  }
  // Raises thresholds until none of `pairs` is the wrong way round; false if that cannot be.
  bool raise(std::vector<PathStep>& nodes, std::span<const NotAbove> pairs) const;
  bool choose(std::vector<PathStep> nodes, const std::vector<Ways>& open, std::size_t next,
              std::vector<NotAbove>& chosen, std::vector<PathStep>& found) const;

  const OrderRules& rules_;
};

}  // namespace treewright::search
