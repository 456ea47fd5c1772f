// Which leaf of a tree over tests each row ends in.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/search/problem.hpp"

namespace treewright::search {

// The node of each row's leaf. A test has `n_bytes` bytes, its bits as in Problem.
std::vector<std::int32_t> leaves_of(const Plan& plan, std::span<const std::uint8_t> bits,
                                    std::size_t n_bytes, std::size_t n_rows);

}  // namespace treewright::search
