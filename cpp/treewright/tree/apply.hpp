// Sending rows down a finished tree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/tree/steps.hpp"

namespace treewright {

// Entries of a row-compressed matrix: row r owns [begin[r], begin[r + 1]).
struct Sparse {
  std::vector<std::int64_t> begin{0};
  std::vector<std::int32_t> nodes;
  std::vector<double> shares;
};

// The one branch of a row at an inner node, by the node's policy where its test does not know it:
// the largest one, the first on ties, where the policy divides the row; `unknown` where it stops.
std::int32_t settled_branch(const Tree& tree, std::size_t node, const Table& table,
                            std::size_t row);

// The node where each row ends: a leaf, or an inner node that it cannot pass (Missing::stop). Where
// a node divides a row among branches (Missing::fraction), the one branch with the largest share is
// followed, the first on ties.
void apply(const Tree& tree, const Table& table, std::span<std::int32_t> leaves);

// The same with the steps of the tree, for several tables.
void apply(const Tree& tree, const Steps& steps, const Table& table, Values values,
           std::span<std::int32_t> leaves);

// The class of each row: that of the node where it ends, or that of least cost under the mixed
// shares of a divided row.
void predict_classes(const Tree& tree, const Table& table, std::span<std::int64_t> classes);

// The answer of a node, n_answers values: class shares (an empty node votes for its class), or one
// number.
void write_answer(const Tree& tree, std::size_t node, std::span<double> answer);

// That of every node.
std::vector<double> answers_of_nodes(const Tree& tree);

// Whether there are enough rows to prepare every node of a tree for them.
bool pays_to_see_all_nodes(const Tree& tree, const Table& table);

// Whether some node divides rows among its branches.
bool divides_rows(const Tree& tree);

// All nodes where a row ends with its share in each; one node with share 1 unless divided.
Sparse leaf_shares(const Tree& tree, const Table& table);

// All nodes a row passes, from the root, on the way `leaf_shares` takes.
Sparse decision_paths(const Tree& tree, const Table& table);

// The answer of every row, n_answers values each, mixed over the nodes where it ends by share.
void predict(const Tree& tree, const Table& table, std::span<double> answers);

}  // namespace treewright
