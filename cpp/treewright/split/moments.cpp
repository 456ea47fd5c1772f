#include "treewright/split/moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "treewright/split/group_scatter.hpp"

namespace treewright {

void Moments::add(const Moments& other) {
  const double total = weight + other.weight;
  if (!(total > 0)) return;
  const double delta = other.mean - mean;
  squares += other.squares + delta * delta * weight * (other.weight / total);
  mean += delta * other.weight / total;
  weight = total;
}

double Moments::deviation() const { return weight > 0 ? std::sqrt(squares / weight) : 0.0; }

namespace {

// What a mean of values of this size and spread may be wrong by.
double rounding_of(double size, double deviation) { return 1e-15 * size + 1e-12 * deviation; }

// Sums are taken around a value of the column, so that large numbers of little spread keep their
// digits.
double first_known(Column column, std::span<const std::uint32_t> rows) {
  const auto found =
      std::ranges::find_if(rows, [&](std::uint32_t row) { return !std::isnan(column[row]); });
  return found == rows.end() ? std::numeric_limits<double>::quiet_NaN() : column[*found];
}

// The product of deviations, 0 where it is no more than rounding.
double product_of(double product, double squares, double other_squares) {
  return std::abs(product) > 1e-12 * std::sqrt(squares) * std::sqrt(other_squares) ? product : 0.0;
}

struct Sums {
  double weight = 0.0, first = 0.0, second = 0.0;

  void add(double x, double w) {
    const bool is_known = x == x;
    const double of_row = is_known ? w : 0.0, value = is_known ? x : 0.0;
    weight += of_row;
    first += of_row * value;
    second += of_row * value * value;
  }

