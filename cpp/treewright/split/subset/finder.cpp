#include "treewright/split/subset/finder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "treewright/base/cross_products.hpp"
#include "treewright/base/decimal.hpp"
#include "treewright/base/lapack.hpp"
#include "treewright/split/subset/small_system.hpp"

namespace treewright {

namespace {

constexpr std::size_t most_bins = 512;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t newton_steps = 4;
constexpr std::size_t most_single_classes = 12;  // that are set against all others
constexpr double least_class = 0.02;             // of a node, that is set against all others

double x_log_x(double x) { return x > 0.0 ? x * std::log(x) : 0.0; }

// The impurity of amounts, times their weight.
double impurity_of(std::span<const double> amounts, bool is_classification) {
  if (!is_classification) return amounts[0] > 0.0 ? -amounts[1] * amounts[1] / amounts[0] : 0.0;
  double weight = 0.0, sum = 0.0;
  for (const double c : amounts) {
    weight += c;
    sum += x_log_x(c);
  }
  return x_log_x(weight) - sum;
}

double weight_of(std::span<const double> amounts, bool is_classification) {
  return is_classification ? std::accumulate(amounts.begin(), amounts.end(), 0.0) : amounts[0];
}

}  // namespace

// What is known of a node, and the best conditions so far.
struct SubsetFinder::Work {
  SoftNode node;
  std::vector<double> amounts;  // [row of the node][output]
  std::vector<double> weights;  // [row of the node]
  std::vector<double> total;    // [output]
  double weight = 0.0;
  double impurity = 0.0;
  std::vector<SubsetCondition> best;
  std::vector<SubsetCondition> fitted;                 // sums without thresholds
  std::vector<std::pair<double, std::uint32_t>> sums;  // scratch: sum, row of the node
  std::vector<double> left, right, fit;
  std::vector<std::array<double, most_subset_terms>> standard;
};

SubsetFinder::SubsetFinder(const SoftTable& table, const SubsetOptions& options)
    : table_(table), options_(options), lowest_(table.n_terms), highest_(table.n_terms) {
  if (options.only_sums) return;
  const std::size_t n = table.n_rows;
  bins_.resize(table.n_terms * n);
  std::vector<std::uint32_t> order(n);
  for (std::size_t j = 0; j < table.n_terms; ++j) {
    const double* values = table.values.data() + j * n;
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t i) { return values[i]; });
    std::size_t n_distinct = 0;
    for (std::size_t i = 0; i < n; ++i)
      n_distinct += i == 0 || values[order[i]] > values[order[i - 1]] ? 1 : 0;
    const double in_bin = static_cast<double>(n) / static_cast<double>(most_bins);
    double next = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const double value = values[order[i]];
      const bool is_new = i == 0 || value > values[order[i - 1]];
      if (is_new && (n_distinct <= most_bins || static_cast<double>(i) >= next)) {
        lowest_[j].push_back(value);
        highest_[j].push_back(value);
        next = static_cast<double>(i) + in_bin;
      }
      highest_[j].back() = value;
      bins_[j * n + order[i]] = static_cast<std::uint16_t>(lowest_[j].size() - 1);
    }
  }
}

double SubsetFinder::sum_at(const SubsetCondition& condition, std::size_t row) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < condition.terms.size(); ++i) {
    const auto term = static_cast<std::size_t>(condition.terms[i]);
    sum += condition.weights[i] * table_.values[term * table_.n_rows + row];
  }
  return sum;
}

std::vector<SubsetCondition> SubsetFinder::best(const SoftNode& node) const {
  Work work = work_of(node);
  if (work.weight < 2.0 * options_.min_weight || work.best.empty()) return work.best;
  cut_terms(work);
  if (work.best.size() > 1) fit_sums(work);
  for (SubsetCondition& condition : work.fitted) cut_sum(work, std::move(condition));
  return work.best;
}

std::vector<SubsetCondition> SubsetFinder::sums(const SoftNode& node) const {
  Work work = work_of(node);
  if (work.weight >= 2.0 * options_.min_weight && work.best.size() > 1) fit_sums(work);
  return work.fitted;
}

