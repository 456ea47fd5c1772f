// Growth over parts of a table: the rows are elsewhere, and what is known of an open node are sums
// over them (data/lines.hpp), asked for again more finely where a cut may hide that matters.
//
// A round of growth, for all open nodes at once:
//
//   1. `put` gives the sums of every column of every open node, by bin or by level;
//   2. `unsettled` says in which bins a cut may lie that beats, or ties with, the best cut known:
//      those where not (bound < best - margin), see split/cut/bound.hpp;
//   3. `refine` gives the sums of these bins more finely, in the end by distinct value; back to 2;
//   4. `settle` chooses the splits and divides nodes; branches of these are the next open nodes.
//
// The scan, ties between cuts and columns, the choice, the rules of growth and the readable
// thresholds are those of growth in memory, so that the tree is the same.
//
// The margin. In a column a cut replaces an earlier one if it is better by more than d (relative
// and absolute rounding, goodness.hpp), and a column an earlier one if better by 1e-10 of itself.
// A column whose best is below the best of all by more than a chain of such steps cannot matter,
// and in a column that matters, cuts below a gap wider than d cannot: that there is such a gap
// above the margin is looked up among the cuts known, and the margin widened tenfold where there
// is none.
//
// Best-first growth (max_leaves) replays the heap of growth in memory. Branches of the node on top
// must be known before the next one is taken, so those of all nodes that may be taken soon are
// asked for together; nodes that were not taken in the end are made leaves again.
//
// A split method may propose the tests (MUST, FTest). It is run at each open node on evidence
// (split/evidence.hpp) that is sums over its rows; `wanted` says what it lacks, which is given by
// `put`, `put_moments`, `put_below` and `put_sides`, and so on until it comes to an end. Lines are
// then columns and linear combinations of them, whose numbers follow those of the columns.
//
// A node whose rows are few may be handed over: growth in memory goes on with it where this one
// stands (`options_at`), and what it makes of the node is taken over (`graft`).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "treewright/grow/grow.hpp"
#include "treewright/grow/rules.hpp"
#include "treewright/grow/sum_evidence.hpp"
#include "treewright/split/cut/bound.hpp"
#include "treewright/split/levels/groups.hpp"
#include "treewright/tree/builder.hpp"

namespace treewright {

enum class LevelTests : std::uint8_t { subset, multiway, grouped };
LevelTests level_tests_named(const std::string& name);

// Bins of a column at an open node in which a cut may lie that matters.
struct Unsettled {
  std::int32_t place = 0;  // of the open node
  std::int32_t column = 0;
  double lower = 0.0, upper = 0.0;  // the bin holds values above the one, up to the other;
  double low = 0.0, high = 0.0;     // these are the least and the largest of its rows
  double rows = 0.0;
};

// A node whose split is not proven the best.
struct Proof {
  std::int32_t node = 0;
  double gap = 0.0;  // what cuts not looked at may be better by, relative to the best known
};

class PartitionedGrowth {
 public:
  PartitionedGrowth(std::vector<std::int32_t> n_levels, std::int32_t n_classes, GrowOptions options,
                    LevelTests level_tests, std::size_t n_rows, bool unit_weights,
                    std::shared_ptr<Method> method = nullptr);
  PartitionedGrowth(const PartitionedGrowth&) = delete;
  PartitionedGrowth& operator=(const PartitionedGrowth&) = delete;

  // The statistics of all rows.
  void plant(std::span<const double> statistics);

  // The tree so far, and the node of it that each open place stands at.
  std::pair<Tree, std::vector<std::int32_t>> tree() const;
  std::size_t n_open() const { return open_.size(); }
  double rows_at(std::size_t place) const { return open_[place].rows; }
  // Of numbers, 0 for classes.
  double mean_at(std::size_t place) const;

  // Lines of all bins between edges (or of all levels) and of the rows without a value.
  void put(std::size_t place, std::int32_t column, std::span<const double> edges,
           std::span<const double> lines);
  // Lines of finer bins between edges.
  void refine(std::size_t place, std::int32_t column, std::span<const double> edges,
              std::span<const double> lines);
  // Lines of single values.
  void refine_by_value(std::size_t place, std::int32_t column, std::span<const double> lines);
  std::vector<Unsettled> unsettled();
  // Runs the method where no split is found yet, and says what it lacks beside what is unsettled.
  const Wanted& wanted();
  const std::vector<Combination>& combinations() const { return combinations_; }
  // How many numbers the moments of so many columns are.
  std::size_t n_moments(std::size_t n_columns) const;
  void put_moments(std::size_t place, const ColumnSet& columns, std::vector<double> numbers);
  // Lines of the bins up to a limit and above it.
  void put_below(std::size_t place, std::int32_t column, double limit,
                 std::span<const double> lines);
  void put_sides(const OtherTest& asked, const SideScores& scores);
  // What is unsettled at these nodes stays so.
  void give_up();
  // What `unsettled` compares.
  Worth worth_at(std::size_t place, std::int32_t column) const;

