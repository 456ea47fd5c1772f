// Categorical: tests on the levels of one column, of one of three kinds (levels/).
//
//   subset    x in S against the rest (subset.hpp)
//   multiway  one branch a level (multiway.hpp)
//   grouped   one branch for each of several sets of levels (grouped.hpp)

#include "treewright/split/levels/grouped.hpp"
#include "treewright/split/levels/multiway.hpp"
#include "treewright/split/levels/subset.hpp"
#include "treewright/split/list.hpp"

namespace treewright {

namespace {

using Propose = void (*)(const Node& node, std::int32_t column, std::vector<Candidate>& candidates);
using Check = void (*)(const Measure& measure);

class CategoricalMethod : public Method {
 public:
  explicit CategoricalMethod(Propose propose_on, Check check = nullptr)
      : propose_on_(propose_on), check_(check) {}

  void prepare(const Problem& problem, const Rows&) override {
    if (check_ != nullptr) check_(problem.measure);
  }

  bool works_on_threads() const override { return true; }

  void propose(const Node& node, Rng&, std::vector<Candidate>& candidates) override {
    for (const std::int32_t column : node.columns) {
      if (node.problem.table.is_categorical(column)) propose_on_(node, column, candidates);
    }
  }

 private:
  Propose propose_on_;
  Check check_;
};

std::shared_ptr<Method> make(const Parameters& parameters, Parts) {
  const std::string kind = choice(parameters, "kind", {"subset", "multiway", "grouped"});
  if (kind == "subset") return std::make_shared<CategoricalMethod>(propose_subset);
  if (kind == "multiway") return std::make_shared<CategoricalMethod>(propose_multiway);
  return std::make_shared<CategoricalMethod>(propose_grouped, require_groups);
}

const Listed listed{"categorical", make};

}  // namespace

}  // namespace treewright
