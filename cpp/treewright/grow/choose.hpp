// Choosing among the candidates of a node.
#pragma once

#include <optional>
#include <vector>

#include "treewright/split/method.hpp"

namespace treewright {

// Fills `candidates`; false if time ran out before the method was done.
bool propose_in_time(Method& method, const Node& node, Rng& rng,
                     std::vector<Candidate>& candidates);

// The best candidate by the problem's gain, or none. Candidates without a score are evaluated;
// inadmissible ones are dropped. Where columns have prices, decreases count less these. Ties go to
// tests of one column, then to the earlier column.
//
// Under Gain::ratio, C4.5's guard: among candidates whose gain is at least the mean gain less
// 0.001 bits, and whose split information exceeds that, the largest ratio. Multiway tests with
// more levels than 0.3 of the training rows do not enter the mean unless all are such.
std::optional<Candidate> choose(const Node& node, std::vector<Candidate>& candidates);

}  // namespace treewright
