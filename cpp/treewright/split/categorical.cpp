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

using Propose = void (*)(const Node& node, std::vector<Candidate>& candidates);
using Check = void (*)(const Measure& measure);

// Proposes what there is on each column by itself.
template <auto propose_on>
void on_columns(const Node& node, std::vector<Candidate>& candidates) {
  for (const std::int32_t column : node.columns) {
    if (node.problem.table.is_categorical(column)) propose_on(node, column, candidates);
  }
}

class CategoricalMethod : public Method {
 public:
  explicit CategoricalMethod(Propose propose_all, Check check = nullptr)
      : propose_(propose_all), check_(check) {}

  void prepare(const Problem& problem, const Rows&) override {
    if (check_ != nullptr) check_(problem.measure);
  }

  bool works_on_threads() const override { return true; }

  void propose(const Node& node, Rng&, std::vector<Candidate>& candidates) override {
    propose_(node, candidates);
  }

 private:
  Propose propose_;
  Check check_;
};

std::shared_ptr<Method> make(const Parameters& parameters, Parts) {
  const std::string kind = choice(parameters, "kind", {"subset", "multiway", "grouped"});
  if (kind == "subset") return std::make_shared<CategoricalMethod>(propose_subsets);
  if (kind == "multiway") return std::make_shared<CategoricalMethod>(on_columns<propose_multiway>);
  return std::make_shared<CategoricalMethod>(on_columns<propose_grouped>, require_groups);
}

const Listed listed{"categorical", make};

}  // namespace

}  // namespace treewright
