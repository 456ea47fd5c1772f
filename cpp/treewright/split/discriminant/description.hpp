// Description: the bits that the targets of a node's rows take once a test has been asked, and
// whether the further columns of a test save more of them than they cost.
//
//   classes   sum_b n_b H(b), with H the entropy of a branch in bits
//   numbers   n / 2 log2 of the squared error that is left
//
// Rows whose branch is unknown keep what they took before. A coefficient costs log2(n) / 2 bits,
// which is the criterion of Schwarz (1978) and the length of a number that n rows can tell
// (Rissanen 1983).
#pragma once

#include "treewright/split/method.hpp"

namespace treewright {

double bits_after(const Node& node, const Test& test);

// Whether `several` saves more bits beside `one`, a test of one column, than its other columns
// cost.
bool pays_for_columns(const Node& node, const Test& several, const Test& one);

}  // namespace treewright
