#include "treewright/search/state.hpp"

#include <algorithm>
#include <utility>

#include "treewright/search/floors.hpp"

namespace treewright::search {

namespace {

constexpr std::size_t small_problem = 4096;  // rows times columns
constexpr std::int32_t small_depth = 4;

}  // namespace

void Incumbent::accept(Value its_cost, const Choice& its_choice, std::int32_t its_depth) {
  plan.reset();
  is_by_chance = false;
  found = true;
  cost = its_cost;
  choice = its_choice;
  depth = its_depth;
  publish();
}

void Incumbent::accept(Value its_cost, Plan its_plan) {
  plan = std::move(its_plan);
  found = true;
  cost = its_cost;
  publish();
}

void Incumbent::raise_bound(Value least) {
  bound = std::max(bound, least);
  publish();
}

void Incumbent::publish() {
  watch_.best = cost;
  watch_.bound = std::min(bound, cost);
}

SearchState::SearchState(const Problem& problem, const Options& options, const Report& report)
    : watch(options.seconds, report),
      context(problem, options),
      cache(options, 1.0 - Cache::share_of_improvement, options.n_threads > 1),
      incumbent(watch) {
  for (std::int32_t w = 0; w < std::max(options.n_threads, 1); ++w) {
    workers.push_back(std::make_unique<Worker>(context, cache, watch, w == 0));
  }
}

double SearchState::read_bits() {
  const Sample all = all_rows_and_tests(context, poll());
  find_floors(context, all);
  const double before = watch.elapsed();
  first().sampler().part(all, all.rows, 0, root().sample);
  return watch.elapsed() - before;
}

bool wants_smallest(const Problem& problem, const Options& options, std::size_t n_columns) {
  const bool small = problem.n_rows * n_columns <= small_problem;
  return options.smallest || (small && options.max_depth <= small_depth);
}

}  // namespace treewright::search
