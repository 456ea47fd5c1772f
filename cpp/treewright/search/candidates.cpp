// Searches the root candidate by candidate: tests in the order of promise, and where the options
// allow it two tests joined.
#include <algorithm>
#include <span>
#include <vector>

#include "treewright/search/engine.hpp"
#include "treewright/search/rebuild.hpp"

namespace treewright::search {

namespace {

// Where trees of two levels take long enough to be tried before deeper ones.
constexpr std::int32_t many_columns = 256;
// What is done in some hundredths of a second: pairs of columns times rows, columns times rows.
constexpr double quick_pairs = 2e8;
constexpr double quick_tests = 3e7;
// How many columns can be paired with one in the time in which that one is brought along.
constexpr double pairs_a_column = 100.0;

class CandidateEngine final : public Engine {
 public:
  explicit CandidateEngine(SearchState& state) : state_(state) {}

  // In each level the rows are divided once more, as at the root, and at the nodes of the last two
  // all pairs of columns are counted again.
  double read_rows() override {
    const double seconds_of_part = state_.read_bits();
    const double pairs = root().sample.n_columns() * n_terms();
    return seconds_of_part * (options().max_depth + pairs / pairs_a_column);
  }

  std::int32_t quick_depth() const override {
    const auto n = static_cast<double>(root().sample.n_rows());
    const auto m = static_cast<double>(root().sample.n_columns());
    if (m * m * n * n_terms() <= quick_pairs) return 2;
    return m * n <= quick_tests ? 1 : 0;
  }
  std::int32_t greedy_depth() const override { return Writer::greedy_depth; }
  std::int32_t first_depth() const override {
    return root().sample.n_columns() > many_columns ? 2 : 4;
  }

  bool begin_pass(std::int32_t depth) override {
    Incumbent& best = state_.incumbent;
    // Trees of one level less cost no less than the best if the last pass was about them.
    const Value shallower = depth > 4 && depth == depth_ + 1 ? best.cost : 0;
    for (const auto& worker : state_.workers) {
      worker->keeps_pairs = !is_told_by_crossings(depth);
      worker->kept_pairs = depth_ > 0;
    }
    depth_ = depth;
    if (state_.first().prepare(0, depth, no_value)) return false;  // no tree is better than a leaf
    try {
      state_.first().open(0, depth, best.limit(), shallower);
    } catch (const Stopped&) {
      best.accept_if_better(root().best, root().choice, depth);
      throw;
    }
    best.accept_if_better(root().best, root().choice, depth);
    if (depth <= 2 || best.limit() <= root().floor) return false;
    next_ = 0;
    found_place_ = -1;
    lower_.assign(root().candidates.size(), 0);
    state_.watch.n_total = static_cast<std::int64_t>(root().candidates.size());
    state_.watch.n_closed = 0;
    return true;
  }

  void begin_worker(std::size_t w) override {
    if (w == 0) return;  // the root is its own
    Worker& worker = *state_.workers[w];
    Node& copy = worker.node(0);
    copy.sample = root().sample;
    copy.two = &worker.two_of(0);
    copy.two->begin(copy.sample, 0, true);
    copy.bounds.begin(state_.context, copy.sample, copy.two, depth_ - 1, false);
    copy.crossings.end();
    if (depth_ >= 4 && worker.chains_at(1) == nullptr)
      copy.crossings.begin(state_.context, copy.sample, *copy.two);
  }

  bool settle_next(std::size_t w, std::unique_lock<std::mutex>& lock) override {
    Worker& worker = *state_.workers[w];
    Node& here = root();
    if (next_ >= here.candidates.size() || state_.incumbent.limit() <= here.floor) return false;
    const std::size_t place = next_++;
    const Candidate& candidate = here.candidates[place];
    const Value fixed = fixed_cost(candidate);
    const auto shared_bits = worker.bits_of(here.sample, candidate);
    const std::vector<std::uint64_t> bits(shared_bits.begin(), shared_bits.end());
    const Value limit = limit_at(place);
    const PartBounds bounds = here.bounds.of(candidate, bits, limit - fixed);
    Parts parts{bounds, bounds.ones + bounds.zeros + fixed};
    if (parts.total < limit) {
      lower_[place] = parts.total;
      lock.unlock();
      worker.poll();
      parts = worker.settle(0, depth_, candidate, bounds, limit);
      lock.lock();
      here.bounds.learn(candidate, bits, parts.found);
    } else {
      ++worker.statistics.similar;
    }
    lower_[place] = parts.total;
    ++state_.watch.n_closed;
    if (parts.total < std::min(limit, limit_at(place))) {
      found_place_ = static_cast<std::ptrdiff_t>(place);
      const Choice choice{candidate.first, candidate.second, candidate.joined.function,
                          static_cast<std::int8_t>(depth_ - 1)};
      state_.incumbent.accept(parts.total, choice, depth_);
    }
    return true;
  }

  Value lower_bound() const override {
    const Node& here = root();
    Value bound = state_.incumbent.cost;
    for (std::size_t place = 0; place < here.candidates.size(); ++place) {
      Value lower = lower_[place];
      if (place >= next_ && here.candidates[place].is_single()) {
        const Candidate& candidate = here.candidates[place];
        const PartBounds bounds = here.bounds.of(candidate, {}, no_value);
        lower = bounds.ones + bounds.zeros + fixed_cost(candidate);
      }
      bound = std::min(bound, std::max(lower, here.floor));
    }
    return bound;
  }

 private:
  const Options& options() const { return state_.context.options; }
  Node& root() const { return state_.root(); }

  // In the last pass nobody asks again for parts of the root, and for parts of the nodes below in
  // trees of depth four nearly nobody: crossings tell nearly all of it.
  bool is_told_by_crossings(std::int32_t depth) const {
    return depth == options().max_depth && depth <= 4 &&
           Crossings::are_for(state_.context, root().sample);
  }
  double n_terms() const {
    const Context& context = state_.context;
    return context.counted ? 1.0 : static_cast<double>(context.terms.size());
  }
  Value fixed_cost(const Candidate& candidate) const { return candidate.price + options().penalty; }

  // What a candidate must stay below. An equally good one that stands earlier is what a single
  // thread would have found.
  Value limit_at(std::size_t place) const {
    const bool is_earlier = found_place_ > static_cast<std::ptrdiff_t>(place);
    const Incumbent& best = state_.incumbent;
    return best.is_by_chance ? best.limit() : best.cost + (is_earlier ? 1 : 0);
  }

  SearchState& state_;
  std::int32_t depth_ = 0;  // of the pass
  std::size_t next_ = 0;
  std::ptrdiff_t found_place_ = -1;  // of the candidate with the best tree, if this pass found it
  std::vector<Value> lower_;         // what each candidate costs at least
};

}  // namespace

std::unique_ptr<Engine> make_candidate_engine(SearchState& state) {
  return std::make_unique<CandidateEngine>(state);
}

}  // namespace treewright::search