SubsetFinder::Work SubsetFinder::work_of(const SoftNode& node) const {
  Work work;
  work.node = node;
  const std::size_t n_outputs = table_.n_outputs;
  work.total.assign(n_outputs, 0.0);
  work.amounts.resize(node.rows.size() * n_outputs);
  work.weights.resize(node.rows.size());
  for (std::size_t i = 0; i < node.rows.size(); ++i) {
    const std::size_t row = node.rows[i];
    const double factor = node.factors.empty() ? 1.0 : node.factors[row];
    for (std::size_t k = 0; k < n_outputs; ++k) {
      const double amount = factor * table_.amounts[row * n_outputs + k];
      work.amounts[i * n_outputs + k] = amount;
      work.total[k] += amount;
    }
    const std::span<const double> own{work.amounts.data() + i * n_outputs, n_outputs};
    work.weights[i] = weight_of(own, table_.is_classification);
  }
  work.weight = weight_of(work.total, table_.is_classification);
  work.impurity = impurity_of(work.total, table_.is_classification);
  work.best.resize(std::min(options_.n_terms, most_subset_terms));
  work.left.resize(n_outputs);
  work.right.resize(n_outputs);
  return work;
}

// ---------------------------------------------------------------- one term

void SubsetFinder::cut_terms(Work& work) const {
  const std::size_t n_outputs = table_.n_outputs;
  std::vector<double> in_bins;
  SubsetCondition& best = work.best[0];
  for (std::size_t j = 0; j < table_.n_terms; ++j) {
    const std::size_t n_bins = lowest_[j].size();
    if (n_bins < 2) continue;
    in_bins.assign(n_bins * n_outputs, 0.0);
    const std::uint16_t* bins = bins_.data() + j * table_.n_rows;
    for (std::size_t i = 0; i < work.node.rows.size(); ++i) {
      double* to = in_bins.data() + bins[work.node.rows[i]] * n_outputs;
      for (std::size_t k = 0; k < n_outputs; ++k) to[k] += work.amounts[i * n_outputs + k];
    }
    std::ranges::fill(work.left, 0.0);
    std::size_t last = n_bins;  // bin before, of those that hold rows
    for (std::size_t b = 0; b < n_bins; ++b) {
      const std::span<const double> here{in_bins.data() + b * n_outputs, n_outputs};
      if (weight_of(here, table_.is_classification) <= 0.0) continue;
      if (last < n_bins) {
        const double left = weight_of(work.left, table_.is_classification);
        if (left >= options_.min_weight && work.weight - left >= options_.min_weight) {
          for (std::size_t k = 0; k < n_outputs; ++k)
            work.right[k] =
                std::max(work.total[k] - work.left[k], table_.is_classification ? 0.0 : -infinity);
          const double gain = work.impurity - impurity_of(work.left, table_.is_classification) -
                              impurity_of(work.right, table_.is_classification);
          if (gain > best.gain) {
            const double low = highest_[j][last], high = lowest_[j][b];
            best = {{static_cast<std::int32_t>(j)},
                    {1.0},
                    shortest_between(low, high),
                    low,
                    high,
                    gain};
          }
        }
      }
      for (std::size_t k = 0; k < n_outputs; ++k) work.left[k] += here[k];
      last = b;
    }
  }
}

// ---------------------------------------------------------------- sums

