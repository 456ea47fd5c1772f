// Columns drawn at random for a node: a subset, and if it holds no split the others one by one.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "treewright/split/method.hpp"
#include "treewright/tree/column_rules.hpp"

namespace treewright {

// What `find` finds on the columns of a node that are drawn among those allowed; `n_drawn` of 0
// takes all at once. `drawn` is room for them.
template <class Find>
std::optional<Candidate> find_on_drawn_columns(Node& node, const Columns& allowed,
                                               std::size_t n_drawn, bool wants_others, Rng& rng,
                                               Columns& drawn, Find find) {
  const std::size_t n_columns = allowed.size();
  node.columns = node.all_columns = allowed;
  if (n_drawn == 0 || n_drawn >= n_columns) return find();
  drawn = allowed;
  const auto draw = [&](std::size_t i) {
    std::swap(drawn[i], drawn[i + rng.below(static_cast<std::uint32_t>(n_columns - i))]);
  };
  for (std::size_t i = 0; i < n_drawn; ++i) draw(i);
  std::ranges::sort(drawn.begin(), drawn.begin() + static_cast<std::ptrdiff_t>(n_drawn));
  node.columns = std::span(drawn).first(n_drawn);
  std::optional<Candidate> found = find();
  if (!wants_others) return found;
  for (std::size_t i = n_drawn; !found && i < n_columns; ++i) {
    draw(i);
    node.columns = std::span(drawn).subspan(i, 1);
    found = find();
  }
  return found;
}

}  // namespace treewright
