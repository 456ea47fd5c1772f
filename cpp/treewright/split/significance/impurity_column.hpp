// The column that impurity chooses, cut at a point that is calculated: what FTest is compared with
// (selection="impurity").
#pragma once

#include <memory>

#include "treewright/split/list.hpp"
#include "treewright/split/significance/point_cuts.hpp"

namespace treewright {

// `levels` proposes on categorical columns; it may be null.
std::shared_ptr<Method> impurity_column(PointCuts cuts, std::shared_ptr<Method> levels);

}  // namespace treewright