void SubsetFinder::fit_sums(Work& work) const {
  const std::size_t n_terms = table_.n_terms, n_outputs = table_.n_outputs;
  const std::size_t n_classes = table_.is_classification ? n_outputs : 1;
  const std::size_t n = work.node.rows.size();
  // Means of all rows, products of deviations from them, and means of each class.
  std::vector<double> mean(n_terms, 0.0), scatter(n_terms * n_terms, 0.0);
  std::vector<double> class_sums(n_classes * n_terms, 0.0);  // of deviations
  for (std::size_t j = 0; j < n_terms; ++j) {
    const double* values = table_.values.data() + j * table_.n_rows;
    for (std::size_t i = 0; i < n; ++i) mean[j] += work.weights[i] * values[work.node.rows[i]];
    mean[j] /= work.weight;
  }
  constexpr std::size_t block = 128;
  std::vector<double> panel_values(block * n_terms);
  for (std::size_t begin = 0; begin < n; begin += block) {
    const std::size_t size = std::min(block, n - begin);
    for (std::size_t j = 0; j < n_terms; ++j) {
      const double* values = table_.values.data() + j * table_.n_rows;
      double* to = panel_values.data() + j * block;
      for (std::size_t i = 0; i < size; ++i) to[i] = values[work.node.rows[begin + i]] - mean[j];
      for (std::size_t k = 0; k < n_classes; ++k) {
        const std::size_t output = table_.is_classification ? k : 1;
        double sum = 0.0;
        for (std::size_t i = 0; i < size; ++i)
          sum += work.amounts[(begin + i) * n_outputs + output] * to[i];
        class_sums[k * n_terms + j] += sum;
      }
      for (std::size_t i = 0; i < size; ++i) to[i] *= std::sqrt(work.weights[begin + i]);
    }
    add_cross_products({panel_values, block, size, n_terms}, scatter);
  }
  mirror(scatter, n_terms);

  std::vector<double> difference(n_terms), deviation(n_terms), correlation(n_terms * n_terms);
  std::vector<double> share(n);
  // `group` of the classes against the others, or numbers.
  const auto cut = [&](std::span<const std::uint8_t> group) {
    double first = 0.0;  // weight of the group
    std::vector<double> moved(n_terms, 0.0);
    if (table_.is_classification) {
      for (std::size_t k = 0; k < n_classes; ++k) {
        if (group[k] == 0) continue;
        first += work.total[k];
        for (std::size_t j = 0; j < n_terms; ++j) moved[j] += class_sums[k * n_terms + j];
      }
    } else {
      std::copy(class_sums.begin(), class_sums.end(), moved.begin());
    }
    const double second = work.weight - first;
    if (table_.is_classification && (first <= 0.0 || second <= 0.0)) return;
    // Between the groups: (sum of deviations)^2 W / (W_1 W_2).
    const double between = table_.is_classification ? work.weight / (first * second) : 0.0;
    for (std::size_t j = 0; j < n_terms; ++j) {
      const double within = scatter[j * n_terms + j] - between * moved[j] * moved[j];
      const bool varies = within > 1e-10 * scatter[j * n_terms + j] && within > 0.0;
      deviation[j] = varies ? std::sqrt(within / work.weight) : 0.0;
      const double gap = table_.is_classification ? moved[j] * between : moved[j] / work.weight;
      difference[j] = varies ? gap / deviation[j] : 0.0;
    }
    for (std::size_t a = 0; a < n_terms; ++a) {
      for (std::size_t b = 0; b < n_terms; ++b) {
        const double scale = deviation[a] * deviation[b] * work.weight;
        const double within = scatter[a * n_terms + b] - between * moved[a] * moved[b];
        correlation[a * n_terms + b] =
            a == b ? 1.0 : (scale > 0.0 ? (1.0 - options_.shrinkage) * within / scale : 0.0);
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (!table_.is_classification) {
        share[i] = work.amounts[i * n_outputs + 1];
        continue;
      }
      double in_group = 0.0;
      for (std::size_t k = 0; k < n_classes; ++k) {
        if (group[k] != 0) in_group += work.amounts[i * n_outputs + k];
      }
      share[i] = work.weights[i] > 0.0 ? in_group / work.weights[i] : 0.0;
    }
    fit_subsets(work, difference, correlation, deviation, share);
  };

  if (!table_.is_classification || n_classes == 2) {
    const std::array<std::uint8_t, 2> group{1, 0};
    return cut(group);
  }
  std::vector<std::vector<std::uint8_t>> groups;
  const auto add = [&](const std::vector<std::uint8_t>& group) {
    std::vector<std::uint8_t> other(group);
    for (std::uint8_t& g : other) g = g == 0 ? 1 : 0;
    if (std::ranges::find(groups, group) == groups.end() &&
        std::ranges::find(groups, other) == groups.end())
      groups.push_back(group);
  };
  std::vector<std::size_t> present;
  for (std::size_t k = 0; k < n_classes; ++k) {
    if (work.total[k] > 0.0) present.push_back(k);
  }
  if (n_classes <= most_single_classes) {
    for (const std::size_t k : present) {
      if (work.total[k] < least_class * work.weight) continue;
      std::vector<std::uint8_t> group(n_classes, 0);
      group[k] = 1;
      add(group);
    }
  }
  // Classes in the order of their means along the two leading directions between them.
  std::vector<double> between(n_terms * n_terms, 0.0), sizes(n_terms);
  for (std::size_t j = 0; j < n_terms; ++j)
    sizes[j] = scatter[j * n_terms + j] > 0.0 ? 1.0 / std::sqrt(scatter[j * n_terms + j]) : 0.0;
  for (const std::size_t k : present) {
    for (std::size_t a = 0; a < n_terms; ++a) {
      for (std::size_t b = 0; b < n_terms; ++b)
        between[a * n_terms + b] += class_sums[k * n_terms + a] * class_sums[k * n_terms + b] /
                                    work.total[k] * sizes[a] * sizes[b];
    }
  }
  std::vector<double> eigenvalues(n_terms);
  lapack::symmetric_eigen(between, eigenvalues);
  for (std::size_t axis = 0; axis < std::min<std::size_t>(2, n_terms); ++axis) {
    const double* direction = between.data() + (n_terms - 1 - axis) * n_terms;
    std::vector<double> place(n_classes, 0.0);
    for (const std::size_t k : present) {
      for (std::size_t j = 0; j < n_terms; ++j)
        place[k] += direction[j] * sizes[j] * class_sums[k * n_terms + j] / work.total[k];
    }
    std::vector<std::size_t> order(present);
    std::ranges::stable_sort(order, {}, [&](std::size_t k) { return place[k]; });
    std::vector<std::uint8_t> group(n_classes, 0);
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      group[order[i]] = 1;
      add(group);
    }
  }
  for (const auto& group : groups) cut(group);
}

