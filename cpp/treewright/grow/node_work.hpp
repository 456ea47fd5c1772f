// The work at one node of a growth: its split is found, and its rows go to the branches.
//
// Every thread has one of its own. Nodes that are open at the same time have no rows in common
// (unless rows are divided into shares, where one thread does all), so that they can be looked at
// in any order, or at once: what is random at a node depends on its place in the tree alone.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "treewright/grow/division.hpp"
#include "treewright/grow/grow.hpp"
#include "treewright/grow/leaf_order.hpp"
#include "treewright/grow/leaf_queue.hpp"
#include "treewright/tree/column_rules.hpp"

namespace treewright {

// What all nodes of a growth have in common.
struct Growing {
  Growing(const Table& table, const Target& target, Method& asked, const GrowOptions& wanted,
          Monitor& monitor, const Ranks* ranks);

  Method& method;
  const GrowOptions& options;
  const bool fractional;
  Problem problem;
  Rows rows;
  std::vector<std::int32_t> columns;  // all
  bool same_weights = true;           // those by which nodes are split and those of predictions
  Root root;
  std::optional<LeafOrder> order;    // where columns have trends
  std::optional<ColumnWatch> watch;  // where there are rules of columns
  std::atomic<bool> out_of_time = false;

  double weight_of(std::span<const double> statistics) const;
};

class NodeWork {
 public:
  NodeWork(Growing& growing, Monitor& monitor);

  Monitor& monitor() { return monitor_; }

  std::optional<Candidate> find_split(const OpenLeaf& open);
  // The branches of the node's rows by its chosen split; for the caller to go on with until the
  // next call.
  Division& divide(const OpenLeaf& open);
  // Moves the rows as they were divided last: a range for each branch.
  void move_rows(const OpenLeaf& open, Division& division);
  // What a branch predicts.
  double value_of(const OpenLeaf& parent, const Division& division, std::size_t branch,
                  Range range) const;
  double value_of(std::span<const double> statistics, Range range, double parent) const;

  // By split weights; valid until the next call.
  std::span<const double> split_statistics(const OpenLeaf& open);
  // Per weight. The absolute error is not in the statistics.
  double impurity_of(const OpenLeaf& open, std::span<const double> statistics) const;
  void add_row(std::span<double> to, std::uint32_t row, double share) const;
  // The branch of rows that neither the test nor a surrogate can place.
  std::int32_t otherwise(const Division& division) const;

 private:
  std::optional<Candidate> choose_from(const OpenLeaf& open, const Node& node, Rng& rng);
  void route_rows(const OpenLeaf& open, Division& division);
  template <class Put>
  bool route_by_value(const Predicate& predicate, std::span<const std::uint32_t> ids, Put put);
  void count_branches(const OpenLeaf& open, Division& division) const;
  bool is_told(const Candidate& chosen, const Division& division, std::size_t branch) const;
  void load_shares(Range range);
  double share(std::uint32_t row) const { return growing_.fractional ? shares_[row] : 1.0; }
  Node view_of(const OpenLeaf& open, std::span<const double> statistics) const;

  Growing& growing_;
  const GrowOptions& options_;
  Monitor& monitor_;
  const Problem problem_;  // polls the monitor of this thread
  const Table& table_;
  const Target& target_;
  std::vector<double> weights_, shares_;  // by row id; fractional growth only
  std::vector<std::uint16_t> branch_of_;  // by row id
  std::vector<std::int32_t> branch_of_value_;
  std::vector<Candidate> candidates_;
  Columns drawn_;
  Division division_;
  std::vector<double>
      known_weights_;  // of each branch: weight of the rows that the test sent there
  std::vector<double> split_statistics_;  // where split weights are others
  Rows::Buffers buffers_;
};

}  // namespace treewright
