// What each of many conditions makes of the rows of one leaf.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/search/pool/losses.hpp"

namespace treewright::search {

struct SplitCosts {
  double one_leaf = 0.0;
  std::vector<double> of_conditions;  // of the two leaves; infinity where one is too small
};

// met[row][condition] is 1 or 0, amounts[row][output] what a row holds; for the rows listed.
SplitCosts split_costs(std::span<const double> met, std::span<const double> amounts,
                       std::size_t n_outputs, std::span<const std::uint32_t> rows, Losses& losses);

}  // namespace treewright::search
