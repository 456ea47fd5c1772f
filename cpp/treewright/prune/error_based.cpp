#include "treewright/prune/error_based.hpp"

#include <algorithm>
#include <numeric>

#include "treewright/measure/measure.hpp"
#include "treewright/prune/flow.hpp"
#include "treewright/prune/refit.hpp"

namespace treewright {

namespace {

constexpr double slack = 0.1;             // in errors: what a simpler tree may cost
constexpr double weight_rounding = 1e-9;  // relative

// Nodes keep their old ids. A place is the id of the node that stood there first; raising puts
// another node in it. The walk keeps its own stack, so that a tree may be as deep as it likes.
class ErrorBased {
 public:
  ErrorBased(const Tree& tree, const Table& table, const Target& target,
             const ExtraErrors& extra_errors, Monitor& monitor)
      : tree_(tree),
        flow_(tree, table, target, monitor),
        pruned_(refit(tree, table, target, false, monitor)),
        occupant_(tree.n_nodes()),
        was_opened_(tree.n_nodes(), false),
        is_cut_(tree.n_nodes(), false),
        is_whole_(tree.n_nodes(), true),
        as_leaf_(tree.n_nodes(), not_known),
        as_tree_(tree.n_nodes(), 0.0),
        statistics_(tree.n_outputs()),
        leaves_(extra_errors),
        is_joined_(tree.n_nodes(), false),
        with_others_(tree.statistics.size()) {
    std::iota(occupant_.begin(), occupant_.end(), 0);
    std::vector<std::size_t> nodes(tree.n_nodes());
    std::iota(nodes.begin(), nodes.end(), std::size_t{0});
    estimate_as_leaves(nodes);
  }

  std::pair<Tree, std::vector<std::int32_t>> run() {
    std::vector<Visit> stack;
    stack.push_back({.place = 0, .range = flow_.all(), .begin = flow_.mark()});
    while (!stack.empty()) {
      Visit& visit = stack.back();
      if (!visit.is_open) open(visit, stack.size() > 1 ? &stack[stack.size() - 2] : nullptr);
      flow_.release(visit.end);
      if (visit.next < visit.branches.size()) {
        const std::size_t b = visit.next++;
        stack.push_back({.place = child_place(node_in(visit.place), b),
                         .range = visit.branches[b],
                         .begin = flow_.mark()});
      } else if (is_settled(visit)) {
        stack.pop_back();
      }
    }
    return splice(pruned_, occupant_, is_cut_);
  }

 private:
  // A place whose node is being pruned.
  struct Visit {
    std::size_t place;
    Range range;
    std::size_t begin;    // row storage in use before its branches
    std::size_t end = 0;  // and with them
    bool is_open = false;
    std::vector<Range> branches = {};
    std::vector<double> stopped = {};  // statistics of the rows that stop at it; empty: none
    std::size_t next = 0;
  };

  static constexpr double not_known = -1.0;

  std::size_t node_in(std::size_t place) const {
    return static_cast<std::size_t>(occupant_[place]);
  }
  std::size_t child_place(std::size_t node, std::size_t branch) const {
    return static_cast<std::size_t>(tree_.first_child[node]) + branch;
  }
  bool is_leaf(std::size_t node) const { return tree_.is_leaf(node) || is_cut_[node]; }
  bool stops(std::size_t node) const { return may_stop(static_cast<Missing>(tree_.missing[node])); }
  // The heaviest class; that of the node wins ties.
  std::size_t class_of(std::size_t node, std::span<const double> statistics) const {
    return cheapest_class(statistics, {}, static_cast<std::size_t>(pruned_.value[node]));
  }
  std::span<double> part_of(std::vector<double>& statistics, std::size_t node) const {
    const std::size_t k = tree_.n_outputs();
    return std::span(statistics).subspan(node * k, k);
  }

