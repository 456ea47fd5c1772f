// The sums of a node: subsets of terms ranked by shrunken discriminants, the best of them fitted.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "treewright/base/decimal.hpp"
#include "treewright/base/lapack.hpp"
#include "treewright/split/subset/small_system.hpp"
#include "treewright/split/subset/work.hpp"

namespace treewright {

namespace {

constexpr std::size_t newton_steps = 4;
constexpr std::size_t most_single_classes = 12;  // that are set against all others
constexpr double least_class = 0.02;             // of a node, that is set against all others
constexpr double most_allowance = 2.0;  // of a level, in deviations of the number beside it
constexpr std::size_t tried_whole = 3;  // terms of subsets that are all ranked
constexpr std::size_t extended = 16;    // subsets that get one term more beyond that

// Terms, ascending.
class TermSet {
 public:
  explicit TermSet(std::size_t term) : size_(1) { terms_[0] = term; }
  std::size_t size() const { return size_; }
  std::size_t operator[](std::size_t i) const { return terms_[i]; }
  std::size_t back() const { return terms_[size_ - 1]; }
  std::span<const std::size_t> span() const { return std::span(terms_).first(size_); }
  bool holds(std::size_t term) const { return std::ranges::find(span(), term) != span().end(); }
  void insert(std::size_t term) {
    std::size_t place = size_++;
    for (; place > 0 && terms_[place - 1] > term; --place) terms_[place] = terms_[place - 1];
    terms_[place] = term;
  }
  bool operator<(const TermSet& other) const {
    return std::ranges::lexicographical_compare(span(), other.span());
  }

 private:
  std::size_t size_;
  std::array<std::size_t, most_subset_terms> terms_{};
};

constexpr std::size_t most_slopes = most_subset_terms + 1;  // with an intercept, the last
using Slopes = std::array<double, most_slopes>;

struct Regression {
  std::span<const double> standard;  // [row][term]
  std::span<const double> weights;
  std::span<const double> share;  // of a group of classes in each row, or weighted numbers
  bool is_classification;
  double ridge;
};

// The slopes of a ridge regression, of a logistic one by Newton steps from 0.
template <std::size_t n_terms>  // 0: any
Slopes slopes_of(const Regression& of, std::size_t terms) {
  const std::size_t size = n_terms > 0 ? n_terms : terms, k = size + 1;
  Slopes slopes{};
  const std::size_t steps = of.is_classification ? newton_steps : 1;
  for (std::size_t step = 0; step < steps; ++step) {
    std::array<double, most_slopes * most_slopes> curvature{};
    Slopes gradient{};
    for (std::size_t i = 0; i < of.weights.size(); ++i) {
      const double* z = of.standard.data() + i * size;
      double eta = slopes[size];
      for (std::size_t a = 0; a < size; ++a) eta += slopes[a] * z[a];
      double residual, bend;
      if (of.is_classification) {
        const double p = step == 0 ? 0.5 : 1.0 / (1.0 + std::exp(-eta));
        residual = of.weights[i] * (of.share[i] - p);
        bend = of.weights[i] * p * (1.0 - p);
      } else {
        residual = of.share[i] - of.weights[i] * eta;
        bend = of.weights[i];
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
      gradient[a] -= of.ridge * slopes[a];
      curvature[a * k + a] += of.ridge;
    }
    if (!solve_small(curvature.data(), gradient.data(), k)) break;
    for (std::size_t a = 0; a < k; ++a) slopes[a] += gradient[a];
  }
  return slopes;
}

}  // namespace

void SubsetFinder::fit_sums(Work& work) const {
  const std::size_t n_terms = table_.n_terms, n_outputs = table_.n_outputs;
  const std::size_t n_classes = table_.is_classification ? n_outputs : 1;
  const std::size_t n = work.node.rows.size();
  const auto [scatter, class_sums] = scatter_of(work);
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
  for (std::size_t j = 0; j < n_terms; ++j) {
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
    TermSet terms;
  };
  std::vector<Ranked> ranked;
  const auto rank = [&](const TermSet& terms) {
    const std::size_t size = terms.size();
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
  std::vector<TermSet> shorter;  // those that get one term more
  for (const std::size_t j : screened) shorter.emplace_back(j);
  for (std::size_t size = 2; size <= work.best.size(); ++size) {
    ranked.clear();
    std::set<TermSet> seen;
    for (const auto& terms : shorter) {
      for (const std::size_t j : screened) {
        const bool is_whole = size <= tried_whole;  // then each comes once, in ascending order
        if (is_whole ? j <= terms.back() : terms.holds(j)) continue;
        const bool has_level = std::max(j, terms.back()) >= table_.n_numeric;
        if (has_level && (size > 2 || std::min(j, terms.back()) >= table_.n_numeric)) continue;
        TermSet longer = terms;
        longer.insert(j);
        if (is_whole || seen.insert(longer).second) rank(longer);
      }
    }
    std::ranges::stable_sort(ranked, {}, [](const Ranked& r) { return -r.worth; });
    for (std::size_t i = 0; i < std::min(options_.kept, ranked.size()); ++i)
      fit(work, ranked[i].terms.span(), deviation, share);
    shorter.clear();
    const std::size_t n_next = size < tried_whole ? ranked.size() : extended;
    for (std::size_t i = 0; i < std::min(n_next, ranked.size()); ++i)
      shorter.push_back(ranked[i].terms);
    if (size < tried_whole) std::sort(shorter.begin(), shorter.end());
  }
}

void SubsetFinder::fit(Work& work, std::span<const std::size_t> subset,
                       std::span<const double> deviation, std::span<const double> share) const {
  const std::size_t n = work.node.rows.size(), size = subset.size();
  work.standard.resize(n * size);
  for (std::size_t a = 0; a < size; ++a) {
    const double* values = table_.values.data() + subset[a] * table_.n_rows;
    double mean = 0.0;
    for (std::size_t i = 0; i < n; ++i) mean += work.weights[i] * values[work.node.rows[i]];
    mean /= work.weight;
    for (std::size_t i = 0; i < n; ++i)
      work.standard[i * size + a] = (values[work.node.rows[i]] - mean) / deviation[subset[a]];
  }
  const Regression regression{work.standard, work.weights, share, table_.is_classification,
                              options_.ridge};
  // Loops of known length take half the time.
  const Slopes slopes = size == 2   ? slopes_of<2>(regression, size)
                        : size == 3 ? slopes_of<3>(regression, size)
                                    : slopes_of<0>(regression, size);
  // The first weight is positive, and 1 is that of middle size, of two the smaller one.
  std::array<double, most_subset_terms> weights{}, sizes{};
  for (std::size_t a = 0; a < size; ++a) {
    weights[a] = slopes[a] / deviation[subset[a]];
    sizes[a] = std::abs(weights[a]);
  }
  std::sort(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(size));
  const double one = std::copysign(sizes[(size - 1) / 2], weights[0]);
  if (!(sizes[0] > 0.0) || !std::isfinite(sizes[size - 1] / sizes[0])) return;
  // An allowance beyond what the number can be is no sum but "and" or "or".
  if (subset[size - 1] >= table_.n_numeric && size == 2 &&
      std::abs(weights[1] / weights[0]) > most_allowance * deviation[subset[0]])
    return;
  SubsetCondition condition;
  for (std::size_t a = 0; a < size; ++a) {
    const double weight = round_significant(weights[a] / one, options_.digits);
    condition.terms.push_back(static_cast<std::int32_t>(subset[a]));
    condition.weights.push_back(weight);
  }
  work.fitted.push_back(std::move(condition));
}

}  // namespace treewright
