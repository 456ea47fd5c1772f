#include "treewright/grow/rules.hpp"

#include <algorithm>

namespace treewright {

bool may_split(const GrowOptions& options, const Root& root, std::int32_t depth, double rows,
               std::span<const double> statistics) {
  if (options.max_depth >= 0 && depth >= options.max_depth) return false;
  rows += limit_slack;
  if (rows < options.min_samples_split || rows < 2 * options.min_samples_leaf) return false;
  if (root.is_classification) {
    return std::ranges::count_if(statistics, [](double w) { return w > 0; }) > 1;
  }
  return statistics[2] > 1e-14 * root.spread;
}

bool is_impure(const GrowOptions& options, const Root& root, double weight, double impurity) {
  return !(weight * impurity < options.min_impurity_fraction * root.weight * root.impurity);
}

bool is_worth_it(const GrowOptions& options, const Root& root, const Node& node, double decrease) {
  const double worth = decrease * node.weight / root.weight;
  const double rounding = node.noise * node.weight / root.weight;
  return options.zero_gain ? worth >= options.min_gain - rounding
                           : worth > options.min_gain + rounding;
}

double class_of(const GrowOptions& options, std::span<const double> class_weights) {
  return static_cast<double>(options.cost.empty() ? first_largest(class_weights)
                                                  : cheapest_class(class_weights, options.cost));
}

}  // namespace treewright
