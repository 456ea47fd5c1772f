// Two groups of classes: what a method for two classes works on when a node has more.
//
// The paper on readable oblique trees (Leroux, Boussard, Des 2018, section III-H) clusters the rows
// by 2-means and gives each class to the cluster that holds more of it. With f_k the share of class
// k in cluster 1:
//
//   group 1 = { k : f_k > 1/2 };  if that is none or all:  { k : f_k > share of cluster 1 };
//   if still none or all:  the class with the largest f_k
//
// Columns are standardised at the node; gaps stand at the mean. Nothing is drawn at random: the
// means of up to 8 classes are divided in the best of all ways, those of more by 2-means from each
// class and the class furthest from it; 2-means on the rows starts from the groups so found.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/split/rows/moments.hpp"

namespace treewright {

enum class Grouping : std::uint8_t {
  rows,              // 2-means on the rows
  means,             // 2-means on the means of the classes
  best_bipartition,  // every division of up to 6 classes, by means beyond
  largest,           // the largest class against the others
};

// The group (0 or 1) of each label, for each division to try; labels without rows in the node are
// in group 0. Two labels give one division. Where the means of the labels do not differ, the
// largest one stands against the others.
std::vector<std::vector<std::uint8_t>> two_groups(const Node& node,
                                                  std::span<const std::int32_t> columns,
                                                  Labels labels, std::span<const Moments> moments,
                                                  Grouping grouping);

}  // namespace treewright
