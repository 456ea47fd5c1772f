// Tests with a branch a class, from linear scores of the classes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "treewright/split/discriminants.hpp"

namespace treewright {

// Refuses measures that judge two branches only.
void require_many_branches(const Problem& problem, const std::string& method);

// The test that gives each row the class of its largest score. Classes that win no row are left
// out; the scores are taken less that of the first class left, so that it is 0 throughout. For two
// classes it is a linear test, on one column one of intervals. A leaf if fewer are left.
Test score_test(const Node& node, std::span<const std::int32_t> columns, const ClassScores& scores);

}  // namespace treewright
