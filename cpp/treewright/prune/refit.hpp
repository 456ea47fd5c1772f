// Refitting: the same tests with the statistics and answers of other rows.
#pragma once

#include <vector>

#include "treewright/base/monitor.hpp"
#include "treewright/data/target.hpp"
#include "treewright/tree/tree.hpp"

namespace treewright {

// A tree of the same shape whose rows, statistics and values are those of the given rows. A node
// that none of them reaches has statistics 0 and its parent's answer. Of equally good classes the
// node keeps the one it had, else the first is taken. Numbers are answered by the mean, or by the
// median under `absolute_error`. Gains stay as they were.
Tree refit(const Tree& tree, const Table& table, const Target& target, bool absolute_error,
           Monitor& monitor);

// The same with rows (one number a node) and statistics that were counted elsewhere.
Tree with_statistics(const Tree& tree, std::vector<double> rows, std::vector<double> statistics);

}  // namespace treewright
