#include "treewright/search/engine.hpp"

#include "treewright/base/error.hpp"
#include "treewright/search/front.hpp"

namespace treewright::search {

namespace {

// Whether chains have so many tests on average.
bool has_long_chains(const Problem& problem, std::int32_t length) {
  std::int64_t n_chains = 0;
  for (std::size_t t = 0; t < problem.n_tests; ++t) {
    const std::int32_t chain = problem.chains[t];
    n_chains += chain < 0 || t == 0 || chain != problem.chains[t - 1] ? 1 : 0;
  }
  return length > 0 && n_chains > 0 &&
         static_cast<std::int64_t>(problem.n_tests) >= n_chains * length;
}

// Fronts are searched by bits at every level.
bool may_use_chains(const Problem& problem, const Options& options) {
  return !Front::is_wanted(options) && has_long_chains(problem, options.chain_length);
}

}  // namespace

bool reads_ranks_only(const Problem& problem, const Options& options) {
  // Joined tests, and the smallest tree, are looked for by bits.
  return may_use_chains(problem, options) && options.pair_levels <= 0 &&
         !wants_smallest(problem, options, problem.n_tests);
}

std::unique_ptr<Engine> make_engine(SearchState& state) {
  const Problem& problem = state.context.problem;
  const Options& options = state.context.options;
  require(problem.ranks.empty() || reads_ranks_only(problem, options),
          "This search needs the bits of its conditions.");
  if (!may_use_chains(problem, options)) return make_candidate_engine(state);
  state.ranks.emplace(state.context, state.poll());
  for (const auto& worker : state.workers) worker->use_chains(*state.ranks);
  const bool along_chains = state.first().chains_at(0) != nullptr;
  return along_chains ? make_chain_engine(state) : make_candidate_engine(state);
}

}  // namespace treewright::search
