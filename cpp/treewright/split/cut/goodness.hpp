// Goodness: what a cut is worth, followed by running sums while rows move from right to left in
// sorted order. `move(entry)` takes one row over, `move(step)` the sums of several at once (not for
// absolute error); `better()` says whether the cut here beats the best so far; `decrease()` is
// W * Delta of the best. Where sums of weights are exact (whole numbers, or multiples of one power
// of two), it is the same number whether rows came one by one or in steps. For numbers as target it
// is so but for rounding; `end_value()` there tells that the next row has another value, so that
// steps of one value each, summed in the order of rows, give the very same number.
//
//   TwoClassCounts  two classes under Gini: with q = sum over left rows of (y - mean), W Delta is
//                   proportional to q^2 / (n_L n_R); compared without dividing
//   TwoClassWeights the same with weights
//   ManyCounts      Gini of counts: maximise sum L_c^2 / n_L + sum R_c^2 / n_R, likewise
//   SquaredError    numbers: q^2 / (W_L W_R) with weights
//   WeightedGini    Gini of weights of many classes
//   EntropyCounts   entropy of counts, by a table
//   Entropy         from x log x of the class weights, two terms changing at each step
//   Hellinger       between nodes, from square roots of the class weights
//   AnyMeasure      from the class weights of both sides, O(classes) at each boundary
//   AbsoluteError   deviations from the medians of both sides, found beforehand (medians.hpp)
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "treewright/split/method.hpp"

namespace treewright {

// A cut must beat an earlier one by more than rounding: ties belong to the first. Rounding is
// relative to the better one and, where sums are not of whole numbers, to the largest there may be.
constexpr double slack = 1.0 + 1e-13;
constexpr double least_step = 1e-13;

// What a goodness needs to know of the rows, and the sums it works on.
struct Sides {
  const Node& node;
  std::span<const double> total;  // statistics of the rows judged
  std::span<double> left;         // at first of what stands left from the start
  std::span<double> right;        // at first of the rest, for classes
};

// Rows that move together: class weights; or weight, sum of w (y - m) and perhaps, which no
// goodness needs, sum of w (y - m)^2 around the mean m of the node.
struct MovedRows {
  std::span<const double> sums;
};

// Weights are divided by it where they are squared, so that squares stay in range; no digit is
// lost.
inline double power_of_two_below(double x) { return std::ldexp(1.0, std::ilogb(x)); }

struct LabelOf {
  const Node& node;
  KeyLayout layout = node.rows.layout();
  std::size_t operator()(Entry e) const {
    return layout.label_bits ? layout.label(e)
                             : static_cast<std::size_t>(node.problem.target.labels[e.row]);
  }
};

// Numerator and denominator of the best ratio so far; starts below any real one. A better one is
// better by `step` at least.
struct BestRatio {
  double numerator = -1.0;
  double denominator = 1.0;
  bool improve(double n, double d, double step = 0.0) {
    const double bar = numerator * slack + (step > 0 ? step * denominator : 0.0);
    if (!(n * denominator > bar * d)) return false;
    numerator = n;
    denominator = d;
    return true;
  }
  double value() const { return numerator / denominator; }
};

class TwoClassCounts {
 public:
  explicit TwoClassCounts(const Sides& sides)
      : layout_(sides.node.rows.layout()),
        total_(sum_of(sides.total)),
        ones_(sides.total[1]),
        left_(sum_of(sides.left)),
        left_ones_(sides.left[1]) {}
  void move(Entry e) {
    left_ += 1.0;
    left_ones_ += static_cast<double>(layout_.label(e));
  }
  void move(MovedRows step) {
    left_ += step.sums[0] + step.sums[1];
    left_ones_ += step.sums[1];
  }
  bool better() {
    const double q = left_ones_ * total_ - left_ * ones_;
    return best_.improve(q * q, left_ * (total_ - left_));
  }
  // gini: W Delta = 2 q'^2 W / (W_L W_R) with q' = q / W
  double decrease() const { return 2.0 * best_.value() / total_; }

