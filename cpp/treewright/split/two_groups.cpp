#include "treewright/split/two_groups.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace treewright {

namespace {

constexpr std::size_t most_classes_by_rows = 8;
constexpr int n_starts = 3, most_steps = 50;

double uniform(Rng& rng) { return static_cast<double>(rng.next() >> 11) * 0x1.0p-53; }

double distance(const double* a, const double* b, std::size_t width) {
  double sum = 0.0;
  for (std::size_t j = 0; j < width; ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sum;
}

// A point drawn with these chances.
std::size_t draw(std::span<const double> chances, Rng& rng) {
  double left = uniform(rng) * sum_of(chances);
  for (std::size_t i = 0; i < chances.size(); ++i) {
    left -= chances[i];
    if (left < 0) return i;
  }
  return chances.size() - 1;
}

struct Clusters {
  std::vector<std::uint8_t> of_point;
  double spread = std::numeric_limits<double>::infinity();
};

Clusters lloyd(std::span<const double> points, std::size_t width, std::span<const double> weights,
               Rng& rng) {
  const std::size_t n = weights.size();
  const auto point = [&](std::size_t i) { return points.data() + i * width; };
  std::vector<double> centres(2 * width), chances(n);
  const std::size_t first = draw(weights, rng);
  for (std::size_t i = 0; i < n; ++i) {
    chances[i] = weights[i] * distance(point(i), point(first), width);
  }
  if (!(sum_of(chances) > 0)) return {};
  const std::size_t second = draw(chances, rng);
  std::copy_n(point(first), width, centres.begin());
  std::copy_n(point(second), width, centres.begin() + static_cast<std::ptrdiff_t>(width));
  Clusters clusters;
  clusters.of_point.assign(n, 2);
  for (int step = 0; step < most_steps; ++step) {
    bool changed = false;
    std::vector<double> sums(2 * width, 0.0);
    double sizes[2] = {0.0, 0.0};
    clusters.spread = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const double near_first = distance(point(i), centres.data(), width);
      const double near_second = distance(point(i), centres.data() + width, width);
      const std::uint8_t cluster = near_second < near_first ? 1 : 0;
      changed = changed || cluster != clusters.of_point[i];
      clusters.of_point[i] = cluster;
      clusters.spread += weights[i] * std::min(near_first, near_second);
      sizes[cluster] += weights[i];
      for (std::size_t j = 0; j < width; ++j) {
        sums[cluster * width + j] += weights[i] * point(i)[j];
      }
    }
    if (!changed || !(sizes[0] > 0 && sizes[1] > 0)) break;
    for (std::size_t c = 0; c < 2; ++c) {
      for (std::size_t j = 0; j < width; ++j)
        centres[c * width + j] = sums[c * width + j] / sizes[c];
    }
  }
  return clusters;
}

// How far each column lies from its mean, in standard deviations; columns without spread are left
// out.
struct Standard {
  std::vector<std::size_t> positions;  // among the columns
  std::vector<double> mean, scale;
};

Standard standard_of(std::span<const Moments> moments, std::size_t n_labels, std::size_t k) {
  Standard standard;
  for (std::size_t j = 0; j < k; ++j) {
    Moments all;
    for (std::size_t label = 0; label < n_labels; ++label) all.add(moments[label * k + j]);
    if (!(all.deviation() > 1e-12 * std::abs(all.mean))) continue;
    standard.positions.push_back(j);
    standard.mean.push_back(all.mean);
    standard.scale.push_back(1.0 / all.deviation());
  }
  return standard;
}

std::vector<std::uint8_t> divide(std::span<const double> share_in_one, double overall,
                                 std::span<const std::size_t> present, std::size_t n_labels) {
  std::vector<std::uint8_t> group(n_labels, 0);
  const auto by = [&](double limit) {
    std::size_t in_one = 0;
    for (std::size_t i = 0; i < present.size(); ++i) {
      group[present[i]] = share_in_one[i] > limit;
      in_one += group[present[i]];
    }
    return in_one > 0 && in_one < present.size();
  };
  if (by(0.5) || by(overall)) return group;
  std::ranges::fill(group, std::uint8_t{0});
  const auto most = std::ranges::max_element(share_in_one) - share_in_one.begin();
  group[present[static_cast<std::size_t>(most)]] = 1;
  return group;
}

std::vector<std::uint8_t> by_rows(const Node& node, std::span<const std::int32_t> columns,
                                  Labels labels, const Standard& standard,
                                  std::span<const std::size_t> present, Rng& rng) {
  const std::size_t width = standard.positions.size();
  const auto ids = node.ids();
  std::vector<double> points(ids.size() * width), weights(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    weights[i] = node.weights[ids[i]];
    for (std::size_t j = 0; j < width; ++j) {
      const double x = node.problem.table.at(ids[i], columns[standard.positions[j]]);
      points[i * width + j] = std::isnan(x) ? 0.0 : (x - standard.mean[j]) * standard.scale[j];
    }
  }
  const std::vector<std::uint8_t> cluster = two_means(points, width, weights, rng);
  std::vector<double> total(labels.count, 0.0), in_one(labels.count, 0.0);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto label = static_cast<std::size_t>(labels.of_row[ids[i]]);
    total[label] += weights[i];
    if (cluster[i] == 1) in_one[label] += weights[i];
  }
  std::vector<double> shares;
  for (const std::size_t label : present) shares.push_back(in_one[label] / total[label]);
  return divide(shares, sum_of(in_one) / sum_of(total), present, labels.count);
}

