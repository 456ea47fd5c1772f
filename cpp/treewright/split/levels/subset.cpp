#include "treewright/split/levels/subset.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
namespace treewright {

namespace {

constexpr std::size_t exhaustive_levels = 10;

auto share_of(std::size_t c) {
  return [c](const LevelGroup& group) {
    const double weight = sum_of(group.statistics);
    return weight > 0 ? group.statistics[c] / weight : 0.0;
  };
}

// Puts groups whose keys are equal but for rounding in the order of their levels.
void keep_codes_in_order(std::span<std::size_t> order, std::span<const double> keys) {
  double largest = 0.0;
  for (const double key : keys) largest = std::max(largest, std::abs(key));
  for (auto first = order.begin(); first != order.end();) {
    auto last = first + 1;
    while (last != order.end() && keys[*last] - keys[*(last - 1)] <= 1e-12 * largest) ++last;
    std::sort(first, last);
    first = last;
  }
}

// Searches the two-way divisions of a list of groups.
class SubsetSearch {
 public:
  SubsetSearch(const Node& node, std::vector<LevelGroup> groups, double unknown_weight)
      : node_(node), groups_(std::move(groups)), unknown_weight_(unknown_weight) {
    judged_.assign(node.statistics.size(), 0.0);
    for (const LevelGroup& group : groups_) {
      add_statistics(judged_, group.statistics, is_classification());
      count_ += group.count;
      n_levels_ += group.level != unknown;
    }
  }

  void search() {
    const std::size_t classes = judged_.size();
    if (!is_classification()) {
      scan_order([&](const LevelGroup& g) {
        if (!absolute()) return g.statistics[1];
        auto numbers = g.numbers;
        return weighted_median(numbers).median;
      });
    } else if (classes == 2) {
      scan_order(share_of(1));
    } else if (groups_.size() <= exhaustive_levels) {
      try_all();
    } else {
      for (std::size_t c = 0; c < classes; ++c) scan_order(share_of(c));
    }
  }

  bool found() const { return !best_left_.empty(); }
  double score() const { return best_score_; }

  Candidate candidate(std::int32_t column) const {
    std::vector<std::int32_t> left, right;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (groups_[i].level == unknown) continue;
      (best_left_[i] ? left : right).push_back(groups_[i].level);
    }
    Candidate candidate;
    candidate.test = subset_test(column, left, right);
    candidate.is_scored = true;
    candidate.decrease = best_decrease_;
    candidate.split_information = best_information_;
    return candidate;
  }

 private:
  static constexpr std::size_t groups_at_once = 64;

  bool is_classification() const { return node_.problem.target.is_classification(); }
  bool absolute() const { return node_.problem.measure.needs_rows(); }

