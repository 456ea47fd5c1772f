#include "treewright/measure/impurity.hpp"

#include <array>
#include <limits>

#include "treewright/base/error.hpp"
#include "treewright/measure/impurities/absolute_error.hpp"
#include "treewright/measure/impurities/cost_gini.hpp"
#include "treewright/measure/impurities/deviance.hpp"
#include "treewright/measure/impurities/entropy.hpp"
#include "treewright/measure/impurities/gini.hpp"
#include "treewright/measure/impurities/hddt.hpp"
#include "treewright/measure/impurities/hellinger.hpp"
#include "treewright/measure/impurities/misclassification.hpp"
#include "treewright/measure/impurities/squared_error.hpp"
#include "treewright/measure/impurities/twoing.hpp"
#include "treewright/measure/statistics.hpp"

namespace treewright {

namespace {

using Statistics = Impurity::Statistics;
using Cost = Impurity::Cost;

// What the struct of a measure leaves to all.
template <class Kind>
struct Calculated {
  static constexpr bool is_of_classes = are_of_classes(Kind::traits.sums);
  static constexpr bool judges_whole_splits = requires(Statistics s) { Kind::decrease(s, s); };
  static constexpr bool has_contributions =
      requires(Statistics s, double w) { Kind::contribution(s, w, s, w); };

  static double of(Statistics node, Cost cost) {
    if constexpr (!is_of_classes) {
      return node[0] > 0 ? node[2] / node[0] : 0.0;
    } else {
      const double total = sum_of(node);
      if (!(total > 0)) return 0.0;
      if constexpr (judges_whole_splits || has_contributions) {
        return impurities::Gini::of(node, total, cost);
      } else {
        return Kind::of(node, total, cost);
      }
    }
  }

  static double of_split(Statistics parent, Cost cost) {
    return has_contributions ? 0.0 : of(parent, cost);
  }

  static double contribution(Statistics parent, Statistics branch, Cost cost) {
    if constexpr (!is_of_classes) {
      return parent[0] > 0 ? branch[2] / parent[0] : 0.0;
    } else {
      const double total = sum_of(parent), weight = sum_of(branch);
      if (!(weight > 0)) return 0.0;
      if constexpr (has_contributions) {
        return Kind::contribution(parent, total, branch, weight);
      } else {
        return weight / total * of(branch, cost);
      }
    }
  }

  static double decrease(Statistics parent, Statistics branches, Cost cost) {
    if constexpr (judges_whole_splits) {
      return Kind::decrease(parent, branches);
    } else {
      const std::size_t k = parent.size();
      double decrease = of_split(parent, cost);
      for (std::size_t b = 0; b * k < branches.size(); ++b) {
        decrease -= contribution(parent, branches.subspan(b * k, k), cost);
      }
      return decrease;
    }
  }

  static double noise(double impurity) {
    constexpr double of_sums = 1e-12, of_differences = 4 * std::numeric_limits<double>::epsilon();
    if constexpr (is_of_classes) {
      return of_sums * impurity + of_differences;
    } else {
      return of_sums * Kind::in_its_unit(impurity);
    }
  }
};

template <class... Kinds>
constexpr std::array<Impurity, sizeof...(Kinds)> listed() {
  return {Impurity{Kinds::traits, !Calculated<Kinds>::judges_whole_splits, Calculated<Kinds>::of,
                   Calculated<Kinds>::of_split, Calculated<Kinds>::contribution,
                   Calculated<Kinds>::decrease, Calculated<Kinds>::noise}...};
}

using namespace impurities;
constexpr auto all = listed<Gini, Entropy, Misclassification, Deviance, Twoing, Hellinger, Hddt,
                            CostGini, SquaredError, AbsoluteError>();

}  // namespace

const Impurity& impurity_named(const std::string& name) {
  for (const Impurity& impurity : all) {
    if (impurity.traits.name == name) return impurity;
  }
  throw Error("There is no measure '" + name + "'.");
}

}  // namespace treewright
