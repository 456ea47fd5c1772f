// OC1: planes by hill climbing from many starts (Murthy, Kasif, Salzberg 1994, "A system for
// induction of oblique decision trees", Journal of Artificial Intelligence Research 2).
//
// The first start is the best test on one column, the others are planes of coefficients drawn from
// [-1, 1) on standardised columns. Each is climbed (ascent.hpp), and the best of all becomes the
// test, its threshold found anew, unless the best test on one column is as good. Nodes of no more
// different rows than twice the columns are tested on one column: planes could divide so few rows
// in any way.
//
// The sweeps here see rows move either way (sweep.hpp). The published step finds the best cut of
// break points as if all rows moved the same way.

#include <atomic>
#include <thread>

#include "treewright/base/parallel.hpp"
#include "treewright/split/cut/cut.hpp"
#include "treewright/split/discriminant/contributions.hpp"
#include "treewright/split/list.hpp"
#include "treewright/split/plane/ascent.hpp"
#include "treewright/split/rows/known_columns.hpp"

namespace treewright {

namespace {

class Oc1 : public Method {
 public:
  struct Options {
    std::size_t n_features = 0;  // 0: all
    std::size_t n_restarts = 20;
    AscentRules ascent;
    double axis_bias = 1.0;
    std::size_t n_threads = 1;
  };

  explicit Oc1(Options options) : options_(options) {}

  void prepare(const Problem& problem, const Rows& rows) override {
    require_sweepable(problem, "OC1");
    known_.prepare(problem, rows);
  }

  bool works_on_threads() const override { return true; }

  void propose(const Node& node, Rng& rng, std::vector<Candidate>& candidates) override {
    const std::size_t first = candidates.size();
    const std::optional<Candidate> axis = best_axis_cut(node);
    propose_instead(candidates, first, axis);
    const std::uint64_t seed = rng.next();
    const SearchRows rows = search_rows(node, leading_columns(node, known_, options_.n_features));
    if (rows.n_columns() > 1 && rows.n_rows() > 2 * rows.n_columns()) {
      auto found = candidate_along(node, rows, best_plane(node, rows, axis, seed));
      const double bar = axis ? options_.axis_bias * score_of(node, *axis) : 0.0;
      if (found && (!axis || clearly_better(score_of(node, *found), bar))) {
        propose_instead(candidates, first, found);
      }
    }
  }

 private:
  struct Climbed {
    Plane plane;
    double score = 0.0;
  };

  // Ends the climbs of other threads once the calling one was told to end.
  struct Ended {};

  Plane best_plane(const Node& node, const SearchRows& rows, const std::optional<Candidate>& axis,
                   std::uint64_t seed) const {
    const SideRules sides = side_rules(node, rows);
    const std::optional<Plane> first = axis ? axis_plane(node, rows, *axis) : std::nullopt;
    const auto caller = std::this_thread::get_id();
    std::atomic<bool> has_ended = false;
    const auto poll = [&] {
      if (std::this_thread::get_id() != caller) {
        if (has_ended) throw Ended{};
        return;
      }
      try {
        node.poll_deadline();
      } catch (...) {
        has_ended = true;
        throw;
      }
    };
    std::vector<Climbed> climbed(options_.n_restarts);
    const auto climb = [&](std::size_t restart) {
      Rng rng(Rng::child(seed, static_cast<std::uint32_t>(restart)));
      Climbed& here = climbed[restart];
      here.plane = restart == 0 && first ? *first : random_plane(rows.n_columns(), rng);
      try {
        here.score = Ascent(rows, sides, options_.ascent, poll).climb(here.plane, rng);
      } catch (const Ended&) {  // what the calling thread threw is what counts
      }
    };
    in_parallel(climbed.size(), options_.n_threads, climb, [] {});
    const Climbed* best = &climbed[0];
    for (const Climbed& other : climbed) {
      if (is_better(other.score, best->score)) best = &other;
    }
    return best->plane;
  }

  Options options_;
  KnownColumns known_;
};

std::shared_ptr<Method> make(const Parameters& parameters, Parts) {
  const auto count = [&](const char* name) {
    return static_cast<std::size_t>(number(parameters, name));
  };
  const std::string order = choice(parameters, "order", {"best_first", "sequential", "random"});
  Oc1::Options options;
  options.n_features = count("features");
  options.n_restarts = count("n_restarts");
  options.ascent.order = order == "best_first"   ? CoefficientOrder::best_first
                         : order == "sequential" ? CoefficientOrder::sequential
                                                 : CoefficientOrder::random;
  options.ascent.n_random = count("n_random");
  options.ascent.n_jumps = count("n_jumps");
  options.ascent.drifts = true;
  options.axis_bias = number(parameters, "axis_bias");
  options.n_threads = count("n_jobs");
  return std::make_shared<Oc1>(options);
}

const Listed listed{"oc1", make};

}  // namespace

}  // namespace treewright
