// Searches the root along chains of thresholds.
#include "treewright/search/engine.hpp"

#include <algorithm>
#include <vector>

#include "treewright/search/floors.hpp"
#include "treewright/search/rebuild.hpp"

namespace treewright::search {

namespace {

class ChainEngine final : public Engine {
 public:
  explicit ChainEngine(SearchState& state) : state_(state) {}

  // In each level the rows are divided once more.
  double read_rows() override {
    const double seconds_of_part = read_root();
    chains().begin(0, state_.root().sample.rows);
    return seconds_of_part * state_.context.options.max_depth;
  }

  std::int32_t quick_depth() const override { return 1; }
  std::int32_t greedy_depth() const override { return Writer::greedy_depth_along_chains; }
  std::int32_t first_depth() const override { return 2; }

  bool begin_pass(std::int32_t depth) override {
    depth_ = depth;
    if (depth <= 2 || chains().prepare(0, depth, no_value)) {
      solve_alone();
      return false;
    }
    // The last pass, of one level less, has shown that shallower trees do not cost less.
    Intervals& intervals = root().intervals;
    const Incumbent& best = state_.incumbent;
    chains().raise_floor(0, depth - 1, best.cost);
    if (best.cost <= root().floor) return false;
    intervals.begin(root().rows, 0, depth - 1, best.cost);
    intervals.open_all();
    limit_ = {best.cost, 0};
    under_way_.assign(state_.workers.size(), no_value);
    state_.watch.n_total = intervals.n_cuts();
    state_.watch.n_closed = 0;
    if (best.choice.first >= 0) {
      std::unique_lock lock(state_.mutex);
      if (const auto cut = intervals.find(best.choice.first)) settle(0, *cut, lock);
    }
    return true;
  }

  void begin_worker(std::size_t) override {}

  bool settle_next(std::size_t w, std::unique_lock<std::mutex>& lock) override {
    if (state_.incumbent.cost <= root().floor) return false;
    const auto cut = root().intervals.next(limit_);
    if (!cut) return false;
    settle(w, *cut, lock);
    state_.watch.n_closed = root().intervals.n_closed();
    return true;
  }

  Value lower_bound() const override {
    const Value open = std::min(std::ranges::min(under_way_), root().intervals.bound_of_rest());
    return std::min(state_.incumbent.cost, std::max(root().floor, open));
  }

 private:
  ChainSearch& chains() const { return *state_.first().chains_at(0); }
  ChainSearch::Node& root() const { return chains().node(0); }

  // Returns the seconds it took to divide rows.
  double read_root() {
    // Who looks for the smallest tree needs the bits.
    const Context& context = state_.context;
    if (wants_smallest(context.problem, context.options, context.problem.n_tests))
      return state_.read_bits();
    find_floors(state_.context, *state_.ranks);
    const double before = state_.watch.elapsed();
    state_.first().sampler().all_rows(state_.root().sample);
    return state_.watch.elapsed() - before;
  }

  void solve_alone() {
    Choice choice;
    try {
      chains().solve(0, depth_, no_value, choice);
    } catch (const Stopped&) {
      state_.incumbent.accept_if_better(root().best, root().choice, depth_);
      throw;
    }
    state_.incumbent.accept_if_better(root().best, root().choice, depth_);
  }

  // Unlocks while it works.
  void settle(std::size_t w, const Cut& cut, std::unique_lock<std::mutex>& lock) {
    const Value limit = limit_.at(cut.order);
    const Value fixed = cut.test.price + state_.context.options.penalty;
    under_way_[w] = cut.bounds.ones + cut.bounds.zeros + fixed;
    lock.unlock();
    const Parts parts = state_.workers[w]->chains_at(0)->settle(root().rows, 0, depth_, cut, limit);
    lock.lock();
    under_way_[w] = no_value;
    root().intervals.learn(cut, parts.found);
    if (parts.total >= std::min(limit, limit_.at(cut.order))) return;
    limit_ = {parts.total, cut.order};
    const auto below = static_cast<std::int8_t>(depth_ - 1);
    state_.incumbent.accept(parts.total, {cut.test.number, -1, Function::single, below}, depth_);
  }

  SearchState& state_;
  std::int32_t depth_ = 0;  // of the pass
  Limit limit_;
  std::vector<Value> under_way_;  // what thresholds that are being settled cost at least, by worker
};

}  // namespace

std::unique_ptr<Engine> make_chain_engine(SearchState& state) {
  return std::make_unique<ChainEngine>(state);
}

}  // namespace treewright::search
