#include "treewright/measure/measure.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

#include "treewright/base/error.hpp"
#include "treewright/measure/logarithms.hpp"

namespace treewright {

Impurity impurity_named(const std::string& name) {
  if (name == "gini") return Impurity::gini;
  if (name == "entropy") return Impurity::entropy;
  if (name == "misclassification") return Impurity::misclassification;
  if (name == "deviance") return Impurity::deviance;
  if (name == "twoing") return Impurity::twoing;
  if (name == "hellinger") return Impurity::hellinger;
  if (name == "hddt") return Impurity::hddt;
  if (name == "cost_gini") return Impurity::cost_gini;
  if (name == "squared_error") return Impurity::squared_error;
  if (name == "absolute_error") return Impurity::absolute_error;
  throw Error("There is no measure '" + name + "'.");
}

Gain gain_named(const std::string& name) {
  if (name == "plain") return Gain::plain;
  if (name == "ratio") return Gain::ratio;
  if (name == "balanced") return Gain::balanced;
  throw Error("There is no gain '" + name + "'.");
}

double Measure::of(std::span<const double> s) const {
  if (impurity == Impurity::squared_error || impurity == Impurity::absolute_error) {
    return s[0] > 0 ? s[2] / s[0] : 0.0;
  }
  const double total = sum_of(s);
  if (!(total > 0)) return 0.0;
  double sum = 0.0;
  switch (impurity) {
    case Impurity::entropy:
    case Impurity::deviance: {
      for (const double w : s) sum += x_log_x(w / total);
      return impurity == Impurity::entropy ? -sum : -2.0 * std::numbers::ln2 * sum;
    }
    case Impurity::misclassification:
      return 1.0 - *std::ranges::max_element(s) / total;
    case Impurity::cost_gini: {
      for (std::size_t i = 0; i < s.size(); ++i) {
        for (std::size_t j = 0; j < s.size(); ++j) sum += cost[i * s.size() + j] * s[i] * s[j];
      }
      return sum / (total * total);
    }
    case Impurity::gini:
    case Impurity::twoing:
    case Impurity::hellinger:
    case Impurity::hddt:
    case Impurity::squared_error:
    case Impurity::absolute_error:
      break;
  }
  for (const double w : s) sum += (w / total) * (w / total);
  return 1.0 - sum;
}

bool Measure::is_sum_over_branches() const {
  return impurity != Impurity::twoing && impurity != Impurity::hddt;
}

double Measure::of_split(std::span<const double> parent) const {
  return impurity == Impurity::hellinger ? 0.0 : of(parent);
}

double Measure::contribution(std::span<const double> parent, std::span<const double> branch) const {
  if (impurity == Impurity::squared_error || impurity == Impurity::absolute_error) {
    return parent[0] > 0 ? branch[2] / parent[0] : 0.0;
  }
  const double total = sum_of(parent), weight = sum_of(branch);
  if (!(weight > 0)) return 0.0;
  if (impurity != Impurity::hellinger) return weight / total * of(branch);
  double overlap = 0.0;
  for (std::size_t c = 0; c < parent.size(); ++c) {
    overlap += std::sqrt(branch[c] / weight * parent[c] / total);
  }
  return -weight / total * (1.0 - overlap);
}

namespace {

double distance_between_classes(std::span<const double> parent, std::span<const double> branches) {
  const std::size_t k = parent.size();
  const double total = sum_of(parent);
  static thread_local std::vector<double> on_branch;
  on_branch.clear();
  for (std::size_t b = 0; b * k < branches.size(); ++b) {
    on_branch.push_back(sum_of(branches.subspan(b * k, k)));
  }
  double best = 0.0;
  for (std::size_t c = 0; c < (k == 2 ? 1 : k); ++c) {
    const double own = parent[c], others = total - own;
    if (!(own > 0 && others > 0)) continue;
    double squares = 0.0;
    for (std::size_t b = 0; b < on_branch.size(); ++b) {
      const double here = branches[b * k + c];
      const double apart =
          std::sqrt(here / own) - std::sqrt(std::max(0.0, on_branch[b] - here) / others);
      squares += apart * apart;
    }
    best = std::max(best, squares);
  }
  return std::sqrt(best);
}

}  // namespace

double Measure::decrease(std::span<const double> parent, std::span<const double> branches) const {
  const std::size_t k = parent.size();
  if (impurity == Impurity::twoing) {
    require(branches.size() == 2 * k,
            "The measure 'twoing' judges two-way splits only; use categorical='subset'.");
    const auto left = branches.first(k), right = branches.subspan(k);
    const double on_left = sum_of(left), on_right = sum_of(right), total = on_left + on_right;
    if (!(on_left > 0 && on_right > 0)) return 0.0;
    double apart = 0.0;
    for (std::size_t c = 0; c < k; ++c) apart += std::abs(left[c] / on_left - right[c] / on_right);
    return on_left / total * on_right / total / 4.0 * apart * apart;
  }
  if (impurity == Impurity::hddt) return distance_between_classes(parent, branches);
  double decrease = of_split(parent);
  for (std::size_t b = 0; b * k < branches.size(); ++b) {
    decrease -= contribution(parent, branches.subspan(b * k, k));
  }
  return decrease;
}

std::vector<double> x_log_x_table(std::size_t n) {
  constexpr int digits = std::numeric_limits<double>::digits;
  const double largest = x_log_x(static_cast<double>(n));
  const int grain = largest > 0 ? std::ilogb(largest) + 3 - digits : 0;
  std::vector<double> table(n + 1, 0.0);
  for (std::size_t i = 0; i <= n; ++i) {
    table[i] = std::ldexp(std::round(std::ldexp(x_log_x(static_cast<double>(i)), -grain)), grain);
  }
  return table;
}

double split_information(std::span<const double> weights) {
  const double total = sum_of(weights);
  double sum = 0.0;
  for (const double w : weights) sum += x_log_x(w / total);
  return -sum;
}

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
