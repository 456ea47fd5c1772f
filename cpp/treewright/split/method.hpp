// Split methods: ways of finding a test for a node.
//
// A method is asked once a node and proposes candidates. It may score them itself (a fast loop
// knows the numbers anyway) or leave that to `evaluate`, which routes the node's rows. The grower
// chooses among the candidates of all methods, then checks and routes with the finished test.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "treewright/base/monitor.hpp"
#include "treewright/base/rng.hpp"
#include "treewright/data/rows.hpp"
#include "treewright/measure/measure.hpp"
#include "treewright/tree/tree.hpp"

namespace treewright {

// What stays the same at all nodes of one growth.
struct Problem {
  const Table& table;
  const Target& target;
  Measure measure;
  Gain gain = Gain::plain;
  Missing missing = Missing::default_branch;
  double min_leaf = 1;               // rows that two branches at least must hold
  double min_leaf_weight = 0;        // and weight
  std::size_t n_rows = 0;            // training rows of positive weight
  bool unit_weights = false;         // every split weight is 1, and stays so
  std::vector<double> x_log_x = {};  // of 0, 1, ..., rows; for unit weights under entropy
  // Of each column, whether answers may only rise (1) or only fall (-1) with it; empty: whatever.
  std::span<const std::int8_t> trends = {};
  std::size_t n_threads = 1;  // that the columns of a large node may be looked at on
  Monitor* monitor = nullptr;
};

class Evidence;
struct Rivals;

// A node while it is being split.
struct Node {
  const Problem& problem;
  const Rows& rows;
  Range range;
  std::span<const double> weights;     // split weight of each row id, its share included
  std::span<const double> shares;      // share of each row id in the node; empty: all 1
  std::span<const double> statistics;  // by split weights
  double weight = 0.0;                 // their sum
  double noise = 0.0;                  // a decrease of no more is none (Measure::noise_of)
  double count = 0.0;                  // rows, by share
  std::int32_t depth = 0;
  std::span<const std::int32_t> columns;      // that may be tested here, ascending
  std::span<const std::int32_t> all_columns;  // that these were drawn from
  bool wants_each_column = false;             // the best of each column, as columns have prices
  // Other leaves that its branches must fit, where columns have trends (trend.hpp).
  const Rivals* rivals = nullptr;
  // Where the rows are elsewhere: sums over them (evidence.hpp). Null: `rows` holds them.
  Evidence* evidence = nullptr;

  std::span<const std::uint32_t> ids() const { return rows.ids(range); }
  // To be called between pieces of work that take long at one node: Ctrl-C ends them.
  void poll() const {
    if (problem.monitor != nullptr) problem.monitor->poll();
  }
  // For methods that have proposed a test already, which stands: the deadline ends them too.
  void poll_deadline() const {
    if (problem.monitor != nullptr && problem.monitor->poll()) throw OutOfTime{};
  }
  double count_of(std::uint32_t row) const { return shares.empty() ? 1.0 : shares[row]; }
  // A decrease, 0 where it is no more than rounding: whether it is above or below 0 would depend on
  // the order of the rows, and whether it is kept with it.
  double without_noise(double decrease) const {
    return std::abs(decrease) <= noise ? 0.0 : decrease;
  }
  // Adds one row to node statistics.
  void add_row(std::span<double> to, std::uint32_t row) const {
    treewright::add_row(to, problem.target, row, weights[row]);
  }
};

struct Candidate {
  Test test;
  bool is_scored = false;
  double decrease = 0.0;           // share of the node's weight
  double split_information = 0.0;  // may be left 0 under Gain::plain
  // For an axis test: the largest value at or below the threshold and the smallest above it.
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
  // The class each branch answers with if no row takes it; empty: that of the parent.
  std::vector<double> answers = {};
  // Branches answer so whatever rows take them, unless errors differ in cost or whole rows are
  // among them that lack a value of the test, of which it says nothing.
  bool overrules_rows = false;
  // What reading its columns costs, as a share of the node's weight (tree/column_rules.hpp).
  double price = 0.0;
  double net() const { return decrease - price; }
};

class Method {
 public:
  virtual ~Method() = default;
  // Once before growth.
  virtual void prepare(const Problem&, const Rows&) {}
  virtual bool needs_sorted_columns() const { return false; }
  // Whether, if the columns drawn for a node hold no split, others are to be offered one by one.
  virtual bool wants_other_columns() const { return true; }
  // Whether different nodes may be asked for on different threads at once: what `propose` changes
  // is its own, or of the node's rows alone.
  virtual bool works_on_threads() const { return false; }
  virtual void propose(const Node& node, Rng& rng, std::vector<Candidate>& candidates) = 0;
};

// Limits are met but for rounding.
inline constexpr double limit_slack = 1e-9;

// What a test does to a node, found by routing every row.
struct Outcome {
  Outcome() = default;
  // Without rows yet.
  Outcome(std::int32_t branches, std::size_t n_outputs);

  std::int32_t n_branches = 0;
  std::vector<double> statistics;  // of each branch, by split weights; default rows included
  std::vector<double> counts;      // rows of each branch
  std::vector<double> weights;     // of each branch
  double unknown_count = 0.0;      // rows whose branch is unknown
  double unknown_weight = 0.0;
  std::int32_t default_branch = 0;
  double decrease = 0.0;  // share of the node's weight
  double split_information = 0.0;

  std::span<double> statistics_of(std::size_t branch) {
    const std::size_t k = statistics.size() / counts.size();
    return std::span(statistics).subspan(branch * k, k);
  }
  // The branch holds the rows and the weight a leaf must.
  bool holds_a_leaf(std::size_t branch, const Problem& problem) const;
  // At least two branches do; for a two-way test that means both.
  bool is_admissible(const Problem& problem) const;
};

// Under Missing::default_branch the unknown rows are added to the branch where the score is
// largest, if some leave enough rows elsewhere among those (the heaviest branch when there are no
// unknown rows); otherwise the decrease is that of the known
// rows times their share, and the unknown rows count as one more part in the split information.
Outcome evaluate(const Node& node, const Test& test);

// The same for rows that are counted already: sets the default branch, adds the unknown rows, which
// have these statistics, and finds decrease and split information. Not for absolute error.
void judge(const Node& node, Outcome& counted, std::span<const double> missing);

// `a` is better than `b` by more than rounding.
inline bool clearly_better(double a, double b) { return a > b + 1e-10 * std::abs(b) + 1e-300; }

// The position of the largest value, the first of those that are equal but for rounding.
inline std::size_t first_largest(std::span<const double> values) {
  std::size_t largest = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (clearly_better(values[i], values[largest])) largest = i;
  }
  return largest;
}

// The score of a scored candidate by itself.
inline double score_of(const Node& node, const Candidate& candidate) {
  return score_of(node.problem.gain, candidate.decrease, candidate.split_information);
}

// Puts a scored candidate, if there is one, in the place of `best` where it is clearly better.
inline void keep_better(const Node& node, std::optional<Candidate> found,
                        std::optional<Candidate>& best) {
  if (found && (!best || clearly_better(score_of(node, *found), score_of(node, *best)))) {
    best = std::move(found);
  }
}

// Puts the best test so far in place of those proposed from `first` on: it stands if time runs out.
inline void propose_instead(std::vector<Candidate>& candidates, std::size_t first,
                            const std::optional<Candidate>& best) {
  candidates.resize(first);
  if (best) candidates.push_back(*best);
}

}  // namespace treewright
