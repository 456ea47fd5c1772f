#include "treewright/search/near/near.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <unordered_set>

#include "treewright/search/near/builder.hpp"
#include "treewright/search/near/counts.hpp"
#include "treewright/search/near/ordered_trees.hpp"
#include "treewright/search/rebuild.hpp"

namespace treewright::search {

namespace {

// Trees that are looked at for each one that is wanted, as most may predict what others do.
constexpr std::size_t looked_at = 1000;
constexpr double last_grace = 0.25;  // seconds, to tell of what was found when somebody ends it
constexpr double share_of_telling = 0.25;  // of the time, where the set is too large for it

class NearSearch {
 public:
  NearSearch(SearchState& state, const NearOptions& near, std::span<const Columns> columns,
             std::int32_t n_columns)
      : state_(state),
        context_(state.context),
        near_(near),
        n_columns_(n_columns),
        questions_(context_, columns) {}

  void run(const NearStart& start, NearResult& result) {
    NearBuilder builder(state_, questions_);
    const NearGraph& graph = builder.graph;
    const double seconds = context_.options.seconds;
    if (std::isfinite(seconds)) state_.watch.set_aside(share_of_telling * seconds);
    try {
      state_.read_bits();
      builder.build(start, near_.slack);
      state_.watch.set_aside(0.0);
    } catch (const Stopped&) {
      const Status why = state_.watch.status();
      const bool is_limit = why == Status::time_limit || why == Status::memory_limit;
      state_.watch.begin_grace(last_grace, is_limit ? seconds : 0.0);
    }
    result.status = state_.watch.status();
    result.n_nodes = static_cast<std::int64_t>(graph.nodes.size());
    result.n_edges = static_cast<std::int64_t>(graph.edges.size());
    if (!graph.nodes.empty() && graph.nodes[0].is_open) {
      result.optimum = graph.nodes[0].best;
      try {
        tell(graph, result);
        if (near_.with_first && result.status == Status::optimal) find_first(start, result);
      } catch (const Stopped&) {
        if (result.counts.empty()) result.status = state_.watch.status();
        result.status_of_first = state_.watch.status();
      }
    }
    if (state_.watch.failure()) std::rethrow_exception(state_.watch.failure());
  }

 private:
  void tell(const NearGraph& graph, NearResult& result) {
    NearCounts counts(graph, near_.with_idle_tests, [&](std::size_t n_bytes) {
      state_.first().poll();
      if (n_bytes + graph.n_bytes() <= context_.options.memory) return;
      state_.watch.stop(Status::memory_limit);
      throw Stopped{};
    });
    for (const auto& [cost, count] : counts.of_root()) {
      result.costs.push_back(cost);
      result.counts.push_back(count);
    }
    list_trees(graph, result);
    const auto columns = [this](std::int32_t test) -> const Columns& {
      return questions_.columns_of(static_cast<std::size_t>(test));
    };
    result.without = counts.without_each(columns, n_columns_);
  }

  void list_trees(const NearGraph& graph, NearResult& result) {
    const auto n_wanted = static_cast<std::size_t>(near_.n_trees);
    OrderedTrees trees(graph, near_.with_idle_tests);
    std::unordered_set<std::string> known;
    for (std::size_t place = 0; result.trees.size() < n_wanted && place < looked_at * n_wanted;
         ++place) {
      state_.first().poll();
      const auto cost = trees.cost(place);
      if (!cost) {
        result.has_all_trees = true;
        break;
      }
      Plan plan = trees.plan(place);
      if (known.insert(predictions(plan)).second) result.trees.push_back({*cost, std::move(plan)});
    }
  }

  // What a plan predicts for each row: labels, or which rows have a leaf in common.
  std::string predictions(const Plan& plan) const {
    std::vector<std::int32_t> told(context_.task.n_rows());
    predict(plan, 0, Members::all_of(context_), told);
    return {reinterpret_cast<const char*>(told.data()), told.size() * sizeof told[0]};
  }

  void predict(const Plan& plan, std::size_t at, const Members& rows,
               std::vector<std::int32_t>& told) const {
    const Plan::Node& node = plan.nodes[at];
    if (node.first < 0) {
      const std::int32_t label = context_.task.numeric ? rows.rows().front() : node.answer;
      for (const std::int32_t row : rows.rows()) told[static_cast<std::size_t>(row)] = label;
      return;
    }
    const auto [passed, failed] = rows.divided(node);
    predict(plan, static_cast<std::size_t>(node.passed), passed, told);
    predict(plan, static_cast<std::size_t>(node.failed), failed, told);
  }

