#include "treewright/split/levels/subset.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "treewright/base/lent.hpp"
#include "treewright/split/cut/scan.hpp"
#include "treewright/split/evidence.hpp"
#include "treewright/split/levels/level_sums.hpp"

namespace treewright {

namespace {

constexpr std::size_t exhaustive_levels = 10;

// A group of rows in an order of groups.
struct Place {
  double key;
  std::size_t group;
};

// Inserting one by one is faster for fewer.
constexpr std::size_t few_groups = 32;

// Puts the groups in the order of key_of(group); those whose keys are equal but for rounding stay
// in the order of their levels.
template <class KeyOf>
void sort_groups(std::size_t n_groups, std::vector<Place>& order, KeyOf key_of) {
  order.resize(n_groups);
  double largest = 0.0;
  for (std::size_t i = 0; i < n_groups; ++i) {
    const double key = key_of(i);
    largest = std::max(largest, std::abs(key));
    std::size_t place = i;
    for (; n_groups <= few_groups && place > 0 && order[place - 1].key > key; --place) {
      order[place] = order[place - 1];
    }
    order[place] = {key, i};
  }
  if (n_groups > few_groups) std::ranges::sort(order, {}, &Place::key);
  const double rounding = 1e-12 * largest;
  for (auto first = order.begin(); first != order.end();) {
    auto last = first + 1;
    while (last != order.end() && last->key - (last - 1)->key <= rounding) ++last;
    if (last - first > 1) std::ranges::sort(first, last, {}, &Place::group);
    first = last;
  }
}

double share_of(std::size_t c, std::span<const double> class_weights) {
  const double weight = sum_of(class_weights);
  return weight > 0 ? class_weights[c] / weight : 0.0;
}

// What is kept from node to node, so that nothing has to be allocated.
struct Kept {
  std::vector<Place> order;
  std::vector<std::uint8_t> is_left;  // of each group, in the division found last
  std::vector<std::int32_t> left, right;
};

// Of rows that are not in the groups.
double missing_weight(const Node& node, const LevelSums& groups) {
  if (!groups.has_missing) return 0.0;
  return weight_of(groups.missing_sums(), node.problem.target.is_classification());
}

// Cuts between groups in an order, as the scan sees them.
class OrderedGroups {
 public:
  OrderedGroups(const Node& node, const LevelSums& groups, std::span<const Place> order)
      : node_(node), groups_(groups), order_(order) {}

  std::size_t size() const { return order_.size(); }
  MovedRows step(std::size_t i) const { return {groups_.sums_of(order_[i].group)}; }
  // Rows without a level are no side by themselves.
  bool is_cut(std::size_t i) const {
    return !(i == 0 && is_missing(0)) && !(i + 2 == size() && is_missing(i + 1));
  }
  double gap(std::size_t) const { return std::numeric_limits<double>::infinity(); }  // not asked
  bool counts_labels() const { return true; }
  // As the table of them, which is not there where the rows are elsewhere.
  RoundedLogarithms logarithms() const { return RoundedLogarithms(node_.problem.n_rows); }

  Standing missing() const {
    if (!groups_.has_missing) return {};
    return {groups_.counts[size()], missing_weight(node_, groups_)};
  }
  void add_missing(std::span<double> to) const { add_level(node_, groups_.missing_sums(), to); }
  void add_known(std::span<double> to) const {
    std::vector<double> known(groups_.width, 0.0);
    for (std::size_t i = 0; i < groups_.n_levels; ++i) {
      add_statistics(known, groups_.sums_of(i), true);
    }
    add_level(node_, known, to);
  }

  Window window(double min_weight, Standing left, Standing right) const {
    // Every group has a row.
    if (node_.problem.min_leaf <= 1 && min_weight <= 0 && node_.shares.empty()) {
      return {0, size() - 2};
    }
    return window_of(node_.problem, size(), min_weight, left, right, [&](std::size_t i) {
      return Standing{groups_.counts[order_[i].group],
                      weight_of(step(i).sums, is_classification())};
    });
  }

 private:
  bool is_classification() const { return node_.problem.target.is_classification(); }
  bool is_missing(std::size_t i) const { return groups_.levels[order_[i].group] == unknown; }

