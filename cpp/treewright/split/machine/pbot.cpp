// P-BOT: a branch a class by multinomial logistic regression (Axelrod, Campos, Envarli 2005,
// "Perceptron-based oblique trees", as reviewed by Truong 2009, section 3.2.4).
//
// The regression on all numeric columns (multinomial.hpp) sends each row to the branch of its
// predicted class. On the last of the levels the branches answer with that class; above it a branch
// that is not divided again answers with the majority of its rows. A class that is predicted for no
// row has a branch all the same, which answers with it.

#include "treewright/split/cut/candidates.hpp"
#include "treewright/split/discriminant/score_test.hpp"
#include "treewright/split/list.hpp"
#include "treewright/split/machine/class_rows.hpp"
#include "treewright/split/machine/multinomial.hpp"

namespace treewright {

namespace {

class Pbot : public Method {
 public:
  Pbot(double ridge, double levels) : ridge_(ridge), levels_(levels) {}

  void prepare(const Problem& problem, const Rows&) override {
    require_classes(problem, "PBOT");
    require_many_branches(problem, "PBOT");
  }
  bool works_on_threads() const override { return true; }

  void propose(const Node& node, Rng&, std::vector<Candidate>& candidates) override {
    if (levels_ > 0 && node.depth >= levels_) return;
    const ClassRows data = class_rows(node, node.ids());
    if (!data.can_be_told_apart()) return;
    const MultinomialFit fit = fit_multinomial(data.rows, data.labels, data.classes.size(), ridge_,
                                               [&] { node.poll_deadline(); });
    const ClassScores scores = in_units(data, fit.weights);
    auto found =
        evaluated(node, score_test(node, data.rows.columns, scores, UnseenClasses::have_branches));
    if (!found) return;
    found->answers = classes_of_branches(node, found->test, data.rows.columns, scores);
    found->overrules_rows = node.depth + 1 == levels_;
    candidates.push_back(std::move(*found));
  }

 private:
  double ridge_, levels_;  // no limit of levels: 0
};

std::shared_ptr<Method> make(const Parameters& parameters, Parts) {
  return std::make_shared<Pbot>(number(parameters, "ridge"), number(parameters, "levels"));
}

const Listed listed{"pbot", make};

}  // namespace

}  // namespace treewright
