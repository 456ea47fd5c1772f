// Rows that agree in every test but not in their targets cost something in any tree.
#pragma once

#include "treewright/search/chains/ranks.hpp"
#include "treewright/search/context.hpp"
#include "treewright/search/sample.hpp"

namespace treewright::search {

// Notes in the context what each group of such rows costs at least. `all` holds every test.
void find_floors(Context& context, const Sample& all);
void find_floors(Context& context, const Ranks& ranks);

}  // namespace treewright::search
