// The trees of a graph one by one, the cheapest first and of equally good ones the smallest. Each
// node lists its own trees as far as others ask for them (Huang & Chiang 2005, Better k-best
// parsing, algorithm 3).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "treewright/search/near/graph.hpp"

namespace treewright::search {

class OrderedTrees {
 public:
  OrderedTrees(const NearGraph& graph, bool with_idle_tests)
      : graph_(graph), with_idle_tests_(with_idle_tests), lists_(graph.nodes.size()) {}

  // The cost of the tree at a place of the order; nothing if there are not as many.
  std::optional<Value> cost(std::size_t place);
  // That tree, which there is.
  Plan plan(std::size_t place);

 private:
  // A tree of a node: a leaf, or an edge with the places of the trees below it.
  struct Tree {
    Value cost;
    std::int32_t n_tests;
    std::int32_t edge = -1;
    std::uint32_t passed = 0;
    std::uint32_t failed = 0;
    auto operator<=>(const Tree&) const = default;
  };
  struct List {
    std::vector<Tree> found;    // in their order
    std::vector<Tree> waiting;  // a heap, the next one on top
  };

  std::optional<Tree> at(std::uint32_t node, std::uint32_t place);
  void begin(std::uint32_t node);
  void wait(std::uint32_t node, std::int32_t edge, std::uint32_t passed, std::uint32_t failed);
  bool find_next(std::uint32_t node);
  std::int32_t write(Plan& plan, std::uint32_t node, std::uint32_t place);

  const NearGraph& graph_;
  const bool with_idle_tests_;
  std::vector<std::unique_ptr<List>> lists_;  // of nodes that were asked
};

}  // namespace treewright::search
