#include "treewright/split/significance/split_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "treewright/split/cut/candidates.hpp"
#include "treewright/split/cut/cut.hpp"
#include "treewright/split/evidence.hpp"
#include "treewright/split/significance/column_ranks.hpp"
#include "treewright/split/significance/normal_point.hpp"

namespace treewright {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A weighted mean with twice the digits of a double (Knuth 1969), so that the order of the rows
// does not show in it.
class ExactMean {
 public:
  void add(double x, double weight) {
    const double product = weight * x;
    if (weight != 1.0) rest_ += std::fma(weight, x, -product);
    const double sum = sum_ + product, part = sum - sum_;
    rest_ += (sum_ - (sum - part)) + (product - part);
    sum_ = sum;
    weight_ += weight;
  }
  void add(const ExactMean& other) {
    const double weight = weight_ + other.weight_;
    add(other.sum_, 1.0);
    add(other.rest_, 1.0);
    weight_ = weight;
  }
  double value() const { return (sum_ + rest_) / weight_; }

 private:
  double sum_ = 0.0, rest_ = 0.0, weight_ = 0.0;
};

// The classes of rows that are elsewhere along a line a'x: their means are a'm, and their squared
// deviations a'Ma. All rows are one class where the target is numeric.
std::vector<ClassMoments> classes_elsewhere(const Node& node, const Test& line) {
  const JointMoments moments = node.evidence->moments(line.features);
  const bool is_axis = treewright::is_axis(line.kind);
  const auto coefficient = [&](std::size_t i) { return is_axis ? 1.0 : line.numbers[i]; };
  std::vector<ClassMoments> classes(moments.n_classes());
  for (std::size_t c = 0; c < classes.size(); ++c) {
    Moments& along = classes[c].moments;
    along.weight = moments.weight(c);
    classes[c].count = moments.count(c);
    for (std::size_t i = 0; i < line.features.size(); ++i) {
      along.mean += coefficient(i) * moments.mean(c, i);
      for (std::size_t j = 0; j < line.features.size(); ++j) {
        along.squares += coefficient(i) * coefficient(j) * moments.product(c, i, j);
      }
    }
    along.squares = std::max(0.0, along.squares);
  }
  return classes;
}

double mean_of(const Node& node, const Points& points) {
  if (node.evidence != nullptr) {
    Moments all;
    for (const ClassMoments& c : classes_elsewhere(node, points.line)) all.add(c.moments);
    return all.mean;
  }
  const auto weight = [&](std::size_t i) {
    return node.problem.unit_weights ? 1.0 : node.weights[points.rows[i]];
  };
  ExactMean lanes[4];  // a sum waits for the one before it, four go side by side
  const std::size_t n = points.values.size();
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane)
      lanes[lane].add(points.values[i + lane], weight(i + lane));
  }
  for (; i < n; ++i) lanes[0].add(points.values[i], weight(i));
  for (std::size_t lane = 1; lane < 4; ++lane) lanes[0].add(lanes[lane]);
  return lanes[0].value();
}

struct Weighted {
  double value = 0.0;
  double weight = 0.0;
};

