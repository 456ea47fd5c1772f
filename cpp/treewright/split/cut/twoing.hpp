// Twoing of many classes, followed while rows move from right to left (goodness.hpp).
//
// With T_c the weight of class c on both sides, W that of all and W_L = W - W_R that of the left,
//
//   W Delta = W D^2 / (4 W_L W_R),   D = sum_c |L_c - T_c W_L / W|
//
// A row of weight w changes D by 2 w at most, so D need not be summed anew at a cut where even the
// largest value it can have by then would not beat the best cut.
#pragma once

#include <cmath>

#include "treewright/split/cut/goodness.hpp"

namespace treewright {

class Twoing : public ClassWeights<Twoing> {
 public:
  explicit Twoing(const Sides& sides) : ClassWeights(sides), most_(2.0 * total_) {}
  void moving(std::size_t, double w) { most_ += 2.0 * w; }
  double decrease_now(double on_left, double on_right) {
    // Written so that huge and tiny weights stay in range.
    const double odds = total_ / on_left / (4.0 * on_right);
    const double at_most = most_ * odds * most_;
    if (at_most <= best_score_) return at_most;
    poll_after(left_.size());
    const double share = on_left / total_;
    most_ = 0.0;
    for (std::size_t c = 0; c < left_.size(); ++c) {
      most_ += std::abs(left_[c] - sides_.total[c] * share);
    }
    return most_ * odds * most_;
  }

 private:
  double most_;  // what D can be, given what it was
};

}  // namespace treewright
