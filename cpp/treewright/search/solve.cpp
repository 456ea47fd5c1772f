// The search as a whole: passes of growing depth, threads, limits, and the result.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include "treewright/base/error.hpp"
#include "treewright/base/joining_thread.hpp"
#include "treewright/search/engine.hpp"
#include "treewright/search/front.hpp"
#include "treewright/search/improve.hpp"
#include "treewright/search/rebuild.hpp"
#include "treewright/search/turns.hpp"

namespace treewright::search {

namespace {

// Deeper passes without a penalty are left out, but for the last.
constexpr std::int32_t last_middle_pass = 5;
// Up to here the proof is soon there, and trees need not be made better meanwhile.
constexpr std::int32_t least_improved_depth = 6;
// With a penalty good trees are not deeper, whatever is allowed.
constexpr std::int32_t most_priced_depth = 10;
// With a penalty the proof is often near: it gets most of the time.
constexpr int priced_proof_share = 8;
// Processor time for a first tree, and for writing down what was found, when time is over.
constexpr double first_grace = 0.02, last_grace = 0.015;  // seconds

class Search {
 public:
  Search(const Problem& problem, const Options& options, const Report& report)
      : state_(problem, options, report) {}

  Result run() {
    leaf_ = Members::all_of(context_).leaf();
    best_.cost = std::min(leaf_, options_.limit);
    best_.found = best_.cost < options_.limit;
    try {
      watch_.begin_grace(first_grace);
      read_rows();
      best_.bound = std::min(state_.root().sample.floor, best_.cost);
      best_.publish();
      find_first_tree();
      watch_.end_grace();
      if (front_) {
        run_front();
      } else {
        run_passes();
      }
      proven_ = true;
    } catch (const Stopped&) {
    }
    if (failure_) std::rethrow_exception(failure_);
    if (watch_.failure()) std::rethrow_exception(watch_.failure());
    return make_result();
  }

 private:
  void read_rows() {
    engine_ = make_engine(state_);
    const double seconds_of_writing = engine_->read_rows();
    rows_are_read_ = true;
    // Half the time is left to the search.
    watch_.set_aside(std::min(seconds_of_writing, options_.seconds / 2.0));
  }

  // A tree to fall back on, however short the time.
  void find_first_tree() {
    const std::int32_t quick = engine_->quick_depth();
    const std::int32_t depth = std::min(options_.max_depth, quick);
    if (Front::is_wanted(options_)) {
      front_.emplace(state_.workers, on_threads());
      front_->begin(options_.max_depth, n_sizes(), depth);
    } else if (quick < 2 || options_.seconds <= 1.0) {
      run_pass(depth);
    }  // With time enough the search itself begins with that.
  }

  std::size_t n_sizes() const { return static_cast<std::size_t>(Front::most_tests(options_)) + 1; }

  void run_front() {
    require(options_.limit == no_value, "A limit on costs and limits on sizes do not go together.");
    best_.found = true;
    front_->run(options_.max_depth, Profile(n_sizes(), no_value));
  }

  void run_passes() {
    const std::int32_t depth = options_.max_depth;
    if (depth <= 4) return run_all_passes();
    if (state_.ranks) {
      // What the greedy tree looks ahead by, and a tree if the time is short.
      run_pass(engine_->greedy_depth());
      find_greedy_tree();
      return run_all_passes();
    }
    run_pass(2);  // a tree to fall back on where grown ones take long
    Improver improver(context_, watch_, state_.root().sample,
                      options_.penalty > 0 ? std::min(depth, most_priced_depth) : depth);
    improver.set_take([this](Value cost, Plan plan) { take(cost, std::move(plan), false); });
    improver.set_poll([this] { watch_.poll(true); });
    improver.begin();
    if (depth < least_improved_depth) return run_all_passes();
    Turns turns(watch_, options_.penalty > 0 ? priced_proof_share : 1);
    improver.set_poll([&] { turns.improve(); });
    improver.set_take([this](Value cost, Plan plan) { take(cost, std::move(plan), true); });
    state_.first().also_poll = [&] { turns.prove(); };
    {
      JoiningThread thread([&] { improve(improver, turns); });
      const Ending ending{turns, state_.first()};
      run_all_passes();
    }
  }