 private:
  KeyLayout layout_;
  double total_, ones_, left_, left_ones_;
  BestRatio best_;
};

class TwoClassWeights {
 public:
  explicit TwoClassWeights(const Sides& sides)
      : weights_(sides.node.weights.data()),
        label_of_{sides.node},
        unit_(1.0 / power_of_two_below(sum_of(sides.total))),
        total_(sum_of(sides.total) * unit_),
        ones_(sides.total[1] * unit_),
        left_(sum_of(sides.left) * unit_),
        left_ones_(sides.left[1] * unit_) {}
  void move(Entry e) {
    const double w = weights_[e.row] * unit_;
    left_ += w;
    left_ones_ += w * static_cast<double>(label_of_(e));
  }
  void move(MovedRows step) {
    left_ += (step.sums[0] + step.sums[1]) * unit_;
    left_ones_ += step.sums[1] * unit_;
  }
  bool better() {
    const double q = left_ones_ * total_ - left_ * ones_, right = total_ - left_;
    // Where weights differ by many orders, rounding can leave nothing on a side that has rows.
    return left_ > 0 && right > 0 && best_.improve(q * q, left_ * right, least_step);
  }
  double decrease() const { return 2.0 * best_.value() / (total_ * unit_); }

 private:
  const double* weights_;
  LabelOf label_of_;
  double unit_, total_, ones_, left_, left_ones_;
  BestRatio best_;
};

class ManyCounts {
 public:
  explicit ManyCounts(const Sides& sides)
      : layout_(sides.node.rows.layout()), left_(sides.left), right_(sides.right) {
    for (std::size_t c = 0; c < left_.size(); ++c) {
      left_squares_ += left_[c] * left_[c];
      right_squares_ += right_[c] * right_[c];
      base_ += sides.total[c] * sides.total[c];
    }
    on_left_ = sum_of(left_);
    on_right_ = sum_of(right_);
    base_ /= on_left_ + on_right_;
  }
  void move(Entry e) {
    const std::size_t c = layout_.label(e);
    left_squares_ += 2.0 * left_[c] + 1.0;
    left_[c] += 1.0;
    right_squares_ -= 2.0 * right_[c] - 1.0;
    right_[c] -= 1.0;
    on_left_ += 1.0;
    on_right_ -= 1.0;
  }
  void move(MovedRows step) {
    for (std::size_t c = 0; c < left_.size(); ++c) {
      const double n = step.sums[c];
      left_squares_ += n * (2.0 * left_[c] + n);
      left_[c] += n;
      right_squares_ -= n * (2.0 * right_[c] - n);
      right_[c] -= n;
      on_left_ += n;
      on_right_ -= n;
    }
  }
  bool better() {
    return best_.improve(left_squares_ * on_right_ + right_squares_ * on_left_,
                         on_left_ * on_right_);
  }
  double decrease() const { return best_.value() - base_; }

 private:
  KeyLayout layout_;
  std::span<double> left_, right_;
  double left_squares_ = 0, right_squares_ = 0, on_left_ = 0, on_right_ = 0, base_ = 0;
  BestRatio best_;
};

class SquaredError {
 public:
  explicit SquaredError(const Sides& sides)
      : numbers_(sides.node.problem.target.numbers),
        weights_(sides.node.weights),
        mean_(sides.total[1]),
        off_(sides.total[1] - sides.node.statistics[1]),
        total_(sides.total[0]),
        unit_(1.0 / sides.total[0]),
        step_(least_step * (sides.total[2] / sides.total[0])),
        left_(sides.left[0]),
        sum_(sides.left[0] * (sides.left[1] - sides.total[1])) {}
  void move(Entry e) {
    weight_of_value_ += weights_[e.row];
    sum_of_value_ += weights_[e.row] * (numbers_[e.row] - mean_);
  }
  void end_value() {
    left_ += std::exchange(weight_of_value_, 0.0);
    sum_ += std::exchange(sum_of_value_, 0.0);
  }
  void move(MovedRows step) {
    left_ += step.sums[0];
    sum_ += step.sums[1] - off_ * step.sums[0];
  }
  bool better() {
    // Shares, so that products of huge or tiny weights stay in range. Where weights differ by many
    // orders, rounding can leave nothing on a side that has rows.
    const double q = sum_ * unit_, left = left_ * unit_, right = (total_ - left_) * unit_;
    return left > 0 && right > 0 && best_.improve(q * q, left * right, step_);
  }
  double decrease() const { return best_.value() * total_; }
  // W * Delta where the left weighs `left` of `total` and sums to `sum` around the mean of all.
  static double decrease_of(double left, double sum, double total) {
    const double q = sum / total;
    return q * q / (left / total * ((total - left) / total)) * total;
  }

