#include "treewright/split/subset/finder.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "treewright/base/decimal.hpp"
#include "treewright/split/subset/work.hpp"

namespace treewright {

namespace {

constexpr std::size_t most_bins = 256;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rounding = 1e-12;  // of sums
constexpr double slack_of_bound = 1e-9;

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

// The impurity of classes is at least this, which takes no logarithm: entropy is no less than
// 2 log 2 times the Gini index (P. Harremoes, F. Topsoe 2001, inequalities between entropy and
// index of coincidence).
double least_impurity(std::span<const double> amounts, double weight) {
  if (!(weight > 0.0)) return 0.0;
  double gini = 0.0;  // times weight
  if (amounts.size() == 2) {
    gini = 2.0 * amounts[0] * amounts[1] / weight;
  } else {
    double squares = 0.0;
    for (const double c : amounts) squares += c * c;
    gini = weight - squares / weight;
  }
  return 2.0 * std::numbers::ln2 * gini;
}

double weight_of(std::span<const double> amounts, bool is_classification) {
  return is_classification ? std::accumulate(amounts.begin(), amounts.end(), 0.0) : amounts[0];
}

}  // namespace

SubsetFinder::SubsetFinder(const SoftTable& table, const SubsetOptions& options)
    : table_(table), options_(options), lowest_(table.n_numeric), highest_(table.n_numeric) {
  list_levels();
  if (options.only_sums) return;
  const std::size_t n = table.n_rows;
  bins_.resize(table.n_numeric * n);
  std::vector<std::uint32_t> order(n);
  for (std::size_t j = 0; j < table.n_numeric; ++j) {
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

void SubsetFinder::list_levels() {
  level_begin_.assign(table_.n_rows + 1, 0);
  if (table_.n_numeric == table_.n_terms) return;
  const auto has = [&](std::size_t term, std::size_t row) {
    return table_.values[term * table_.n_rows + row] != 0.0;
  };
  for (std::size_t j = table_.n_numeric; j < table_.n_terms; ++j) {
    for (std::size_t i = 0; i < table_.n_rows; ++i) level_begin_[i + 1] += has(j, i) ? 1 : 0;
  }
  std::partial_sum(level_begin_.begin(), level_begin_.end(), level_begin_.begin());
  levels_.resize(level_begin_.back());
  std::vector<std::size_t> next(level_begin_.begin(), level_begin_.end() - 1);
  for (std::size_t j = table_.n_numeric; j < table_.n_terms; ++j) {
    for (std::size_t i = 0; i < table_.n_rows; ++i) {
      if (has(j, i)) levels_[next[i]++] = static_cast<std::uint32_t>(j);
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

std::vector<SubsetCondition> SubsetFinder::best(const SoftNode& node, std::size_t most) const {
  Work work = work_of(node, most);
  if (work.weight < 2.0 * options_.min_weight || work.best.empty()) return work.best;
  cut_terms(work);
  cut_levels(work);
  if (work.best.size() > 1) fit_sums(work);
  for (SubsetCondition& condition : work.fitted) cut_sum(work, std::move(condition));
  for (SubsetCondition& condition : work.best) {
    if (!condition.terms.empty())
      condition.threshold = shortest_between(condition.low, condition.high);
  }
  return work.best;
}

std::vector<SubsetCondition> SubsetFinder::sums(const SoftNode& node) const {
  Work work = work_of(node, options_.n_terms);
  if (work.weight >= 2.0 * options_.min_weight && work.best.size() > 1) fit_sums(work);
  return work.fitted;
}

SubsetFinder::Work SubsetFinder::work_of(const SoftNode& node, std::size_t most) const {
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
  work.best.resize(std::min({most, options_.n_terms, most_subset_terms}));
  work.left.resize(n_outputs);
  work.right.resize(n_outputs);
  return work;
}

// The gain of the cut with `work.left` on its left, which weighs `left`; -infinity where it is
// clearly no more than `bar`.
inline double SubsetFinder::gain_of(Work& work, double left, double bar) const {
  const bool is_classification = table_.is_classification;
  for (std::size_t k = 0; k < work.left.size(); ++k)
    work.right[k] = std::max(work.total[k] - work.left[k], is_classification ? 0.0 : -infinity);
  if (is_classification) {
    const double least =
        least_impurity(work.left, left) + least_impurity(work.right, work.weight - left);
    if (work.impurity * (1.0 + slack_of_bound) - least < bar) return -infinity;
  }
  return work.impurity - impurity_of(work.left, is_classification) -
         impurity_of(work.right, is_classification);
}

// ---------------------------------------------------------------- one term

void SubsetFinder::cut_terms(Work& work) const {
  const std::size_t n_outputs = table_.n_outputs;
  std::vector<double> in_bins;
  for (std::size_t j = 0; j < table_.n_numeric; ++j) {
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
      if (last < n_bins) offer_cut(work, j, highest_[j][last], lowest_[j][b]);
      for (std::size_t k = 0; k < n_outputs; ++k) work.left[k] += here[k];
      last = b;
    }
  }
}

void SubsetFinder::cut_levels(Work& work) const {
  const std::size_t n_outputs = table_.n_outputs, n_numeric = table_.n_numeric;
  std::vector<double> held((table_.n_terms - n_numeric) * n_outputs, 0.0);  // [level][output]
  for (std::size_t i = 0; i < work.node.rows.size(); ++i) {
    for (const std::uint32_t term : levels_of(work.node.rows[i])) {
      double* to = held.data() + (term - n_numeric) * n_outputs;
      for (std::size_t k = 0; k < n_outputs; ++k) to[k] += work.amounts[i * n_outputs + k];
    }
  }
  for (std::size_t j = n_numeric; j < table_.n_terms; ++j) {
    const double* with = held.data() + (j - n_numeric) * n_outputs;
    for (std::size_t k = 0; k < n_outputs; ++k) work.left[k] = work.total[k] - with[k];
    offer_cut(work, j, 0.0, 1.0);
  }
}

// Keeps the cut of a term with `work.left` on its left, if none before it is as good.
void SubsetFinder::offer_cut(Work& work, std::size_t term, double low, double high) const {
  const double left = weight_of(work.left, table_.is_classification);
  if (left < options_.min_weight || work.weight - left < options_.min_weight) return;
  const double gain = gain_of(work, left, work.best[0].gain);
  if (gain > work.best[0].gain)
    work.best[0] = {{static_cast<std::int32_t>(term)}, {1.0}, 0.0, low, high, gain};
}

// ---------------------------------------------------------------- sums

void SubsetFinder::cut_sum(Work& work, SubsetCondition condition) const {
  const std::size_t n = work.node.rows.size(), n_outputs = table_.n_outputs;
  SubsetCondition& best = work.best[condition.terms.size() - 1];
  work.sums.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    work.sums[i] = {sum_at(condition, work.node.rows[i]), static_cast<std::uint32_t>(i)};
  std::ranges::sort(work.sums, [](const auto& a, const auto& b) {
    return a.first < b.first || (a.first == b.first && a.second < b.second);
  });
  // Sums of the same decimals differ by rounding; no cut goes between them.
  const double tie =
      rounding * std::max(std::abs(work.sums.front().first), std::abs(work.sums.back().first));
  std::ranges::fill(work.left, 0.0);
  double left = 0.0;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const std::size_t row = work.sums[i].second;
    for (std::size_t k = 0; k < n_outputs; ++k) work.left[k] += work.amounts[row * n_outputs + k];
    left += work.weights[row];
    const double low = work.sums[i].first, high = work.sums[i + 1].first;
    if (!(high - low > tie) || left < options_.min_weight) continue;
    if (work.weight - left < options_.min_weight) break;
    const double gain = gain_of(work, left, std::max(condition.gain, best.gain));
    if (gain > condition.gain) {
      condition.low = low;
      condition.high = high;
      condition.gain = gain;
    }
  }
  if (condition.gain > best.gain) best = std::move(condition);
}

}  // namespace treewright