  // The best question of a kind at the root; proved once none of the kind is left.
  struct First {
    Value cost = no_value;
    std::int32_t test = -1;
    std::size_t n_left = 0;
  };

  void find_first(const NearStart& start, NearResult& result) {
    Worker& worker = state_.first();
    const std::int32_t depth = context_.options.max_depth;
    if (depth == 0 || worker.node(0).sample.columns.empty()) return;
    std::vector<First> best(questions_.n_kinds());
    try {
      settle_first(start.shallower, best);
    } catch (const Stopped&) {
      result.status_of_first = state_.watch.status();
      state_.watch.begin_grace(last_grace);
    }
    for (std::size_t kind = 0; kind < best.size(); ++kind) {
      if (best[kind].test < 0 || best[kind].n_left > 0) continue;
      Plan plan = plan_below(best[kind].test);
      result.first.push_back({questions_.columns_of_kind(kind), best[kind].cost, std::move(plan)});
    }
  }

  void settle_first(Value shallower, std::vector<First>& best) {
    Worker& worker = state_.first();
    const std::int32_t depth = context_.options.max_depth;
    Divisions divisions;
    divisions.read(context_, questions_, questions_.all_rows(), 0);
    worker.list_all(0, std::max(depth, 2), shallower);
    const auto each = [&](const Candidate& candidate, auto visit) {
      for (const std::int32_t test : divisions.tests(divisions.place_of(candidate.first)))
        visit(static_cast<std::size_t>(test),
              best[questions_.kind_of(static_cast<std::size_t>(test))]);
    };
    const std::vector<Candidate>& candidates = worker.node(0).candidates;
    for (const Candidate& candidate : candidates)
      each(candidate, [](std::size_t, First& mine) { ++mine.n_left; });
    for (const Candidate& candidate : candidates) {
      worker.poll();
      Value limit = 0;
      each(candidate, [&](std::size_t, First& mine) { limit = std::max(limit, mine.cost); });
      const Value total = depth == 1 ? worker.node(0).two->sizes_below(candidate.joined.first)[1] +
                                           context_.options.penalty
                                     : worker.settle_below(0, depth, candidate, limit).total;
      each(candidate, [&](std::size_t test, First& mine) {
        const Value cost = total - candidate.price + context_.problem.prices[test];
        --mine.n_left;
        if (cost < mine.cost) {
          mine.cost = cost;
          mine.test = static_cast<std::int32_t>(test);
        }
      });
    }
  }

  // The best tree with a test at the root.
  Plan plan_below(std::int32_t test) {
    Worker& worker = state_.first();
    const std::int32_t depth = context_.options.max_depth - 1;
    Writer writer(worker);
    const auto add_part = [&] {
      const auto known = worker.recall(1, depth);
      Choice choice;
      const Value cost =
          known && known->exact ? known->bound : worker.solve(1, depth, no_value, choice);
      writer.add(1, depth, cost);
    };
    writer.add_test(0, {test, -1, Function::single, 0}, add_part, add_part);
    return std::move(writer.plan);
  }

  SearchState& state_;
  const Context& context_;
  const NearOptions& near_;
  const std::int32_t n_columns_;
  const Questions questions_;
};

}  // namespace

NearResult find_near(const Problem& problem, const Options& options, const NearOptions& near,
                     std::span<const Columns> columns, std::int32_t n_columns,
                     const Report& report) {
  NearResult result;
  NearStart start{near.known, 0};
  Options left = options;
  if (options.max_depth >= 3) {
    // The best tree of one level less is soon found, and bounds what is looked for.
    Options shallower = options;
    --shallower.max_depth;
    const auto began = std::chrono::steady_clock::now();
    const Result best = solve(problem, shallower, report);
    result.status = best.status;
    if (best.status != Status::optimal) return result;
    start = {std::min(near.known, best.objective), best.objective};
    left.seconds -= std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  }
  SearchState state(problem, left, report);
  // Tests that never pay in the best tree may stand in others.
  state.context.least_paying_rows = 1;
  NearSearch(state, near, columns, n_columns).run(start, result);
  return result;
}

}  // namespace treewright::search