std::vector<std::uint8_t> by_means(std::span<const Moments> moments, std::size_t k,
                                   std::size_t n_labels, const Standard& standard,
                                   std::span<const std::size_t> present, Rng& rng) {
  std::vector<double> points;
  for (const std::size_t label : present) {
    for (std::size_t j = 0; j < standard.positions.size(); ++j) {
      const Moments& here = moments[label * k + standard.positions[j]];
      points.push_back(here.weight > 0 ? (here.mean - standard.mean[j]) * standard.scale[j] : 0.0);
    }
  }
  const std::vector<double> weights(present.size(), 1.0);
  const auto cluster = two_means(points, standard.positions.size(), weights, rng);
  const std::vector<double> shares(cluster.begin(), cluster.end());
  return divide(shares, 0.5, present, n_labels);
}

}  // namespace

std::vector<std::uint8_t> two_means(std::span<const double> points, std::size_t width,
                                    std::span<const double> weights, Rng& rng) {
  Clusters best;
  best.of_point.assign(weights.size(), 0);
  for (int start = 0; start < n_starts; ++start) {
    Clusters clusters = lloyd(points, width, weights, rng);
    if (clusters.spread < best.spread) best = std::move(clusters);
  }
  return best.of_point;
}

std::vector<std::vector<std::uint8_t>> two_groups(const Node& node,
                                                  std::span<const std::int32_t> columns,
                                                  Labels labels, std::span<const Moments> moments,
                                                  Grouping grouping, Rng& rng) {
  const std::size_t k = columns.size();
  std::vector<std::size_t> present;
  for (std::size_t label = 0; label < labels.count; ++label) {
    const auto of_label = moments.subspan(label * k, k);
    if (std::ranges::any_of(of_label, [](const Moments& m) { return m.weight > 0; })) {
      present.push_back(label);
    }
  }
  if (present.size() < 2) return {};
  std::vector<std::vector<std::uint8_t>> divisions;
  if (present.size() == 2 || grouping == Grouping::all_bipartitions) {
    // The last label present stays in group 1, so that no division comes twice.
    const std::size_t free = present.size() - 1;
    for (std::size_t mask = 0; mask + 1 < (std::size_t{1} << free); ++mask) {
      std::vector<std::uint8_t> group(labels.count, 0);
      group[present.back()] = 1;
      for (std::size_t i = 0; i < free; ++i) group[present[i]] = mask >> i & 1;
      divisions.push_back(std::move(group));
    }
    return divisions;
  }
  const Standard standard = standard_of(moments, labels.count, k);
  if (standard.positions.empty()) return {};
  const bool use_means = grouping == Grouping::means ||
                         (grouping == Grouping::automatic && present.size() > most_classes_by_rows);
  divisions.push_back(use_means ? by_means(moments, k, labels.count, standard, present, rng)
                                : by_rows(node, columns, labels, standard, present, rng));
  return divisions;
}

}  // namespace treewright
