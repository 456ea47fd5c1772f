#include "treewright/split/cut/bound.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "treewright/split/cut/goodness.hpp"
#include "treewright/split/cut/scan.hpp"
#include "treewright/split/cut/sum_cuts.hpp"

namespace treewright {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t most_classes = 8;

// The larger; a bound that is not a number excludes nothing.
double larger(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? infinity : std::max(a, b);
}

double weight_of(std::span<const double> sums) { return std::max(0.0, sum_of(sums)); }

// W * decrease of class weights on either side, which may lack some of the total.
class ClassWorth {
 public:
  ClassWorth(const Measure& measure, std::span<const double> total)
      : measure_(measure), total_(total), weight_(sum_of(total)), both_(2 * total.size()) {}

  double at(std::span<const double> left) {
    const std::size_t k = total_.size();
    for (std::size_t c = 0; c < k; ++c) {
      both_[c] = left[c];
      both_[k + c] = rest(c, left[c]);
    }
    return here();
  }

  // The largest at the corners of the box between `left` and `left` + `bin`.
  double in_box(std::span<const double> left, std::span<const double> bin) {
    const std::size_t k = total_.size();
    std::vector<std::size_t> classes;
    for (std::size_t c = 0; c < k; ++c) {
      if (bin[c] > 0) classes.push_back(c);
    }
    if (classes.size() > most_classes) return in_large_box(left, bin, std::move(classes));
    for (std::size_t c = 0; c < k; ++c) {
      both_[c] = left[c];
      both_[k + c] = rest(c, left[c]);
    }
    double best = here();
    over_corners(bin, left, classes, [&] { best = larger(best, here()); });
    return best;
  }

 private:
  // What is right of the cut; less than rounding leaves is nothing, as in goodness.hpp.
  double rest(std::size_t c, double left) const {
    const double right = total_[c] - left;
    return right > 1e-13 * total_[c] ? right : 0.0;
  }

  double here() const {
    const std::size_t k = total_.size();
    const auto both = std::span<const double>(both_);
    // Nothing on one side: no cut, worth nothing.
    if (!(sum_of(both.first(k)) > 0) || !(sum_of(both.subspan(k)) > 0)) return 0.0;
    return weight_ * measure_.decrease(total_, both);
  }

  // Visits all corners but the one where both_ stands, a class at a time going over (Gray's code).
  template <class Visit>
  void over_corners(std::span<const double> bin, std::span<const double> left,
                    const std::vector<std::size_t>& classes, Visit visit) {
    const std::size_t k = total_.size();
    std::vector<bool> is_over(classes.size(), false);
    for (std::size_t step = 1; step < (std::size_t{1} << classes.size()); ++step) {
      const auto i = static_cast<std::size_t>(std::countr_zero(step));
      const std::size_t c = classes[i];
      is_over[i] = !is_over[i];
      both_[c] = is_over[i] ? left[c] + bin[c] : left[c];
      both_[k + c] = rest(c, both_[c]);
      visit();
    }
  }

  double in_large_box(std::span<const double> left, std::span<const double> bin,
                      std::vector<std::size_t> classes) {
    switch (measure_.traits().sums) {
      case Sums::squares:
      case Sums::logarithms:
        return without_light_classes(left, bin, std::move(classes), false);
      case Sums::roots:
        return without_light_classes(left, bin, std::move(classes), true);
      case Sums::class_weights:
        return measure_.is_sum_over_branches()
                   ? without_light_classes(left, bin, std::move(classes), false)
                   : one_against_rest(left, bin);
      case Sums::differences:
        return by_differences(left, bin);
      case Sums::moments:
      case Sums::medians:
        break;
    }
    return infinity;
  }

