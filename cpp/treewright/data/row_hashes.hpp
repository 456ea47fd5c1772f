// A number for each row that depends on what the row holds alone, and on that as if by chance.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/data/table.hpp"

namespace treewright {

// All missing values are alike, and so are 0 and -0; `further` are columns beside the table.
std::vector<std::uint64_t> row_hashes(const Table& table,
                                      std::span<const std::span<const double>> further);

}  // namespace treewright