  template <class Key>
  void scan_order(Key key) {
    std::vector<double> keys;
    for (const LevelGroup& group : groups_) keys.push_back(key(group));
    std::vector<std::size_t> order(groups_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return keys[i]; });
    keep_codes_in_order(order, keys);
    // What is left over when the first i groups of the order have gone left.
    const std::size_t k = judged_.size();
    std::vector<double> rest((order.size() + 1) * k, 0.0);
    for (std::size_t i = order.size(); i-- > 0;) {
      const auto here = std::span(rest).subspan(i * k, k);
      std::ranges::copy(std::span(rest).subspan((i + 1) * k, k), here.begin());
      add_statistics(here, groups_[order[i]].statistics, is_classification());
    }
    std::vector<bool> left(groups_.size(), false);
    Division division{std::vector<double>(2 * k, 0.0), 0.0, 0};
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      const LevelGroup& group = groups_[order[i]];
      left[order[i]] = true;
      add_statistics(std::span(division.both).first(k), group.statistics, is_classification());
      std::ranges::copy(std::span(rest).subspan((i + 1) * k, k),
                        division.both.begin() + static_cast<std::ptrdiff_t>(k));
      division.left_count += group.count;
      division.left_levels += group.level != unknown;
      consider(left, division);
      if (i % groups_at_once == groups_at_once - 1) node_.poll_deadline();
    }
  }

  // Group 0 stays left, so that each division is met once.
  void try_all() {
    const std::size_t k = judged_.size();
    std::vector<bool> left(groups_.size(), false);
    left[0] = true;
    const std::size_t n_masks = std::size_t{1} << (groups_.size() - 1);
    for (std::size_t mask = 0; mask + 1 < n_masks; ++mask) {
      for (std::size_t i = 1; i < groups_.size(); ++i) left[i] = (mask >> (i - 1)) & 1u;
      Division division{std::vector<double>(2 * k, 0.0), 0.0, 0};
      for (std::size_t i = 0; i < groups_.size(); ++i) {
        add_statistics(std::span(division.both).subspan(left[i] ? 0 : k, k), groups_[i].statistics,
                       is_classification());
        if (!left[i]) continue;
        division.left_count += groups_[i].count;
        division.left_levels += groups_[i].level != unknown;
      }
      consider(left, division);
    }
  }

  // The two sides of one division.
  struct Division {
    std::vector<double> both;  // statistics of left, then right
    double left_count;
    std::size_t left_levels;
  };

  void consider(const std::vector<bool>& left, const Division& division) {
    const std::size_t k = judged_.size();
    const std::vector<double>& both = division.both;
    const std::size_t left_levels = division.left_levels;
    if (left_levels == 0 || left_levels == n_levels_) return;
    if (std::min(division.left_count, count_ - division.left_count) <
        node_.problem.min_leaf - limit_slack) {
      return;
    }

    const double judged_weight = weight_of(judged_, is_classification());
    const double left_weight = weight_of(std::span(both).first(k), is_classification());
    const double right_weight = weight_of(std::span(both).subspan(k), is_classification());
    if (std::min(left_weight, right_weight) < node_.problem.min_leaf_weight * (1 - limit_slack)) {
      return;
    }
    const double decrease = node_.without_noise(
        absolute() ? absolute_decrease(left)
                   : node_.problem.measure.decrease(judged_, both) * judged_weight / node_.weight);
    const double parts[] = {left_weight, right_weight, unknown_weight_};
    const double information = split_information(parts);
    const double score = score_of(node_.problem.gain, decrease, information);
    const bool better = !found() || clearly_better(score, best_score_) ||
                        (!clearly_better(best_score_, score) && is_earlier(left, left_levels));
    if (!better) return;
    best_left_ = left;
    best_left_levels_ = left_levels;
    best_score_ = score;
    best_decrease_ = decrease;
    best_information_ = information;
  }

  bool is_earlier(const std::vector<bool>& left, std::size_t left_levels) const {
    if (left_levels != best_left_levels_) return left_levels < best_left_levels_;
    return std::ranges::lexicographical_compare(best_left_, left);
  }

  double absolute_decrease(const std::vector<bool>& left) const {
    std::vector<std::pair<double, double>> sides[2], all;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      auto& side = sides[left[i] ? 0 : 1];
      side.insert(side.end(), groups_[i].numbers.begin(), groups_[i].numbers.end());
    }
    all = sides[0];
    all.insert(all.end(), sides[1].begin(), sides[1].end());
    return (weighted_median(all).deviation - weighted_median(sides[0]).deviation -
            weighted_median(sides[1]).deviation) /
           node_.weight;
  }

  const Node& node_;
  std::vector<LevelGroup> groups_;
  double unknown_weight_;
  std::vector<double> judged_;
  double count_ = 0.0;
  std::size_t n_levels_ = 0;
  std::vector<bool> best_left_;
  std::size_t best_left_levels_ = 0;
  double best_score_ = 0, best_decrease_ = 0, best_information_ = 0;
};

}  // namespace

void propose_subset(const Node& node, std::int32_t column, std::vector<Candidate>& candidates) {
  propose_subset_of(node, column, group_by_level(node, column), candidates);
}

void propose_subset_of(const Node& node, std::int32_t column, LevelGroups groups,
                       std::vector<Candidate>& candidates) {
  if (groups.levels.size() < 2) return;
  double unknown_weight = 0.0;
  if (groups.without_value.count > 0) {
    if (takes_default_branch(node.problem.missing)) {
      groups.levels.push_back(groups.without_value);
    } else {
      unknown_weight =
          weight_of(groups.without_value.statistics, node.problem.target.is_classification());
    }
  }
  SubsetSearch search(node, std::move(groups.levels), unknown_weight);
  search.search();
  if (search.found()) candidates.push_back(search.candidate(column));
}

}  // namespace treewright
