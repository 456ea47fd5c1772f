#include "treewright/split/cut/column_bins.hpp"

#include <algorithm>
#include <numeric>

#include "treewright/split/cut/cut.hpp"

namespace treewright {

namespace {

// Positions after which to cut: between all values, or at quantiles and where it is best.
std::vector<std::size_t> cut_positions(const Node& node, std::span<const Entry> entries,
                                       Column values, std::size_t max_tests) {
  const KeyLayout layout = node.rows.layout();
  const auto known = entries.first(count_known(node, entries));
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i + 1 < known.size(); ++i) {
    if (layout.rank(known[i]) != layout.rank(known[i + 1])) all.push_back(i);
  }
  if (all.size() <= max_tests) return all;
  std::vector<std::size_t> positions;
  for (std::size_t q = 1; q <= max_tests; ++q) {
    const std::size_t wanted = q * known.size() / (max_tests + 1);
    const auto next = std::ranges::lower_bound(all, wanted == 0 ? 0 : wanted - 1);
    positions.push_back(next == all.end() ? all.back() : *next);
  }
  if (const auto best = best_cut(node, entries, values)) positions.push_back(best->position);
  std::ranges::sort(positions);
  positions.erase(std::ranges::unique(positions).begin(), positions.end());
  return positions;
}

void bin_numbers(const Node& node, std::size_t max_tests, ColumnBins& bins) {
  const Column values = node.problem.table.column(bins.column);
  const auto entries = node.rows.sorted(bins.column, node.range);
  std::vector<double> thresholds;
  for (const std::size_t i : cut_positions(node, entries, values, max_tests)) {
    thresholds.push_back(middle_of(values[entries[i].row], values[entries[i + 1].row]));
    bins.tests.push_back(axis_test(bins.column, thresholds.back()));
  }
  bins.n_known = thresholds.size() + 1;
  for (const std::uint32_t row : node.ids()) {
    const double x = values[row];
    const auto below = std::ranges::lower_bound(thresholds, x) - thresholds.begin();
    bins.bin_of.push_back(
        static_cast<std::uint32_t>(std::isnan(x) ? bins.n_known : static_cast<std::size_t>(below)));
  }
}

void bin_levels(const Node& node, std::size_t max_tests, ColumnBins& bins) {
  const Column codes = node.problem.table.column(bins.column);
  std::vector<double> counts(static_cast<std::size_t>(node.problem.table.levels(bins.column)), 0.0);
  for (const std::uint32_t row : node.ids()) {
    const double code = codes[row];
    if (!std::isnan(code)) counts[static_cast<std::size_t>(code)] += node.count_of(row);
  }
  std::vector<std::int32_t> present;
  for (std::size_t level = 0; level < counts.size(); ++level) {
    if (counts[level] > 0) present.push_back(static_cast<std::int32_t>(level));
  }
  // One of two levels says what the other would.
  const std::size_t n_tests = present.size() < 3 ? (present.size() == 2) : present.size();
  std::vector<std::int32_t> tested = present;
  std::ranges::stable_sort(tested, std::ranges::greater{}, [&](std::int32_t level) {
    return present.size() < 3 ? 0.0 : counts[static_cast<std::size_t>(level)];
  });
  tested.resize(std::min(n_tests, max_tests));
  std::ranges::sort(tested);

  bins.n_known = tested.size() + (tested.size() < present.size() ? 1 : 0);
  std::vector<std::uint32_t> bin_of_level(counts.size(), static_cast<std::uint32_t>(tested.size()));
  for (std::size_t i = 0; i < tested.size(); ++i) {
    bin_of_level[static_cast<std::size_t>(tested[i])] = static_cast<std::uint32_t>(i);
    std::vector<std::int32_t> others = present;
    std::erase(others, tested[i]);
    bins.tests.push_back(subset_test(bins.column, std::span(tested).subspan(i, 1), others));
  }
  for (const std::uint32_t row : node.ids()) {
    const double code = codes[row];
    bins.bin_of.push_back(std::isnan(code) ? static_cast<std::uint32_t>(bins.n_known)
                                           : bin_of_level[static_cast<std::size_t>(code)]);
  }
}

}  // namespace

ColumnBins bin_column(const Node& node, std::int32_t column, std::size_t max_tests) {
  ColumnBins bins;
  bins.column = column;
  bins.is_categorical = node.problem.table.is_categorical(column);
  bins.bin_of.reserve(node.range.size());
  if (bins.is_categorical) {
    bin_levels(node, max_tests, bins);
  } else {
    bin_numbers(node, max_tests, bins);
  }
  return bins;
}

void sum_where_true(const ColumnBins& bins, std::span<const double> by_bin, std::size_t width,
                    std::vector<double>& by_test) {
  by_test.assign(by_bin.begin(),
                 by_bin.begin() + static_cast<std::ptrdiff_t>(bins.tests.size() * width));
  if (bins.is_categorical) return;
  for (std::size_t i = width; i < by_test.size(); ++i) by_test[i] += by_test[i - width];
}

}  // namespace treewright
