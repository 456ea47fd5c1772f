#include "treewright/split/rows/moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "treewright/split/evidence.hpp"
#include "treewright/split/rows/complete_sums.hpp"
#include "treewright/split/rows/group_scatter.hpp"

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

struct ColumnSums {
  double weight = 0.0, first = 0.0, second = 0.0, count = 0.0;

  void add(double x, double w, double rows) {
    const bool is_known = x == x;
    const double of_row = is_known ? w : 0.0, value = is_known ? x : 0.0;
    weight += of_row;
    first += of_row * value;
    second += of_row * value * value;
    count += is_known ? rows : 0.0;
  }

  // Adds rows of weight 1 without gaps, given the sums over them.
  void add_complete(std::size_t n_rows, double sum, double squares) {
    weight += static_cast<double>(n_rows);
    first += sum;
    second += squares;
    count += static_cast<double>(n_rows);
  }

  Moments around(double reference) const {
    if (!(weight > 0)) return {};
    const double mean = first / weight;
    return {weight, mean + reference, std::max(0.0, second - mean * first)};
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

namespace {

// The sums of each label and column around a value of that column: of each label its own, so that
// an outlier of one does not cost another its digits.
struct LabelSums {
  std::vector<ColumnSums> sums;    // [label * columns + position]
  std::vector<double> references;  // likewise

  Moments moments(std::size_t place) const { return sums[place].around(references[place]); }
};

LabelSums sums_by_label(const Node& node, const Table& table, std::span<const std::int32_t> columns,
                        Labels labels) {
  const std::size_t k = columns.size();
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  LabelSums result{std::vector<ColumnSums>(labels.count * k),
                   std::vector<double>(labels.count * k, none)};
  CompleteSums complete(table, columns);
  std::vector<bool> has_references(labels.count, false);
  std::vector<std::uint32_t> sorted;
  std::vector<std::size_t> ends;
  const auto add_block = [&](std::span<const std::uint32_t> rows, std::size_t label) {
    const auto references = std::span(result.references).subspan(label * k, k);
    if (!has_references[label]) {
      has_references[label] = true;
      for (std::size_t j = 0; j < k; ++j) {
        if (!std::isnan(references[j])) continue;
        references[j] = first_known(table.column(columns[j]), rows);
        if (std::isnan(references[j])) has_references[label] = false;
      }
    }
    if (node.problem.unit_weights) complete.find(rows, references);
    for (std::size_t j = 0; j < k; ++j) {
      ColumnSums& here = result.sums[label * k + j];
      if (node.problem.unit_weights && !std::isnan(complete.sum(j))) {
        here.add_complete(rows.size(), complete.sum(j), complete.squares(j));
        continue;
      }
      const Column column = table.column(columns[j]);
      for (const std::uint32_t row : rows) {
        here.add(column[row] - references[j], node.weights[row], node.count_of(row));
      }
    }
  };
  // Where columns lie one behind the other, a block takes long looks at one after the other.
  const std::size_t size = table.is_row_major() ? rows_in_block(k) : 4096;
  for_each_block(node, size, [&](std::span<const std::uint32_t> rows) {
    sort_by_label(rows, labels, sorted, ends);
    std::size_t begin = 0;
    for (std::size_t label = 0; label < labels.count; ++label) {
      const auto of_label =
          std::span<const std::uint32_t>(sorted).subspan(begin, ends[label] - begin);
      if (!of_label.empty()) add_block(of_label, label);
      begin = ends[label];
    }
  });
  return result;
}

}  // namespace

namespace {

// What is known of each column by itself.
std::vector<JointMoments> alone(Evidence& evidence, std::span<const std::int32_t> columns) {
  std::vector<ColumnSet> sets;
  for (const std::int32_t column : columns) sets.push_back({column});
  evidence.expect(sets);
  std::vector<JointMoments> moments;
  for (const ColumnSet& set : sets) moments.push_back(evidence.moments(set));
  return moments;
}

Moments of_class(const JointMoments& moments, std::size_t label) {
  return {moments.weight(label), moments.mean(label, 0), moments.product(label, 0, 0)};
}

}  // namespace

std::vector<Moments> moments_by_label(const Node& node, std::span<const std::int32_t> columns,
                                      Labels labels) {
  if (node.evidence != nullptr) {
    std::vector<Moments> moments;
    const std::vector<JointMoments> known = alone(*node.evidence, columns);
    for (std::size_t label = 0; label < labels.count; ++label) {
      for (const JointMoments& column : known) moments.push_back(of_class(column, label));
    }
    return moments;
  }
  const LabelSums found = sums_by_label(node, node.problem.table, columns, labels);
  std::vector<Moments> moments(found.sums.size());
  for (std::size_t i = 0; i < moments.size(); ++i) moments[i] = found.moments(i);
  return moments;
}

std::vector<ClassMoments> class_moments(const Node& node, const Table& table,
                                        std::span<const std::int32_t> columns, Labels labels) {
  const std::size_t k = columns.size();
  if (k == 0) return {};
  if (node.evidence != nullptr) {
    std::vector<ClassMoments> classes;
    for (const JointMoments& column : alone(*node.evidence, columns)) {
      for (std::size_t label = 0; label < labels.count; ++label) {
        classes.push_back({of_class(column, label), column.count(label)});
      }
    }
    return classes;
  }
  const LabelSums found = sums_by_label(node, table, columns, labels);
  std::vector<ClassMoments> classes(found.sums.size());
  for (std::size_t place = 0; place < classes.size(); ++place) {
    classes[place % k * labels.count + place / k] = {found.moments(place), found.sums[place].count};
  }
  return classes;
}

std::vector<ClassMoments> distance_moments(const Node& node, const Table& table,
                                           std::span<const std::int32_t> columns, Labels labels,
                                           std::span<const ClassMoments> classes) {
  const std::size_t k = columns.size();
  std::vector<ClassMoments> distances(classes.begin(), classes.end());
  for (ClassMoments& c : distances) c.moments.mean = 0.0;
  std::vector<std::uint32_t> sorted;
  std::vector<std::size_t> ends;
  for_each_block(node, rows_in_block(k), [&](std::span<const std::uint32_t> rows) {
    sort_by_label(rows, labels, sorted, ends);
    for (std::size_t j = 0; j < k; ++j) {
      const Column column = table.column(columns[j]);
      std::size_t i = 0;
      for (std::size_t label = 0; label < labels.count; ++label) {
        const std::size_t place = j * labels.count + label;
        double sum = 0.0;
        for (; i < ends[label]; ++i) {
          const double distance = std::abs(column[sorted[i]] - classes[place].moments.mean);
          sum += distance == distance ? node.weights[sorted[i]] * distance : 0.0;
        }
        distances[place].moments.mean += sum;
      }
    }
  });
  // The squares of the distances are those of the values around the mean of their class.
  for (ClassMoments& c : distances) {
    Moments& m = c.moments;
    if (!(m.weight > 0)) continue;
    m.mean /= m.weight;
    const double around_mean = m.squares - m.mean * m.mean * m.weight;
    m.squares = around_mean > 1e-12 * m.squares ? around_mean : 0.0;
  }
  return distances;
}

std::vector<double> weights_below(const Node& node, std::span<const std::int32_t> columns,
                                  Labels labels, std::span<const double> limits) {
  if (node.evidence != nullptr) return node.evidence->weights_below(columns, limits);
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
  if (node.evidence != nullptr) {
    std::vector<WithTarget> moments;
    for (const JointMoments& m : alone(*node.evidence, columns)) {
      const double squares = m.product(0, 0, 0);
      moments.push_back({squares, product_of(m.product(0, 0, 1), squares, node.statistics[2]),
                         m.product(0, 1, 1), m.mean(0, 0), m.count(0)});
    }
    return moments;
  }
  const auto numbers = node.problem.target.numbers;
  std::vector<double> reference;
  for (const std::int32_t c : columns) {
    reference.push_back(first_known(node.problem.table.column(c), node.ids()));
  }
  const double target_mean = node.statistics[1];
  std::vector<ColumnSums> sums(k);
  std::vector<double> products(k, 0.0), known_targets(k, 0.0), target_squares(k, 0.0);
  for_each_block(node, rows_in_block(k), [&](std::span<const std::uint32_t> rows) {
    for (std::size_t j = 0; j < k; ++j) {
      const Column column = node.problem.table.column(columns[j]);
      for (const std::uint32_t row : rows) {
        const double x = column[row] - reference[j], deviation = numbers[row] - target_mean;
        const double off = x == x ? node.weights[row] * deviation : 0.0;
        sums[j].add(x, node.weights[row], node.count_of(row));
        products[j] += x == x ? off * x : 0.0;
        known_targets[j] += off;
        target_squares[j] += off * deviation;
      }
    }
  });
  std::vector<WithTarget> moments(k);
  for (std::size_t j = 0; j < k; ++j) {
    const ColumnSums& s = sums[j];
    if (!(s.weight > 0)) continue;
    const Moments own = s.around(reference[j]);
    const double product = products[j] - s.first / s.weight * known_targets[j];
    const double of_target = target_squares[j] - known_targets[j] * known_targets[j] / s.weight;
    moments[j] = {own.squares, product_of(product, own.squares, node.statistics[2]),
                  std::max(0.0, of_target), own.mean, s.count};
  }
  return moments;
}

Scatter scatter_of(const Node& node, std::span<const std::int32_t> columns, Labels labels,
                   std::span<const std::uint8_t> group_of_label) {
  const std::size_t k = columns.size();
  const auto group_of = [&](std::uint32_t row) -> std::size_t {
    return group_of_label[static_cast<std::size_t>(labels.of_row[row])];
  };
  GroupScatter found = node.evidence != nullptr
                           ? group_scatter(node, node.evidence->moments(columns), 2,
                                           [&](std::size_t label) { return group_of_label[label]; })
                           : group_scatter(node, columns, 2, group_of, [](const Panel&, auto) {});
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

namespace {

// The target is the last of the numbers.
Scatter covariance_from(const Node& node, const JointMoments& moments) {
  const std::size_t k = moments.layout.width - 1;
  const double unit = unit_of_weights(node);
  Scatter result;
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j) result.within.push_back(unit * moments.product(0, i, j));
    result.difference.push_back(product_of(unit * moments.product(0, i, k),
                                           unit * moments.product(0, i, i),
                                           unit * node.statistics[2]));
  }
  result.n_rows = moments.count(0);
  result.weight = moments.weight(0);
  result.has_both = result.weight > 0;
  result.target_squares = unit * moments.product(0, k, k);
  return result;
}

}  // namespace

Scatter covariance_of(const Node& node, std::span<const std::int32_t> columns) {
  if (node.evidence != nullptr) return covariance_from(node, node.evidence->moments(columns));
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