double median_of(const Node& node, const Points& points) {
  std::vector<double> values = points.values;
  if (!node.problem.unit_weights) {
    std::vector<std::pair<double, double>> weighted;
    for (std::size_t i = 0; i < values.size(); ++i) {
      weighted.emplace_back(values[i], node.weights[points.rows[i]]);
    }
    return weighted_median(weighted).median;
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  const double below = *std::max_element(values.begin(), middle);
  return (below + *middle) / 2;
}

// The mean of the k largest values, or smallest; of equal ones the heavier come first.
double mean_of_nearest(std::vector<Weighted>& values, std::size_t k, bool largest) {
  const auto end = values.begin() + static_cast<std::ptrdiff_t>(std::min(k, values.size()));
  std::ranges::partial_sort(values, end, [&](const Weighted& a, const Weighted& b) {
    if (a.value != b.value) return largest ? a.value > b.value : a.value < b.value;
    return a.weight > b.weight;
  });
  ExactMean mean;
  for (auto i = values.begin(); i != end; ++i) mean.add(i->value, i->weight);
  return mean.value();
}

// The classes along the line.
std::vector<ClassMoments> classes_along(const Node& node, const Points& points) {
  const Labels labels = classes_of(node);
  std::vector<ClassMoments> classes(labels.count);
  for (std::size_t i = 0; i < points.rows.size(); ++i) {
    ClassMoments& here = classes[static_cast<std::size_t>(labels.of_row[points.rows[i]])];
    here.moments.add({node.weights[points.rows[i]], points.values[i], 0.0});
    here.count += node.count_of(points.rows[i]);
  }
  return classes;
}

// The values of the low and of the high group.
struct TwoGroups {
  std::vector<Weighted> values[2];
  ExactMean means[2];
};

// The middle of the means of the groups, or the mean of the only one.
double midpoint_elsewhere(const Node& node, const Test& line) {
  const std::vector<ClassMoments> classes = classes_elsewhere(node, line);
  const std::vector<std::uint8_t> is_high = high_classes(classes);
  Moments groups[2];
  for (std::size_t c = 0; c < classes.size(); ++c) groups[is_high[c]].add(classes[c].moments);
  for (const int side : {0, 1}) {
    if (!(groups[side].weight > 0)) return groups[1 - side].mean;
  }
  return groups[0].mean / 2 + groups[1].mean / 2;
}

TwoGroups groups_of(const Node& node, const Points& points) {
  const Target& target = node.problem.target;
  std::vector<std::uint8_t> is_high;
  if (target.is_classification()) is_high = high_classes(classes_along(node, points));
  const double limit = target.is_classification() ? 0.0 : target_limit(node);
  TwoGroups groups;
  for (std::size_t i = 0; i < points.rows.size(); ++i) {
    const std::uint32_t row = points.rows[i];
    const bool high = target.is_classification()
                          ? is_high[static_cast<std::size_t>(target.labels[row])] != 0
                          : target.numbers[row] > limit;
    groups.values[high].push_back({points.values[i], node.weights[row]});
    groups.means[high].add(points.values[i], node.weights[row]);
  }
  const bool is_turned = !target.is_classification() && !groups.values[0].empty() &&
                         !groups.values[1].empty() &&
                         groups.means[0].value() > groups.means[1].value();
  if (is_turned) {
    std::swap(groups.values[0], groups.values[1]);
    std::swap(groups.means[0], groups.means[1]);
  }
  return groups;
}

// What stands on one side of a cut.
struct Side {
  double count = 0.0;
  double weight = 0.0;

  Side operator+(const Side& other) const { return {count + other.count, weight + other.weight}; }
};

bool is_a_leaf(const Side& side, const Problem& problem) {
  return side.count >= problem.min_leaf - limit_slack &&
         side.weight >= problem.min_leaf_weight * (1 - limit_slack);
}

// The middle between neighbouring values nearest to the point that leaves enough on both sides.
std::optional<double> nearest_middle(const Node& node, const Points& points, double point) {
  std::vector<ValueSums> sorted;
  if (node.evidence != nullptr) sorted = node.evidence->values_along(points.line);
  for (std::size_t i = 0; i < points.rows.size(); ++i) {
    const std::uint32_t row = points.rows[i];
    sorted.push_back({points.values[i], node.count_of(row), node.weights[row]});
  }
  Side known;
  for (const ValueSums& row : sorted) {
    known.count += row.count;
    known.weight += row.weight;
  }
  std::ranges::sort(sorted, {}, &ValueSums::value);
  const Problem& problem = node.problem;
  const bool joins = takes_default_branch(problem.missing);  // rows without a value a side
  const Side unknown_rows{joins ? node.count - known.count : 0.0,
                          joins ? node.weight - known.weight : 0.0};
  std::optional<double> best;
  Side left;
  for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
    left.count += sorted[i].count;
    left.weight += sorted[i].weight;
    if (!(sorted[i + 1].value - sorted[i].value > points.grain)) continue;
    const Side right{known.count - left.count, known.weight - left.weight};
    const bool fits = (is_a_leaf(left + unknown_rows, problem) && is_a_leaf(right, problem)) ||
                      (is_a_leaf(left, problem) && is_a_leaf(right + unknown_rows, problem));
    if (!fits) continue;
    const double middle = middle_of(sorted[i].value, sorted[i + 1].value);
    if (!best || std::abs(middle - point) < std::abs(*best - point) - points.grain) best = middle;
  }
  return best;
}

