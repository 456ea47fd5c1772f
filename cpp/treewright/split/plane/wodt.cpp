// WODT: planes that make a soft entropy small (Yang, Shen, Gao 2019, "Weighted oblique decision
// trees", AAAI).
//
// Rows on the right of a plane count there only in part, the less the nearer they lie to it
// (soft_entropy.hpp). That makes the entropy of the two sides a smooth function of the plane, which
// L-BFGS follows down from random starts. Each plane found is then taken as a direction: its
// threshold is found anew, by the tree's own measure, and the best of all and of the tests on one
// column becomes the test.

#include <algorithm>
#include <cmath>

#include "treewright/base/lbfgs.hpp"
#include "treewright/split/cut/candidates.hpp"
#include "treewright/split/cut/cut.hpp"
#include "treewright/split/discriminant/contributions.hpp"
#include "treewright/split/list.hpp"
#include "treewright/split/plane/plane.hpp"
#include "treewright/split/plane/soft_entropy.hpp"
#include "treewright/split/rows/known_columns.hpp"

namespace treewright {

namespace {

// Digits of slopes beyond what the descent settles are dropped: the same rows in another order of
// classes end a little elsewhere.
void drop_digits(std::vector<double>& slopes) {
  constexpr double kept = 1 << 20;  // parts of the largest slope
  double largest = 0.0;
  for (const double slope : slopes) largest = std::max(largest, std::abs(slope));
  for (double& slope : slopes) slope = std::round(slope / largest * kept) / kept;
}

class Wodt : public Method {
 public:
  struct Options {
    std::size_t n_features = 0;  // 0: all
    std::uint32_t n_starts = 1;
    int max_iterations = 100;
  };

  explicit Wodt(Options options) : options_(options) {}

  void prepare(const Problem& problem, const Rows& rows) override {
    require_classes(problem, "WODT");
    known_.prepare(problem, rows);
  }

  bool works_on_threads() const override { return true; }

  void propose(const Node& node, Rng& rng, std::vector<Candidate>& candidates) override {
    const std::size_t first = candidates.size();
    std::optional<Candidate> best = best_axis_cut(node);
    propose_instead(candidates, first, best);
    const std::uint64_t seed = rng.next();
    const SearchRows rows = search_rows(node, leading_columns(node, known_, options_.n_features));
    if (rows.n_columns() > 1) {
      for (std::uint32_t start = 0; start < options_.n_starts; ++start) {
        Rng stream(Rng::child(seed, start));
        keep_better(node, candidate_along(node, rows, descend(node, rows, stream)), best);
        propose_instead(candidates, first, best);
      }
    }
  }

 private:
  Plane descend(const Node& node, const SearchRows& rows, Rng& rng) const {
    SoftEntropy entropy(rows);
    const auto function = [&](std::span<const double> at, std::span<double> gradient) {
      node.poll_deadline();
      return entropy(at, gradient);
    };
    std::vector<double> start;  // of each slope, then of theta
    for (std::size_t j = 0; j <= rows.n_columns(); ++j) start.push_back(rng.unit() - 0.5);
    Plane plane;
    plane.slopes =
        minimum_of(function, std::move(start), {.max_iterations = options_.max_iterations}).at;
    plane.offset = -plane.slopes.back();
    plane.slopes.pop_back();
    drop_digits(plane.slopes);
    return plane;
  }

  Options options_;
  KnownColumns known_;
};

std::shared_ptr<Method> make(const Parameters& parameters, Parts) {
  return std::make_shared<Wodt>(Wodt::Options{
      .n_features = static_cast<std::size_t>(number(parameters, "features")),
      .n_starts = static_cast<std::uint32_t>(number(parameters, "n_starts")),
      .max_iterations = static_cast<int>(number(parameters, "max_iterations")),
  });
}

const Listed listed{"wodt", make};

}  // namespace

}  // namespace treewright
