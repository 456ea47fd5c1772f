// The order in which candidates are tried.
#pragma once

#include <vector>

#include "treewright/search/bounds.hpp"

namespace treewright::search {

// Stable; by counting where keys lie close together, as numbers of errors do. `scratch` is room
// that is kept from one call to the next.
void sort_by_key(std::vector<Candidate>& candidates, std::vector<Candidate>& scratch);

}  // namespace treewright::search