void SubsetFinder::fit_subsets(Work& work, std::span<const double> difference,
                               std::span<const double> correlation,
                               std::span<const double> deviation,
                               std::span<const double> share) const {
  const std::size_t n_terms = table_.n_terms;
  // Screening: by each term alone and beside all others, taken in turn.
  std::vector<std::size_t> by_alone, by_beside, screened;
  for (std::size_t j = 0; j < table_.n_summable; ++j) {
    if (deviation[j] > 0.0) by_alone.push_back(j);
  }
  by_beside = by_alone;
  if (by_alone.size() > options_.screened) {
    std::vector<double> matrix(correlation.begin(), correlation.end());
    std::vector<double> beside(difference.begin(), difference.end());
    if (!lapack::solve_positive(matrix, beside)) std::ranges::fill(beside, 0.0);
    std::ranges::stable_sort(by_alone, {}, [&](std::size_t j) { return -std::abs(difference[j]); });
    std::ranges::stable_sort(by_beside, {}, [&](std::size_t j) { return -std::abs(beside[j]); });
    std::vector<bool> is_in(n_terms, false);
    for (std::size_t i = 0; screened.size() < options_.screened && i < by_alone.size(); ++i) {
      for (const std::size_t j : {by_alone[i], by_beside[i]}) {
        if (is_in[j] || screened.size() == options_.screened) continue;
        is_in[j] = true;
        screened.push_back(j);
      }
    }
    std::ranges::sort(screened);
  } else {
    screened = by_alone;
  }

  struct Ranked {
    double worth;
    std::array<std::size_t, most_subset_terms> terms;
  };
  for (std::size_t size = 2; size <= work.best.size(); ++size) {
    std::vector<Ranked> ranked;
    const auto rank = [&](std::array<std::size_t, most_subset_terms> terms) {
      std::array<double, most_subset_terms * most_subset_terms> matrix;
      std::array<double, most_subset_terms> right;
      for (std::size_t a = 0; a < size; ++a) {
        right[a] = difference[terms[a]];
        for (std::size_t b = 0; b < size; ++b)
          matrix[a * size + b] = correlation[terms[a] * n_terms + terms[b]];
      }
      if (!solve_small(matrix.data(), right.data(), size)) return;
      double worth = 0.0;
      for (std::size_t a = 0; a < size; ++a) worth += right[a] * difference[terms[a]];
      ranked.push_back({worth, terms});
    };
    for (std::size_t a = 0; a < screened.size(); ++a) {
      for (std::size_t b = a + 1; b < screened.size(); ++b) {
        if (size == 2) {
          rank({screened[a], screened[b], 0});
          continue;
        }
        for (std::size_t c = b + 1; c < screened.size(); ++c)
          rank({screened[a], screened[b], screened[c]});
      }
    }
    std::ranges::stable_sort(ranked, {}, [](const Ranked& r) { return -r.worth; });
    for (std::size_t i = 0; i < std::min(options_.kept, ranked.size()); ++i)
      fit(work, {ranked[i].terms.data(), size}, deviation, share);
  }
}

