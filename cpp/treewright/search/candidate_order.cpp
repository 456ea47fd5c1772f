#include "treewright/search/candidate_order.hpp"

#include <algorithm>
#include <array>

namespace treewright::search {

void sort_by_key(std::vector<Candidate>& candidates, std::vector<Candidate>& scratch) {
  constexpr Value most_keys = 2048;
  if (candidates.size() < 2) return;
  const auto [least, most] = std::ranges::minmax(candidates, {}, &Candidate::key);
  if (most.key - least.key >= most_keys) {
    std::ranges::stable_sort(candidates, {}, &Candidate::key);
    return;
  }
  std::array<std::int32_t, most_keys + 1> next;
  const auto n_keys = static_cast<std::size_t>(most.key - least.key) + 1;
  std::fill_n(next.begin(), n_keys + 1, 0);
  const auto place = [&, first = least.key](const Candidate& candidate) {
    return static_cast<std::size_t>(candidate.key - first);
  };
  for (const Candidate& candidate : candidates) ++next[place(candidate) + 1];
  for (std::size_t k = 1; k < n_keys; ++k) next[k] += next[k - 1];
  scratch.resize(candidates.size());
  for (const Candidate& candidate : candidates)
    scratch[static_cast<std::size_t>(next[place(candidate)]++)] = candidate;
  candidates.swap(scratch);
}

}  // namespace treewright::search
