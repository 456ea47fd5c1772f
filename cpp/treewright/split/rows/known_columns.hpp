// Which numeric columns of a node are known well enough to be used together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/split/method.hpp"

namespace treewright {

class KnownColumns {
 public:
  // Looks for gaps once, before growth.
  void prepare(const Problem& problem, const Rows& rows);

  // The numeric columns that may be tested, and whose known rows have at least this share of the
  // node's weight, and some.
  std::vector<std::int32_t> of(const Node& node, double least_share) const;

  // Columns that are known together in at least half of the node: they join in the order of their
  // gaps, and one that would leave too few rows is passed over.
  std::vector<std::int32_t> together(const Node& node) const;

  // The first of these columns, and those that follow while they are known together in at least
  // half of the node, up to `most` columns.
  std::vector<std::int32_t> joined(const Node& node, std::span<const std::int32_t> columns,
                                   std::size_t most) const;

 private:
  bool may_lack(const Node& node, std::int32_t column) const {
    return node.evidence != nullptr || has_missing_[static_cast<std::size_t>(column)];
  }

  std::vector<bool> has_missing_;  // of each column
};

}  // namespace treewright
