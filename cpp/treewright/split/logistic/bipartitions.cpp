#include "treewright/split/logistic/bipartitions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "treewright/base/error.hpp"
#include "treewright/base/lapack.hpp"

namespace treewright {

namespace {

constexpr std::size_t most_classes = 20;  // whose ways can all be tried
constexpr double ridge = 1e-6;            // of the mean of the diagonal

using Way = std::vector<std::uint8_t>;

// Different ways in the order they came, with the first class inside.
class Collected {
 public:
  explicit Collected(std::size_t at_most) : at_most_(at_most) {}
  bool is_full() const { return ways_.size() >= at_most_; }
  void add(Way way) {
    if (way[0] == 0) {
      for (std::uint8_t& inside : way) inside = inside ? 0 : 1;
    }
    if (is_full() || std::ranges::count(way, 1) == std::ssize(way)) return;
    if (seen_.emplace(way.begin(), way.end()).second) ways_.push_back(std::move(way));
  }
  Ways take() { return std::move(ways_); }

 private:
  std::size_t at_most_;
  Ways ways_;
  std::set<std::vector<bool>> seen_;  // GCC 12 warns of comparing vectors of bytes
};

// The means of classes, one after the other.
struct Centroids {
  std::size_t width = 0;
  std::vector<double> values, weights;
  std::size_t count() const { return weights.size(); }
  std::span<const double> operator[](std::size_t i) const {
    return std::span(values).subspan(i * width, width);
  }
};

// Class means less the mean of all, in units of the pooled scatter within classes.
Centroids whitened_means(const StandardRows& rows, std::span<const std::int32_t> labels,
                         std::span<const std::size_t> present, std::size_t n_classes) {
  const std::size_t k = rows.n_columns(), size = rows.block_size;
  std::vector<std::size_t> place(n_classes, 0);
  for (std::size_t i = 0; i < present.size(); ++i) place[present[i]] = i;
  Centroids means{k, std::vector<double>(present.size() * k, 0.0),
                  std::vector<double>(present.size(), 0.0)};
  const auto place_of = [&](std::size_t row) {
    return place[static_cast<std::size_t>(labels[rows.ids[row]])];
  };
  const auto for_each = [&](auto use) {
    for (std::size_t b = 0; b < rows.n_blocks(); ++b) use(b, rows.rows_of_block(b));
  };
  for_each([&](std::size_t b, std::size_t n) {
    for (std::size_t j = 0; j < k; ++j) {
      const auto z = rows.column(b, j);
      for (std::size_t i = 0; i < n; ++i) {
        means.values[place_of(b * size + i) * k + j] += rows.weights[b * size + i] * z[i];
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      means.weights[place_of(b * size + i)] += rows.weights[b * size + i];
    }
  });
  for (std::size_t c = 0; c < means.count(); ++c) {
    for (std::size_t j = 0; j < k; ++j)
      means.values[c * k + j] /= std::max(means.weights[c], 1e-300);
  }
  std::vector<double> within(k * k, 0.0), panel_values(size * k), lengths(k);
  for_each([&](std::size_t b, std::size_t n) {
    const Panel panel{panel_values, size, n, k};
    for (std::size_t j = 0; j < k; ++j) {
      const auto z = rows.column(b, j);
      for (std::size_t i = 0; i < n; ++i) {
        panel.column(j)[i] = std::sqrt(rows.weights[b * size + i]) *
                             (z[i] - means.values[place_of(b * size + i) * k + j]);
      }
    }
    add_cross_products(panel, within);
  });
  mirror(within, k);
  double trace = 0.0;
  for (std::size_t j = 0; j < k; ++j) trace += within[j * k + j];
  for (std::size_t j = 0; j < k; ++j) {
    within[j * k + j] += ridge * std::max(trace, 1e-300) / static_cast<double>(k);
  }
  lapack::symmetric_eigen(within, lengths);  // columns of the (column-major) matrix: directions
  Centroids whitened = means;
  for (std::size_t c = 0; c < means.count(); ++c) {
    for (std::size_t d = 0; d < k; ++d) {
      double sum = 0.0;
      for (std::size_t j = 0; j < k; ++j) sum += within[d * k + j] * means[c][j];
      whitened.values[c * k + d] = sum / std::sqrt(std::max(lengths[d], 1e-300));
    }
  }
  return whitened;
}

void add_each_against_rest(std::size_t n, Collected& ways) {
  for (std::size_t i = 0; i < n; ++i) {
    Way way(n, 0);
    way[i] = 1;
    ways.add(std::move(way));
  }
}

void add_clusters(const Centroids& means, Collected& ways, const std::function<void()>& poll) {
  const std::size_t n = means.count(), k = means.width;
  std::vector<Way> members;
  std::vector<std::vector<double>> centres;
  std::vector<double> weights = means.weights;
  for (std::size_t i = 0; i < n; ++i) {
    members.emplace_back(n, 0);
    members[i][i] = 1;
    centres.emplace_back(means[i].begin(), means[i].end());
  }
  while (members.size() > 2 && !ways.is_full()) {
    std::size_t first = 0, second = 1;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < members.size(); ++a) {
      if (poll) poll();
      for (std::size_t b = a + 1; b < members.size(); ++b) {
        double cost = 0.0;
        for (std::size_t j = 0; j < k; ++j) {
          cost += (centres[a][j] - centres[b][j]) * (centres[a][j] - centres[b][j]);
        }
        cost *= weights[a] * weights[b] / (weights[a] + weights[b]);
        if (cost < least * (1 - 1e-12)) least = cost, first = a, second = b;
      }
    }
    const double total = weights[first] + weights[second];
    for (std::size_t j = 0; j < k; ++j) {
      centres[first][j] =
          (weights[first] * centres[first][j] + weights[second] * centres[second][j]) / total;
    }
    weights[first] = total;
    for (std::size_t i = 0; i < n; ++i) members[first][i] |= members[second][i];
    ways.add(members[first]);
    const auto erase = [&](auto& items) {
      items.erase(items.begin() + static_cast<std::ptrdiff_t>(second));
    };
    erase(members), erase(centres), erase(weights);
  }
}

void add_prefixes(const Centroids& means, Collected& ways) {
  const std::size_t n = means.count(), k = means.width;
  std::vector<double> spread(k * k, 0.0), lengths(k);
  for (std::size_t c = 0; c < n; ++c) {
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < k; ++j) {
        spread[i * k + j] += means.weights[c] * means[c][i] * means[c][j];
      }
    }
  }
  lapack::symmetric_eigen(spread, lengths);
  for (std::size_t d = 0; d < std::min(k, n - 1); ++d) {
    const auto direction = std::span(spread).subspan((k - 1 - d) * k, k);
    // Directions have no sign of their own.
    const auto largest =
        std::ranges::max_element(direction, {}, [](double x) { return std::abs(x); });
    std::vector<double> along(n);
    for (std::size_t c = 0; c < n; ++c) {
      along[c] = std::inner_product(direction.begin(), direction.end(), means[c].begin(), 0.0);
      if (*largest < 0) along[c] = -along[c];
    }
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t c) { return along[c]; });
    Way way(n, 0);
    for (std::size_t i = 0; i + 1 < n; ++i) {
      way[order[i]] = 1;
      ways.add(way);
    }
  }
}