  // Whatever happens, the thread that improves is told when the proof is over.
  struct Ending {
    Turns& turns;
    Worker& worker;
    ~Ending() {
      worker.also_poll = nullptr;
      turns.end_proof();
    }
  };

  void improve(Improver& improver, Turns& turns) {
    try {
      turns.improve();
      improver.go_on();
    } catch (const Stopped&) {
    } catch (...) {
      const std::scoped_lock lock(state_.mutex);
      failure_ = std::current_exception();
      watch_.stop(Status::interrupted);
    }
    turns.end_improvement();
  }

  // Takes a tree from who improves.
  void take(Value cost, Plan plan, bool is_by_chance) {
    const std::scoped_lock lock(state_.mutex);
    if (cost >= best_.cost) return;
    best_.accept(cost, std::move(plan));
    best_.is_by_chance = is_by_chance;
    // The smallest of equally good trees is found by who proves.
    if (best_.cost <= best_.bound && !options_.smallest) watch_.stop(Status::stopped);
  }

  void run_all_passes() {
    const std::int32_t depth = options_.max_depth;
    // Shallower trees first: they are soon found, and what they cost bounds deeper ones.
    for (std::int32_t d = std::min(depth, engine_->first_depth()); d <= depth; ++d) {
      run_pass(d);
      if (best_.cost <= floor_beyond(d)) return;
      // Better trees come from who improves, and without a penalty the optimum of one depth says
      // little of much deeper trees.
      const bool is_middle = options_.penalty == 0 && !state_.ranks && d < depth;
      if (is_middle && d >= last_middle_pass) d = depth - 1;
    }
  }

  // What trees of more levels cost at least, whatever their depth.
  Value floor_beyond(std::int32_t depth) const {
    if (depth == options_.max_depth) return no_value;
    // In shallower passes the two lowest levels have no joined tests.
    if (!context_.bounds_deeper(std::max(0, depth - 2))) return 0;
    return context_.deeper_floor(state_.first().node(0).sample.floor, depth);
  }

  void find_greedy_tree() {
    Writer writer(state_.first());
    writer.add_greedily(0, options_.max_depth);
    const Value cost = cost_of(context_, writer.plan);
    if (cost < best_.cost) best_.accept(cost, std::move(writer.plan));
  }

  void run_pass(std::int32_t depth) {
    if (!engine_->begin_pass(depth)) return;
    depth_of_pass_ = depth;
    try {
      on_threads()([this](std::size_t w) { run_worker(w); });
    } catch (const Stopped&) {
      raise_bound();
      throw;
    }
  }

  Front::OnThreads on_threads() {
    return [this](const std::function<void(std::size_t)>& work) { run_workers(work); };
  }

  void run_workers(const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> n_running = state_.workers.size() - 1;
    {
      std::vector<JoiningThread> others;
      for (std::size_t w = 1; w < state_.workers.size(); ++w) {
        others.emplace_back([this, w, &n_running, &work] {
          try {
            work(w);
          } catch (const Stopped&) {
          } catch (...) {
            const std::scoped_lock lock(state_.mutex);
            failure_ = std::current_exception();
            watch_.stop(Status::interrupted);
          }
          --n_running;
        });
      }
      try {
        work(0);
        while (n_running > 0) {  // the others' work may be long: go on reporting
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
          state_.first().poll();
        }
      } catch (...) {
        watch_.stop(Status::interrupted);  // if not stopped already
        others.clear();
        throw;
      }
    }
    if (watch_.stopped()) throw Stopped{};
  }

  void run_worker(std::size_t w) {
    engine_->begin_worker(w);
    std::unique_lock lock(state_.mutex);
    while (engine_->settle_next(w, lock)) {
      if (w > 0 || watch_.elapsed() <= next_bound_) continue;
      next_bound_ = watch_.elapsed() + 0.1;
      raise_bound();
    }
  }