  // Gives the node's rows to its branches.
  void open(Visit& visit, const Visit* parent) {
    const std::size_t node = node_in(visit.place);
    if (was_opened_[node]) count_again(visit, parent);
    was_opened_[node] = true;
    if (visit.range.size() == 0) is_cut_[node] = true;
    const std::size_t unsettled_before = flow_.n_unsettled();
    if (!is_leaf(node)) {
      visit.branches = flow_.divide(node, visit.range);
      if (stops(node)) {
        visit.stopped.resize(tree_.n_outputs());
        flow_.count_stopped(visit.range, visit.stopped);
      }
    }
    is_whole_[node] = flow_.n_unsettled() == unsettled_before;
    visit.end = flow_.mark();
    visit.is_open = true;
  }

  // New statistics and a new answer for a node that raising has given other rows. The root has
  // some, so that a node without has a parent.
  void count_again(const Visit& visit, const Visit* parent) {
    const std::size_t node = node_in(visit.place);
    const auto statistics = part_of(pruned_.statistics, node);
    pruned_.rows[node] = flow_.count(visit.range, statistics);
    pruned_.value[node] = visit.range.size() > 0 ? static_cast<double>(class_of(node, statistics))
                                                 : pruned_.value[node_in(parent->place)];
    as_leaf_[node] = not_known;
  }

  // Finds the expected errors as leaves of those nodes for which they are not known.
  void estimate_as_leaves(std::span<const std::size_t> nodes) {
    asked_.clear();
    leaves_.clear();
    for (const std::size_t node : nodes) {
      if (as_leaf_[node] != not_known) continue;
      asked_.push_back(node);
      leaves_.add(pruned_.statistics_of(node));
    }
    leaves_.estimate();
    for (std::size_t i = 0; i < asked_.size(); ++i) as_leaf_[asked_[i]] = leaves_.sum(i, i + 1);
  }

  // Decides about a node whose branches are done; false if another node took its place.
  bool is_settled(Visit& visit) {
    const std::size_t node = node_in(visit.place);
    if (is_leaf(node)) return true;
    double heaviest_weight = 0.0;
    std::size_t heaviest = 0;
    std::vector<std::size_t> nodes{node};  // and its branches
    for (std::size_t b = 0; b < visit.branches.size(); ++b) {
      nodes.push_back(node_in(child_place(node, b)));
      const double weight = pruned_.weight(nodes.back());
      if (weight >= heaviest_weight * (1 - weight_rounding)) heaviest = b;
      heaviest_weight = std::max(heaviest_weight, weight);
    }
    estimate_as_leaves(nodes);
    const double as_leaf = as_leaf_[node];
    double as_tree = expected_of_stopped(visit);
    for (const std::size_t child : std::span(nodes).subspan(1)) {
      as_tree += is_leaf(child) ? as_leaf_[child] : as_tree_[child];
      is_whole_[node] = is_whole_[node] && (is_leaf(child) || is_whole_[child]);
    }

    const std::size_t raised = child_place(node, heaviest);
    const double as_branch =
        is_leaf(node_in(raised)) ? as_leaf : expected_of_branch(visit, heaviest);
    if (as_leaf <= as_tree + slack && as_leaf <= as_branch + slack) {
      is_cut_[node] = true;
    } else if (as_branch <= as_tree + slack) {
      occupant_[visit.place] = occupant_[raised];
      flow_.release(visit.begin);
      visit = {.place = visit.place, .range = visit.range, .begin = visit.begin};
      return false;
    } else {
      as_tree_[node] = as_tree;
    }
    return true;
  }

  double expected_of_stopped(const Visit& visit) {
    if (visit.stopped.empty()) return 0.0;
    leaves_.clear();
    leaves_.add(visit.stopped, static_cast<std::size_t>(pruned_.value[node_in(visit.place)]));
    leaves_.estimate();
    return leaves_.sum(0, 1);
  }

