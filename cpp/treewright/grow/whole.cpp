#include "treewright/grow/whole.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "treewright/split/cut/cut.hpp"

namespace treewright {

namespace {

constexpr std::int32_t most_multiples = 100;  // to be tried for one test

struct WholeDirection {
  std::vector<std::int32_t> columns;
  std::vector<double> coefficients;
  bool operator==(const WholeDirection&) const = default;
};

WholeDirection rounded(const Linear& linear, double scale) {
  WholeDirection direction;
  std::int64_t divisor = 0;
  for (std::size_t j = 0; j < linear.features.size(); ++j) {
    const double whole = std::round(linear.coefficients[j] * scale);
    if (whole == 0.0) continue;
    direction.columns.push_back(linear.features[j]);
    direction.coefficients.push_back(whole);
    divisor = std::gcd(divisor, static_cast<std::int64_t>(whole));
  }
  if (direction.coefficients.empty()) return direction;
  if (direction.coefficients[0] < 0) divisor = -divisor;
  for (double& coefficient : direction.coefficients) coefficient /= static_cast<double>(divisor);
  return direction;
}

}  // namespace

std::optional<Candidate> with_whole_coefficients(const Node& node, const Test& test,
                                                 std::int32_t largest) {
  if (!is_linear(test.kind)) return std::nullopt;
  const Linear linear = std::get<Linear>(view(test));
  if (!linear.levels.empty()) return std::nullopt;
  double most = 0.0;
  for (const double c : linear.coefficients) most = std::max(most, std::abs(c));
  if (!(most > 0)) return std::nullopt;
  std::optional<Candidate> best;
  std::vector<WholeDirection> tried;
  const std::int32_t step = std::max(1, largest / most_multiples);
  for (std::int32_t multiple = 1; multiple <= largest; multiple += step) {
    WholeDirection direction = rounded(linear, multiple / most);
    if (direction.columns.empty() || std::ranges::find(tried, direction) != tried.end()) continue;
    node.poll();
    keep_better(node,
                direction.columns.size() == 1
                    ? cut_column(node, direction.columns[0])
                    : cut_along(node, direction.columns, direction.coefficients),
                best);
    tried.push_back(std::move(direction));
  }
  return best;
}

}  // namespace treewright
