// Linear tests whose coefficients are small whole numbers.
#pragma once

#include <optional>

#include "treewright/split/method.hpp"

namespace treewright {

// The test along the direction of a linear test, its coefficients multiplied by one number and
// rounded to whole ones of at most `largest`, that scores best with its best threshold: of all
// multiples with a largest coefficient of 1, 2, ..., `largest`. Terms that round to 0 are left out,
// and one column by itself is an axis test. None for tests that have no such form.
std::optional<Candidate> with_whole_coefficients(const Node& node, const Test& test,
                                                 std::int32_t largest);

}  // namespace treewright