  // Expected errors of a branch, not a leaf, if it got all rows of the node.
  double expected_of_branch(const Visit& visit, std::size_t branch) {
    const std::size_t node = node_in(visit.place), place = child_place(node, branch);
    if (is_whole_[node]) {
      // Its own rows stay where they are, unless a row that joins them has no way of its own.
      const std::size_t unsettled_before = flow_.n_unsettled();
      const double expected = as_tree_[node_in(place)] + change_by_other_rows(visit, branch);
      if (flow_.n_unsettled() == unsettled_before) return expected;
    }
    leaves_.clear();
    send(
        place, visit.range,
        [&](std::size_t, Range rows) {
          flow_.count(rows, statistics_);
          leaves_.add(statistics_);
        },
        [&](std::size_t below, Range rows) {
          if (!stops(below)) return;
          flow_.count(rows, statistics_);
          const std::size_t said = class_of(below, statistics_);
          flow_.count_stopped(rows, statistics_);
          leaves_.add(statistics_, said);
        });
    leaves_.estimate();
    return leaves_.sum(0, leaves_.size());
  }

  // What rows of the other branches would add to the expected errors of this one.
  double change_by_other_rows(const Visit& visit, std::size_t branch) {
    const std::size_t place = child_place(node_in(visit.place), branch);
    const auto join = [&](std::size_t leaf, Range rows) {
      flow_.count(rows, statistics_);
      const auto all = part_of(with_others_, leaf);
      if (!is_joined_[leaf]) {
        is_joined_[leaf] = true;
        joined_.push_back(leaf);
        std::ranges::copy(pruned_.statistics_of(leaf), all.begin());
      }
      add_statistics(all, statistics_, true);
    };
    for (std::size_t b = 0; b < visit.branches.size(); ++b) {
      if (b != branch) send(place, visit.branches[b], join, [](std::size_t, Range) {});
    }
    double before = 0.0;
    leaves_.clear();
    for (const std::size_t leaf : joined_) {
      before += as_leaf_[leaf];
      leaves_.add(part_of(with_others_, leaf));
      is_joined_[leaf] = false;
    }
    joined_.clear();
    leaves_.estimate();
    return leaves_.sum(0, leaves_.size()) - before;
  }

  // Sends rows to the leaves under a place as they stand now.
  template <class AtLeaf, class Divided>
  void send(std::size_t place, Range range, AtLeaf at_leaf, Divided divided) {
    const auto occupant = [&](std::size_t below) { return node_in(below); };
    const auto goes_on = [&](std::size_t node, Range rows) {
      if (rows.size() == 0) return false;
      if (!is_leaf(node)) return true;
      at_leaf(node, rows);
      return false;
    };
    flow_.send(place, range, occupant, goes_on, divided);
  }

  const Tree& tree_;
  Flow flow_;
  Tree pruned_;                         // the tree with new statistics, not yet cut
  std::vector<std::int32_t> occupant_;  // of each place
  std::vector<bool> was_opened_;        // its rows have been looked at
  std::vector<bool> is_cut_;            // inner nodes that became leaves
  std::vector<bool> is_whole_;          // every row has one way at the node and below
  std::vector<double> as_leaf_;         // expected errors of each node as a leaf
  std::vector<double> as_tree_;         // those of inner nodes that stay
  std::vector<double> statistics_;      // of some rows
  ExpectedErrors leaves_;
  std::vector<std::size_t> asked_;  // nodes whose errors are asked for

  // Leaves that rows of other branches would join, and their statistics then.
  std::vector<std::size_t> joined_;
  std::vector<bool> is_joined_;
  std::vector<double> with_others_;
};

}  // namespace

std::pair<Tree, std::vector<std::int32_t>> error_based(const Tree& tree, const Table& table,
                                                       const Target& target,
                                                       const ExtraErrors& extra_errors,
                                                       Monitor& monitor) {
  return ErrorBased(tree, table, target, extra_errors, monitor).run();
}

}  // namespace treewright