void SubsetFinder::fit(Work& work, std::span<const std::size_t> subset,
                       std::span<const double> deviation, std::span<const double> share) const {
  const std::size_t n = work.node.rows.size(), size = subset.size();
  constexpr std::size_t most = most_subset_terms + 1;  // with an intercept
  work.standard.resize(n);
  for (std::size_t a = 0; a < size; ++a) {
    const double* values = table_.values.data() + subset[a] * table_.n_rows;
    double mean = 0.0;
    for (std::size_t i = 0; i < n; ++i) mean += work.weights[i] * values[work.node.rows[i]];
    mean /= work.weight;
    for (std::size_t i = 0; i < n; ++i)
      work.standard[i][a] = (values[work.node.rows[i]] - mean) / deviation[subset[a]];
  }
  std::array<double, most> slopes{};  // the intercept is the last
  const std::size_t steps = table_.is_classification ? newton_steps : 1;
  for (std::size_t step = 0; step < steps; ++step) {
    std::array<double, most * most> curvature{};
    std::array<double, most> gradient{};
    const std::size_t k = size + 1;
    for (std::size_t i = 0; i < n; ++i) {
      const auto& z = work.standard[i];
      double eta = slopes[size];
      for (std::size_t a = 0; a < size; ++a) eta += slopes[a] * z[a];
      double residual, bend;
      if (table_.is_classification) {
        const double p = 1.0 / (1.0 + std::exp(-eta));
        residual = work.weights[i] * (share[i] - p);
        bend = work.weights[i] * p * (1.0 - p);
      } else {
        residual = share[i] - work.weights[i] * eta;
        bend = work.weights[i];
      }
      for (std::size_t a = 0; a < size; ++a) {
        gradient[a] += residual * z[a];
        for (std::size_t b = 0; b <= a; ++b) curvature[a * k + b] += bend * z[a] * z[b];
        curvature[size * k + a] += bend * z[a];
      }
      gradient[size] += residual;
      curvature[size * k + size] += bend;
    }
    for (std::size_t a = 0; a < size; ++a) {
      gradient[a] -= options_.ridge * slopes[a];
      curvature[a * k + a] += options_.ridge;
    }
    if (!solve_small(curvature.data(), gradient.data(), k)) break;
    for (std::size_t a = 0; a < k; ++a) slopes[a] += gradient[a];
  }
  // The first weight is positive, and 1 is that of middle size, of two the smaller one.
  std::array<double, most_subset_terms> weights{}, sizes{};
  for (std::size_t a = 0; a < size; ++a) {
    weights[a] = slopes[a] / deviation[subset[a]];
    sizes[a] = std::abs(weights[a]);
  }
  std::sort(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(size));
  const double one = std::copysign(sizes[(size - 1) / 2], weights[0]);
  if (!(sizes[0] > 0.0) || !std::isfinite(sizes[size - 1] / sizes[0])) return;
  SubsetCondition condition;
  for (std::size_t a = 0; a < size; ++a) {
    const double weight = round_significant(weights[a] / one, options_.digits);
    condition.terms.push_back(static_cast<std::int32_t>(subset[a]));
    condition.weights.push_back(weight);
  }
  work.fitted.push_back(std::move(condition));
}

void SubsetFinder::cut_sum(Work& work, SubsetCondition condition) const {
  const std::size_t n = work.node.rows.size(), n_outputs = table_.n_outputs;
  work.sums.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    work.sums[i] = {sum_at(condition, work.node.rows[i]), static_cast<std::uint32_t>(i)};
  std::ranges::sort(work.sums);
  SubsetCondition& best = work.best[condition.terms.size() - 1];
  std::ranges::fill(work.left, 0.0);
  double left = 0.0;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const std::size_t row = work.sums[i].second;
    for (std::size_t k = 0; k < n_outputs; ++k) work.left[k] += work.amounts[row * n_outputs + k];
    left += work.weights[row];
    const double low = work.sums[i].first, high = work.sums[i + 1].first;
    if (!(high > low) || left < options_.min_weight) continue;
    if (work.weight - left < options_.min_weight) break;
    for (std::size_t k = 0; k < n_outputs; ++k)
      work.right[k] =
          std::max(work.total[k] - work.left[k], table_.is_classification ? 0.0 : -infinity);
    const double gain = work.impurity - impurity_of(work.left, table_.is_classification) -
                        impurity_of(work.right, table_.is_classification);
    if (gain > best.gain) {
      condition.low = low;
      condition.high = high;
      condition.threshold = shortest_between(low, high);
      condition.gain = gain;
      best = condition;
    }
  }
}

}  // namespace treewright