// Values at or below a limit, and above it.
struct Division {
  double low = -infinity;          // the largest on the left
  double high = infinity;          // the smallest on the right
  std::vector<double> statistics;  // of both sides; classes only
  Side sides[2];
};

Division divide_at(const Node& node, const Points& points, double limit) {
  Division result;
  if (node.evidence != nullptr) {
    const LineSides sides = node.evidence->sides_along(points.line, limit);
    result.low = sides.low;
    result.high = sides.high;
    for (std::size_t side = 0; side < 2; ++side) {
      const auto& statistics = sides.statistics[side];
      result.statistics.insert(result.statistics.end(), statistics.begin(), statistics.end());
      result.sides[side] = {sides.counts[side],
                            weight_of(statistics, node.problem.target.is_classification())};
    }
    return result;
  }
  for (const double value : points.values) {
    const bool is_left = value <= limit;
    result.low = std::max(result.low, is_left ? value : -infinity);
    result.high = std::min(result.high, is_left ? infinity : value);
  }
  const Target& target = node.problem.target;
  if (!target.is_classification()) return result;
  const std::size_t k = target.n_outputs();
  result.statistics.assign(2 * k, 0.0);
  std::vector<double> counts(2 * k, 0.0);
  for (std::size_t i = 0; i < points.values.size(); ++i) {
    const std::uint32_t row = points.rows[i];
    const auto label = static_cast<std::size_t>(target.labels[row]);
    const std::size_t place = (points.values[i] <= limit ? 0 : k) + label;
    counts[place] += node.count_of(row);
    if (!node.problem.unit_weights) result.statistics[place] += node.weights[row];
  }
  if (node.problem.unit_weights) result.statistics = counts;
  for (std::size_t side = 0; side < 2; ++side) {
    result.sides[side] = {sum_of(std::span(counts).subspan(side * k, k)),
                          sum_of(std::span(result.statistics).subspan(side * k, k))};
  }
  return result;
}

// The test with the threshold at the point, or at the largest value that lies there but for
// rounding.
std::optional<Candidate> candidate_at(const Node& node, const Points& points, Test test,
                                      double point) {
  const Division division = divide_at(node, points, point + points.grain);
  if (!std::isfinite(division.low) || !std::isfinite(division.high)) return std::nullopt;
  const Problem& problem = node.problem;
  const bool is_axis = treewright::is_axis(test.kind);
  test.numbers.back() = std::max(point, division.low);
  std::optional<Candidate> found;
  const bool is_complete = node.evidence != nullptr
                               ? division.sides[0].count + division.sides[1].count == node.count
                               : points.rows.size() == node.ids().size();
  if (problem.target.is_classification() && is_complete) {
    for (const Side& side : division.sides) {
      if (!is_a_leaf(side, problem)) return std::nullopt;
    }
    const double weights[] = {division.sides[0].weight, division.sides[1].weight};
    found.emplace();
    found->test = std::move(test);
    found->is_scored = true;
    found->decrease = problem.measure.decrease(node.statistics, division.statistics);
    found->split_information = split_information(weights);
  } else {
    found = evaluated(node, std::move(test));
  }
  if (found && is_axis) {
    found->low = division.low;
    found->high = division.high;
  }
  return found;
}

}  // namespace

