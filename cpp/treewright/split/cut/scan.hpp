// Scan: the best cut of a column, whatever its cuts are cuts of.
//
// What the cuts are is said by `Cuts`: rows in the order of a column (cut.cpp), or sums of bins and
// of distinct values where the rows are elsewhere (sum_cuts.hpp). Goodness, ties, the rows a side
// must hold and the place of missing values are the same for both, so both find the same cut. Cuts
// have
//
//   size()              steps with a value, in order
//   step(i)             what a goodness moves from right to left
//   is_cut(i)           values differ before and after the end of step i
//   gap(i)              by how much
//   missing()           rows without a value: how many, their weight
//   add_missing(to)     the same, to statistics
//   add_known(to)       all the others
//   window(...)         the steps after which a cut leaves enough on both sides
//   counts_labels()     steps tell the classes of rows of weight 1 apart
//   logarithms()        of counts, for entropy
//   by_medians(...)     optional: a goodness for absolute error, which takes the rows themselves
//   watch(...)          optional: leaves out cuts that break a trend (trend.hpp)
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "treewright/split/cut/cut.hpp"
#include "treewright/split/cut/goodness.hpp"
#include "treewright/split/cut/twoing.hpp"

namespace treewright {

// The steps whose cut leaves enough on both sides; empty when first > last.
struct Window {
  std::size_t first = 1;
  std::size_t last = 0;
};

// What stands on a side whatever the cut: rows without a value.
struct Standing {
  double count = 0.0;
  double weight = 0.0;
};

// The window between steps of which standing_of(i) tells what one holds.
template <class StandingOf>
Window window_of(const Problem& problem, std::size_t n_steps, double min_weight, Standing left,
                 Standing right, StandingOf standing_of) {
  const auto enough_with = [&](Standing& side, std::size_t i) {
    const Standing step = standing_of(i);
    side.count += step.count;
    side.weight += step.weight;
    return side.count >= problem.min_leaf - limit_slack &&
           side.weight >= min_weight * (1 - limit_slack);
  };
  Window window;
  window.first = 0;
  while (window.first < n_steps && !enough_with(left, window.first)) ++window.first;
  for (std::size_t i = n_steps; i-- > 1;) {
    if (enough_with(right, i)) {
      window.last = i - 1;
      return window;
    }
  }
  return {};
}

struct Scanned {
  bool found = false;
  std::size_t position = 0;
  std::size_t n_tries = 0;
};

// Every cut will do.
struct NoWatch {
  template <class Step>
  void move(const Step&) {}
  static constexpr bool allows(std::size_t) { return true; }
};

template <class Goodness, class Cuts, class Watch>
Scanned scan(Goodness& goodness, const Cuts& cuts, Window window, double min_gap, Watch watch) {
  Scanned result;
  const auto move = [&](std::size_t i) {
    const auto step = cuts.step(i);  // once: some are put together when they are asked for
    goodness.move(step);
    watch.move(step);
  };
  constexpr bool asks_for_ends = requires { goodness.end_value(); };
  for (std::size_t i = 0; i < window.first; ++i) {
    move(i);
    if constexpr (asks_for_ends) {
      if (cuts.is_cut(i)) goodness.end_value();
    }
  }
  for (std::size_t i = window.first; i <= window.last; ++i) {
    move(i);
    if (!cuts.is_cut(i)) continue;
    if constexpr (asks_for_ends) goodness.end_value();
    if (!watch.allows(i)) continue;
    if (min_gap > 0) {
      if (!(cuts.gap(i) > min_gap)) continue;
      ++result.n_tries;
    }
    if (goodness.better()) {
      result.found = true;
      result.position = i;
    }
  }
  return result;
}

template <class Goodness>
double score_of_best(const Goodness& goodness) {
  if constexpr (requires { goodness.score(); }) {
    return goodness.score();
  } else {
    return goodness.decrease();
  }
}

// Both sides of the cuts of a node when the rows without a value stand left, right or nowhere.
class CutSides {
 public:
  CutSides(const CutSides&) = delete;
  CutSides& operator=(const CutSides&) = delete;
  template <class Cuts>
  CutSides(const Node& node, const Cuts& cuts)
      : node_(node), k_(node.problem.target.n_outputs()), missing_(cuts.missing()) {
    if (4 * k_ <= few_.size()) {
      space_ = std::span(few_).first(4 * k_);
    } else {
      static thread_local std::vector<double> space;  // saves four allocations a column
      space.assign(4 * k_, 0.0);
      space_ = space;
    }
    if (has_missing()) cuts.add_missing(part(3));
    judges_all_ = !has_missing() || takes_default_branch(node.problem.missing);
    if (!judges_all_) cuts.add_known(part(2));
  }