  // phi(T) - phi(A + u) - phi(T - A - u) over the corners of the heaviest classes, the others of
  // the bin on neither side. phi(x) = |x| i(x); for the distance between nodes, the overlap.
  double without_light_classes(std::span<const double> left, std::span<const double> bin,
                               std::vector<std::size_t> classes, bool by_overlap) {
    const std::size_t k = total_.size();
    std::ranges::stable_sort(classes, std::ranges::greater{},
                             [&](std::size_t c) { return bin[c]; });
    for (std::size_t c = 0; c < k; ++c) {
      both_[c] = left[c];
      both_[k + c] = rest(c, left[c]);
    }
    for (std::size_t i = most_classes; i < classes.size(); ++i) {
      both_[k + classes[i]] = rest(classes[i], left[classes[i]] + bin[classes[i]]);
    }
    classes.resize(most_classes);
    const auto phi = [&](std::span<const double> part) {
      const double weight = weight_of(part);
      if (!(weight > 0)) return 0.0;
      return by_overlap ? weight_ * measure_.contribution(total_, part) + weight
                        : weight * measure_.of(part);
    };
    const double whole = by_overlap ? weight_ : weight_ * measure_.of(total_);
    const auto both = std::span<const double>(both_);
    const auto worth = [&] { return whole - phi(both.first(k)) - phi(both.subspan(k)); };
    double best = worth();
    over_corners(bin, left, classes, [&] { best = larger(best, worth()); });
    return best;
  }

  // HDDT is the best of distances between one class and all others: two classes, four corners.
  double one_against_rest(std::span<const double> left, std::span<const double> bin) const {
    const double on_left = sum_of(left), in_bin = sum_of(bin);
    double best = 0.0;
    for (std::size_t c = 0; c < total_.size(); ++c) {
      const double total[] = {total_[c], weight_ - total_[c]};
      const double two_left[] = {left[c], on_left - left[c]};
      const double two_bin[] = {bin[c], in_bin - bin[c]};
      ClassWorth two(measure_, total);
      best = larger(best, two.in_box(two_left, two_bin));
    }
    return best;
  }

  // W D^2 / (4 w (W - w)) with D = sum |L_c - T_c w / W|: for a given w each term is largest at one
  // of its own two ends; the whole is then convex in w, so largest at an end of the weights.
  double by_differences(std::span<const double> left, std::span<const double> bin) const {
    const double begin = sum_of(left), end = begin + sum_of(bin);
    double best = 0.0;
    for (const double w : {begin, end}) {
      if (!(w > 0 && w < weight_)) return infinity;
      double apart = 0.0;
      for (std::size_t c = 0; c < total_.size(); ++c) {
        const double expected = total_[c] * (w / weight_);
        apart += std::max(std::abs(left[c] - expected), std::abs(left[c] + bin[c] - expected));
      }
      best = larger(best, weight_ / w * apart * (apart / (4.0 * (weight_ - w))));
    }
    return best;
  }

  const Measure& measure_;
  std::span<const double> total_;
  double weight_;
  std::vector<double> both_;
};

// The same of numbers, by weight and sum around the mean of all.
struct NumberWorth {
  double total;

  double at(double weight, double sum) const {
    if (!(weight > 0 && total - weight > 0)) return 0.0;
    return SquaredError::decrease_of(weight, sum, total);
  }

  double in_parallelogram(double weight, double sum, std::span<const double> bin, double least,
                          double most) const {
    double best = larger(at(weight, sum), at(weight + bin[0], sum + bin[1]));
    if (!(most > least)) return best;
    const double t = std::clamp((bin[1] - least * bin[0]) / (most - least), 0.0, bin[0]);
    best = larger(best, at(weight + t, sum + most * t));
    return larger(best, at(weight + bin[0] - t, sum + least * (bin[0] - t)));
  }
};

// Divides a bound by the least that the gain may divide scores by, for weights from `begin` to
// `end` on the left.
double score_bound(const Node& node, double bound, double judged, double begin, double end) {
  if (orders_cuts_by_decrease(node.problem.gain)) return bound;
  double least = infinity;
  for (const double left : {begin, end}) {
    const double parts[] = {left, std::max(0.0, judged - left),
                            std::max(0.0, node.weight - judged)};
    least = std::min(least, split_information(parts));
  }
  return bound < 0 ? 0.0 : score_of(node.problem.gain, bound, std::isnan(least) ? 0.0 : least);
}

// One place of the rows without a value.
class Place {
 public:
  Place(const Node& node, const ColumnSums& steps, const CutSides& sides, bool unknown_left,
        bool unknown_right)
      : node_(node), steps_(steps) {
    const Sides start = sides.start(unknown_left);
    total_.assign(start.total.begin(), start.total.end());
    left_.assign(start.left.begin(), start.left.end());
    left_count_ = sides.standing(unknown_left).count;
    right_count_ = sides.standing(unknown_right).count;
    for (const double count : steps.counts) right_count_ += count;
    window_ = SumCuts(node, steps)
                  .window(node.problem.min_leaf_weight, sides.standing(unknown_left),
                          sides.standing(unknown_right));
    if (!is_classification()) {
      weight_ = left_[0];
      sum_ = left_[0] * (left_[1] - total_[1]);
    }
  }