std::vector<std::uint8_t> high_classes(std::span<const ClassMoments> classes) {
  std::vector<std::size_t> order;  // by mean, equal ones by class
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (!(classes[c].moments.weight > 0)) continue;
    std::size_t place = order.size();
    order.push_back(c);
    for (; place > 0; --place) {
      const Moments& before = classes[order[place - 1]].moments;
      if (!(difference_of(before, classes[c].moments) > 0)) break;
      std::swap(order[place], order[place - 1]);
    }
  }
  double largest = -1.0;
  std::size_t best = 1;
  for (std::size_t cut = 1; cut < order.size(); ++cut) {
    ClassMoments groups[2];
    for (std::size_t i = 0; i < order.size(); ++i) {
      groups[i >= cut].moments.add(classes[order[i]].moments);
      groups[i >= cut].count += classes[order[i]].count;
    }
    const double w = separation_of(groups, spread_of(groups));
    if (clearly_better(w, largest)) {
      largest = w;
      best = cut;
    }
  }
  std::vector<std::uint8_t> is_high(classes.size(), 0);
  for (std::size_t i = best; i < order.size(); ++i) is_high[order[i]] = 1;
  return is_high;
}

double target_limit(const Node& node) {
  const Moments target{node.statistics[0], node.statistics[1], node.statistics[2]};
  return target.mean + 1e-12 * target.deviation();
}

void Points::ask(const Node& node, Test along) {
  line = std::move(along);
  const auto [least, most] = node.evidence->range_along(line);
  is_empty = !(least <= most);
  measure(least, most);
}

void Points::read(const Node& node, std::int32_t column) {
  if (node.evidence != nullptr) return ask(node, axis_test(column, 0.0));
  const auto ids = node.ids();
  rows.resize(ids.size());
  values.resize(ids.size());
  const Column cells = node.problem.table.column(column);
  std::size_t n_known = 0;
  for (const std::uint32_t row : ids) {
    const double value = cells[row];
    rows[n_known] = row;
    values[n_known] = value;
    n_known += value == value;
  }
  rows.resize(n_known);
  values.resize(n_known);
  measure();
}

void Points::read(const Node& node, const Test& linear, double rounding) {
  if (node.evidence != nullptr) {
    ask(node, linear);
    grain = std::max(grain, rounding);
    return;
  }
  rows.clear();
  values.clear();
  const Linear direction = std::get<Linear>(view(linear));
  for_each_scores(direction, node.problem.table, node.ids(), [&](auto part, auto scores) {
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (!std::isfinite(scores[i])) continue;
      rows.push_back(part[i]);
      values.push_back(scores[i]);
    }
    return true;
  });
  measure();
  grain = std::max(grain, rounding);
}

void Points::measure() {
  double low = infinity, high = -infinity;
  for (const double value : values) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  is_empty = values.empty();
  measure(low, high);
}

void Points::measure(double low, double high) {
  grain = low < high ? std::max(grain_of(high - low),
                                least_grain_of(std::max(std::abs(low), std::abs(high))))
                     : 0.0;
}

double split_point(const Node& node, const Points& points, PointRule rule, std::size_t closest_k) {
  const auto settled = [&](double point) {
    // Shares of rows come with rounding of their own, which depends on the order of the rows.
    const bool has_shares = !node.shares.empty() && points.grain > 0;
    return has_shares ? std::nearbyint(point / points.grain) * points.grain : point;
  };
  switch (rule) {
    case PointRule::median:
      return median_of(node, points);
    case PointRule::mean:
      return settled(mean_of(node, points));
    case PointRule::closest:
    case PointRule::class_midpoint:
      break;
  }
  if (node.evidence != nullptr) return midpoint_elsewhere(node, points.line);
  TwoGroups groups = groups_of(node, points);
  for (int side : {0, 1}) {  // no row of the other group has a value
    if (groups.values[side].empty()) return settled(groups.means[1 - side].value());
  }
  if (rule == PointRule::class_midpoint) {
    return settled(groups.means[0].value() / 2 + groups.means[1].value() / 2);
  }
  const double below = mean_of_nearest(groups.values[0], closest_k, true);
  const double above = mean_of_nearest(groups.values[1], closest_k, false);
  return settled(below / 2 + above / 2);
}

std::optional<Candidate> cut_at(const Node& node, const Points& points, Test test, double point) {
  if (points.is_empty) return std::nullopt;
  if (auto found = candidate_at(node, points, test, point)) return found;
  const auto middle = nearest_middle(node, points, point);
  return middle ? candidate_at(node, points, std::move(test), *middle) : std::nullopt;
}

}  // namespace treewright
