// The leaves of a growing tree in the order that the trends of columns ask for (split/trend.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/split/trend.hpp"

namespace treewright {

class LeafOrder {
 public:
  // Of a root that holds these rows.
  LeafOrder(const Problem& problem, std::span<const std::uint32_t> rows, double answer);

  // What the branches of a leaf must fit; valid until the next division.
  Rivals rivals_of(std::int32_t leaf) const;
  bool has_rivals(std::int32_t leaf) const { return !rivals_of(leaf).others.empty(); }

  // Puts the branches of a test below a leaf; rows without a value take the default branch, or end
  // at the leaf where it is `unknown`. Branches are numbered behind all nodes so far.
  void divide(std::int32_t leaf, const Test& test, std::int32_t default_branch,
              std::span<const double> answers);

 private:
  struct Place {
    Region region;
    double answer = 0.0;
    std::int32_t parent = -1;
    std::int32_t branch = 0;
    std::int32_t depth = 0;
    int trend = 0;  // of its test
    bool has_rows_that_end = true;
  };

  const Place& at(std::int32_t node) const { return places_[static_cast<std::size_t>(node)]; }
  // Whether rows of one node may precede those of another (1), follow them (-1) or neither (0), by
  // the test at which their paths part.
  int direction(std::int32_t node, std::int32_t other) const;

  const Problem& problem_;
  std::vector<Place> places_;
};

}  // namespace treewright
