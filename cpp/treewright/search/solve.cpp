// The search as a whole: the root, threads, limits, and the answer.
#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <thread>

#include "treewright/base/error.hpp"
#include "treewright/search/floors.hpp"
#include "treewright/search/front.hpp"
#include "treewright/search/rebuild.hpp"
#include "treewright/search/worker.hpp"

namespace treewright::search {

namespace {

constexpr std::size_t small_problem = 4096;  // rows times columns
constexpr std::int32_t small_depth = 4;
// Where trees of two levels take long enough to be tried before deeper ones.
constexpr std::int32_t many_columns = 256;
// What is done in some hundredths of a second: pairs of columns times rows, columns times rows.
constexpr double quick_pairs = 2e8;
constexpr double quick_tests = 3e7;
// How many columns can be paired with one in the time in which that one is brought along.
constexpr double pairs_a_column = 100.0;
// Processor time for a first tree, and for writing down what was found, when time is over.
constexpr double first_grace = 0.02, last_grace = 0.015;  // seconds

class Search {
 public:
  Search(const Problem& problem, const Options& options, const Report& report)
      : watch_(options.seconds, report), context_(problem, options), cache_(options) {
    for (std::int32_t w = 0; w < std::max(options.n_threads, 1); ++w) {
      workers_.push_back(std::make_unique<Worker>(context_, cache_, watch_, w == 0));
    }
  }

  Result run() {
    leaf_ = Members::all_of(context_).leaf();
    best_ = std::min(leaf_, context_.options.limit);
    found_ = best_ < context_.options.limit;
    try {
      watch_.begin_grace(first_grace);
      read_rows();
      bound_ = std::min(root().sample.floor, best_);
      take_first_tree();
      watch_.end_grace();
      const std::int32_t depth = context_.options.max_depth;
      if (wants_sizes()) {
        require(context_.options.limit == no_value,
                "A limit on costs and limits on sizes do not go together.");
        found_ = true;
        front_->run(depth, Profile(static_cast<std::size_t>(most_tests()) + 1, no_value));
      } else {
        if (depth > 4) {
          // What the greedy tree looks ahead by, and a tree if the time is short.
          solve_root(chains() != nullptr ? 2 : 3);
          take_greedy_tree();
        }
        // Shallower trees first: they are soon found, and what they cost bounds deeper ones.
        const bool many = root().sample.n_columns() > many_columns || chains() != nullptr;
        const std::int32_t least = many ? 2 : 4;
        for (std::int32_t d = std::min(depth, least); d <= depth; ++d) solve_root(d);
      }
      proven_ = true;
    } catch (const Stopped&) {
    }
    if (failure_) std::rethrow_exception(failure_);
    if (watch_.failure()) std::rethrow_exception(watch_.failure());
    return answer();
  }

 private:
  Worker& first() { return *workers_.front(); }
  Node& root() { return first().node(0); }
  // Who searches the root, if that is done chain by chain.
  ChainSearch* chains() { return first().chains_at(0); }

  double n_terms() const {
    return context_.counted ? 1.0 : static_cast<double>(context_.terms.size());
  }

  // About what it takes to write the tree down: in each level the rows are divided once more, as at
  // the root, and at the nodes of the last two all pairs of columns are counted again. Half the
  // time is left to the search.
  double seconds_of_writing(double seconds_of_part) {
    const bool by_chains = chains() != nullptr && !wants_sizes();
    const double pairs = by_chains ? 0.0 : root().sample.n_columns() * n_terms();
    const double parts = context_.options.max_depth + pairs / pairs_a_column;
    return std::min(seconds_of_part * parts, context_.options.seconds / 2.0);
  }

  void read_rows() {
    const std::function<void()> poll = [this] { first().poll(); };
    if (has_long_chains(context_.problem, context_.options.chain_length)) {
      ranks_.emplace(context_, poll);
      for (const auto& worker : workers_) worker->use_chains(*ranks_);
    }
    double seconds_of_part = 0.0;
    if (chains() != nullptr && !wants_sizes() && !wants_smallest(context_.problem.n_tests)) {
      find_floors(context_, *ranks_);
      const double before = watch_.elapsed();
      first().sampler().all_rows(root().sample);
      seconds_of_part = watch_.elapsed() - before;
    } else {
      const Sample all = all_rows_and_tests(context_, poll);
      find_floors(context_, all);
      const double before = watch_.elapsed();
      first().sampler().part(all, all.rows, 0, root().sample);
      seconds_of_part = watch_.elapsed() - before;
    }
    if (chains() != nullptr) chains()->begin(0, root().sample.rows);
    rows_are_read_ = true;
    watch_.set_aside(seconds_of_writing(seconds_of_part));
  }

