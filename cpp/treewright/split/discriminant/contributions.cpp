#include "treewright/split/discriminant/contributions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "treewright/base/decimal.hpp"
#include "treewright/split/discriminant/direction.hpp"
#include "treewright/split/discriminant/two_groups.hpp"

namespace treewright {

namespace {

std::vector<double> class_contributions(const Node& node, std::span<const std::int32_t> columns) {
  const Target& target = node.problem.target;
  const Labels labels{target.labels, static_cast<std::size_t>(target.n_classes)};
  const auto moments = moments_by_label(node, columns, labels);
  const auto divisions = two_groups(node, columns, labels, moments, Grouping::means);
  if (divisions.empty()) {  // the rows that have a value are of one class
    return std::vector<double>(columns.size(), 0.0);
  }
  const auto& group = divisions.front();
  const Scatter scatter = scatter_of(node, columns, labels, group);
  if (!scatter.has_both) {  // no row without a gap
    const GroupMoments groups = in_groups(moments, group, columns.size());
    return fisher_ratios(groups.minus, groups.plus);
  }
  return distance_terms(scatter, discriminant_direction(scatter.within, scatter.difference,
                                                        scatter.n_rows, SmallSample::ridge));
}

std::vector<double> number_contributions(const Node& node, std::span<const std::int32_t> columns) {
  const Scatter scatter = covariance_of(node, columns);
  if (!scatter.has_both) return correlation_ratios(node, columns);
  return distance_terms(scatter,
                        ridge_direction(scatter.within, scatter.difference, scatter.target_squares,
                                        scatter.n_rows, std::max(scatter.weight, scatter.n_rows)));
}

}  // namespace

double ratio_of(double difference, double spread) {
  const double ratio = difference * difference / spread;
  if (spread > 0) return std::isfinite(ratio) ? ratio : 0.0;
  return difference != 0 ? std::numeric_limits<double>::infinity() : 0.0;
}

std::vector<double> fisher_ratios(std::span<const Moments> minus, std::span<const Moments> plus) {
  std::vector<double> worth;
  for (std::size_t j = 0; j < minus.size(); ++j) {
    // Without the factor of weights, the same for all columns without gaps, few known rows would
    // count as little spread.
    const double share = plus[j].weight / (minus[j].weight + plus[j].weight);
    const double ratio =
        ratio_of(difference_of(plus[j], minus[j]), plus[j].squares + minus[j].squares);
    const bool has_both = minus[j].weight > 0 && plus[j].weight > 0;
    worth.push_back(has_both ? ratio * share * minus[j].weight : -1.0);
  }
  return worth;
}

std::vector<double> correlation_ratios(const Node& node, std::span<const std::int32_t> columns) {
  std::vector<double> worth;
  for (const WithTarget& m : moments_with_target(node, columns)) {
    worth.push_back(m.squares > 0 ? ratio_of(m.product, m.squares) : 0.0);
  }
  return worth;
}

std::vector<double> distance_terms(const Scatter& scatter, std::span<const double> direction) {
  std::vector<double> worth(scatter.difference.size(), 0.0);
  for (std::size_t j = 0; j < direction.size(); ++j) {
    worth[j] = std::abs(direction[j] * scatter.difference[j]);
  }
  return worth;
}

GroupMoments in_groups(std::span<const Moments> by_label, std::span<const std::uint8_t> group,
                       std::size_t n_columns) {
  GroupMoments groups{std::vector<Moments>(n_columns), std::vector<Moments>(n_columns)};
  for (std::size_t i = 0; i < by_label.size(); ++i) {
    (group[i / n_columns] ? groups.plus : groups.minus)[i % n_columns].add(by_label[i]);
  }
  return groups;
}

std::vector<std::size_t> by_worth(std::span<const double> worth) {
  std::vector<double> compared(worth.size());
  std::ranges::transform(worth, compared.begin(), [](double x) { return without_rounding(x, 30); });
  std::vector<std::size_t> order(worth.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t j) { return compared[j]; });
  return order;
}

std::vector<std::int32_t> leading_columns(const Node& node, const KnownColumns& known,
                                          std::size_t n) {
  constexpr double least_share = 0.5;
  const std::vector<std::int32_t> columns = known.of(node, least_share);
  if (n == 0 || n >= columns.size()) return known.together(node);
  const auto worth = node.problem.target.is_classification() ? class_contributions(node, columns)
                                                             : number_contributions(node, columns);
  return leading_columns(node, known, columns, worth, n);
}

std::vector<std::int32_t> leading_columns(const Node& node, const KnownColumns& known,
                                          std::span<const std::int32_t> columns,
                                          std::span<const double> worth, std::size_t n) {
  std::vector<std::int32_t> ordered;
  for (const std::size_t j : by_worth(worth)) ordered.push_back(columns[j]);
  std::vector<std::int32_t> chosen = known.joined(node, ordered, n);
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace treewright
