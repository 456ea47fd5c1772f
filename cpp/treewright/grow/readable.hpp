// Readable tests: the shortest numbers that send every row of the node the same way.
#pragma once

#include <cstdint>
#include <span>

#include "treewright/split/method.hpp"

namespace treewright {

// An axis threshold becomes the shortest decimal in its gap. A linear test is scaled to a largest
// coefficient of 1 with a positive first one (which may swap its branches), then its coefficients
// get the fewest significant digits that change no row, and its threshold becomes the shortest
// decimal in the middle half of its gap.
// Other kinds stay as they are; the numbers of pairs and machines are not rounded yet.
Test readable(const Candidate& candidate, const Table& table, std::span<const std::uint32_t> rows);

}  // namespace treewright
