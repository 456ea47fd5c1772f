// FACT: a branch a class by linear discriminant analysis (Loh, Vanichsetakul 1988, "Tree-structured
// classification via generalized discriminant analysis").
//
// The scores of the classes on the larger principal components of the node's numeric columns
// (discriminants.hpp) are the test: a row takes the branch of its largest score. Classes whose
// score is the largest at no row of the node have no branch; where two are left, the test is the
// linear one that says the same. A node whose columns all have an F ratio below `f_to_enter` is not
// split: growth stops by itself and nothing is cut back.

#include <algorithm>

#include "treewright/split/cut/candidates.hpp"
#include "treewright/split/discriminant/discriminants.hpp"
#include "treewright/split/discriminant/score_test.hpp"
#include "treewright/split/list.hpp"
#include "treewright/split/significance/significance.hpp"

namespace treewright {

namespace {

class Fact : public Method {
 public:
  Fact(double components, double f_to_enter) : components_(components), f_to_enter_(f_to_enter) {}

  void prepare(const Problem& problem, const Rows&) override {
    require_classes(problem, "FACT");
    require_many_branches(problem, "FACT");
  }

  void propose(const Node& node, Rng&, std::vector<Candidate>& candidates) override {
    const Labels labels = classes_of(node);
    const std::vector<std::int32_t> columns = varying_columns(node);
    if (!differ(node, columns, labels)) return;
    const ClassScatter scatter = class_scatter(node, columns, labels);
    auto found = evaluated(node, score_test(node, columns, class_scores(scatter, components_)));
    if (found) candidates.push_back(std::move(*found));
  }

 private:
  bool differ(const Node& node, std::span<const std::int32_t> columns, Labels labels) const {
    const std::vector<ClassMoments> moments = class_moments(node, columns, labels);
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const auto classes = std::span(moments).subspan(j * labels.count, labels.count);
      const Significance test = analysis_of_variance(classes);
      if (test.is_testable() && !clearly_better(f_to_enter_, test.statistic)) return true;
    }
    return false;
  }

  double components_, f_to_enter_;
};

std::shared_ptr<Method> make(const Parameters& parameters, Parts) {
  return std::make_shared<Fact>(number(parameters, "components"), number(parameters, "f_to_enter"));
}

const Listed listed{"fact", make};

}  // namespace

}  // namespace treewright
