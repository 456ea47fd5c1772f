#include "treewright/split/discriminant/two_groups.hpp"

#include <algorithm>
#include <cmath>

#include "treewright/split/rows/blocks.hpp"

namespace treewright {

namespace {

using Groups = std::vector<std::uint8_t>;  // of labels

constexpr std::size_t most_classes_to_try = 6;     // in all divisions, each with a split
constexpr std::size_t most_classes_to_divide = 8;  // in all ways, by their means
constexpr int most_steps = 50;

// How far each column lies from its mean, in standard deviations; columns without spread are left
// out.
struct Standard {
  std::vector<std::int32_t> columns;
  std::vector<std::size_t> positions;  // among the columns of the moments
  std::vector<double> mean, scale;
};

Standard standard_of(std::span<const std::int32_t> columns, std::span<const Moments> moments) {
  Standard standard;
  const std::size_t k = columns.size();
  for (std::size_t j = 0; j < k; ++j) {
    Moments all;
    for (std::size_t i = j; i < moments.size(); i += k) all.add(moments[i]);
    if (!(all.deviation() > 1e-12 * std::abs(all.mean))) continue;
    standard.columns.push_back(columns[j]);
    standard.positions.push_back(j);
    standard.mean.push_back(all.mean);
    standard.scale.push_back(1.0 / all.deviation());
  }
  return standard;
}

double squared_distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sum;
}

// Two centres; a point that is as near to both belongs to the first.
struct Centres {
  std::vector<double> first, second;

  bool is_second(std::span<const double> point) const {
    return clearly_better(squared_distance(point, first), squared_distance(point, second));
  }
};

// ------------------------------------------------------------------ on the means of the labels

// The means of some labels on standard columns, one after the other.
struct Points {
  std::size_t width;
  std::vector<double> values;
  std::span<const double> operator[](std::size_t i) const {
    return std::span(values).subspan(i * width, width);
  }
};

Points points_of(std::span<const Moments> moments, std::size_t k, const Standard& standard,
                 std::span<const std::size_t> present) {
  Points points{standard.positions.size(), {}};
  for (const std::size_t label : present) {
    for (std::size_t j = 0; j < points.width; ++j) {
      const Moments& here = moments[label * k + standard.positions[j]];
      points.values.push_back(here.weight > 0 ? (here.mean - standard.mean[j]) * standard.scale[j]
                                              : 0.0);
    }
  }
  return points;
}

std::vector<double> mean_of(const Points& points, std::span<const std::uint8_t> group,
                            std::uint8_t wanted, std::span<const double> weights) {
  std::vector<double> mean(points.width, 0.0);
  double total = 0.0;
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (group[i] != wanted) continue;
    total += weights[i];
    for (std::size_t j = 0; j < points.width; ++j) mean[j] += weights[i] * points[i][j];
  }
  for (double& x : mean) x /= total;
  return mean;
}

// Divisions of n points, the last one in group 1, so that none comes twice.
std::vector<Groups> all_divisions(std::size_t n) {
  std::vector<Groups> divisions;
  for (std::size_t mask = 0; mask + 1 < (std::size_t{1} << (n - 1)); ++mask) {
    Groups group(n, 1);
    for (std::size_t i = 0; i + 1 < n; ++i) group[i] = mask >> i & 1;
    divisions.push_back(std::move(group));
  }
  return divisions;
}

// Where 2-means comes to rest from each point and the point furthest from it.
std::vector<Groups> resting_divisions(const Node& node, const Points& points, std::size_t n) {
  const std::vector<double> ones(n, 1.0);
  std::vector<Groups> divisions;
  for (std::size_t start = 0; start < n; ++start) {
    node.poll();
    std::size_t furthest = start;
    for (std::size_t i = 0; i < n; ++i) {
      if (clearly_better(squared_distance(points[start], points[i]),
                         squared_distance(points[start], points[furthest]))) {
        furthest = i;
      }
    }
    if (furthest == start) continue;
    const std::size_t a = std::min(start, furthest), b = std::max(start, furthest);
    Centres centres{{points[a].begin(), points[a].end()}, {points[b].begin(), points[b].end()}};
    Groups group(n, 0), before;
    for (int step = 0; step < most_steps && group != before; ++step) {
      before = group;
      for (std::size_t i = 0; i < n; ++i) group[i] = centres.is_second(points[i]);
      centres = {mean_of(points, group, 0, ones), mean_of(points, group, 1, ones)};
    }
    divisions.push_back(std::move(group));
  }
  return divisions;
}

// The division of the points whose parts lie closest together; empty if they are all one.
Groups closest_division(const Node& node, const Points& points, std::size_t n) {
  const std::vector<double> ones(n, 1.0);
  Groups best;
  double widest = 0.0;  // between the means of the parts, by their sizes: what is not within them
  for (Groups& group :
       n <= most_classes_to_divide ? all_divisions(n) : resting_divisions(node, points, n)) {
    node.poll();
    const auto in_second = static_cast<double>(std::ranges::count(group, 1));
    const double between =
        squared_distance(mean_of(points, group, 0, ones), mean_of(points, group, 1, ones)) *
        in_second * (static_cast<double>(n) - in_second);
    if (clearly_better(between, widest)) {
      widest = between;
      best = std::move(group);
    }
  }
  return best;
}

// ------------------------------------------------------------------ on the rows

