// The trees of a set as a graph: a node is a set of rows with the levels left, an edge one of its
// tests with the two nodes below it. Every tree of the set is a choice of an edge, or of a leaf, at
// each node that it comes to.
//
// A node holds every tree that costs at most `slack` more than its best one. Children come after
// their parents.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/search/problem.hpp"

namespace treewright::search {

struct NearEdge {
  std::int32_t test;
  std::uint32_t passed;  // nodes
  std::uint32_t failed;
  bool is_idle;  // leaves below it predict the same
};

struct NearNode {
  Value best = no_value;  // of its trees; not known of some that are not open
  Value slack = 0;
  Value leaf = 0;           // cost
  std::int32_t label = -1;  // of a leaf
  bool is_open = false;     // its edges are there
  std::uint32_t first_edge = 0;
  std::uint32_t n_edges = 0;

  // What its trees cost at most.
  Value limit() const { return best + slack; }
};

struct NearGraph {
  std::vector<NearNode> nodes;  // the root first
  std::vector<NearEdge> edges;
  std::vector<Value> fixed;  // what each test costs by itself

  std::span<const NearEdge> edges_of(const NearNode& node) const {
    return std::span(edges).subspan(node.first_edge, node.n_edges);
  }
  Value fixed_of(const NearEdge& edge) const { return fixed[static_cast<std::size_t>(edge.test)]; }
  std::size_t n_bytes() const {
    return nodes.capacity() * sizeof(NearNode) + edges.capacity() * sizeof(NearEdge);
  }
};

}  // namespace treewright::search
