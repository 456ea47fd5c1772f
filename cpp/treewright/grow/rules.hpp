// Rules of growth: when a node may be split, when a split is worth it, what a node predicts. They
// need statistics only, so that they are the same wherever the rows are.
#pragma once

#include <span>

#include "treewright/grow/grow.hpp"

namespace treewright {

bool may_split(const GrowOptions& options, const Root& root, std::int32_t depth, double rows,
               std::span<const double> statistics);

// A node of this weight and impurity holds enough of the impurity of the root.
bool is_impure(const GrowOptions& options, const Root& root, double weight, double impurity);

// The decrease, a share of the node's weight, is what a split must bring.
bool is_worth_it(const GrowOptions& options, const Root& root, const Node& node, double decrease);

// The class that a node predicts, the cheapest where errors differ in cost.
double class_of(const GrowOptions& options, std::span<const double> class_weights);

}  // namespace treewright