  bool has_missing() const { return missing_.count > 0; }

  // The statistics of the rows judged.
  std::span<const double> total() const {
    return judges_all_ ? node_.statistics : std::span<const double>(part(2));
  }

  // What a goodness starts from; `left` and `right` are valid until the next call.
  Sides start(bool unknown_left) const {
    const auto left = part(0), right = part(1);
    std::ranges::fill(left, 0.0);
    if (unknown_left) {
      add_statistics(left, part(3), node_.problem.target.is_classification());
    }
    const auto sum = total();
    for (std::size_t c = 0; c < k_; ++c) right[c] = sum[c] - left[c];
    return {node_, sum, left, right};
  }

  Standing standing(bool here) const { return here ? missing_ : Standing{}; }

  // Calls attempt(unknown_left, unknown_right) for every place of the rows without a value.
  template <class Attempt>
  void for_each_place(Attempt attempt) const {
    if (!has_missing() || !takes_default_branch(node_.problem.missing)) {
      attempt(false, false);
    } else {
      attempt(true, false);
      attempt(false, true);
    }
  }

 private:
  std::span<double> part(std::size_t i) const { return space_.subspan(i * k_, k_); }

  const Node& node_;
  std::size_t k_;
  Standing missing_;
  bool judges_all_ = true;
  mutable std::array<double, 12> few_{};  // numbers and few classes need no more
  std::span<double> space_;               // left, right, with a value, without one
};

// Calls run with the goodness that the problem asks for.
template <class Cuts, class Run>
void with_goodness(const Sides& sides, const Cuts& cuts, bool unknown_left, bool unknown_right,
                   Run run) {
  const Problem& problem = sides.node.problem;
  const std::size_t k = problem.target.n_outputs();
  const bool by_decrease = orders_cuts_by_decrease(problem.gain);
  const bool by_counts = problem.unit_weights && cuts.counts_labels() &&
                         problem.target.is_classification() && by_decrease;
  switch (problem.measure.traits().sums) {
    case Sums::squares:
      if (by_counts && k == 2) return run(TwoClassCounts(sides));
      if (by_counts) return run(ManyCounts(sides));
      if (k == 2 && by_decrease) return run(TwoClassWeights(sides));
      return run(WeightedGini(sides));
    case Sums::logarithms:
      if (problem.unit_weights) return run(EntropyCounts(sides, cuts.logarithms()));
      return run(Entropy(sides));
    case Sums::roots:
      return run(Hellinger(sides));
    case Sums::differences:
      return run(Twoing(sides));
    case Sums::class_weights:
      return run(AnyMeasure(sides));
    case Sums::moments:
      return run(SquaredError(sides));
    case Sums::medians:
      if constexpr (requires { cuts.by_medians(unknown_left, unknown_right); }) {
        return run(cuts.by_medians(unknown_left, unknown_right));
      } else {
        throw Error("Absolute errors cannot be found from sums.");
      }
  }
}

template <class Cuts>
std::optional<Cut> best_of(const Node& node, const Cuts& cuts, const CutRules& rules) {
  const CutSides sides(node, cuts);
  std::optional<Cut> best;
  sides.for_each_place([&](bool unknown_left, bool unknown_right) {
    const Window window = cuts.window(std::max(rules.min_weight, node.problem.min_leaf_weight),
                                      sides.standing(unknown_left), sides.standing(unknown_right));
    if (window.first > window.last) return;
    const Sides start = sides.start(unknown_left);
    with_goodness(start, cuts, unknown_left, unknown_right, [&](auto&& goodness) {
      const Scanned scanned = [&] {
        if constexpr (requires { cuts.watch(rules, unknown_left, unknown_right); }) {
          if (!node.problem.trends.empty()) {
            return scan(goodness, cuts, window, rules.min_gap,
                        cuts.watch(rules, unknown_left, unknown_right));
          }
        }
        return scan(goodness, cuts, window, rules.min_gap, NoWatch{});
      }();
      if (!scanned.found) return;
      const double decrease = node.without_noise(goodness.decrease() / node.weight) * node.weight;
      const double score = decrease == 0.0 ? 0.0 : score_of_best(goodness);
      if (best && !clearly_better(score, best->score)) return;
      best = Cut{.position = scanned.position,
                 .decrease = decrease,
                 .score = score,
                 .unknown_left = unknown_left,
                 .n_tries = scanned.n_tries};
    });
  });
  return best;
}

}  // namespace treewright
