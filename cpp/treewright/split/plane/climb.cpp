// Climb: what another method proposes as the start of hill climbing (Truong 2009, "Fast growing and
// concise oblique trees via logistic regression models", on ideal splits as starting points).
//
// Linear tests are climbed on their own columns (ascent.hpp), their threshold is found anew, and
// the better of both tests is proposed. Tests of other kinds pass as they are.

#include "treewright/split/cut/candidates.hpp"
#include "treewright/split/list.hpp"
#include "treewright/split/plane/ascent.hpp"

namespace treewright {

namespace {

class Climb : public Method {
 public:
  Climb(std::shared_ptr<Method> part, AscentRules rules) : part_(std::move(part)), rules_(rules) {}

  void prepare(const Problem& problem, const Rows& rows) override {
    require_sweepable(problem, "Climb");
    part_->prepare(problem, rows);
  }
  bool needs_sorted_columns() const override { return part_->needs_sorted_columns(); }
  bool wants_other_columns() const override { return part_->wants_other_columns(); }
  bool works_on_threads() const override { return part_->works_on_threads(); }

  void propose(const Node& node, Rng& rng, std::vector<Candidate>& candidates) override {
    const std::size_t first = candidates.size();
    part_->propose(node, rng, candidates);
    for (std::size_t i = first; i < candidates.size(); ++i) {
      if (is_linear(candidates[i].test.kind)) climb(node, rng, candidates[i]);
    }
  }

 private:
  void climb(const Node& node, Rng& rng, Candidate& candidate) const {
    const SearchRows rows = search_rows(node, candidate.test.features);
    std::optional<Plane> plane = plane_of(rows, candidate.test);
    if (!plane) return;
    Ascent(rows, side_rules(node, rows), rules_, [&] { node.poll_deadline(); }).climb(*plane, rng);
    std::optional<Candidate> best =
        candidate.is_scored ? std::optional(candidate) : evaluated(node, candidate.test);
    keep_better(node, candidate_along(node, rows, *plane), best);
    if (best) candidate = std::move(*best);
  }

  std::shared_ptr<Method> part_;
  AscentRules rules_;
};

std::shared_ptr<Method> make(const Parameters& parameters, Parts parts) {
  require(parts.size() == 1, "Climb needs one split method.");
  AscentRules rules;
  rules.n_jumps = static_cast<std::size_t>(number(parameters, "n_jumps"));
  rules.max_passes = static_cast<std::size_t>(number(parameters, "max_passes"));
  return std::make_shared<Climb>(std::move(parts[0]), rules);
}

const Listed listed{"climb", make};

}  // namespace

}  // namespace treewright
