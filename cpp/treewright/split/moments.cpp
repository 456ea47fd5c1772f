#include "treewright/split/moments.hpp"

#include <algorithm>
#include <cmath>

#include "treewright/base/lapack.hpp"

namespace treewright {

void Moments::add(const Moments& other) {
  const double total = weight + other.weight;
  if (!(total > 0)) return;
  const double delta = other.mean - mean;
  squares += other.squares + delta * delta * weight * other.weight / total;
  mean += delta * other.weight / total;
  weight = total;
}

double Moments::deviation() const { return weight > 0 ? std::sqrt(squares / weight) : 0.0; }

namespace {

// Sums are taken around a value of the column, so that large numbers of little spread keep their
// digits.
std::vector<double> references(const Node& node, std::span<const std::int32_t> columns) {
  std::vector<double> values(columns.size(), 0.0);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const Column column = node.problem.table.column(columns[j]);
    for (const std::uint32_t row : node.ids()) {
      if (std::isnan(column[row])) continue;
      values[j] = column[row];
      break;
    }
  }
  return values;
}

struct Sums {
  double weight = 0.0, first = 0.0, second = 0.0;
};

// A copy of the node's rows on some columns, a block at a time: `use(block, rows)` gets them row by
// row. Rows with a gap are left out.
template <class Use>
void for_each_block(const Node& node, std::span<const std::int32_t> columns, Use use) {
  constexpr std::size_t rows_in_block = 256;
  const std::size_t k = columns.size();
  std::vector<double> block(rows_in_block * k);
  std::vector<std::uint32_t> rows;
  rows.reserve(rows_in_block);
  for (const std::uint32_t row : node.ids()) {
    double* to = block.data() + rows.size() * k;
    double sum = 0.0;
    for (std::size_t j = 0; j < k; ++j) {
      to[j] = node.problem.table.at(row, columns[j]);
      sum += to[j];
    }
    if (std::isnan(sum)) continue;
    rows.push_back(row);
    if (rows.size() == rows_in_block) {
      use(std::span(block), std::span<const std::uint32_t>(rows));
      rows.clear();
    }
  }
  if (!rows.empty()) use(std::span(block), std::span<const std::uint32_t>(rows));
}

// Weighted means of groups of rows; group_of(row) in [0, n_groups).
template <class GroupOf>
std::vector<double> means_of(const Node& node, std::span<const std::int32_t> columns,
                             std::size_t n_groups, GroupOf group_of, std::vector<double>& weights,
                             double& n_rows) {
  const std::size_t k = columns.size();
  const std::vector<double> reference = references(node, columns);
  std::vector<double> means(n_groups * k, 0.0);
  weights.assign(n_groups, 0.0);
  for_each_block(node, columns, [&](std::span<const double> block, auto rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double w = node.weights[rows[i]];
      const std::size_t group = group_of(rows[i]);
      weights[group] += w;
      n_rows += node.count_of(rows[i]);
      double* sum = means.data() + group * k;
      for (std::size_t j = 0; j < k; ++j) sum[j] += w * (block[i * k + j] - reference[j]);
    }
  });
  for (std::size_t g = 0; g < n_groups; ++g) {
    for (std::size_t j = 0; j < k; ++j) {
      means[g * k + j] = weights[g] > 0 ? means[g * k + j] / weights[g] + reference[j] : 0.0;
    }
  }
  return means;
}

// Adds sum w (x - centre)(x - centre)' over the rows of a block; centre_of(row) gives the centre.
template <class CentreOf>
void add_products(const Node& node, std::span<double> block, std::span<const std::uint32_t> rows,
                  std::size_t k, CentreOf centre_of, std::vector<double>& matrix) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double* centre = centre_of(rows[i]);
    const double root = std::sqrt(node.weights[rows[i]]);
    for (std::size_t j = 0; j < k; ++j) block[i * k + j] = root * (block[i * k + j] - centre[j]);
  }
  lapack::add_cross_products(block.first(rows.size() * k), k, matrix);
}

}  // namespace

