#include "treewright/prune/weakest_link.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

#include "treewright/base/error.hpp"

namespace treewright {

std::vector<double> weakest_links(const Tree& tree, std::span<const double> risk,
                                  std::span<const double> size) {
  const std::size_t n = tree.n_nodes();
  require(risk.size() == n && size.size() == n, "Risks and sizes must have one entry per node.");
  const std::vector<std::int32_t> parent = tree.parents();
  std::vector<double> saved(n, 0.0);  // risk as a leaf minus risk of the leaves below
  std::vector<double> inner_size(n, 0.0);
  for (std::size_t node = n; node-- > 0;) {
    if (tree.is_leaf(node)) continue;
    require(size[node] > 0, "The size of an inner node must be above 0.");
    saved[node] += risk[node];
    inner_size[node] += size[node];
    for (std::int32_t b = 0; b < tree.n_branches[node]; ++b) {
      const auto child = static_cast<std::size_t>(tree.first_child[node] + b);
      saved[node] += saved[child] - risk[child];
      inner_size[node] += inner_size[child];
    }
  }

  // Sums of risks carry rounding of this size, so that is what a saving must exceed to be one.
  const double noise = 1e-12 * std::abs(risk[0]);
  const auto link = [&](std::size_t node) {
    return saved[node] > noise ? saved[node] / inner_size[node] : 0.0;
  };
  struct Link {
    double link;
    std::size_t node;
    bool operator>(const Link& other) const {
      return link != other.link ? link > other.link : node > other.node;
    }
  };
  // A cut can only raise the links above it, so that an old entry is a lower bound.
  std::priority_queue<Link, std::vector<Link>, std::greater<>> open;
  std::vector<double> ends(n, -1.0);
  std::vector<bool> is_inner(n, false);
  for (std::size_t node = 0; node < n; ++node) {
    if (tree.is_leaf(node)) continue;
    is_inner[node] = true;
    open.push({link(node), node});
  }

  double alpha = 0.0;
  std::vector<std::size_t> below;
  while (!open.empty()) {
    const auto [key, node] = open.top();
    open.pop();
    if (!is_inner[node]) continue;
    const double smallest = link(node);
    if (smallest > key) {  // cuts below it have raised its link since
      open.push({smallest, node});
      continue;
    }
    if (smallest > alpha * (1.0 + 1e-9)) alpha = smallest;
    const double given_up = saved[node], removed = inner_size[node];
    below.assign(1, node);
    while (!below.empty()) {
      const std::size_t gone = below.back();
      below.pop_back();
      is_inner[gone] = false;
      ends[gone] = alpha;
      for (std::int32_t b = 0; b < tree.n_branches[gone]; ++b) {
        const auto child = static_cast<std::size_t>(tree.first_child[gone] + b);
        if (is_inner[child]) below.push_back(child);
      }
    }
    for (std::int32_t up = parent[node]; up >= 0; up = parent[static_cast<std::size_t>(up)]) {
      const auto ancestor = static_cast<std::size_t>(up);
      saved[ancestor] -= given_up;
      inner_size[ancestor] -= removed;
    }
  }
  return ends;
}

}  // namespace treewright
