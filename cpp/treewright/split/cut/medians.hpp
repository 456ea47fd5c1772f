// Absolute error of both sides of every cut (goodness.hpp), by medians that follow the rows.
#pragma once

#include <queue>

#include "treewright/split/cut/goodness.hpp"

namespace treewright {

// Median and absolute deviation of a growing set of weighted numbers: the lower half in a heap
// with the largest on top, the upper half with the smallest.
class RunningMedian {
 public:
  void add(double y, double w) {
    if (lower_.empty() || y <= lower_.top().first) {
      put_lower({y, w});
    } else {
      put_upper({y, w});
    }
    while (2 * lower_weight_ < lower_weight_ + upper_weight_) {
      const auto item = upper_.top();
      upper_.pop();
      upper_weight_ -= item.second;
      upper_sum_ -= item.first * item.second;
      put_lower(item);
    }
    while (lower_.size() > 1 &&
           2 * (lower_weight_ - lower_.top().second) >= lower_weight_ + upper_weight_) {
      const auto item = lower_.top();
      lower_.pop();
      lower_weight_ -= item.second;
      lower_sum_ -= item.first * item.second;
      put_upper(item);
    }
  }
  double deviation() const {
    if (lower_.empty()) return 0.0;
    const double median = lower_.top().first;
    return median * lower_weight_ - lower_sum_ + upper_sum_ - median * upper_weight_;
  }

 private:
  using Item = std::pair<double, double>;
  void put_lower(Item item) {
    lower_.push(item);
    lower_weight_ += item.second;
    lower_sum_ += item.first * item.second;
  }
  void put_upper(Item item) {
    upper_.push(item);
    upper_weight_ += item.second;
    upper_sum_ += item.first * item.second;
  }
  std::priority_queue<Item> lower_;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> upper_;
  double lower_weight_ = 0, upper_weight_ = 0, lower_sum_ = 0, upper_sum_ = 0;
};

// The deviations of both sides at every position, found by adding from either end.
class AbsoluteError {
 public:
  AbsoluteError(const Node& node, std::span<const Entry> known,
                std::span<const Entry> left_from_start, std::span<const Entry> right_from_start)
      : sides_(known.size(), 0.0) {
    const auto& numbers = node.problem.target.numbers;
    const auto centre = node.statistics[1];  // keeps the sums small
    const auto add = [&](RunningMedian& to, Entry e) {
      to.add(numbers[e.row] - centre, node.weights[e.row]);
    };
    RunningMedian from_left, from_right;
    for (const Entry e : left_from_start) add(from_left, e);
    for (const Entry e : right_from_start) add(from_right, e);
    for (std::size_t i = 0; i < known.size(); ++i) {
      add(from_left, known[i]);
      sides_[i] += from_left.deviation();
    }
    for (std::size_t i = known.size(); i-- > 1;) {
      add(from_right, known[i]);
      sides_[i - 1] += from_right.deviation();
    }
    for (const Entry e : right_from_start) add(from_left, e);
    total_ = from_left.deviation();
  }
  void move(Entry) { ++next_; }
  bool better() {
    const double decrease = total_ - sides_[next_ - 1];
    if (!(decrease > best_ + least_step * total_)) return false;
    best_ = decrease;
    return true;
  }
  double decrease() const { return best_; }

 private:
  std::vector<double> sides_;
  double total_ = 0, best_ = -std::numeric_limits<double>::infinity();
  std::size_t next_ = 0;
};

}  // namespace treewright