std::vector<Moments> moments_by_label(const Node& node, std::span<const std::int32_t> columns,
                                      Labels labels) {
  const std::size_t k = columns.size();
  const Table& table = node.problem.table;
  const std::vector<double> reference = references(node, columns);
  std::vector<Sums> sums(labels.count * k);
  for (const std::uint32_t row : node.ids()) {
    const double w = node.weights[row];
    Sums* of_label = sums.data() + static_cast<std::size_t>(labels.of_row[row]) * k;
    for (std::size_t j = 0; j < k; ++j) {
      const double x = table.at(row, columns[j]) - reference[j];
      if (std::isnan(x)) continue;
      of_label[j].weight += w;
      of_label[j].first += w * x;
      of_label[j].second += w * x * x;
    }
  }
  std::vector<Moments> moments(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const Sums& s = sums[i];
    if (!(s.weight > 0)) continue;
    const double mean = s.first / s.weight;
    moments[i] = {s.weight, mean + reference[i % k], std::max(0.0, s.second - mean * s.first)};
  }
  return moments;
}

Scatter scatter_of(const Node& node, std::span<const std::int32_t> columns, Labels labels,
                   std::span<const std::uint8_t> group_of_label) {
  const std::size_t k = columns.size();
  const auto group_of = [&](std::uint32_t row) -> std::size_t {
    return group_of_label[static_cast<std::size_t>(labels.of_row[row])];
  };
  Scatter result;
  std::vector<double> weights;
  const std::vector<double> means = means_of(node, columns, 2, group_of, weights, result.n_rows);
  result.has_both = weights[0] > 0 && weights[1] > 0;
  result.within.assign(k * k, 0.0);
  for_each_block(node, columns, [&](std::span<double> block, auto rows) {
    add_products(
        node, block, rows, k, [&](std::uint32_t row) { return means.data() + group_of(row) * k; },
        result.within);
  });
  for (std::size_t j = 0; j < k; ++j) result.difference.push_back(means[k + j] - means[j]);
  return result;
}

Scatter covariance_of(const Node& node, std::span<const std::int32_t> columns) {
  const std::size_t k = columns.size();
  const auto numbers = node.problem.target.numbers;
  Scatter result;
  std::vector<double> weights;
  const auto one_group = [](std::uint32_t) -> std::size_t { return 0; };
  const std::vector<double> means = means_of(node, columns, 1, one_group, weights, result.n_rows);
  result.has_both = weights[0] > 0;
  result.within.assign(k * k, 0.0);
  result.difference.assign(k, 0.0);
  const double mean = node.statistics[1];
  for_each_block(node, columns, [&](std::span<double> block, auto rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double off = node.weights[rows[i]] * (numbers[rows[i]] - mean);
      for (std::size_t j = 0; j < k; ++j) {
        result.difference[j] += off * (block[i * k + j] - means[j]);
      }
    }
    add_products(node, block, rows, k, [&](std::uint32_t) { return means.data(); }, result.within);
  });
  return result;
}

ManyScatter scatter_of_all(const Node& node, std::span<const std::int32_t> columns, Labels labels) {
  const std::size_t k = columns.size();
  const auto label_of = [&](std::uint32_t row) {
    return static_cast<std::size_t>(labels.of_row[row]);
  };
  std::vector<double> weights;
  double n_rows = 0.0;
  const std::vector<double> means =
      means_of(node, columns, labels.count, label_of, weights, n_rows);
  ManyScatter result{std::vector<double>(k * k, 0.0), std::vector<double>(k * k, 0.0)};
  for_each_block(node, columns, [&](std::span<double> block, auto rows) {
    add_products(
        node, block, rows, k, [&](std::uint32_t row) { return means.data() + label_of(row) * k; },
        result.within);
  });
  std::vector<double> centre(k, 0.0);
  const double total = sum_of(weights);
  for (std::size_t c = 0; c < labels.count; ++c) {
    for (std::size_t j = 0; j < k; ++j) centre[j] += weights[c] * means[c * k + j] / total;
  }
  for (std::size_t c = 0; c < labels.count; ++c) {
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < k; ++j) {
        result.between[i * k + j] +=
            weights[c] * (means[c * k + i] - centre[i]) * (means[c * k + j] - centre[j]);
      }
    }
  }
  return result;
}

}  // namespace treewright
