#include "treewright/measure/gain.hpp"

#include "treewright/base/error.hpp"
#include "treewright/measure/logarithms.hpp"
#include "treewright/measure/statistics.hpp"

namespace treewright {

Gain gain_named(const std::string& name) {
  if (name == "plain") return Gain::plain;
  if (name == "ratio") return Gain::ratio;
  if (name == "balanced") return Gain::balanced;
  throw Error("There is no gain '" + name + "'.");
}

double split_information(std::span<const double> weights) {
  const double total = sum_of(weights);
  double sum = 0.0;
  for (const double w : weights) sum += x_log_x(w / total);
  return -sum;
}

}  // namespace treewright
