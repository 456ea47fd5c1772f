// Example: a split method to copy. It proposes, for each numeric column, the cut at the column's
// mean in the node, and leaves scoring to the grower.
//
// 1. Say what the method does and where it comes from, here at the top.
// 2. Derive from Method and write `propose`. A Node gives the rows (`ids`), their split weights,
//    the table, the target and the columns that may be tested.
// 3. Push candidates: a Test each. Fill in the decrease only if your loop knows it anyway.
// 4. If `propose` changes nothing that another node may read, say so: `works_on_threads`.
// 5. Write a factory and put it on the list of methods by name, as the last lines do.

#include <cmath>

#include "treewright/split/list.hpp"

namespace treewright {

namespace {

class MeanCut : public Method {
 public:
  bool works_on_threads() const override { return true; }

  void propose(const Node& node, Rng&, std::vector<Candidate>& candidates) override {
    for (const std::int32_t column : node.columns) {
      if (node.problem.table.is_categorical(column)) continue;
      const Column values = node.problem.table.column(column);
      double weight = 0.0, sum = 0.0;
      for (const std::uint32_t row : node.ids()) {
        if (std::isnan(values[row])) continue;
        weight += node.weights[row];
        sum += node.weights[row] * values[row];
      }
      if (weight > 0 && std::isfinite(sum)) {
        Candidate candidate;
        candidate.test = axis_test(column, sum / weight);
        candidates.push_back(candidate);
      }
    }
  }
};

std::shared_ptr<Method> make(const Parameters&, Parts) { return std::make_shared<MeanCut>(); }

const Listed listed{"example", make};

}  // namespace

}  // namespace treewright