  const Node& node_;
  const LevelSums& groups_;
  std::span<const Place> order_;
};

// Two classes, and numbers but for absolute error.
bool has_exact_order(const Problem& problem) {
  return problem.target.is_classification() ? problem.target.n_classes == 2
                                            : !problem.measure.needs_rows();
}

std::optional<Cut> best_of_order(const Node& node, const LevelSums& groups, Kept& kept) {
  sort_groups(groups.n_levels, kept.order, [&](std::size_t i) {
    const auto sums = groups.sums_of(i);
    if (node.problem.target.is_classification()) return share_of(1, sums);
    return node.statistics[1] + (sums[0] > 0 ? sums[1] / sums[0] : 0.0);
  });
  const std::optional<Cut> cut = best_of(node, OrderedGroups(node, groups, kept.order), {});
  if (!cut) return cut;
  kept.is_left.assign(groups.n_levels, 0);
  for (std::size_t i = 0; i <= cut->position; ++i) kept.is_left[kept.order[i].group] = 1;
  return cut;
}

// Searches the two-way divisions of the groups where no one order is known to hold the best.
class SubsetSearch {
 public:
  SubsetSearch(const Node& node, const LevelSums& groups, Kept& kept)
      : node_(node),
        groups_(groups),
        order_(kept.order),
        best_left_(kept.is_left),
        judged_(groups.width, 0.0),
        left_(groups.n_levels, 0) {
    best_left_.clear();
    for (std::size_t i = 0; i < groups.n_levels; ++i) {
      add(judged_, i);
      count_ += groups.counts[i];
      n_levels_ += groups.levels[i] != unknown;
    }
  }

  std::optional<Cut> best() {
    if (absolute()) {
      scan_order([&](std::size_t i) {
        auto numbers = groups_.numbers[i];
        return weighted_median(numbers).median;
      });
    } else if (groups_.n_levels <= exhaustive_levels) {
      try_all();
    } else {
      for (std::size_t c = 0; c < judged_.size(); ++c) {
        scan_order([&](std::size_t i) { return share_of(c, groups_.sums_of(i)); });
      }
    }
    if (best_left_.empty()) return std::nullopt;
    return best_;
  }

 private:
  static constexpr std::size_t groups_at_once = 64;

  bool absolute() const { return node_.problem.measure.needs_rows(); }
  double weight(std::span<const double> sums) const {
    return weight_of(sums, node_.problem.target.is_classification());
  }
  void add(std::span<double> to, std::size_t group) const {
    const auto sums = groups_.sums_of(group);
    for (std::size_t c = 0; c < sums.size(); ++c) to[c] += sums[c];
  }

  template <class KeyOf>
  void scan_order(KeyOf key_of) {
    sort_groups(groups_.n_levels, order_, key_of);
    // What is left over when the first i groups of the order have gone left.
    const std::size_t k = judged_.size();
    std::vector<double> rest((order_.size() + 1) * k, 0.0);
    for (std::size_t i = order_.size(); i-- > 0;) {
      const auto here = std::span(rest).subspan(i * k, k);
      std::ranges::copy(std::span(rest).subspan((i + 1) * k, k), here.begin());
      add(here, order_[i].group);
    }
    std::ranges::fill(left_, std::uint8_t{0});
    Division division{std::vector<double>(2 * k, 0.0), 0.0, 0};
    for (std::size_t i = 0; i + 1 < order_.size(); ++i) {
      const std::size_t group = order_[i].group;
      left_[group] = 1;
      add(std::span(division.both).first(k), group);
      std::ranges::copy(std::span(rest).subspan((i + 1) * k, k),
                        division.both.begin() + static_cast<std::ptrdiff_t>(k));
      division.left_count += groups_.counts[group];
      division.left_levels += groups_.levels[group] != unknown;
      consider(division);
      if (i % groups_at_once == groups_at_once - 1) node_.poll_deadline();
    }
  }

  // Group 0 stays left, so that each division is met once.
  void try_all() {
    const std::size_t k = judged_.size();
    left_[0] = 1;
    Division division;
    const std::size_t n_masks = std::size_t{1} << (groups_.n_levels - 1);
    for (std::size_t mask = 0; mask + 1 < n_masks; ++mask) {
      for (std::size_t i = 1; i < groups_.n_levels; ++i) left_[i] = (mask >> (i - 1)) & 1u;
      division.both.assign(2 * k, 0.0);
      division.left_count = 0.0;
      division.left_levels = 0;
      for (std::size_t i = 0; i < groups_.n_levels; ++i) {
        add(std::span(division.both).subspan(left_[i] ? 0 : k, k), i);
        if (!left_[i]) continue;
        division.left_count += groups_.counts[i];
        division.left_levels += groups_.levels[i] != unknown;
      }
      consider(division);
    }
  }

  // The two sides of the division that `left_` tells.
  struct Division {
    std::vector<double> both;  // sums of left, then right
    double left_count = 0.0;
    std::size_t left_levels = 0;
  };