  // Adds rows of weight 1 without looking for gaps; false, and nothing added, if there was one.
  bool add_complete(Column column, std::span<const std::uint32_t> rows, double reference) {
    double sum[2] = {0.0, 0.0}, squares[2] = {0.0, 0.0};  // two of each, to be summed side by side
    const std::size_t n_even = rows.size() / 2 * 2;
    for (std::size_t i = 0; i < n_even; i += 2) {
      for (std::size_t side = 0; side < 2; ++side) {
        const double x = column[rows[i + side]] - reference;
        sum[side] += x;
        squares[side] += x * x;
      }
    }
    for (std::size_t i = n_even; i < rows.size(); ++i) {
      const double x = column[rows[i]] - reference;
      sum[0] += x;
      squares[0] += x * x;
    }
    if (std::isnan(sum[0] + sum[1])) return false;
    weight += static_cast<double>(rows.size());
    first += sum[0] + sum[1];
    second += squares[0] + squares[1];
    return true;
  }
};

// Puts the rows of a block in the order of their labels; `ends` says where each label ends.
void sort_by_label(std::span<const std::uint32_t> rows, Labels labels,
                   std::vector<std::uint32_t>& sorted, std::vector<std::size_t>& ends) {
  const auto label_of = [&](std::uint32_t row) {
    return static_cast<std::size_t>(labels.of_row[row]);
  };
  ends.assign(labels.count + 1, 0);
  sorted.resize(rows.size());
  for (const std::uint32_t row : rows) ++ends[label_of(row) + 1];
  for (std::size_t label = 0; label < labels.count; ++label) ends[label + 1] += ends[label];
  for (const std::uint32_t row : rows) sorted[ends[label_of(row)]++] = row;
}

}  // namespace

double difference_of(const Moments& a, const Moments& b) {
  const double difference = a.mean - b.mean;
  const double size = std::abs(a.mean) + std::abs(b.mean);
  const double spread = a.deviation() + b.deviation();
  return std::abs(difference) > rounding_of(size, spread) ? difference : 0.0;
}

std::vector<Moments> moments_by_label(const Node& node, std::span<const std::int32_t> columns,
                                      Labels labels) {
  const std::size_t k = columns.size();
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  // Of each label its own, so that an outlier of one does not cost another its digits.
  std::vector<double> reference(labels.count * k, none);
  std::vector<Sums> sums(labels.count * k);
  std::vector<std::uint32_t> sorted;
  std::vector<std::size_t> ends;
  std::vector<double> weights(rows_in_block(k));
  for_each_block(node, rows_in_block(k), [&](std::span<const std::uint32_t> rows) {
    sort_by_label(rows, labels, sorted, ends);
    for (std::size_t i = 0; i < sorted.size(); ++i) weights[i] = node.weights[sorted[i]];
    for (std::size_t j = 0; j < k; ++j) {
      const Column column = node.problem.table.column(columns[j]);
      std::size_t i = 0;
      for (std::size_t label = 0; label < labels.count; ++label) {
        const std::size_t place = label * k + j;
        const auto of_label = std::span<const std::uint32_t>(sorted).subspan(i, ends[label] - i);
        if (std::isnan(reference[place])) reference[place] = first_known(column, of_label);
        Sums here = sums[place];
        if (node.problem.unit_weights && here.add_complete(column, of_label, reference[place])) {
          i = ends[label];
        }
        for (; i < ends[label]; ++i) here.add(column[sorted[i]] - reference[place], weights[i]);
        sums[place] = here;
      }
    }
  });
  std::vector<Moments> moments(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const Sums& s = sums[i];
    if (!(s.weight > 0)) continue;
    const double mean = s.first / s.weight;
    moments[i] = {s.weight, mean + reference[i], std::max(0.0, s.second - mean * s.first)};
  }
  return moments;
}

std::vector<double> weights_below(const Node& node, std::span<const std::int32_t> columns,
                                  Labels labels, std::span<const double> limits) {
  const std::size_t k = columns.size();
  std::vector<double> below(labels.count * k, 0.0);
  std::vector<std::uint32_t> sorted;
  std::vector<std::size_t> ends;
  for_each_block(node, rows_in_block(k), [&](std::span<const std::uint32_t> rows) {
    sort_by_label(rows, labels, sorted, ends);
    for (std::size_t j = 0; j < k; ++j) {
      const Column column = node.problem.table.column(columns[j]);
      std::size_t i = 0;
      for (std::size_t label = 0; label < labels.count; ++label) {
        double weight = 0.0;
        std::uint32_t n_rows = 0;
        if (node.problem.unit_weights) {
          for (; i < ends[label]; ++i) n_rows += column[sorted[i]] <= limits[j];
        }
        for (; i < ends[label]; ++i) {
          weight += column[sorted[i]] <= limits[j] ? node.weights[sorted[i]] : 0.0;
        }
        below[label * k + j] += weight + n_rows;
      }
    }
  });
  return below;
}

std::vector<WithTarget> moments_with_target(const Node& node,
                                            std::span<const std::int32_t> columns) {
  const std::size_t k = columns.size();
  const auto numbers = node.problem.target.numbers;
  std::vector<double> reference;
  for (const std::int32_t c : columns) {
    reference.push_back(first_known(node.problem.table.column(c), node.ids()));
  }
  const double target_mean = node.statistics[1];
  std::vector<Sums> sums(k);
  std::vector<double> products(k, 0.0), known_targets(k, 0.0);
  for_each_block(node, rows_in_block(k), [&](std::span<const std::uint32_t> rows) {
    for (std::size_t j = 0; j < k; ++j) {
      const Column column = node.problem.table.column(columns[j]);
      for (const std::uint32_t row : rows) {
        const double x = column[row] - reference[j];
        const double off = x == x ? node.weights[row] * (numbers[row] - target_mean) : 0.0;
        sums[j].add(x, node.weights[row]);
        products[j] += x == x ? off * x : 0.0;
        known_targets[j] += off;
      }
    }
  });
  std::vector<WithTarget> moments(k);
  for (std::size_t j = 0; j < k; ++j) {
    const Sums& s = sums[j];
    if (!(s.weight > 0)) continue;
    const double mean = s.first / s.weight;
    const double squares = std::max(0.0, s.second - mean * s.first);
    moments[j] = {squares,
                  product_of(products[j] - mean * known_targets[j], squares, node.statistics[2])};
  }
  return moments;
}

Scatter scatter_of(const Node& node, std::span<const std::int32_t> columns, Labels labels,
                   std::span<const std::uint8_t> group_of_label) {
  const std::size_t k = columns.size();
  const auto group_of = [&](std::uint32_t row) -> std::size_t {
    return group_of_label[static_cast<std::size_t>(labels.of_row[row])];
  };
  GroupScatter found = group_scatter(node, columns, 2, group_of, [](const Panel&, auto) {});
  const auto& means = found.means;
  const auto& weights = found.weights;
  Scatter result{std::move(found.within), {}, found.n_rows, weights[0] > 0 && weights[1] > 0};
  for (std::size_t j = 0; j < k; ++j) {
    const double half = result.within[j * k + j] / 2;
    result.difference.push_back(
        difference_of({weights[1], means[k + j], half}, {weights[0], means[j], half}));
  }
  return result;
}

Scatter covariance_of(const Node& node, std::span<const std::int32_t> columns) {
  const std::size_t k = columns.size();
  const auto numbers = node.problem.target.numbers;
  const double target_mean = node.statistics[1], unit = unit_of_weights(node);
  std::vector<double> products(k, 0.0), off;
  double sum_off = 0.0;  // not 0 where rows with a gap are left out
  double squares = 0.0;
  GroupScatter found = group_scatter(
      node, columns, 1, [](std::uint32_t) -> std::size_t { return 0; },
      [&](const Panel& panel, auto rows) {
        off.resize(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const double deviation = numbers[rows[i]] - target_mean;
          off[i] = unit * node.weights[rows[i]] * deviation;
          sum_off += off[i];
          squares += off[i] * deviation;
        }
        for (std::size_t j = 0; j < k; ++j) {
          const auto column = panel.column(j);
          for (std::size_t i = 0; i < rows.size(); ++i) products[j] += off[i] * column[i];
        }
      });
  for (std::size_t j = 0; j < k; ++j) {
    products[j] = product_of(products[j] - found.shifts[j] * sum_off, found.within[j * k + j],
                             unit * node.statistics[2]);
  }
  const bool has_rows = found.weights[0] > 0;
  if (has_rows) squares -= sum_off * sum_off / found.weights[0];
  return {std::move(found.within), std::move(products), found.n_rows, has_rows, squares,
          found.weights[0] / unit};
}

}  // namespace treewright
