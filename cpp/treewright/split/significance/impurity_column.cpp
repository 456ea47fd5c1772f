#include "treewright/split/significance/impurity_column.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "treewright/split/cut/candidates.hpp"

namespace treewright {

namespace {

class ImpurityColumn : public Method {
 public:
  ImpurityColumn(PointCuts cuts, std::shared_ptr<Method> levels)
      : cuts_(std::move(cuts)),
        levels_(std::move(levels)),
        search_(make_method("axis", {{"rules", "cart"}})) {}

  bool needs_sorted_columns() const override { return true; }

  void prepare(const Problem& problem, const Rows& rows) override {
    if (levels_) levels_->prepare(problem, rows);
    search_->prepare(problem, rows);
    cuts_.prepare(problem);
  }

  void propose(const Node& node, Rng& rng, std::vector<Candidate>& candidates) override {
    std::vector<Candidate> searched;
    search_->propose(node, rng, searched);
    if (levels_) levels_->propose(node, rng, searched);
    if (cuts_.are_best()) {
      std::ranges::move(searched, std::back_inserter(candidates));
      return;
    }
    std::optional<Candidate> best;
    for (Candidate& found : searched) {
      keep_better(node, found.is_scored ? std::move(found) : evaluated(node, std::move(found.test)),
                  best);
    }
    if (best && is_axis(best->test.kind)) best = cuts_.of(node, best->test.features[0]);
    if (best) candidates.push_back(std::move(*best));
  }

 private:
  PointCuts cuts_;
  std::shared_ptr<Method> levels_;
  std::shared_ptr<Method> search_;
};

}  // namespace

std::shared_ptr<Method> impurity_column(PointCuts cuts, std::shared_ptr<Method> levels) {
  return std::make_shared<ImpurityColumn>(std::move(cuts), std::move(levels));
}

}  // namespace treewright