// So many tries that few ways are missed by chance where nearly all are wanted.
void add_random(std::size_t n, std::size_t at_most, Rng& rng, Collected& ways) {
  for (std::size_t tries = 0; tries < 20 * at_most && !ways.is_full(); ++tries) {
    Way way(n);
    for (std::uint8_t& inside : way) inside = rng.below(2) ? 1 : 0;
    if (std::ranges::count(way, 1) > 0) ways.add(std::move(way));
  }
}

Ways chosen_ways(const StandardRows& rows, std::span<const std::int32_t> labels,
                 std::span<const std::size_t> present, std::size_t n_classes, Bipartitions kind,
                 std::size_t at_most, Rng& rng, const std::function<void()>& poll) {
  const std::size_t n = present.size();
  const bool few = n <= most_classes && (std::size_t{1} << (n - 1)) - 1 <= at_most;
  if (kind == Bipartitions::exhaustive || (kind == Bipartitions::automatic && few)) {
    require(n <= most_classes,
            "A node has " + std::to_string(n) +
                " classes, too many to divide in all ways; give bipartitions='auto'.");
    return all_ways(n);
  }
  Collected ways(at_most);
  if (kind == Bipartitions::automatic || kind == Bipartitions::one_against_rest) {
    add_each_against_rest(n, ways);
  }
  if (kind == Bipartitions::automatic || kind == Bipartitions::clustered) {
    const Centroids means = whitened_means(rows, labels, present, n_classes);
    add_clusters(means, ways, poll);
    add_prefixes(means, ways);
  }
  if (kind == Bipartitions::automatic) {
    Rng always_the_same(rows.n_rows() * n);
    add_random(n, at_most, always_the_same, ways);
  }
  if (kind == Bipartitions::random) add_random(n, at_most, rng, ways);
  return ways.take();
}

}  // namespace

Bipartitions bipartitions_named(const std::string& name) {
  const std::vector<std::string> names{"auto", "exhaustive", "one_vs_rest", "clustered", "random"};
  const auto found = std::ranges::find(names, name);
  require(found != names.end(), "There are no bipartitions called '" + name + "'.");
  return static_cast<Bipartitions>(found - names.begin());
}

Ways all_ways(std::size_t n_classes) {
  Ways ways;
  for (std::size_t index = 0; index + 1 < (std::size_t{1} << (n_classes - 1)); ++index) {
    Way way(n_classes, 1);
    for (std::size_t j = 1; j < n_classes; ++j) way[j] = index >> (j - 1) & 1;
    ways.push_back(std::move(way));
  }
  return ways;
}

Ways ways_to_divide(const StandardRows& rows, std::span<const std::int32_t> labels,
                    std::span<const std::size_t> present, std::size_t n_classes, Bipartitions kind,
                    std::size_t at_most, Rng& rng, const std::function<void()>& poll) {
  Ways ways = chosen_ways(rows, labels, present, n_classes, kind, at_most, rng, poll);
  for (Way& way : ways) {
    Way all(n_classes, 0);
    for (std::size_t i = 0; i < present.size(); ++i) all[present[i]] = way[i];
    way = std::move(all);
  }
  return ways;
}

}  // namespace treewright
