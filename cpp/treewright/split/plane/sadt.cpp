// SADT: planes by simulated annealing (Heath, Kasif, Salzberg 1993, "Induction of oblique decision
// trees", IJCAI).
//
// The search (annealing.hpp) starts at the plane through the mean of all rows on which all slopes
// are 1, or at a random one, on standardised columns. What is made small is the measure of the
// tree, where the published program counts rows of the minority on both sides. The best plane seen
// is given the best threshold along its direction, and must be better than any test on one column.

#include "treewright/split/cut/cut.hpp"
#include "treewright/split/discriminant/contributions.hpp"
#include "treewright/split/list.hpp"
#include "treewright/split/plane/annealing.hpp"
#include "treewright/split/rows/known_columns.hpp"

namespace treewright {

namespace {

class Sadt : public Method {
 public:
  struct Options {
    std::size_t n_features = 0;  // 0: all
    bool random_start = false;
    AnnealingRules annealing;
  };

  explicit Sadt(Options options) : options_(options) {}

  void prepare(const Problem& problem, const Rows& rows) override {
    require_sweepable(problem, "SADT");
    known_.prepare(problem, rows);
  }

  bool works_on_threads() const override { return true; }

  void propose(const Node& node, Rng& rng, std::vector<Candidate>& candidates) override {
    const std::size_t first = candidates.size();
    std::optional<Candidate> best = best_axis_cut(node);
    propose_instead(candidates, first, best);
    const SearchRows rows = search_rows(node, leading_columns(node, known_, options_.n_features));
    if (rows.n_columns() > 1) {
      const Plane ones{0.0, std::vector<double>(rows.n_columns(), 1.0)};
      const Plane start = options_.random_start ? random_plane(rows.n_columns(), rng) : ones;
      const Plane plane = anneal(rows, side_rules(node, rows), options_.annealing, start, rng,
                                 [&] { node.poll_deadline(); });
      keep_better(node, candidate_along(node, rows, plane), best);
    }
    propose_instead(candidates, first, best);
  }

 private:
  Options options_;
  KnownColumns known_;
};

std::shared_ptr<Method> make(const Parameters& parameters, Parts) {
  Sadt::Options options;
  options.n_features = static_cast<std::size_t>(number(parameters, "features"));
  options.random_start = choice(parameters, "start", {"ones", "random"}) == "random";
  options.annealing.patience = number(parameters, "patience");
  options.annealing.cooling = number(parameters, "cooling");
  options.annealing.temperature = number(parameters, "initial_temperature");
  return std::make_shared<Sadt>(options);
}

const Listed listed{"sadt", make};

}  // namespace

}  // namespace treewright