  void judge(std::vector<double>& inside, std::vector<double>& at_ends) {
    ClassWorth classes(node_.problem.measure, total_);
    const NumberWorth numbers{is_classification() ? 0.0 : total_[0]};
    const double judged = is_classification() ? sum_of(total_) : total_[0];
    const double least = node_.problem.min_leaf - limit_slack;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const auto bin = sums_of(i);
      const double count = steps_.counts[i];
      const double begin = is_classification() ? sum_of(left_) : weight_;
      const bool may_cut = steps_.has_cuts_inside(i) && left_count_ + count - 1 >= least &&
                           right_count_ - 1 >= least;
      if (may_cut) {
        const double mean = is_classification() ? 0.0 : total_[1];
        const double bound = is_classification() ? classes.in_box(left_, bin)
                                                 : numbers.in_parallelogram(weight_, sum_, bin,
                                                                            steps_.least[i] - mean,
                                                                            steps_.most[i] - mean);
        const double end = begin + (is_classification() ? sum_of(bin) : bin[0]);
        inside[i] = larger(inside[i], score_bound(node_, bound, judged, begin, end));
      }
      add(bin);
      left_count_ += count;
      right_count_ -= count;
      if (i < window_.first || i > window_.last) continue;
      const double here = is_classification() ? sum_of(left_) : weight_;
      const double worth = is_classification() ? classes.at(left_) : numbers.at(weight_, sum_);
      at_ends[i] = score_bound(node_, worth, judged, here, here);
    }
  }

 private:
  bool is_classification() const { return node_.problem.target.is_classification(); }
  // Of a step; numbers around the mean of the rows judged.
  std::span<const double> sums_of(std::size_t i) {
    const auto sums = steps_.sums_of(i);
    if (is_classification()) return sums;
    around_mean_ = {sums[0], sums[1] - (total_[1] - node_.statistics[1]) * sums[0]};
    return around_mean_;
  }
  void add(std::span<const double> bin) {
    if (is_classification()) {
      for (std::size_t c = 0; c < bin.size(); ++c) left_[c] += bin[c];
    } else {
      weight_ += bin[0];
      sum_ += bin[1];
    }
  }

  const Node& node_;
  const ColumnSums& steps_;
  std::vector<double> total_, left_;
  std::array<double, 2> around_mean_{};
  double weight_ = 0.0, sum_ = 0.0, left_count_ = 0.0, right_count_ = 0.0;
  Window window_;
};

}  // namespace

Worth worth_of(const Node& node, const ColumnSums& steps) {
  Worth worth;
  worth.inside.assign(steps.size(), -infinity);
  const CutSides sides(node, SumCuts(node, steps));
  std::vector<Place> places;
  sides.for_each_place([&](bool unknown_left, bool unknown_right) {
    places.emplace_back(node, steps, sides, unknown_left, unknown_right);
  });
  for (Place& place : places) {
    place.judge(worth.inside, worth.at_ends.emplace_back(steps.size(), -infinity));
  }
  return worth;
}

bool has_bound(const Measure& measure, std::size_t n_classes) {
  if (measure.needs_rows()) return false;
  if (!measure.traits().needs_costs) return true;
  // phi = x' C x / |x| is concave if x' C x <= 0 for every x that sums to 0: in the basis
  // e_i - e_last, minus the symmetric matrix must have a Cholesky factor.
  const std::size_t n = n_classes - 1;
  const auto cost = [&](std::size_t i, std::size_t j) {
    return measure.cost[i * n_classes + j] + measure.cost[j * n_classes + i];
  };
  std::vector<double> factor(n * n, 0.0);
  double largest = 0.0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, cost(i, n));
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      double sum = cost(i, n) + cost(j, n) - cost(i, j);
      for (std::size_t c = 0; c < j; ++c) sum -= factor[i * n + c] * factor[j * n + c];
      if (i == j) {
        if (sum < -1e-12 * largest) return false;
        factor[j * n + j] = std::sqrt(std::max(0.0, sum));
      } else if (factor[j * n + j] > 1e-9 * std::sqrt(largest)) {
        factor[i * n + j] = sum / factor[j * n + j];
      } else if (std::abs(sum) > 1e-9 * largest) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace treewright
