// What methods share that make a single test of discriminant analysis at a node.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "treewright/split/rows/moments.hpp"

namespace treewright {

// Refuses numbers as the target of a method that tells classes apart.
void require_classes(const Problem& problem, const std::string& method);

Labels classes_of(const Node& node);

// The numeric columns of a node that have two different values in it and are known in half of its
// rows at least: a sum with another would leave few rows to find it by.
std::vector<std::int32_t> varying_columns(const Node& node);

// The candidate of a test, scored; none if it is no test or leaves too few rows in the branches.
std::optional<Candidate> evaluated(const Node& node, Test test);

// A linear test with the threshold 0, the largest coefficient 1 or -1 and no coefficient of 0; a
// leaf if no coefficient is left.
Test direction_of(std::span<const std::int32_t> columns, std::span<const double> coefficients);

}  // namespace treewright
