// Flow: rows on their way down a finished tree, divided at each node as growth divides its own.
//
// Rows whose branch is known take it; the others go by the node's missing policy. Under
// Missing::fraction (Quinlan 1993, section 3.2) they go to every branch that known rows take, with
//
//   share * (weight of the known rows in the branch) / (weight of all known rows)
//
// counted over the rows that are at the node now, so that a subtree can be given other rows than
// those it was grown on. If no row is known, the branch shares stored in the tree count. Under
// Missing::stop they go no further.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "treewright/base/monitor.hpp"
#include "treewright/data/rows.hpp"
#include "treewright/tree/tree.hpp"

namespace treewright {

class Flow {
 public:
  // All rows of positive weight; an Error if there is none. The tree, table and target must
  // outlive the flow.
  Flow(const Tree& tree, const Table& table, const Target& target, Monitor& monitor);

  Range all() const { return rows_.all(); }

  // One range a branch. Where the tree divides rows among branches the ranges lie behind `mark`
  // and last until `release`; otherwise they reorder and take up the node's own range.
  std::vector<Range> divide(std::size_t node, Range range);
  std::size_t mark() const { return rows_.mark(); }
  void release(std::size_t mark);

  // How often a row had no branch of its own so far: it was divided, or it stopped.
  std::size_t n_unsettled() const { return n_unsettled_; }

  // Sets `statistics` to those of the rows, and gives their number (fractional where divided).
  double count(Range range, std::span<double> statistics) const;
  // The same of those that stopped, for the range that was divided last.
  double count_stopped(Range range, std::span<double> statistics) const;

  const Rows& rows() const { return rows_; }

  // Sends rows down from the node that stands in place `start`: occupant(place) names the node,
  // visit(node, range) tells whether its rows go further, and divided(node, range) is called when
  // they have been divided. Leaves go no further.
  template <class Occupant, class Visit, class Divided>
  void send(std::size_t start, Range range, Occupant occupant, Visit visit, Divided divided) {
    struct Open {
      std::size_t place;
      Range range;
      std::size_t mark;
    };
    const std::size_t end = mark();
    std::vector<Open> stack{{start, range, end}};
    while (!stack.empty()) {
      const Open open = stack.back();
      stack.pop_back();
      release(open.mark);
      const std::size_t node = occupant(open.place);
      if (!visit(node, open.range) || tree_.is_leaf(node)) continue;
      const std::vector<Range> branches = divide(node, open.range);
      divided(node, open.range);
      for (std::size_t b = branches.size(); b-- > 0;) {
        stack.push_back(
            {static_cast<std::size_t>(tree_.first_child[node]) + b, branches[b], mark()});
      }
    }
    release(end);
  }

 private:
  template <class Counts>
  double count_if(Range range, std::span<double> statistics, Counts counts) const;
  void place_unknown(std::size_t node, Range range);
  std::vector<double> known_shares(std::size_t node, Range range);

  const Tree& tree_;
  const Table& table_;
  const Target& target_;
  Monitor& monitor_;
  bool divides_rows_;
  std::size_t n_unsettled_ = 0;
  Rows rows_;
  std::vector<std::uint16_t> branch_of_;  // by row id
};

}  // namespace treewright