  // A tree to fall back on, however short the time: the best of two levels, or of one if that would
  // take too long.
  void take_first_tree() {
    publish();
    if (chains() != nullptr && !wants_sizes()) {
      return solve_root(std::min(context_.options.max_depth, 1));
    }
    const auto n = static_cast<double>(root().sample.n_rows());
    const auto m = static_cast<double>(root().sample.n_columns());
    const std::int32_t shallow = m * m * n * n_terms() <= quick_pairs ? 2
                                 : m * n <= quick_tests               ? 1
                                                                      : 0;
    const std::int32_t depth = std::min(context_.options.max_depth, shallow);
    // With time enough the search itself begins with that.
    if (shallow == 2 && context_.options.seconds > 1.0 && !wants_sizes()) return;
    if (wants_sizes()) {
      front_.emplace(first());
      front_->begin(context_.options.max_depth, static_cast<std::size_t>(most_tests()) + 1, depth);
    } else if (!first().prepare(0, depth, no_value)) {
      first().open(0, depth);
      take(root().best, root().choice, depth);
    }
  }

  void take_greedy_tree() {
    Writer writer(first());
    writer.add_greedily(0, context_.options.max_depth);
    const Value cost = cost_of(context_, writer.plan);
    if (cost >= best_) return;
    best_ = cost;
    found_ = true;
    greedy_ = std::move(writer.plan);
    publish();
  }

  // Trees of all sizes have to be kept apart.
  bool wants_sizes() const {
    const Options& options = context_.options;
    return options.front || most_tests() < Front::most_tests(options.max_depth);
  }
  bool wants_smallest(std::size_t n_columns) const {
    const Options& options = context_.options;
    const bool small = context_.problem.n_rows * n_columns <= small_problem;
    return options.smallest || (small && options.max_depth <= small_depth);
  }
  std::int32_t most_tests() const {
    const Options& options = context_.options;
    const std::int32_t most = Front::most_tests(options.max_depth);
    return options.max_nodes < 0 ? most : std::min(options.max_nodes, most);
  }

  void solve_root(std::int32_t depth) {
    depth_of_pass_ = depth;
    if (chains() != nullptr) return solve_ordered_root(depth);
    const Value shallower = depth > 4 ? best_ : 0;
    if (first().prepare(0, depth, no_value)) return take(root().best, root().choice, depth);
    try {
      first().open(0, depth, shallower);
    } catch (const Stopped&) {
      take(root().best, root().choice, depth);
      throw;
    }
    take(root().best, root().choice, depth);
    if (depth <= 2 || best_ <= root().floor) return;
    next_ = 0;
    found_place_ = -1;
    lower_.assign(root().candidates.size(), 0);
    watch_.n_total = static_cast<std::int64_t>(root().candidates.size());
    watch_.n_closed = 0;
    run_pass();
  }

  void solve_ordered_root(std::int32_t depth) {
    ChainSearch::Node& here = chains()->node(0);
    if (depth <= 2 || chains()->prepare(0, depth, no_value)) {
      Choice choice;
      try {
        chains()->solve(0, depth, no_value, choice);
      } catch (const Stopped&) {
        take(here.best, here.choice, depth);
        throw;
      }
      return take(here.best, here.choice, depth);
    }
    // The last pass, of one level less, has shown that shallower trees do not cost less.
    here.intervals.begin(here.rows, 0, depth - 1, best_);
    here.intervals.open_all();
    limit_ = {best_, 0};
    under_way_.assign(workers_.size(), no_value);
    watch_.n_total = here.intervals.n_cuts();
    watch_.n_closed = 0;
    if (choice_.first >= 0) {
      if (const auto cut = here.intervals.find(choice_.first)) settle(0, *cut);
    }
    run_pass();
  }

  void run_pass() {
    try {
      run_workers();
    } catch (const Stopped&) {
      if (depth_of_pass_ == context_.options.max_depth) bound_ = std::max(bound_, bound_of_pass());
      throw;
    }
  }

  void take(Value cost, const Choice& choice, std::int32_t depth) {
    if (cost < best_) accept(cost, choice, depth);
    publish();
  }

  void accept(Value cost, const Choice& choice, std::int32_t depth) {
    greedy_.reset();
    found_ = true;
    best_ = cost;
    choice_ = choice;
    depth_ = depth;
  }

  void publish() {
    watch_.best = best_;
    watch_.bound = std::min(bound_, best_);
  }

  void run_workers() {
    std::atomic<std::size_t> n_running = workers_.size() - 1;
    {
      std::vector<std::jthread> others;
      for (std::size_t w = 1; w < workers_.size(); ++w) {
        others.emplace_back([this, w, &n_running] {
          try {
            labour(w);
          } catch (const Stopped&) {
          } catch (...) {
            const std::scoped_lock lock(mutex_);
            failure_ = std::current_exception();
            watch_.stop(Status::interrupted);
          }
          --n_running;
        });
      }
      try {
        labour(0);
        while (n_running > 0) {  // the others' work may be long: go on reporting
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
          watch_.poll(true);
        }
      } catch (...) {
        watch_.stop(Status::interrupted);  // if not stopped already
        others.clear();
        throw;
      }
    }
    if (watch_.stopped()) throw Stopped{};
  }

