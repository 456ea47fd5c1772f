// CRUISE: a column chosen by significance and divided into a branch for each class that linear
// discriminant analysis predicts on it (Kim, Loh 2001, "Classification trees with unbiased multiway
// splits").
//
//   numeric column       transformed by its likeliest power (box_cox.hpp); the classes predicted
//                        along it are intervals (line_classes.hpp)
//   categorical column   its levels become numbers (crimcoord.hpp) and go to the branch of the
//                        class predicted there; levels that are not in the node go with the branch
//                        that holds most
//   linear = "yes"       the scores of the classes on all numeric columns, as in FACT
//
// The choice of the column is the one-dimensional one of the paper, the same as QUEST's. Its other
// choice, by tests of pairs of columns, is not built.

#include <algorithm>
#include <cmath>
#include <optional>

#include "treewright/split/cut/candidates.hpp"
#include "treewright/split/discriminant/discriminants.hpp"
#include "treewright/split/discriminant/score_test.hpp"
#include "treewright/split/list.hpp"
#include "treewright/split/significance/box_cox.hpp"
#include "treewright/split/significance/crimcoord.hpp"
#include "treewright/split/significance/line_classes.hpp"
#include "treewright/split/significance/normal_point.hpp"

namespace treewright {

namespace {

class Cruise : public Method {
 public:
  struct Options {
    bool linear = false;
    bool transforms = true;
    double alpha = 0.05;
    double components = 0.05;
  };

  explicit Cruise(Options options) : options_(options) {}

  void prepare(const Problem& problem, const Rows&) override {
    require_classes(problem, "CRUISE");
    require_many_branches(problem, "CRUISE");
  }

  void propose(const Node& node, Rng&, std::vector<Candidate>& candidates) override {
    const Labels labels = classes_of(node);
    std::optional<Candidate> found;
    if (options_.linear) {
      const std::vector<std::int32_t> columns = varying_columns(node);
      const ClassScatter scatter = class_scatter(node, columns, labels);
      found =
          evaluated(node, score_test(node, columns, class_scores(scatter, options_.components)));
    } else {
      for (const std::int32_t column : columns_by_significance(node, labels, options_.alpha)) {
        found = evaluated(node, node.problem.table.is_categorical(column)
                                    ? divide_levels(node, column, labels)
                                    : cut_numbers(node, column, labels));
        if (found) break;
      }
    }
    if (found) candidates.push_back(std::move(*found));
  }

 private:
  Test cut_numbers(const Node& node, std::int32_t column, Labels labels) const {
    const auto [transform, classes] =
        options_.transforms ? likeliest_power(node, column, labels)
                            : Transformed{{}, class_moments(node, std::span(&column, 1), labels)};
    std::vector<double> cuts = envelope_cuts(class_lines(classes));
    for (double& cut : cuts) cut = options_.transforms ? transform.invert(cut) : cut;
    return interval_test(node, column, std::move(cuts),
                         transform.power != 1.0 ? CutsFrom::transformed : CutsFrom::moments);
  }

  static Test divide_levels(const Node& node, std::int32_t column, Labels labels) {
    const Contingency table = contingency_of(node, column, labels);
    const std::vector<double> coordinates = crimcoord(table);
    if (coordinates.empty()) return {};
    std::vector<double> cuts = envelope_cuts(class_lines(moments_along(table, coordinates)));
    // Coordinates deviate by 1 at most; one that lies at a cut but for rounding is below it.
    for (double& cut : cuts) cut += grain_of(1.0);
    // Branches by the interval of each level, without empty ones, the first level's first.
    std::vector<std::int32_t> branch_of_interval(cuts.size() + 1, unknown);
    std::vector<std::int32_t> branch_of_level(coordinates.size(), unknown);
    std::vector<double> weights;
    for (std::size_t level = 0; level < coordinates.size(); ++level) {
      if (std::isnan(coordinates[level])) continue;
      const auto interval = static_cast<std::size_t>(
          std::ranges::lower_bound(cuts, coordinates[level]) - cuts.begin());
      if (branch_of_interval[interval] == unknown) {
        branch_of_interval[interval] = static_cast<std::int32_t>(weights.size());
        weights.push_back(0.0);
      }
      branch_of_level[level] = branch_of_interval[interval];
      weights[static_cast<std::size_t>(branch_of_level[level])] +=
          sum_of(std::span(table.weights).subspan(level * table.n_classes, table.n_classes));
    }
    if (weights.size() < 2) return {};
    std::ranges::replace(branch_of_level, unknown,
                         static_cast<std::int32_t>(first_largest(weights)));
    return multiway_test(column, branch_of_level);
  }

  Options options_;
};

std::shared_ptr<Method> make(const Parameters& parameters, Parts) {
  const auto is_set = [&](const char* name) {
    return choice(parameters, name, {"yes", "no"}) == "yes";
  };
  return std::make_shared<Cruise>(Cruise::Options{.linear = is_set("linear"),
                                                  .transforms = is_set("transform"),
                                                  .alpha = number(parameters, "alpha"),
                                                  .components = number(parameters, "components")});
}

const Listed listed{"cruise", make};

}  // namespace

}  // namespace treewright