 private:
  std::span<const double> numbers_, weights_;
  double mean_;
  double off_;  // of the mean of the rows judged from that of the node
  double total_, unit_, step_, left_, sum_;
  double weight_of_value_ = 0.0, sum_of_value_ = 0.0;  // of rows moved one by one
  BestRatio best_;
};

// A running sum that keeps what rounding cuts off (Knuth's two-sum), so that many small steps do
// not drift away from the sum of the same terms in another order.
class RunningSum {
 public:
  void add(double x) {
    const double sum = sum_ + x, rest = sum - sum_;
    cut_off_ += (sum_ - (sum - rest)) + (x - rest);
    sum_ = sum;
  }
  double value() const { return sum_ + cut_off_; }

 private:
  double sum_ = 0, cut_off_ = 0;
};

// Keeps class weights of both sides and the best decrease; Derived says what a state is worth.
template <class Derived>
class ClassWeights {
 public:
  explicit ClassWeights(const Sides& sides)
      : sides_(sides), label_of_{sides.node}, left_(sides.left), right_(sides.right) {
    on_left_ = sum_of(left_);
    total_ = sum_of(sides.total);
  }
  void move(Entry e) { move(label_of_(e), sides_.node.weights[e.row]); }
  void move(MovedRows step) {
    for (std::size_t c = 0; c < left_.size(); ++c) {
      if (step.sums[c] > 0) move(c, step.sums[c]);
    }
  }
  bool better() {
    const double on_right = total_ - on_left_;
    if (!(on_left_ > 0 && on_right > 0)) return false;
    const double decrease = static_cast<Derived&>(*this).decrease_now(on_left_, on_right);
    double score = decrease;
    if (!orders_cuts_by_decrease(sides_.node.problem.gain)) {
      // Rows that are not judged are a part of their own, as in cut_information.
      const double parts[] = {on_left_, on_right, std::max(0.0, sides_.node.weight - total_)};
      score = score_of(sides_.node.problem.gain, decrease, split_information(parts));
    }
    if (!(score > best_score_ + least_step * total_)) return false;
    best_score_ = score;
    best_decrease_ = decrease;
    // Running sums carry the rounding of the steps they were made in; the best decrease does not.
    if constexpr (requires(Derived derived) { derived.summed_decrease(0.0, 0.0); }) {
      best_decrease_ = static_cast<Derived&>(*this).summed_decrease(on_left_, on_right);
    }
    return true;
  }
  double decrease() const { return best_decrease_; }
  double score() const { return best_score_; }

 protected:
  // Looks at the clock now and then where each cut takes long, as with many classes.
  void poll_after(std::size_t work) {
    constexpr std::size_t much = std::size_t{1} << 20;  // some milliseconds
    work_ += work;
    if (work_ < much) return;
    work_ = 0;
    sides_.node.poll_deadline();
  }

  const Sides& sides_;
  LabelOf label_of_;
  std::span<double> left_, right_;
  double on_left_ = 0, total_ = 0;
  std::size_t work_ = 0;
  double best_score_ = -std::numeric_limits<double>::infinity(), best_decrease_ = 0;

 private:
  void move(std::size_t c, double w) {
    static_cast<Derived&>(*this).moving(c, w);
    left_[c] += w;
    // Less than rounding leaves is nothing; a square root would make it matter.
    const double rest = right_[c] - w;
    right_[c] = rest > 1e-13 * sides_.total[c] ? rest : 0.0;
    on_left_ += w;
  }
};

class Entropy : public ClassWeights<Entropy> {
 public:
  explicit Entropy(const Sides& sides) : ClassWeights(sides) {
    for (std::size_t c = 0; c < left_.size(); ++c) {
      inside_.add(x_log_x(left_[c]) + x_log_x(right_[c]));
      base_ -= x_log_x(sides.total[c]);
    }
    base_ += x_log_x(total_);
    unit_ = sides.node.problem.measure.traits().unit;
  }
  void moving(std::size_t c, double w) {
    inside_.add(x_log_x(left_[c] + w) - x_log_x(left_[c]));
    inside_.add(x_log_x(std::max(0.0, right_[c] - w)) - x_log_x(right_[c]));
  }
  double decrease_now(double on_left, double on_right) const {
    return unit_ * (base_ + inside_.value() - x_log_x(on_left) - x_log_x(on_right));
  }
  double summed_decrease(double on_left, double on_right) const {
    RunningSum inside;
    for (std::size_t c = 0; c < left_.size(); ++c)
      inside.add(x_log_x(left_[c]) + x_log_x(right_[c]));
    return unit_ * (base_ + inside.value() - x_log_x(on_left) - x_log_x(on_right));
  }

 private:
  RunningSum inside_;
  double base_ = 0, unit_ = 1;
};

// Entropy of counts, from rounded x log x whose sums are exact (logarithms.hpp): equal counts have
// equal entropies, in whatever order rows came. `Logarithms` are a table, or calculated.
template <class Logarithms>
class EntropyCounts : public ClassWeights<EntropyCounts<Logarithms>> {
  using Base = ClassWeights<EntropyCounts<Logarithms>>;