// The weight of each label in each cluster, [label * 2 + cluster], when 2-means on the rows has
// come to rest.
std::vector<double> cluster_rows(const Node& node, Labels labels, const Standard& standard,
                                 Centres centres) {
  const std::size_t width = standard.columns.size(), size = rows_in_block(width);
  std::vector<double> block(size * width), held(2 * labels.count), before;
  for (int step = 0; step < most_steps && held != before; ++step) {
    node.poll();
    before = held;
    std::ranges::fill(held, 0.0);
    std::vector<double> sums(2 * width, 0.0);
    double totals[2] = {0.0, 0.0};
    for_each_block(node, size, [&](std::span<const std::uint32_t> rows) {
      for (std::size_t j = 0; j < width; ++j) {
        const Column column = node.problem.table.column(standard.columns[j]);
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const double z = (column[rows[i]] - standard.mean[j]) * standard.scale[j];
          block[i * width + j] = z == z ? z : 0.0;
        }
      }
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto point = std::span<const double>(block).subspan(i * width, width);
        const std::size_t cluster = centres.is_second(point) ? 1 : 0;
        const double w = node.weights[rows[i]];
        held[2 * static_cast<std::size_t>(labels.of_row[rows[i]]) + cluster] += w;
        totals[cluster] += w;
        for (std::size_t j = 0; j < width; ++j) sums[cluster * width + j] += w * point[j];
      }
    });
    if (!(totals[0] > 0 && totals[1] > 0)) break;
    for (std::size_t j = 0; j < width; ++j) {
      centres.first[j] = sums[j] / totals[0];
      centres.second[j] = sums[width + j] / totals[1];
    }
  }
  return held;
}

// Whole labels to the cluster that holds more of them.
Groups divide(std::span<const double> held, std::span<const std::size_t> present) {
  Groups group(held.size() / 2, 0);
  double first = 0.0, second = 0.0;
  for (const std::size_t label : present) {
    first += held[2 * label];
    second += held[2 * label + 1];
  }
  const auto share = [&](std::size_t label) {
    return held[2 * label + 1] / (held[2 * label] + held[2 * label + 1]);
  };
  const auto by = [&](double limit) {
    std::size_t in_second = 0;
    for (const std::size_t label : present) {
      group[label] = clearly_better(share(label), limit);
      in_second += group[label];
    }
    return in_second > 0 && in_second < present.size();
  };
  if (by(0.5) || by(second / (first + second))) return group;
  std::ranges::fill(group, std::uint8_t{0});
  std::vector<double> shares;
  for (const std::size_t label : present) shares.push_back(share(label));
  group[present[first_largest(shares)]] = 1;
  return group;
}

// The groups of all labels, given those of the present ones.
Groups among_all(const Groups& of_present, std::span<const std::size_t> present,
                 std::size_t n_labels) {
  Groups group(n_labels, 0);
  for (std::size_t i = 0; i < present.size(); ++i) group[present[i]] = of_present[i];
  return group;
}

// ------------------------------------------------------------------ largest class

// The heaviest label, the first on ties.
Groups largest_label(const Node& node, Labels labels, std::span<const std::size_t> present) {
  std::vector<double> weights(labels.count, 0.0);
  if (node.evidence != nullptr) std::ranges::copy(node.statistics, weights.begin());
  for (const std::uint32_t row : node.ids()) {
    weights[static_cast<std::size_t>(labels.of_row[row])] += node.weights[row];
  }
  Groups group(labels.count, 0);
  std::vector<double> of_present;
  for (const std::size_t label : present) of_present.push_back(weights[label]);
  group[present[first_largest(of_present)]] = 1;
  return group;
}

}  // namespace

std::vector<Groups> two_groups(const Node& node, std::span<const std::int32_t> columns,
                               Labels labels, std::span<const Moments> moments, Grouping grouping) {
  const std::size_t k = columns.size();
  std::vector<std::size_t> present;
  for (std::size_t label = 0; label < labels.count; ++label) {
    const auto of_label = moments.subspan(label * k, k);
    if (std::ranges::any_of(of_label, [](const Moments& m) { return m.weight > 0; })) {
      present.push_back(label);
    }
  }
  if (present.size() < 2) return {};
  const bool tries_all =
      grouping == Grouping::best_bipartition && present.size() <= most_classes_to_try;
  if (present.size() == 2 || tries_all) {
    std::vector<Groups> divisions = all_divisions(present.size());
    for (Groups& group : divisions) group = among_all(group, present, labels.count);
    return divisions;
  }
  if (grouping == Grouping::largest) return {largest_label(node, labels, present)};
  const Standard standard = standard_of(columns, moments);
  const Points points = points_of(moments, k, standard, present);
  const Groups of_points = closest_division(node, points, present.size());
  if (of_points.empty()) return {largest_label(node, labels, present)};
  if (grouping != Grouping::rows) return {among_all(of_points, present, labels.count)};
  std::vector<double> weights;
  for (const std::size_t label : present) {
    double largest = 0.0;
    for (const Moments& m : moments.subspan(label * k, k)) largest = std::max(largest, m.weight);
    weights.push_back(largest);
  }
  const auto held = cluster_rows(
      node, labels, standard,
      {mean_of(points, of_points, 0, weights), mean_of(points, of_points, 1, weights)});
  return {divide(held, present)};
}

}  // namespace treewright
