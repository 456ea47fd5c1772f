// What each numeric column of a node contributes to telling the target: how methods choose the few
// columns of a readable test (Leroux, Boussard, Des 2018, section III-D).
//
// With d the difference of the means of two groups of classes, S the scatter within them and
// w = S^-1 d:
//
//   fisher        d_i^2 / S_ii, what the printed |w_i d_i|^2 / (S_ii w_i^2) reduces to
//   mahalanobis   |w_i d_i|, the terms of the distance w'd; sees columns that matter together
//
// For numbers, with S the total scatter and s the products with the target, the first is
// s_i^2 / S_ii, what a column explains of it by itself.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/split/rows/known_columns.hpp"
#include "treewright/split/rows/moments.hpp"

namespace treewright {

// difference^2 / spread; columns whose squares cannot be summed are worth nothing.
double ratio_of(double difference, double spread);

// Of two groups of rows, by the moments of each column in them.
std::vector<double> fisher_ratios(std::span<const Moments> minus, std::span<const Moments> plus);

// Of a numeric target.
std::vector<double> correlation_ratios(const Node& node, std::span<const std::int32_t> columns);

// Given the direction found for this scatter.
std::vector<double> distance_terms(const Scatter& scatter, std::span<const double> direction);

// The moments of the labels added up in two groups, the moments of a column at its position.
struct GroupMoments {
  std::vector<Moments> minus, plus;
};
GroupMoments in_groups(std::span<const Moments> by_label, std::span<const std::uint8_t> group,
                       std::size_t n_columns);

// Positions by descending worth, ties in order.
std::vector<std::size_t> by_worth(std::span<const double> worth);

// The columns that MUST(features=n, selection="mahalanobis") puts into a test, ascending, if they
// are known together in half of the node at least; with n = 0 all that are.
std::vector<std::int32_t> leading_columns(const Node& node, const KnownColumns& known,
                                          std::size_t n);

// Of these columns at most n of largest worth that are known together likewise, ascending.
std::vector<std::int32_t> leading_columns(const Node& node, const KnownColumns& known,
                                          std::span<const std::int32_t> columns,
                                          std::span<const double> worth, std::size_t n);

}  // namespace treewright
