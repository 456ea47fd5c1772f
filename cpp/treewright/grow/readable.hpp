// Readable tests: the shortest numbers that send every row of the node the same way.
#pragma once

#include <cstdint>
#include <span>

#include "treewright/split/method.hpp"

namespace treewright {

struct Readable {
  Test test;
  bool is_turned = false;  // whether its two branches changed places
};

// An axis threshold becomes the shortest decimal in its gap, by itself or as part of a pair. A
// linear test loses the terms without which some threshold still sends every row the same way,
// those that spread its scores least first (beyond three columns only while the sides stay half as
// far apart); on one column that remains it becomes an axis test.
// Otherwise it is scaled to a largest coefficient of 1 with a positive first one (which may turn it
// round); then coefficients and threshold, which lies in the middle half of its gap, together get
// the fewest significant digits that change no row: first all coefficients alike, then each for
// itself. So do the weights of a machine. Tests on levels hold no numbers to round.
// A test that a person gave keeps its terms (`Terms::all`), needed or not.
// Numbers stay as long as they are when the time of the monitor is over.
enum class Terms { needed, all };
Readable readable(const Candidate& candidate, const Table& table,
                  std::span<const std::uint32_t> rows, Monitor* monitor,
                  Terms terms = Terms::needed);

}  // namespace treewright
