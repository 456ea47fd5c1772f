#include "treewright/split/levels/grouped.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace treewright {

namespace {

// Merges sets of levels, two at a time.
class LevelMerging {
 public:
  LevelMerging(const Node& node, std::vector<LevelGroup> levels, double unknown_weight)
      : node_(node), unknown_weight_(unknown_weight), judged_(node.statistics.size(), 0.0) {
    for (LevelGroup& group : levels) {
      add_statistics(judged_, group.statistics, is_classification());
      sets_.push_back({{group.level}, std::move(group.statistics), group.count, 0.0});
    }
    for (Set& set : sets_) set.contribution = contribution_of(set.statistics);
  }

  void merge() {
    if (is_classification()) merge_pure();
    while (sets_.size() > 2 && merge_best_pair()) {
    }
  }

  // The branch of each of so many levels; empty if fewer than two sets hold a leaf.
  std::vector<std::int32_t> branch_of_level(std::int32_t n_levels) const {
    if (n_leaves(sets_.size(), sets_.size()) < 2) return {};
    std::vector<double> weights;
    for (const Set& set : sets_) weights.push_back(weight_of(set.statistics, is_classification()));
    std::vector<std::int32_t> branch(static_cast<std::size_t>(n_levels),
                                     static_cast<std::int32_t>(first_largest(weights)));
    for (std::size_t b = 0; b < sets_.size(); ++b) {
      for (const std::int32_t level : sets_[b].levels) {
        branch[static_cast<std::size_t>(level)] = static_cast<std::int32_t>(b);
      }
    }
    return branch;
  }

 private:
  struct Set {
    std::vector<std::int32_t> levels;
    std::vector<double> statistics;
    double count;
    double contribution;  // to the impurity after the split, a share of the judged weight
  };

  bool is_classification() const { return node_.problem.target.is_classification(); }
  double contribution_of(std::span<const double> statistics) const {
    return node_.problem.measure.contribution(judged_, statistics);
  }

  std::vector<double> union_of(const Set& a, const Set& b) const {
    std::vector<double> both = a.statistics;
    add_statistics(both, b.statistics, is_classification());
    return both;
  }

  void join(std::size_t a, std::size_t b) {
    sets_[a].statistics = union_of(sets_[a], sets_[b]);
    sets_[a].contribution = contribution_of(sets_[a].statistics);
    sets_[a].count += sets_[b].count;
    auto& levels = sets_[a].levels;
    levels.insert(levels.end(), sets_[b].levels.begin(), sets_[b].levels.end());
    sets_.erase(sets_.begin() + static_cast<std::ptrdiff_t>(b));
  }

  void merge_pure() {
    const auto pure_class = [](const Set& set) -> std::ptrdiff_t {
      const auto occurs = [](double weight) { return weight > 0; };
      if (std::ranges::count_if(set.statistics, occurs) != 1) return -1;
      return std::ranges::find_if(set.statistics, occurs) - set.statistics.begin();
    };
    for (std::size_t a = 0; a < sets_.size(); ++a) {
      const auto own = pure_class(sets_[a]);
      node_.poll();
      for (std::size_t b = sets_.size(); own >= 0 && b-- > a + 1;) {
        if (pure_class(sets_[b]) == own && sets_.size() > 2) join(a, b);
      }
    }
  }

  // Sets that hold a leaf when `a` and `b` are one; equal to the number of sets: as they are.
  int n_leaves(std::size_t a, std::size_t b) const {
    const double least = node_.problem.min_leaf - limit_slack;
    int enough = a < sets_.size() && sets_[a].count + sets_[b].count >= least;
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      enough += i != a && i != b && sets_[i].count >= least;
    }
    return enough;
  }

  double ratio(double contributions, double information) const {
    const double known = weight_of(judged_, is_classification()) / node_.weight;
    const double decrease =
        node_.without_noise(known * (node_.problem.measure.of_split(judged_) - contributions));
    switch (node_.problem.gain) {
      case Gain::balanced:
        return score_of(node_.problem.gain, decrease, information);
      case Gain::plain:
      case Gain::ratio:
        break;
    }
    return information > 0 ? decrease / information : 0.0;
  }

  // Sets that time is lacking to merge stay as they are.
  bool is_over() const { return node_.problem.monitor != nullptr && node_.problem.monitor->poll(); }

  bool merge_best_pair() {
    // Split information from sums of w log w: log2 W - sum w log2 w / W.
    double contributions = 0.0, logs = x_log_x(unknown_weight_), total = unknown_weight_;
    std::vector<double> weights;
    for (const Set& set : sets_) {
      contributions += set.contribution;
      weights.push_back(weight_of(set.statistics, is_classification()));
      logs += x_log_x(weights.back());
      total += weights.back();
    }
    const auto information = [&](double sum) { return std::log2(total) - sum / total; };
    double best = ratio(contributions, information(logs));
    std::optional<std::pair<std::size_t, std::size_t>> pair;
    for (std::size_t a = 0; a < sets_.size(); ++a) {
      for (std::size_t b = a + 1; b < sets_.size(); ++b) {
        if (b % sets_at_once == sets_at_once - 1 && is_over()) return false;
        if (n_leaves(a, b) < 2) continue;
        const double merged = ratio(contributions - sets_[a].contribution - sets_[b].contribution +
                                        contribution_of(union_of(sets_[a], sets_[b])),
                                    information(logs - x_log_x(weights[a]) - x_log_x(weights[b]) +
                                                x_log_x(weights[a] + weights[b])));
        const bool better = pair ? clearly_better(merged, best) : !clearly_better(best, merged);
        if (!better) continue;
        best = merged;
        pair = {a, b};
      }
    }
    if (!pair) return false;
    join(pair->first, pair->second);
    return true;
  }

  static constexpr std::size_t sets_at_once = 64;

  const Node& node_;
  double unknown_weight_;
  std::vector<double> judged_;
  std::vector<Set> sets_;
};

// The branch of each level of the column, or nothing where fewer than two sets hold a leaf.
std::vector<std::int32_t> merged_levels(const Node& node, std::int32_t column, LevelGroups groups) {
  if (groups.levels.size() < 2) return {};
  const double unknown_weight =
      weight_of(groups.without_value.statistics, node.problem.target.is_classification());
  LevelMerging merging(node, std::move(groups.levels), unknown_weight);
  merging.merge();
  return merging.branch_of_level(node.problem.table.levels(column));
}

}  // namespace

void require_groups(const Measure& measure) {
  require(measure.is_sum_over_branches() && !measure.needs_rows(),
          "Groups of levels cannot be scored by twoing, hddt or absolute error; use subsets.");
}

void propose_grouped(const Node& node, std::int32_t column, std::vector<Candidate>& candidates) {
  propose_grouped_of(node, column, group_by_level(node, column), candidates);
}

void propose_grouped_of(const Node& node, std::int32_t column, LevelGroups groups,
                        std::vector<Candidate>& candidates) {
  const std::vector<std::int32_t> branch_of_level = merged_levels(node, column, std::move(groups));
  if (branch_of_level.empty()) return;
  Candidate candidate;
  candidate.test = multiway_test(column, branch_of_level);
  candidates.push_back(std::move(candidate));
}

}  // namespace treewright
