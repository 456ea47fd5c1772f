// Readable tests: the shortest numbers that send every row of the node the same way.
#pragma once

#include <cstdint>
#include <span>

#include "treewright/split/method.hpp"

namespace treewright {

// An axis threshold becomes the shortest decimal in its gap, by itself or as part of a pair. A
// linear test is scaled to a largest coefficient of 1 with a positive first one (which may swap its
// branches), then its coefficients get the fewest significant digits that change no row, and its
// threshold becomes the shortest decimal in the middle half of its gap. The weights of a machine
// get the fewest significant digits too. Tests on levels hold no numbers to round.
Test readable(const Candidate& candidate, const Table& table, std::span<const std::uint32_t> rows);

}  // namespace treewright
