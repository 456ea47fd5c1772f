#include "treewright/measure/median.hpp"

#include <algorithm>
#include <cmath>

namespace treewright {

Median weighted_median(std::vector<std::pair<double, double>>& items) {
  if (items.empty()) return {};
  std::ranges::sort(items);
  double total = 0.0;
  for (const auto& item : items) total += item.second;
  // Shares of rows add up with rounding: half the weight means half but for that.
  const double rounding = 1e-12 * total;
  std::size_t i = 0;
  double below = items[0].second;
  while (below < total / 2 - rounding && i + 1 < items.size()) below += items[++i].second;
  const bool halfway = below <= total / 2 + rounding && i + 1 < items.size();
  const double median = halfway ? (items[i].first + items[i + 1].first) / 2 : items[i].first;
  double deviation = 0.0;
  for (const auto& [number, weight] : items) deviation += weight * std::abs(number - median);
  return {median, deviation};
}

Median weighted_median(const Target& target, const Rows& rows, Range range) {
  const auto ids = rows.ids(range);
  const auto shares = rows.shares(range);
  std::vector<std::pair<double, double>> numbers;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    numbers.emplace_back(target.numbers[ids[i]],
                         target.weights[ids[i]] * (shares.empty() ? 1.0 : shares[i]));
  }
  return weighted_median(numbers);
}

}  // namespace treewright
