#include "treewright/grow/readable.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "treewright/base/decimal.hpp"
#include "treewright/base/overloaded.hpp"
#include "treewright/base/pace.hpp"

namespace treewright {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int max_digits = std::numeric_limits<double>::max_digits10;

// Rows, and whether each lies on the low side.
struct Sides {
  std::vector<std::uint32_t> rows;
  std::vector<bool> goes_low;

  // Where a test of this direction can cut; closed where it cannot.
  Gap gap_of(const Linear& linear, const Table& table, bool is_turned) const {
    Gap gap;
    std::size_t next = 0;
    for_each_scores(linear, table, rows, [&](auto, auto scores) {
      for (const double score : scores) {
        if (goes_low[next++] != is_turned) {
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
  if (std::isfinite(gap.low) && std::isfinite(gap.high))
    return axis_test(feature, shortest_between(gap.low, gap.high));
  // All rows lie on one side: the fewest digits of the threshold that leave them there.
  for (int digits = 1; digits < max_digits; ++digits) {
    const double rounded = round_significant(threshold, digits);
    if (gap.low <= rounded && rounded < gap.high) return axis_test(feature, rounded);
  }
  return candidate.test;
}

// Each part keeps the rows that it has on either side.
Test readable_pair(const Test& test, const Table& table, std::span<const std::uint32_t> rows) {
  Test rounded = test;
  const Pair pair = std::get<Pair>(view(test));
  std::size_t next = 0;
  for (const Literal& part : {pair.first, pair.second}) {
    std::visit(Overloaded{[&](const Axis& axis) {
                            Candidate alone;
                            alone.test = axis_test(axis.feature, axis.threshold);
                            rounded.numbers[next++] = readable_axis(alone, table, rows).numbers[0];
                          },
                          [](const Subset&) {}},
               part);
  }
  return rounded;
}

// What a reader has to take in of a linear test.
int digits_of(const Test& test) {
  const Linear linear = std::get<Linear>(view(test));
  int digits = significant_digits(linear.threshold);
  for (const double number : linear.coefficients) digits += significant_digits(number);
  return digits;
}

// The sides of rows in memory.
class RowSides : public LinearSides {
 public:
  RowSides(const Linear& exact, const Table& table, std::span<const std::uint32_t> rows,
           Monitor* monitor)
      : exact_(exact), table_(table), all_(rows), pace_(monitor) {
    std::vector<double> distances;
    known_.rows.reserve(rows.size());
    known_.goes_low.reserve(rows.size());
    distances.reserve(rows.size());
    for_each_scores(exact, table, rows, [&](auto part, auto scores) {
      for (std::size_t i = 0; i < part.size(); ++i) {
        if (std::isnan(scores[i])) {
          unknown_.push_back(part[i]);
          continue;
        }
        known_.rows.push_back(part[i]);
        known_.goes_low.push_back(scores[i] <= exact.threshold);
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
      close_.rows.push_back(known_.rows[i]);
      close_.goes_low.push_back(known_.goes_low[i]);
    }
  }

  Gap gap_of(const Test& other, bool is_turned) override {
    const Linear linear = std::get<Linear>(view(other));
    constexpr Gap closed{infinity, -infinity};
    const bool is_axis = linear.features.size() == 1;  // which is worth a last look
    if (pace_.is_over_after(known_.rows.size() * linear.features.size()) && !is_axis) return closed;
    if (!close_.gap_of(linear, table_, is_turned).is_open()) return closed;
    return known_.gap_of(linear, table_, is_turned);
  }

  double relative_gap(const Test& other) override {
    const Linear linear = std::get<Linear>(view(other));
    const Gap gap = known_.gap_of(linear, table_, false);
    double least = infinity, most = -infinity;
    for_each_scores(linear, table_, known_.rows, [&](auto, auto scores) {
      const auto [low, high] = std::ranges::minmax(scores);
      least = std::min(least, low);
      most = std::max(most, high);
      return true;
    });
    return (gap.high - gap.low) / (most - least);
  }

  bool leaves_unknown(const Test& fewer) override {
    bool all = true;
    for_each_scores(std::get<Linear>(view(fewer)), table_, unknown_, [&](auto, auto scores) {
      all = std::ranges::all_of(scores, [](double score) { return std::isnan(score); });
      return all;
    });
    return all;
  }

  std::vector<double> spreads() override {
    std::vector<double> spreads;
    for (std::size_t j = 0; j < exact_.features.size(); ++j) {
      const Column values = table_.column(exact_.features[j]);
      double count = 0.0, mean = 0.0, squares = 0.0;
      for (const std::uint32_t row : all_) {
        const double value = exact_.factor(j, values[row]);
        if (std::isnan(value)) continue;
        const double off = value - mean;
        mean += off / ++count;
        squares += off * (value - mean);
      }
      spreads.push_back(std::sqrt(squares));
    }
    return spreads;
  }

 private:
  Linear exact_;
  const Table& table_;
  std::span<const std::uint32_t> all_;
  Pace pace_;
  Sides known_, close_;
  std::vector<std::uint32_t> unknown_;
};

// Sets the threshold of a test with other coefficients; false if none sends the rows the same way,
// or the time is over.
bool cut(LinearSides& sides, Test& test, bool is_turned = false) {
  const Gap gap = sides.gap_of(test, is_turned);
  if (!std::isfinite(gap.low) || !std::isfinite(gap.high) || !gap.is_open()) return false;
  const Gap middle = gap.middle();
  test.numbers.back() = middle.is_open() ? shortest_between(middle.low, middle.high)
                                         : shortest_between(gap.low, gap.high);
  return true;
}

// Makes single coefficients shorter still, where that saves digits in all.
void shorten(LinearSides& sides, Test& test, bool is_turned) {
  double& threshold = test.numbers.back();
  for (std::size_t i = 0; i < test.features.size(); ++i) {
    const double longer = test.numbers[i], before = threshold;
    const int own = significant_digits(longer), all = own + significant_digits(before);
    std::vector<Test> shorter;
    for (int digits = 1; digits < own; ++digits) {
      shorter.push_back(test);
      shorter.back().numbers[i] = round_significant(longer, digits);
    }
    sides.expect(shorter);
    for (int digits = 1; digits < own; ++digits) {
      test.numbers[i] = round_significant(longer, digits);
      if (cut(sides, test, is_turned) && digits + significant_digits(threshold) < all) break;
      test.numbers[i] = longer;
      threshold = before;
    }
  }
}

// A column, and its level or -1.
using Term = std::pair<std::int32_t, double>;

Term term_of(const Linear& linear, std::size_t place) {
  return {linear.features[place], linear.is_level(place) ? linear.levels[place] : -1.0};
}

// The terms of a test by how much they spread the scores of the rows, the least first.
std::vector<Term> by_spread(const Linear& linear, LinearSides& sides) {
  const std::vector<double> spreads = sides.spreads();
  std::vector<std::pair<double, Term>> terms;
  for (std::size_t j = 0; j < linear.features.size(); ++j) {
    const double spread = std::abs(linear.coefficients[j]) * spreads[j];
    terms.emplace_back(without_rounding(spread, 30), term_of(linear, j));
  }
  std::ranges::stable_sort(terms, {}, &std::pair<double, Term>::first);
  std::vector<Term> sorted;
  for (const auto& [spread, term] : terms) sorted.push_back(term);
  return sorted;
}

// The same test if it has no such term.
Test without_term(const Test& test, const Term& term) {
  const Linear linear = std::get<Linear>(view(test));
  std::vector<std::int32_t> features;
  std::vector<double> coefficients, levels;
  for (std::size_t j = 0; j < linear.features.size(); ++j) {
    if (term_of(linear, j) == term) continue;
    features.push_back(linear.features[j]);
    coefficients.push_back(linear.coefficients[j]);
    levels.push_back(term_of(linear, j).second);
  }
  if (std::ranges::all_of(levels, [](double level) { return level < 0; })) levels.clear();
  return linear_test(features, coefficients, linear.threshold, levels);
}

// So many columns can be drawn. A plane in more that parts the rows with room to spare would lose
// term after term until it just fits them, so it keeps half of that room.
constexpr std::size_t most_drawn = 3;
constexpr double kept_room = 0.5;

// The test without the terms that no row needs to keep its side.
Test needed_terms(const Test& test, LinearSides& sides) {
  const Linear exact = std::get<Linear>(view(test));
  if (exact.features.size() < 2) return test;
  const std::vector<Term> order = by_spread(exact, sides);
  std::vector<Test> asked{test};
  for (const Term& term : order) asked.push_back(without_term(test, term));
  sides.expect(asked);
  const double room = exact.features.size() > most_drawn ? sides.relative_gap(test) : 0.0;
  Test kept = test;
  for (std::size_t tried = 0, i = 0; tried < order.size() && kept.features.size() > 1; ++i) {
    Test fewer = without_term(kept, order[i % order.size()]);
    ++tried;
    if (fewer.features.size() == kept.features.size()) continue;
    if (!cut(sides, fewer) || !sides.leaves_unknown(fewer)) continue;
    if (fewer.features.size() >= most_drawn && sides.relative_gap(fewer) < kept_room * room) {
      continue;
    }
    kept = std::move(fewer);
    tried = 0;  // what was needed beside this term may not be so without it
  }
  return kept;
}

// A test on one level as what it is, if the level and the others take different sides.
Test readable_level(const Test& test, const Table& table) {
  const Linear exact = std::get<Linear>(view(test));
  const auto level = static_cast<std::int32_t>(exact.levels[0]);
  std::vector<std::int32_t> others;
  for (std::int32_t other = 0; other < table.levels(exact.features[0]); ++other) {
    if (other != level) others.push_back(other);
  }
  const std::int32_t own = exact.branch_of(exact.coefficients[0]);
  if (own == exact.branch_of(0.0) || others.empty()) return test;
  const std::vector<std::int32_t> alone{level};
  return own == 0 ? subset_test(exact.features[0], alone, others)
                  : subset_test(exact.features[0], others, alone);
}

// A test on one column as what it is.
Readable readable_term(const Test& test, const Table& table, LinearSides& sides) {
  const Linear exact = std::get<Linear>(view(test));
  if (exact.is_level(0)) return {readable_level(test, table)};
  const double one[] = {1.0};
  const bool is_turned = exact.coefficients[0] < 0;
  Test plain = linear_test(exact.features, one, 0.0);
  const Gap gap = sides.gap_of(plain, is_turned);
  if (!cut(sides, plain, is_turned)) return {test};
  Candidate found;
  found.test = axis_test(exact.features[0], plain.numbers.back());
  found.low = gap.low;
  found.high = gap.high;
  return {readable_axis(found, table, {}), is_turned};
}

// A threshold with so many more digits than the coefficients parts sides that rounding brought too
// close together; a little more digits for these may save it many.
constexpr int more_digits = 3, further_digits = 2;

// The whole coefficients of a test without a common divisor, the first one positive.
Readable readable_whole(Test test, LinearSides& sides) {
  const std::size_t n_terms = test.features.size();
  std::int64_t divisor = 0;
  for (std::size_t i = 0; i < n_terms; ++i) {
    divisor = std::gcd(divisor, static_cast<std::int64_t>(test.numbers[i]));
  }
  const bool is_turned = test.numbers[0] < 0;
  Test shorter = test;
  for (std::size_t i = 0; i < n_terms; ++i) {
    shorter.numbers[i] /= static_cast<double>(is_turned ? -divisor : divisor);
  }
  if (cut(sides, shorter, is_turned)) return {std::move(shorter), is_turned};
  return {std::move(test)};
}

Readable readable_linear(const Test& whole, const Table& table, LinearSides& sides, Terms terms) {
  const Test test = terms == Terms::all ? whole : needed_terms(whole, sides);
  if (test.features.size() == 1) return readable_term(test, table, sides);
  if (terms == Terms::whole) return readable_whole(test, sides);
  const Linear exact = std::get<Linear>(view(test));
  // Beside numbers, levels count in their units: "income + 12 if home is rent".
  double largest = 0.0, largest_of_levels = 0.0, lead = 0.0;
  for (std::size_t i = 0; i < exact.coefficients.size(); ++i) {
    const double c = exact.coefficients[i];
    double& most = exact.is_level(i) ? largest_of_levels : largest;
    most = std::max(most, std::abs(c));
    if (lead == 0.0) lead = c;
  }
  if (!(largest > 0)) largest = largest_of_levels;
  if (!(largest > 0)) return {test};
  const bool is_turned = lead < 0;
  const auto scaled = [&](double scale, int digits) {
    Test rounded = test;
    for (std::size_t i = 0; i < exact.coefficients.size(); ++i) {
      rounded.numbers[i] =
          round_significant(exact.coefficients[i] / std::copysign(scale, lead), digits);
    }
    return rounded;
  };
  std::vector<Test> asked;
  for (int digits = 1; digits <= max_digits; ++digits) asked.push_back(scaled(largest, digits));
  sides.expect(asked);
  std::optional<Test> best;
  for (int digits = 1, last = max_digits; digits <= last; ++digits) {
    Test rounded = asked[static_cast<std::size_t>(digits - 1)];
    if (!cut(sides, rounded, is_turned)) continue;
    if (!best) {
      const bool is_long = significant_digits(rounded.numbers.back()) > digits + more_digits;
      last = is_long ? std::min(max_digits, digits + further_digits) : digits;
    }
    if (!best || digits_of(rounded) < digits_of(*best)) best = std::move(rounded);
  }
  if (best) shorten(sides, *best, is_turned);
  if (best) return {std::move(*best), is_turned};
  // Rows may lie so close that dividing by the largest coefficient mixes them up; a power of two
  // does not.
  Test turned = scaled(std::exp2(binary_exponent(largest)), max_digits);
  if (cut(sides, turned, is_turned)) return {std::move(turned), is_turned};
  return {test};
}

constexpr std::size_t work_of_rounding = 256;  // in products, of one number

// All scores may be divided by the same positive number. On one column they are made of cuts with
// small whole coefficients, which stay as they are.
Test readable_machine(const Test& test, const Table& table, std::span<const std::uint32_t> rows,
                      Monitor* monitor) {
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
  Pace pace(monitor);
  const auto is_over = [&] { return pace.is_over_after(exact.weights.size()); };
  std::vector<std::int32_t> branches;
  for (const std::uint32_t row : rows) {
    if (is_over()) return test;
    branches.push_back(branch(exact, row));
  }
  std::size_t first = 0;  // the row that turned last is likely to turn again
  const auto is_same = [&](const Test& other) {
    const Machine machine = std::get<Machine>(view(other));
    if (branch(machine, rows[first]) != branches[first]) return false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (is_over()) return false;
      if (branch(machine, rows[i]) == branches[i]) continue;
      first = i;
      return false;
    }
    return true;
  };
  for (int digits = 1; digits <= max_digits; ++digits) {
    if (pace.is_over_after(test.numbers.size() * work_of_rounding)) return test;
    Test rounded = test;
    for (double& number : rounded.numbers) number = round_significant(number / unit, digits);
    if (!is_same(rounded)) continue;
    for (double& number : rounded.numbers) {
      if (pace.is_over_after(work_of_rounding)) return rounded;
      const double longer = number;
      for (int fewer = 1; fewer < digits; ++fewer) {
        number = round_significant(longer, fewer);
        if (number == longer || is_same(rounded)) break;
        number = longer;
      }
    }
    return rounded;
  }
  return test;
}

}  // namespace

Readable readable(const Candidate& candidate, const Table& table,
                  std::span<const std::uint32_t> rows, Monitor* monitor, Terms terms) {
  switch (candidate.test.kind) {
    case Kind::axis:
      return {readable_axis(candidate, table, rows)};
    case Kind::linear: {
      RowSides sides(std::get<Linear>(view(candidate.test)), table, rows, monitor);
      return readable_linear(candidate.test, table, sides, terms);
    }
    case Kind::machine:
      return {rows.empty() ? candidate.test
                           : readable_machine(candidate.test, table, rows, monitor)};
    case Kind::pair:
      return {readable_pair(candidate.test, table, rows)};
    case Kind::subset:
    case Kind::multiway:
    case Kind::leaf:
      break;
  }
  return {candidate.test};
}

Readable readable(const Test& linear, const Table& table, LinearSides& sides) {
  return readable_linear(linear, table, sides, Terms::needed);
}

}  // namespace treewright