  // How a node at a depth is grown where its rows are in memory; not with max_leaves, where it
  // depends on the other nodes how far one is.
  GrowOptions options_at(std::int32_t depth) const;
  // Takes what was grown there. The places behind this one move up.
  void graft(std::size_t place, const Tree& grown);

  // Chooses splits and divides nodes. Bins that are still unsettled are noted in the proofs.
  void settle();
  Growth finish();
  // Of the nodes of that tree, by their numbers there; the others are proven.
  std::vector<Proof> proofs() const;

 private:
  friend class SumEvidence;
  friend class ElsewhereSides;

  // A column at a node: its cuts, and the bounds of its bins.
  struct Judged {
    Worth worth;
    double best = 0.0;                  // of the cuts known, as they are compared
    std::vector<double> best_at_place;  // for each place of the rows without a value
  };
  struct Open {
    std::int32_t node = 0;
    std::int32_t depth = 0;
    double rows = 0.0;
    std::map<std::int32_t, ColumnSums> numeric;  // by column
    std::map<std::int32_t, LevelGroups> levels;
    std::map<std::int32_t, Judged> judged;  // numeric columns, until their sums change
    double widening = 1.0;                  // of the margin
    double gap = 0.0;                       // left by what is unsettled

    // Where a method proposes.
    KnownOfRows known;
    bool is_found = false;             // its split, or that there is none
    bool is_given_up = false;          // what is unsettled stays so
    bool compares_columns = false;     // the best cut of all numeric columns is wanted
    std::set<std::int32_t> by_value;   // lines of which every value is wanted
    std::set<std::int32_t> by_itself;  // lines whose own best cut is wanted
  };
  // A node with the test chosen for it, before or after it is divided.
  struct Chosen {
    std::int32_t depth = 0;
    Test test;
    double gain = 0.0, worth = 0.0;
    Outcome outcome;
    std::int32_t first_child = -1;  // -1: not divided
  };

  bool is_classification() const { return target_.is_classification(); }
  double weight_of(std::span<const double> statistics) const {
    return is_classification() ? sum_of(statistics) : statistics[0];
  }
  Node view_of(const Open& open) const;
  void offer(std::int32_t node, std::int32_t depth, double rows);
  ColumnSums sums_of(std::span<const double> edges, std::span<const double> lines) const;
  ColumnSums sums_of_values(std::span<const double> lines) const;
  ColumnSums& numeric_at(std::size_t place, std::int32_t column);
  Candidate candidate_at(const Node& node, const ColumnSums& steps, const Cut& cut) const;
  void propose_cuts(const Node& node, const Open& open, std::vector<Candidate>& candidates) const;
  std::vector<Candidate> candidates_of(const Node& node, const Open& open) const;
  Outcome outcome_of(const Node& node, const Open& open, const Test& test,
                     bool is_turned = false) const;
  // The number of a line at a place; none if it has none yet.
  std::optional<std::int32_t> line_of(std::size_t place, std::span<const std::int32_t> columns,
                                      std::span<const double> coefficients) const;
  // Sums of a line that have a cut at this threshold.
  const ColumnSums& steps_at(const Open& open, std::int32_t line, double threshold) const;
  CutRules rules_of(const Open& open, std::int32_t line) const;
  bool is_settled(std::size_t place, std::optional<std::int32_t> line);
  const Judged& judge_column(const Node& node, Open& open, std::int32_t column) const;
  void find_unsettled(std::size_t place, std::vector<Unsettled>& found);
  std::optional<Candidate> find_split(std::size_t place, const Node& node);
  Readable readable_of(std::size_t place, const Candidate& candidate);
  void choose_split(std::size_t place);
  void divide(std::int32_t node);
  void divide_best_first();
  std::vector<bool> not_taken() const;

  GrowOptions options_;
  LevelTests level_tests_;
  Table table_;
  Target target_;
  Monitor monitor_;
  Rows rows_;  // none
  Problem problem_;
  TreeBuilder builder_;
  std::vector<std::int32_t> columns_;
  Root root_;
  std::vector<Open> open_;
  std::map<std::int32_t, Chosen> chosen_;  // by node
  std::map<std::int32_t, double> gaps_;    // likewise, where one is left
  std::vector<std::int32_t> taken_;        // best-first: nodes that are divided in the tree
  std::shared_ptr<Method> method_;         // null: cuts and tests on levels
  std::vector<Combination> combinations_;  // of all open nodes
  Wanted wanted_;
};

}  // namespace treewright
