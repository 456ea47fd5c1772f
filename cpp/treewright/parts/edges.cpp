#include "treewright/parts/edges.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace treewright::parts {

namespace {

// What each cut between different values is worth, with the value before it.
std::vector<std::pair<double, double>> worth_of_cuts(
    std::span<const std::pair<double, std::uint32_t>> sorted, const Target& target,
    const Measure& measure) {
  const std::size_t k = target.n_outputs(), n = sorted.size();
  std::vector<double> left(n * k, 0.0), now(k, 0.0), both(2 * k, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    add_row(now, target, sorted[i].second, target.weights[sorted[i].second]);
    std::ranges::copy(now, left.begin() + static_cast<std::ptrdiff_t>(i * k));
  }
  const std::vector<double> total = now;
  std::vector<std::pair<double, double>> cuts;
  std::ranges::fill(now, 0.0);
  for (std::size_t i = n; i-- > 1;) {
    add_row(now, target, sorted[i].second, target.weights[sorted[i].second]);
    if (sorted[i - 1].first == sorted[i].first) continue;
    std::copy_n(left.begin() + static_cast<std::ptrdiff_t>((i - 1) * k), k, both.begin());
    std::ranges::copy(now, both.begin() + static_cast<std::ptrdiff_t>(k));
    cuts.emplace_back(measure.decrease(total, both), sorted[i - 1].first);
  }
  return cuts;
}

std::vector<double> edges_of(std::span<const std::uint32_t> rows, std::span<const double> values,
                             const Target& target, const Measure& measure, std::size_t most) {
  std::vector<std::pair<double, std::uint32_t>> sorted;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!std::isnan(values[i])) sorted.emplace_back(values[i], rows[i]);
  }
  std::ranges::sort(sorted);
  std::vector<double> distinct;
  for (const auto& [value, row] : sorted) {
    if (distinct.empty() || distinct.back() < value) distinct.push_back(value);
  }
  if (distinct.size() <= most) return distinct;

  std::vector<double> edges;
  const std::size_t quantiles = most / 2;
  for (std::size_t q = 1; q <= quantiles; ++q) {
    edges.push_back(sorted[q * (sorted.size() - 1) / (quantiles + 1)].first);
  }
  auto cuts = worth_of_cuts(sorted, target, measure);
  const std::size_t best = std::min(most - quantiles, cuts.size());
  const auto middle = cuts.begin() + static_cast<std::ptrdiff_t>(best);
  std::ranges::nth_element(cuts, middle, std::ranges::greater{});
  for (auto cut = cuts.begin(); cut != middle; ++cut) edges.push_back(cut->second);
  std::ranges::sort(edges);
  edges.erase(std::ranges::unique(edges).begin(), edges.end());
  return edges;
}

}  // namespace

Edges edges_from(const Standing& sample, const Table& table, const Target& target,
                 const Measure& measure, const Projections& projections,
                 std::span<const std::int32_t> places, std::span<const std::int32_t> columns,
                 std::span<const std::int32_t> n_edges) {
  Edges all;
  std::vector<double> values;
  for (std::size_t cell = 0; cell < places.size(); ++cell) {
    const auto place = static_cast<std::size_t>(places[cell]);
    const std::int32_t column = columns[cell];
    std::vector<double> edges;
    if (column < table.n_columns() && table.is_categorical(column)) {
      edges.resize(static_cast<std::size_t>(std::max(1, table.levels(column)) - 1));
      std::iota(edges.begin(), edges.end(), 0.0);
    } else {
      values.resize(sample.at(place).size());
      projections.read(table, column, sample.at(place), values);
      edges = edges_of(sample.at(place), values, target, measure,
                       static_cast<std::size_t>(n_edges[place]));
    }
    all.place.push_back(places[cell]);
    all.column.push_back(column);
    all.edges.insert(all.edges.end(), edges.begin(), edges.end());
    all.begin.push_back(static_cast<std::int64_t>(all.edges.size()));
  }
  return all;
}

}  // namespace treewright::parts
