// A plane that is moved by sweeps, with its values at the rows and its score.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "treewright/split/plane/plane.hpp"
#include "treewright/split/plane/sweep.hpp"

namespace treewright {

class MovingPlane {
 public:
  // The rows must outlive it. `poll` is called after each sweep and may end the work by what it
  // throws.
  MovingPlane(const SearchRows& rows, const SideRules& sides, std::function<void()> poll);

  void place(Plane plane);
  const Plane& plane() const { return plane_; }
  double score() const { return score_; }  // -infinity where a side is too small

  // The best step along a direction that has these values at the rows.
  Step best_step(std::span<const double> values);
  // That along one coefficient; the offset is behind the last slope.
  Step best_step(std::size_t coefficient);

  // Moves along a direction if the plane is then worth what the sweep promised, but for rounding.
  bool move(const Plane& direction, const Step& step);
  bool move(std::size_t coefficient, const Step& step);

  // Moves the offset to where it is best.
  void settle();

 private:
  const SearchRows& rows_;
  std::function<void()> poll_;
  Sweep sweep_;
  Plane plane_;
  double score_ = 0.0;
  std::vector<double> ones_, values_, moved_;  // a number a row
};

}  // namespace treewright
