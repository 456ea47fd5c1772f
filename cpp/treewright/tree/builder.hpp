// TreeBuilder: a tree while nodes are added to it, in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "treewright/tree/tree.hpp"

namespace treewright {

// Adds nodes one after the other; children of one node together.
class TreeBuilder {
 public:
  TreeBuilder(bool is_classification, std::vector<std::int32_t> n_levels, std::size_t n_outputs);

  std::int32_t add_node(double rows, std::span<const double> statistics, double value);
  void set_test(std::int32_t node, const Test& test, std::int32_t first_child,
                std::int32_t n_branches, double gain, Missing missing, std::int32_t default_branch,
                std::span<const Surrogate> surrogates);
  std::size_t size() const { return nodes_.size(); }
  std::span<const double> statistics(std::int32_t node) const;
  double value(std::int32_t node) const { return nodes_[static_cast<std::size_t>(node)].value; }

  // The tree in canonical order with the nodes in `cut` made leaves, and each node's id in here.
  std::pair<Tree, std::vector<std::int32_t>> finish(const std::vector<bool>& cut) const;

 private:
  struct Node {
    double rows, value;
    std::int32_t split;  // -1: none
  };
  struct Split {
    double gain;
    std::int32_t first_child, n_branches, default_branch;
    Missing missing;
    std::size_t first_surrogate, n_surrogates;
  };

  bool is_classification_;
  std::vector<std::int32_t> n_levels_;
  std::size_t n_outputs_;
  std::vector<Node> nodes_;
  std::vector<double> statistics_;
  std::vector<Split> splits_;
  std::vector<Surrogate> surrogates_;
  TestPool tests_;  // one a split
};

}  // namespace treewright
