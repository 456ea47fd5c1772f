#include "treewright/split/plane/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "treewright/data/order.hpp"
#include "treewright/split/plane/side_goodness.hpp"

namespace treewright {

namespace {

constexpr double rounding = 1e-12;
constexpr double infinity = std::numeric_limits<double>::infinity();

using Goodness = std::variant<Contrast, SideGini, SideEntropy, SideTwoing, SideMeasure>;

Goodness goodness_for(const SideRows& rows, const Measure& measure) {
  switch (measure.traits().sums) {
    case Sums::moments:
      return Contrast::of_numbers(rows);
    case Sums::medians:
      throw Error("A sweep follows squared errors; use criterion='squared_error'.");
    case Sums::squares:
      if (rows.n_classes == 2) return Contrast::of_two_classes(rows, 2.0);
      return SideGini(rows);
    case Sums::differences:
      if (rows.n_classes == 2) return Contrast::of_two_classes(rows, 1.0);
      return SideTwoing(rows);
    case Sums::logarithms:
      return SideEntropy(rows, measure.traits().unit);
    case Sums::roots:
    case Sums::class_weights:
      return SideMeasure(rows, measure);
  }
  throw Error("There are no such sums.");
}

std::vector<double> statistics_of(const SideRows& rows) {
  if (rows.n_classes > 0) return class_weights(rows);
  std::vector<double> statistics(3, 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    add_number(statistics, rows.numbers[i], rows.weights[i]);
  }
  return statistics;
}

bool are_apart(double low, double high) { return high - low > rounding * (1.0 + std::abs(high)); }

}  // namespace

struct Sweep::Work {
  Work(const SideRows& side_rows, const SideRules& side_rules)
      : rows(side_rows),
        rules(side_rules),
        goodness(goodness_for(rows, rules.measure)),
        weight(sum_of(rows.weights)),
        count(sum_of(rows.counts)),
        noise(rounding * rules.measure.of(statistics_of(rows))) {
    crossing.reserve(rows.size());
    at.resize(rows.size());
  }

  template <class G>
  void clear(G& g) {
    g.clear();
    left_weight = left_count = 0.0;
  }

  template <class G>
  void move(G& g, std::size_t row, double sign) {
    g.move(row, sign);
    left_weight += sign * rows.weights[row];
    left_count += sign * rows.counts[row];
  }

  bool is_allowed() const {
    const double right_weight = weight - left_weight;
    return std::min(left_count, count - left_count) >= rules.min_count - limit_slack &&
           std::min(left_weight, right_weight) >= rules.min_weight * (1 - limit_slack) &&
           left_weight > rounding * weight && right_weight > rounding * weight;
  }

  template <class G>
  double score_now(G& g) const {
    if (!is_allowed()) return -infinity;
    double decrease = g.decrease(left_weight);
    if (std::abs(decrease) <= noise) decrease = 0.0;
    if (orders_cuts_by_decrease(rules.gain)) return decrease;
    const double parts[] = {left_weight, weight - left_weight};
    return score_of(rules.gain, decrease, split_information(parts));
  }

  template <class G>
  double score(G& g, std::span<const double> v) {
    clear(g);
    for (std::size_t i = 0; i < v.size(); ++i) {
      if (v[i] <= 0) move(g, i, 1.0);
    }
    return score_now(g);
  }

  template <class G>
  Step best_step(G& g, std::span<const double> v, std::span<const double> x) {
    clear(g);
    crossing.clear();
    for (std::size_t i = 0; i < v.size(); ++i) {
      const bool stays = std::abs(x[i]) <= rounding;
      if (stays ? v[i] <= 0 : x[i] > 0) move(g, i, 1.0);
      if (stays) continue;
      at[i] = -v[i] / x[i];
      crossing.push_back(static_cast<std::uint32_t>(i));
    }
    sort_crossing();
    Step best;
    const auto judge = [&](double low, double high, double length) {
      if (low < 0 && 0 < high) return;  // the rows are divided so already
      if constexpr (requires { g.at_most(left_weight); }) {
        if (g.at_most(left_weight) <= best.score) return;
      }
      const double score = score_now(g);
      if (is_better(score, best.score)) best = {length, score};
    };
    if (crossing.empty()) return best;
    double now = at[crossing[0]];
    judge(-infinity, now, now - 1.0);
    for (std::size_t i = 0; i < crossing.size(); ++i) {
      const std::uint32_t row = crossing[i];
      move(g, row, x[row] < 0 ? 1.0 : -1.0);
      if (i + 1 == crossing.size()) break;
      const double next = at[crossing[i + 1]];
      if (are_apart(now, next)) judge(now, next, now + (next - now) / 2);
      now = next;
    }
    judge(now, infinity, now + 1.0);
    return best;
  }

  // By where the rows change sides, ties in order.
  void sort_crossing() {
    constexpr std::size_t few = 600;  // more are sorted faster digit by digit
    if (crossing.size() <= few) {
      std::ranges::sort(crossing, [&](std::uint32_t a, std::uint32_t b) {
        return at[a] != at[b] ? at[a] < at[b] : a < b;
      });
      return;
    }
    sort_by_value(Column{at.data()}, crossing, Target{}, KeyLayout{}, in_order);
    std::ranges::transform(in_order, crossing.begin(), &Entry::row);
  }

  const SideRows& rows;
  SideRules rules;
  Goodness goodness;
  double weight, count;
  double noise;  // a decrease of no more is none
  double left_weight = 0.0, left_count = 0.0;
  std::vector<double> at;               // where a row changes sides, by row
  std::vector<std::uint32_t> crossing;  // the rows that do
  std::vector<Entry> in_order;
};

Sweep::Sweep(const SideRows& rows, const SideRules& rules)
    : work_(std::make_unique<Work>(rows, rules)) {}
Sweep::~Sweep() = default;
Sweep::Sweep(Sweep&&) noexcept = default;

double Sweep::score(std::span<const double> v) {
  return std::visit([&](auto& g) { return work_->score(g, v); }, work_->goodness);
}

Step Sweep::best_step(std::span<const double> v, std::span<const double> x) {
  return std::visit([&](auto& g) { return work_->best_step(g, v, x); }, work_->goodness);
}

}  // namespace treewright
