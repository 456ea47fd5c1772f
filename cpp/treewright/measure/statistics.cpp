#include "treewright/measure/statistics.hpp"

namespace treewright {

void add_statistics(std::span<double> to, std::span<const double> from, bool is_classification) {
  if (is_classification) {
    for (std::size_t c = 0; c < to.size(); ++c) to[c] += from[c];
    return;
  }
  if (!(from[0] > 0)) return;
  const double weight = to[0] + from[0], delta = from[1] - to[1];
  to[1] += delta * from[0] / weight;
  to[2] += from[2] + delta * delta * to[0] * from[0] / weight;
  to[0] = weight;
}

}  // namespace treewright