  void raise_bound() {
    best_.raise_bound(std::min(engine_->lower_bound(), floor_beyond(depth_of_pass_)));
  }

  void write_best(Result& result) {
    Writer writer(state_.first());
    writer.add(0, best_.depth, best_.cost, &best_.choice);
    result.plan = std::move(writer.plan);
    if (!writer.is_cut_short) return;
    is_cut_short_ = true;
    best_.cost = cost_of(context_, result.plan);
    if (leaf_ > best_.cost) return;
    best_.cost = leaf_;
    result.plan = leaf_plan(context_);
  }

  // Of equally good trees one with the fewest tests, if that is wanted. False if it had to end.
  bool make_small(Plan& plan) {
    const std::int32_t n_tests = static_cast<std::int32_t>(plan.nodes.size()) / 2;
    const std::size_t n_columns = state_.root().sample.columns.size();
    if (n_tests < 2 || n_columns == 0 || !wants_smallest(context_.problem, options_, n_columns))
      return true;
    Profile limits;
    for (std::int32_t k = 0; k < n_tests; ++k)
      limits.push_back(best_.cost - k * options_.penalty + 1);
    Front front(state_.workers, on_threads());
    front.begin(options_.max_depth, limits.size(), 0);
    try {
      front.run(options_.max_depth, limits);
      for (std::int32_t k = 0; k < n_tests; ++k) {
        const auto at = static_cast<std::size_t>(k);
        if (front.profile()[at] < limits[at]) {
          plan = front.plan(options_.max_depth, k);
          break;
        }
      }
    } catch (const Stopped&) {
      return false;
    }
    return true;
  }

  Result make_result() {
    Result result;
    // What is found has only to be written down.
    if (watch_.stopped()) watch_.begin_writing(last_grace);
    if (front_) {
      is_cut_short_ = !front_->read(leaf_, result, best_.cost);
    } else if (!best_.found || !rows_are_read_) {
      result.plan = leaf_plan(context_);
      if (options_.front) result.front.push_back({0, leaf_, result.plan});
    } else if (best_.plan) {
      result.plan = std::move(*best_.plan);
    } else {
      write_best(result);
    }
    result.status = watch_.status();
    if (is_cut_short_) {
      proven_ = false;
      best_.found = best_.cost < options_.limit;
    } else if (proven_ && best_.found && !front_ && !make_small(result.plan) && options_.smallest) {
      result.status_of_size = watch_.status();
    }
    result.found = best_.found;
    if (best_.found && cost_of(context_, result.plan) != best_.cost) {
      throw std::logic_error("The tree does not cost what the search found.");
    }
    if (proven_) best_.bound = best_.cost;
    result.objective = best_.cost;
    result.lower_bound = std::min(best_.bound, best_.cost);
    if (result.lower_bound == best_.cost) result.status = Status::optimal;
    for (const auto& worker : state_.workers) result.statistics += worker->statistics;
    result.statistics.cache_entries = state_.cache.n_entries();
    result.statistics.evictions = state_.cache.n_evictions();
    result.statistics.bytes = state_.cache.n_bytes();
    result.kernel = context_.kernel->name;
    return result;
  }

  SearchState state_;
  const Context& context_ = state_.context;
  const Options& options_ = context_.options;
  Watch& watch_ = state_.watch;
  Incumbent& best_ = state_.incumbent;
  std::unique_ptr<Engine> engine_;
  std::optional<Front> front_;  // if trees of all sizes have to be kept apart
  std::exception_ptr failure_;
  std::int32_t depth_of_pass_ = 0;
  double next_bound_ = 0.1;  // seconds
  bool proven_ = false;
  bool rows_are_read_ = false;
  bool is_cut_short_ = false;  // time was lacking to write down what was found
  Value leaf_ = no_value;      // cost of the smallest tree
};

}  // namespace

Result solve(const Problem& problem, const Options& options, const Report& report) {
  return Search(problem, options, report).run();
}

}  // namespace treewright::search
