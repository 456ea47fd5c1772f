// Tests with a branch a class, from linear scores of the classes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "treewright/split/discriminant/discriminants.hpp"

namespace treewright {

// Refuses measures that judge two branches only.
void require_many_branches(const Problem& problem, const std::string& method);

// Classes that win no row of the node: they may win others. On one column they are always left out.
enum class UnseenClasses { are_left_out, have_branches };

// The test that gives each row the class of its largest score; scores are taken less that of the
// first class that has a branch, so that it is 0 throughout. For two classes it is a linear test,
// on one column one of intervals. A leaf if fewer than two classes win rows.
Test score_test(const Node& node, std::span<const std::int32_t> columns, const ClassScores& scores,
                UnseenClasses unseen = UnseenClasses::are_left_out);

// The class that each branch of such a test stands for, where unseen classes have branches.
std::vector<double> classes_of_branches(const Node& node, const Test& test,
                                        std::span<const std::int32_t> columns,
                                        const ClassScores& scores);

}  // namespace treewright