  void copy_root(Worker& worker) {
    Node& copy = worker.node(0);
    copy.sample = root().sample;
    copy.two = &worker.two_of(0);
    copy.two->begin(copy.sample, 0, true);
    copy.bounds.begin(context_, copy.sample, copy.two, depth_of_pass_ - 1, 0, false);
  }

  void labour(std::size_t w) {
    if (chains() != nullptr) return labour_along_chains(w);
    if (w > 0) copy_root(*workers_[w]);
    labour_by_candidates(*workers_[w]);
  }

  // Settles thresholds of the root until none is open.
  void labour_along_chains(std::size_t w) {
    ChainSearch::Node& here = chains()->node(0);
    std::unique_lock lock(mutex_);
    while (best_ > here.floor) {
      const auto cut = here.intervals.next(limit_);
      if (!cut) break;
      settle(w, *cut, &lock);
      watch_.n_closed = here.intervals.n_closed();
      tell_bound(w);
    }
  }

  // Unlocks while it works.
  void settle(std::size_t w, const Cut& cut, std::unique_lock<std::mutex>* lock = nullptr) {
    ChainSearch::Node& here = chains()->node(0);
    const Value limit = limit_.at(cut.order);
    under_way_[w] = cut.bounds.ones + cut.bounds.zeros + cut.test.price + context_.options.penalty;
    if (lock != nullptr) lock->unlock();
    const Parts parts = workers_[w]->chains_at(0)->settle(here.rows, 0, depth_of_pass_, cut, limit);
    if (lock != nullptr) lock->lock();
    under_way_[w] = no_value;
    here.intervals.learn(cut, parts.found);
    if (parts.total >= std::min(limit, limit_.at(cut.order))) return;
    limit_ = {parts.total, cut.order};
    const auto below = static_cast<std::int8_t>(depth_of_pass_ - 1);
    accept(parts.total, {cut.test.number, -1, Function::single, below}, depth_of_pass_);
    publish();
  }

  void tell_bound(std::size_t w) {
    if (w > 0 || watch_.elapsed() <= next_bound_) return;
    next_bound_ = watch_.elapsed() + 0.1;
    if (depth_of_pass_ == context_.options.max_depth) bound_ = std::max(bound_, bound_of_pass());
    publish();
  }

  // Settles candidates of the root, in their order, until there are no more.
  void labour_by_candidates(Worker& worker) {
    Node& here = root();
    std::unique_lock lock(mutex_);
    while (next_ < here.candidates.size() && best_ > here.floor) {
      const std::size_t place = next_++;
      const Candidate& candidate = here.candidates[place];
      const Value fixed = candidate.price + context_.options.penalty;
      const auto shared_bits = worker.bits_of(here.sample, candidate);
      const std::vector<std::uint64_t> bits(shared_bits.begin(), shared_bits.end());
      const Value limit = limit_at(place);
      const PartBounds bounds = here.bounds.of(candidate, bits, limit - fixed);
      Parts parts{bounds, bounds.ones + bounds.zeros + fixed};
      if (parts.total < limit) {
        lower_[place] = parts.total;
        lock.unlock();
        parts = worker.settle(0, depth_of_pass_, candidate, bounds, limit);
        lock.lock();
        here.bounds.learn(candidate, bits, parts.found);
      } else {
        ++worker.statistics.similar;
      }
      lower_[place] = parts.total;
      ++watch_.n_closed;
      if (parts.total < std::min(limit, limit_at(place))) {
        found_place_ = static_cast<std::ptrdiff_t>(place);
        const Choice choice{candidate.first, candidate.second, candidate.joined.function,
                            static_cast<std::int8_t>(depth_of_pass_ - 1)};
        accept(parts.total, choice, depth_of_pass_);
        publish();
      }
      tell_bound(&worker == &first() ? 0 : 1);
    }
  }

  // What a candidate must stay below. An equally good one that stands earlier is what a single
  // thread would have found.
  Value limit_at(std::size_t place) const {
    return best_ + (found_place_ > static_cast<std::ptrdiff_t>(place) ? 1 : 0);
  }