  void consider(const Division& division) {
    const std::size_t k = judged_.size();
    const std::vector<double>& both = division.both;
    const std::size_t left_levels = division.left_levels;
    if (left_levels == 0 || left_levels == n_levels_) return;
    if (std::min(division.left_count, count_ - division.left_count) <
        node_.problem.min_leaf - limit_slack) {
      return;
    }

    const double judged_weight = weight(judged_);
    const double left_weight = weight(std::span(both).first(k));
    const double right_weight = weight(std::span(both).subspan(k));
    if (std::min(left_weight, right_weight) < node_.problem.min_leaf_weight * (1 - limit_slack)) {
      return;
    }
    const double decrease = node_.without_noise(
        absolute() ? absolute_decrease()
                   : node_.problem.measure.decrease(judged_, both) * judged_weight / node_.weight);
    double score = decrease;
    if (needs_split_information(node_.problem.gain)) {
      score = score_of(node_.problem.gain, decrease,
                       cut_information(node_, left_weight, missing_weight(node_, groups_), false));
    }
    const bool better = best_left_.empty() || clearly_better(score, best_score_) ||
                        (!clearly_better(best_score_, score) && is_earlier(left_levels));
    if (!better) return;
    best_left_ = left_;
    best_left_levels_ = left_levels;
    best_score_ = score;
    best_.decrease = decrease * node_.weight;
    best_.score = score * node_.weight;
  }

  bool is_earlier(std::size_t left_levels) const {
    if (left_levels != best_left_levels_) return left_levels < best_left_levels_;
    return std::ranges::lexicographical_compare(best_left_, left_);
  }

  double absolute_decrease() const {
    WeightedNumbers sides[2], all;
    for (std::size_t i = 0; i < groups_.n_levels; ++i) {
      auto& side = sides[left_[i] ? 0 : 1];
      side.insert(side.end(), groups_.numbers[i].begin(), groups_.numbers[i].end());
    }
    all = sides[0];
    all.insert(all.end(), sides[1].begin(), sides[1].end());
    return (weighted_median(all).deviation - weighted_median(sides[0]).deviation -
            weighted_median(sides[1]).deviation) /
           node_.weight;
  }

  const Node& node_;
  const LevelSums& groups_;
  std::vector<Place>& order_;
  std::vector<std::uint8_t>& best_left_;
  std::vector<double> judged_;
  std::vector<std::uint8_t> left_;  // of each group; of the division that is looked at
  double count_ = 0.0;
  std::size_t n_levels_ = 0;
  std::size_t best_left_levels_ = 0;
  double best_score_ = 0;
  Cut best_;
};

Candidate candidate_of(const Node& node, std::int32_t column, const LevelSums& groups,
                       const Cut& cut, Kept& kept) {
  kept.left.clear();
  kept.right.clear();
  double left_weight = 0.0;
  for (std::size_t i = 0; i < groups.n_levels; ++i) {
    if (kept.is_left[i]) {
      left_weight += weight_of(groups.sums_of(i), node.problem.target.is_classification());
    }
    if (groups.levels[i] == unknown) continue;
    (kept.is_left[i] ? kept.left : kept.right).push_back(groups.levels[i]);
  }
  Candidate candidate;
  candidate.test = subset_test(column, kept.left, kept.right);
  candidate.is_scored = true;
  candidate.decrease = cut.decrease / node.weight;
  if (needs_split_information(node.problem.gain)) {
    candidate.split_information =
        cut_information(node, left_weight, missing_weight(node, groups), false);
  }
  return candidate;
}

void propose_of_sums(const Node& node, std::int32_t column, LevelSums& groups, Kept& kept,
                     CutCandidates& candidates) {
  if (groups.n_levels < 2) return;
  if (takes_default_branch(node.problem.missing)) groups.make_missing_a_level();
  const std::optional<Cut> cut = has_exact_order(node.problem)
                                     ? best_of_order(node, groups, kept)
                                     : SubsetSearch(node, groups, kept).best();
  if (!cut) return;
  candidates.add(*cut, [&] { return candidate_of(node, column, groups, *cut, kept); });
}

}  // namespace

void propose_subsets(const Node& node, std::vector<Candidate>& candidates) {
  Lent<Kept> lent;
  Kept& kept = lent.get();
  LevelCounter counter(node);
  // Which of them keep the trends of columns is found out later.
  CutCandidates best(node, candidates, !node.problem.trends.empty());
  for (const std::int32_t column : node.columns) {
    if (!node.problem.table.is_categorical(column)) continue;
    if (best.is_over_before(node.range.size())) break;
    if (node.evidence != nullptr) {
      LevelSums sums = sums_of(node, node.evidence->levels(column));
      propose_of_sums(node, column, sums, kept, best);
    } else {
      propose_of_sums(node, column, counter.count(column), kept, best);
    }
  }
}

void propose_subset_of(const Node& node, std::int32_t column, const LevelGroups& groups,
                       std::vector<Candidate>& candidates) {
  LevelSums sums = sums_of(node, groups);
  CutCandidates best(node, candidates);
  Lent<Kept> lent;
  propose_of_sums(node, column, sums, lent.get(), best);
}

}  // namespace treewright
