// Tree: what every learner makes and every reader takes.
//
// Flat parallel arrays with pools for the tests. Invariants, checked by `validate` and relied upon
// everywhere: the root is node 0; the children of a node are contiguous and stand behind it; every
// node has statistics, so any node can become a leaf without data. Nodes are numbered in the order
// of a walk that hands out a node's children when it visits the node, so that equal trees are
// equal arrays. A finished tree never changes: surgery makes a new one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "treewright/tree/test_pool.hpp"

namespace treewright {

// What to do at a node with a row whose branch is unknown.
enum class Missing : std::int8_t {
  default_branch,     // one fixed branch
  fraction,           // all branches, by their share of the node's weight (C4.5)
  surrogate,          // the first surrogate that knows, else the default branch (CART)
  stop,               // none: the row ends at the node, which answers (ID3)
  surrogate_or_stop,  // the first surrogate that knows, else none
};

constexpr bool is_policy(int number) {
  if (number != static_cast<std::int8_t>(number)) return false;
  switch (static_cast<Missing>(number)) {
    case Missing::default_branch:
    case Missing::fraction:
    case Missing::surrogate:
    case Missing::stop:
    case Missing::surrogate_or_stop:
      return true;
  }
  return false;
}
// Every such row goes to the one branch, whatever else is known of it.
constexpr bool takes_default_branch(Missing policy) {
  switch (policy) {
    case Missing::default_branch:
      return true;
    case Missing::fraction:
    case Missing::surrogate:
    case Missing::stop:
    case Missing::surrogate_or_stop:
      return false;
  }
  return false;
}
constexpr bool divides_rows(Missing policy) {
  switch (policy) {
    case Missing::fraction:
      return true;
    case Missing::default_branch:
    case Missing::surrogate:
    case Missing::stop:
    case Missing::surrogate_or_stop:
      return false;
  }
  return false;
}
constexpr bool uses_surrogates(Missing policy) {
  switch (policy) {
    case Missing::surrogate:
    case Missing::surrogate_or_stop:
      return true;
    case Missing::default_branch:
    case Missing::fraction:
    case Missing::stop:
      return false;
  }
  return false;
}
constexpr bool may_stop(Missing policy) {
  switch (policy) {
    case Missing::stop:
    case Missing::surrogate_or_stop:
      return true;
    case Missing::default_branch:
    case Missing::fraction:
    case Missing::surrogate:
      return false;
  }
  return false;
}

// A back-up test: its branch 0 stands for branch 1 of the node's own test when `swapped`.
struct Surrogate {
  Test test;
  bool swapped = false;
  double agreement = 0.0;  // share of known rows sent the same way
  double adjusted = 0.0;   // what that adds to sending all rows to the heavier branch
};

struct Tree {
  bool is_classification = true;
  std::vector<std::int32_t> n_levels;  // of the columns it was grown on
  std::vector<double> cost;            // K x K, row = truth, of a wrong answer; empty: each costs 1

  TestPool tests;  // kind leaf where there is none
  std::vector<std::int32_t> first_child;
  std::vector<std::int32_t> n_branches;
  std::vector<double> rows;        // training rows, fractional under Missing::fraction
  std::vector<double> statistics;  // n_outputs a node
  // Of the classes, n_outputs a node; empty: the shares in the statistics.
  std::vector<double> probabilities;
  std::vector<double> value;  // predicted class, or number
  std::vector<double> gain;   // weighted decrease of impurity by the test
  std::vector<std::int8_t> missing;
  std::vector<std::int32_t> default_branch;

  std::vector<std::int64_t> surrogate_end;
  TestPool surrogates;
  std::vector<std::int8_t> surrogate_swapped;
  std::vector<double> surrogate_agreement;
  std::vector<double> surrogate_adjusted;

  std::size_t n_nodes() const { return first_child.size(); }
  std::size_t n_outputs() const { return n_nodes() ? statistics.size() / n_nodes() : 0; }
  // Values in an answer: a share a class, or a number.
  std::size_t n_answers() const { return is_classification ? n_outputs() : 1; }
  bool is_leaf(std::size_t node) const { return first_child[node] < 0; }
  std::span<const double> statistics_of(std::size_t node) const {
    return std::span(statistics).subspan(node * n_outputs(), n_outputs());
  }
  std::span<const double> probabilities_of(std::size_t node) const {
    return std::span(probabilities).subspan(node * n_outputs(), n_outputs());
  }
  double weight(std::size_t node) const;
  // Of classes: of the training rows in leaves that are of another class than the leaf answers.
  double wrong_weight() const;
  std::pair<std::size_t, std::size_t> surrogate_range(std::size_t node) const;
  std::vector<std::int32_t> parents() const;
  std::vector<std::int32_t> depths() const;

  // The share of each branch of an inner node: what its children weigh; even when all are empty.
  void branch_shares(std::size_t node, std::vector<double>& shares) const;

  // The statistics of the training rows that ended at an inner node: its own less its children's.
  // All 0 unless its policy lets rows stop.
  void stopped_statistics(std::size_t node, std::span<double> stopped) const;

  // Throws an Error that names the first broken invariant.
  void validate() const;
  bool operator==(const Tree&) const = default;
};

// The class of least expected cost under these class weights, the first on ties; the heaviest
// class where `cost` (K x K, row = truth) is empty.
std::size_t cheapest_class(std::span<const double> class_weights, std::span<const double> cost);

// The same, but `prior` where it is among the best.
std::size_t cheapest_class(std::span<const double> class_weights, std::span<const double> cost,
                           std::size_t prior);

// Another test for a node. What the old test sent to branch 0 of two goes to branch 1 of this one
// where it is `swapped`, and the branches change places.
struct NewTest {
  Test test;
  bool swapped = false;
};

// Puts node stand_in[i], at or below node i, with its branches in the place of node i, turns the
// marked nodes into leaves, and gives some nodes other tests with as many branches. Statistics stay
// as they were. Also gives the old id of each new node.
std::pair<Tree, std::vector<std::int32_t>> splice(const Tree& tree,
                                                  std::span<const std::int32_t> stand_in,
                                                  const std::vector<bool>& marked,
                                                  const std::map<std::size_t, NewTest>& tests = {});

// Turns the marked nodes into leaves. Also gives the old id of each new node.
std::pair<Tree, std::vector<std::int32_t>> collapse(const Tree& tree,
                                                    const std::vector<bool>& marked);

}  // namespace treewright
