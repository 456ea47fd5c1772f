#include "treewright/split/cut/column_sums.hpp"

#include <algorithm>

#include "treewright/split/cut/scan.hpp"
#include "treewright/split/cut/sum_cuts.hpp"

namespace treewright {

namespace {

double weight_in(std::span<const double> sums, bool is_classification) {
  return is_classification ? sum_of(sums) : sums[0];
}

}  // namespace

void ColumnSums::append(const ColumnSums& from, std::size_t i) {
  if (!(from.counts[i] > 0)) return;
  upper.push_back(from.upper[i]);
  low.push_back(from.low[i]);
  high.push_back(from.high[i]);
  counts.push_back(from.counts[i]);
  const auto part = from.sums_of(i);
  sums.insert(sums.end(), part.begin(), part.end());
  if (from.least.empty()) return;
  least.push_back(from.least[i]);
  most.push_back(from.most[i]);
}

void ColumnSums::refine(const ColumnSums& finer) {
  ColumnSums refined;
  refined.width = width;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    while (begin < finer.size() && finer.low[begin] < low[i]) ++begin;
    std::size_t end = begin;
    double found = 0.0;
    for (; end < finer.size() && finer.high[end] <= high[i]; ++end) found += finer.counts[end];
    if (found != counts[i]) {
      refined.append(*this, i);
      continue;
    }
    for (; begin < end; ++begin) refined.append(finer, begin);
    refined.upper.back() = upper[i];
  }
  refined.missing_count = missing_count;
  refined.missing_sums = std::move(missing_sums);
  refined.missing_least = missing_least;
  refined.missing_most = missing_most;
  *this = std::move(refined);
}

void add_sums(std::span<double> statistics, std::span<const double> sums, double mean, double least,
              double most, bool is_classification) {
  if (is_classification) {
    for (std::size_t c = 0; c < sums.size(); ++c) statistics[c] += sums[c];
    return;
  }
  if (!(sums[0] > 0)) return;
  const double off = sums[1] / sums[0];
  const bool is_one = least == most;
  const double part[] = {sums[0], is_one ? least : mean + off,
                         is_one ? 0.0 : std::max(0.0, sums[2] - off * sums[1])};
  add_statistics(statistics, part, false);
}

namespace {

// The statistics of steps [begin, end), summed before they become means and deviations.
std::vector<double> statistics_of(const Node& node, const ColumnSums& steps, std::size_t begin,
                                  std::size_t end) {
  const bool is_classification = node.problem.target.is_classification();
  std::vector<double> sums(steps.width, 0.0), statistics(node.statistics.size(), 0.0);
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (std::size_t i = begin; i < end; ++i) {
    const auto part = steps.sums_of(i);
    for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += part[c];
    if (is_classification) continue;
    least = std::min(least, steps.least[i]);
    most = std::max(most, steps.most[i]);
  }
  add_sums(statistics, sums, is_classification ? 0.0 : node.statistics[1], least, most,
           is_classification);
  return statistics;
}

}  // namespace

SumSides sides_of(const Node& node, const ColumnSums& steps, std::size_t position) {
  SumSides sides{statistics_of(node, steps, 0, position + 1),
                 statistics_of(node, steps, position + 1, steps.size())};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    (i <= position ? sides.left_count : sides.right_count) += steps.counts[i];
  }
  return sides;
}

std::vector<double> missing_statistics(const Node& node, const ColumnSums& steps) {
  const bool is_classification = node.problem.target.is_classification();
  std::vector<double> statistics(node.statistics.size(), 0.0);
  if (!(steps.missing_count > 0)) return statistics;
  add_sums(statistics, steps.missing_sums, is_classification ? 0.0 : node.statistics[1],
           steps.missing_least, steps.missing_most, is_classification);
  return statistics;
}

std::optional<Cut> best_cut(const Node& node, const ColumnSums& steps, const CutRules& rules) {
  if (steps.size() < 2) return std::nullopt;
  return best_of(node, SumCuts(node, steps), rules);
}

double cut_information(const Node& node, const ColumnSums& steps, const Cut& cut) {
  const bool is_classification = node.problem.target.is_classification();
  double left = 0.0, missing = 0.0;
  for (std::size_t i = 0; i <= cut.position; ++i) {
    left += weight_in(steps.sums_of(i), is_classification);
  }
  if (steps.missing_count > 0) missing = weight_in(steps.missing_sums, is_classification);
  return cut_information(node, left, missing, cut.unknown_left);
}

}  // namespace treewright
