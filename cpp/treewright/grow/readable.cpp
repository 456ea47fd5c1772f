#include "treewright/grow/readable.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "treewright/base/decimal.hpp"

namespace treewright {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The values on either side of a test that asks value <= threshold.
struct Gap {
  double low = -infinity;
  double high = infinity;
  bool is_open() const { return low < high; }
  // Its middle half: a boundary there keeps away from the rows on either side.
  Gap middle() const { return {low + (high - low) / 4, high - (high - low) / 4}; }
};

// Rows, and whether each lies on the low side.
struct Sides {
  std::vector<std::uint32_t> rows;
  std::vector<bool> goes_low;

  // Where a test of this direction can cut; closed where it cannot.
  Gap gap_of(const Linear& linear, const Table& table) const {
    Gap gap;
    std::size_t next = 0;
    for_each_scores(linear, table, rows, [&](auto, auto scores) {
      for (const double score : scores) {
        if (goes_low[next++]) {
          gap.low = std::max(gap.low, score);
        } else {
          gap.high = std::min(gap.high, score);
        }
      }
      return gap.is_open();
    });
    return gap;
  }
};

Test readable_axis(const Candidate& candidate, const Table& table,
                   std::span<const std::uint32_t> rows) {
  const std::int32_t feature = candidate.test.features[0];
  const double threshold = candidate.test.numbers[0];
  Gap gap{candidate.low, candidate.high};
  if (std::isnan(gap.low) || std::isnan(gap.high)) {
    gap = {};
    const Column values = table.column(feature);
    for (const std::uint32_t row : rows) {
      const double x = values[row];
      if (x <= threshold) gap.low = std::max(gap.low, x);
      if (x > threshold) gap.high = std::min(gap.high, x);
    }
  }
  if (!std::isfinite(gap.low) || !std::isfinite(gap.high)) return candidate.test;
  return axis_test(feature, shortest_between(gap.low, gap.high));
}

// Each part keeps the rows that it has on either side.
Test readable_pair(const Test& test, const Table& table, std::span<const std::uint32_t> rows) {
  Test rounded = test;
  const Pair pair = std::get<Pair>(view(test));
  std::size_t next = 0;
  for (const Literal& part : {pair.first, pair.second}) {
    const Axis* axis = std::get_if<Axis>(&part);
    if (axis == nullptr) continue;
    Candidate alone;
    alone.test = axis_test(axis->feature, axis->threshold);
    rounded.numbers[next++] = readable_axis(alone, table, rows).numbers[0];
  }
  return rounded;
}

Test readable_linear(const Test& test, const Table& table, std::span<const std::uint32_t> rows) {
  const Linear exact = std::get<Linear>(view(test));
  double largest = 0.0;
  for (const double c : exact.coefficients) largest = std::max(largest, std::abs(c));
  if (!(largest > 0)) return test;
  const bool flip = exact.coefficients[0] < 0;
  const double scale = flip ? -largest : largest;

  Sides known, close;
  std::vector<double> distances;
  known.rows.reserve(rows.size());
  known.goes_low.reserve(rows.size());
  distances.reserve(rows.size());
  for_each_scores(exact, table, rows, [&](auto part, auto scores) {
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (std::isnan(scores[i])) continue;
      known.rows.push_back(part[i]);
      known.goes_low.push_back((scores[i] <= exact.threshold) != flip);
      distances.push_back(std::abs(scores[i] - exact.threshold));
    }
    return true;
  });
  // Rows that lie close to the cut are the first to change sides, so they are asked first.
  double nearest = infinity;
  for (std::size_t i = 0; i < distances.size(); i += distances.size() / 1024 + 1) {
    nearest = std::min(nearest, distances[i]);
  }
  for (std::size_t i = 0; i < distances.size(); ++i) {
    if (distances[i] > nearest) continue;
    close.rows.push_back(known.rows[i]);
    close.goes_low.push_back(known.goes_low[i]);
  }
  for (int digits = 1; digits <= 17; ++digits) {
    Test rounded = test;
    for (std::size_t i = 0; i < exact.coefficients.size(); ++i) {
      rounded.numbers[i] = round_significant(exact.coefficients[i] / scale, digits);
    }
    const Linear linear = std::get<Linear>(view(rounded));
    if (!close.gap_of(linear, table).is_open()) continue;
    const Gap gap = known.gap_of(linear, table);
    if (std::isfinite(gap.low) && std::isfinite(gap.high) && gap.is_open()) {
      const Gap middle = gap.middle();
      rounded.numbers.back() = middle.is_open() ? shortest_between(middle.low, middle.high)
                                                : shortest_between(gap.low, gap.high);
      return rounded;
    }
  }
  return test;
}

// All scores may be divided by the same positive number. On one column they are made of cuts with
// small whole coefficients, which stay as they are.
Test readable_machine(const Test& test, const Table& table, std::span<const std::uint32_t> rows) {
  const Machine exact = std::get<Machine>(view(test));
  const std::size_t width = exact.features.size() + 1;
  double largest = 0.0;
  for (std::size_t i = 0; i < exact.weights.size(); ++i) {
    if (i % width + 1 < width) largest = std::max(largest, std::abs(exact.weights[i]));
  }
  if (!(largest > 0)) return test;
  const double unit = exact.features.size() == 1 ? 1.0 : largest;
  const auto branch = [&](const Machine& machine, std::uint32_t row) {
    return machine.branch([&](std::int32_t column) { return table.at(row, column); });
  };
  std::vector<std::int32_t> branches;
  for (const std::uint32_t row : rows) branches.push_back(branch(exact, row));
  for (int digits = 1; digits <= 17; ++digits) {
    Test rounded = test;
    for (double& number : rounded.numbers) number = round_significant(number / unit, digits);
    const Machine machine = std::get<Machine>(view(rounded));
    std::size_t same = 0;
    while (same < rows.size() && branch(machine, rows[same]) == branches[same]) ++same;
    if (same == rows.size()) return rounded;
  }
  return test;
}

}  // namespace

Test readable(const Candidate& candidate, const Table& table, std::span<const std::uint32_t> rows) {
  switch (candidate.test.kind) {
    case Kind::axis:
      return readable_axis(candidate, table, rows);
    case Kind::linear:
      return readable_linear(candidate.test, table, rows);
    case Kind::machine:
      return readable_machine(candidate.test, table, rows);
    case Kind::pair:
      return readable_pair(candidate.test, table, rows);
    case Kind::subset:
    case Kind::multiway:
    case Kind::leaf:
      break;
  }
  return candidate.test;
}

}  // namespace treewright