  Value bound_of_pass() {
    if (chains() != nullptr) {
      const ChainSearch::Node& here = chains()->node(0);
      const Value open = std::ranges::min(under_way_);
      return std::min(best_, std::max(here.floor, std::min(open, here.intervals.bound_of_rest())));
    }
    Node& here = root();
    Value bound = best_;
    for (std::size_t place = 0; place < here.candidates.size(); ++place) {
      Value lower = lower_[place];
      if (place >= next_ && here.candidates[place].is_single()) {
        const Candidate& candidate = here.candidates[place];
        const PartBounds bounds = here.bounds.of(candidate, {}, no_value);
        lower = bounds.ones + bounds.zeros + candidate.price + context_.options.penalty;
      }
      bound = std::min(bound, std::max(lower, here.floor));
    }
    return bound;
  }

  void write_best(Result& result) {
    Writer writer(first());
    writer.add(0, depth_, best_, &choice_);
    result.plan = std::move(writer.plan);
    if (!writer.is_cut_short) return;
    is_cut_short_ = true;
    best_ = cost_of(context_, result.plan);
    if (leaf_ > best_) return;
    best_ = leaf_;
    result.plan = leaf_plan(context_);
  }

  // Of equally good trees one with the fewest tests. To be sure of that takes about as long again
  // as the search, so large problems are spared it unless it is asked for. False if it had to end.
  bool make_small(Plan& plan) {
    const std::int32_t n_tests = static_cast<std::int32_t>(plan.nodes.size()) / 2;
    const std::size_t n_columns = root().sample.columns.size();
    if (n_tests < 2 || n_columns == 0 || !wants_smallest(n_columns)) return true;
    Profile limits;
    for (std::int32_t k = 0; k < n_tests; ++k)
      limits.push_back(best_ - k * context_.options.penalty + 1);
    Front front(first());
    front.begin(context_.options.max_depth, limits.size(), 0);
    try {
      front.run(context_.options.max_depth, limits);
      for (std::int32_t k = 0; k < n_tests; ++k) {
        const auto at = static_cast<std::size_t>(k);
        if (front.profile()[at] < limits[at]) {
          plan = front.plan(context_.options.max_depth, k);
          break;
        }
      }
    } catch (const Stopped&) {
      return false;
    }
    return true;
  }

  Result answer() {
    Result result;
    // What is found has only to be written down.
    if (watch_.stopped()) watch_.begin_writing(last_grace);
    if (front_) {
      is_cut_short_ = !front_->read(leaf_, result, best_);
    } else if (!found_ || !rows_are_read_) {
      result.plan = leaf_plan(context_);
      if (context_.options.front) result.front.push_back({0, leaf_, result.plan});
    } else if (greedy_) {
      result.plan = std::move(*greedy_);
    } else {
      write_best(result);
    }
    result.status = watch_.status();
    if (is_cut_short_) {
      proven_ = false;
      found_ = best_ < context_.options.limit;
    } else if (proven_ && found_ && !front_ && !make_small(result.plan) &&
               context_.options.smallest) {
      result.status_of_size = watch_.status();
    }
    result.found = found_;
    if (found_ && cost_of(context_, result.plan) != best_) {
      throw std::logic_error("The tree does not cost what the search found.");
    }
    if (proven_) bound_ = best_;
    result.objective = best_;
    result.lower_bound = std::min(bound_, best_);
    if (result.lower_bound == best_) result.status = Status::optimal;
    for (const auto& worker : workers_) result.statistics += worker->statistics;
    result.statistics.cache_entries = cache_.n_entries();
    result.statistics.evictions = cache_.n_evictions();
    result.statistics.bytes = cache_.n_bytes();
    result.kernel = context_.kernel->name;
    return result;
  }

  Watch watch_;  // first of all, as the time runs from here
  Context context_;
  Cache cache_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::optional<Ranks> ranks_;  // if tests are searched chain by chain
  std::optional<Front> front_;
  std::optional<Plan> greedy_;  // the best tree, if no search was needed to find it
  std::exception_ptr failure_;
  bool proven_ = false;
  bool found_ = false;  // a tree below the limit
  bool rows_are_read_ = false;
  bool is_cut_short_ = false;  // time was lacking to write down what was found
  Value leaf_ = no_value;      // cost of the smallest tree
  Value best_ = no_value;
  Value bound_ = 0;
  Choice choice_;           // of the root, for the best tree
  std::int32_t depth_ = 0;  // that this tree may have

  // One pass over the candidates of the root, shared by the threads.
  std::mutex mutex_;
  std::size_t next_ = 0;
  std::ptrdiff_t found_place_ = -1;  // of the candidate with the best tree, if this pass found it
  std::vector<Value> lower_;         // what each candidate costs at least
  Limit limit_;                      // for thresholds
  std::vector<Value> under_way_;     // what those that are being settled cost at least
  std::int32_t depth_of_pass_ = 0;
  double next_bound_ = 0.1;
};

}  // namespace

Result solve(const Problem& problem, const Options& options, const Report& report) {
  return Search(problem, options, report).run();
}

}  // namespace treewright::search
