#include "treewright/search/engine.hpp"

#include "treewright/search/front.hpp"

namespace treewright::search {

std::unique_ptr<Engine> make_engine(SearchState& state) {
  const Options& options = state.context.options;
  // Fronts are searched by bits at every level.
  if (Front::is_wanted(options) || !has_long_chains(state.context.problem, options.chain_length)) {
    return make_candidate_engine(state);
  }
  state.ranks.emplace(state.context, state.poll());
  for (const auto& worker : state.workers) worker->use_chains(*state.ranks);
  const bool along_chains = state.first().chains_at(0) != nullptr;
  return along_chains ? make_chain_engine(state) : make_candidate_engine(state);
}

}  // namespace treewright::search