 public:
  EntropyCounts(const Sides& sides, Logarithms logarithms) : Base(sides), logarithms_(logarithms) {
    for (std::size_t c = 0; c < this->left_.size(); ++c) {
      inside_ += at(this->left_[c]) + at(this->right_[c]);
    }
    base_ = at(this->total_);
    for (const double count : sides.total) base_ -= at(count);
    unit_ = sides.node.problem.measure.traits().unit;
  }
  void moving(std::size_t c, double n) {
    inside_ +=
        at(this->left_[c] + n) - at(this->left_[c]) + at(this->right_[c] - n) - at(this->right_[c]);
  }
  double decrease_now(double on_left, double on_right) const {
    return unit_ * (base_ + inside_ - at(on_left) - at(on_right));
  }

 private:
  double at(double count) const { return logarithms_[static_cast<std::size_t>(count)]; }

  Logarithms logarithms_;
  double inside_ = 0, base_ = 0, unit_ = 1;
};

class WeightedGini : public ClassWeights<WeightedGini> {
 public:
  explicit WeightedGini(const Sides& sides)
      : ClassWeights(sides), unit_(power_of_two_below(total_)) {
    for (std::size_t c = 0; c < left_.size(); ++c) {
      left_squares_ += left_[c] * (left_[c] / unit_);
      right_squares_ += right_[c] * (right_[c] / unit_);
      base_ += sides.total[c] * (sides.total[c] / unit_);
    }
    base_ /= total_;
    summed_ = right_squares_;
  }
  void moving(std::size_t c, double w) {
    left_squares_ += w / unit_ * (2.0 * left_[c] + w);
    right_squares_ -= w / unit_ * (2.0 * right_[c] - w);
  }
  double decrease_now(double on_left, double on_right) {
    // What is left of a large sum after many subtractions is mostly rounding: sum anew.
    if (right_squares_ < 1e-6 * summed_) {
      right_squares_ = 0.0;
      for (const double w : right_) right_squares_ += w * (w / unit_);
      summed_ = right_squares_;
    }
    return unit_ * (left_squares_ / on_left + right_squares_ / on_right - base_);
  }
  double summed_decrease(double on_left, double on_right) const {
    double left = 0.0, right = 0.0;
    for (std::size_t c = 0; c < left_.size(); ++c) {
      left += left_[c] * (left_[c] / unit_);
      right += right_[c] * (right_[c] / unit_);
    }
    return unit_ * (left / on_left + right / on_right - base_);
  }

 private:
  double unit_;  // what squares are divided by
  double left_squares_ = 0, right_squares_ = 0, base_ = 0;
  double summed_ = 0;  // right_squares_ when it was last summed
};

// W Delta = W - sqrt(W_L) sum_c sqrt(p_c L_c) - sqrt(W_R) sum_c sqrt(p_c R_c), p of both sides.
class Hellinger : public ClassWeights<Hellinger> {
 public:
  explicit Hellinger(const Sides& sides) : ClassWeights(sides) {
    for (const double weight : sides.total) roots_.push_back(std::sqrt(weight / total_));
  }
  void moving(std::size_t, double) {}
  double decrease_now(double on_left, double on_right) {
    poll_after(roots_.size());
    double left = 0.0, right = 0.0;
    for (std::size_t c = 0; c < roots_.size(); ++c) {
      left += roots_[c] * std::sqrt(left_[c]);
      right += roots_[c] * std::sqrt(right_[c]);
    }
    return total_ - std::sqrt(on_left) * left - std::sqrt(on_right) * right;
  }

 private:
  std::vector<double> roots_;
};

class AnyMeasure : public ClassWeights<AnyMeasure> {
 public:
  explicit AnyMeasure(const Sides& sides) : ClassWeights(sides), both_(2 * sides.total.size()) {}
  void moving(std::size_t, double) {}
  double decrease_now(double, double) {
    const bool by_costs = sides_.node.problem.measure.traits().needs_costs;
    poll_after(by_costs ? left_.size() * left_.size() : left_.size());
    std::ranges::copy(left_, both_.begin());
    std::ranges::copy(right_, both_.begin() + static_cast<std::ptrdiff_t>(left_.size()));
    return total_ * sides_.node.problem.measure.decrease(sides_.total, both_);
  }

 private:
  std::vector<double> both_;
};

}  // namespace treewright
