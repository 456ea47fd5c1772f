#include "treewright/split/plane/moving_plane.hpp"

#include <utility>

namespace treewright {

MovingPlane::MovingPlane(const SearchRows& rows, const SideRules& sides, std::function<void()> poll)
    : rows_(rows), poll_(std::move(poll)), sweep_(rows.sides, sides), ones_(rows.n_rows(), 1.0) {}

void MovingPlane::place(Plane plane) {
  plane_ = std::move(plane);
  values_along(rows_, plane_, values_);
  score_ = sweep_.score(values_);
}

Step MovingPlane::best_step(std::span<const double> values) {
  const Step step = sweep_.best_step(values_, values);
  poll_();
  return step;
}

Step MovingPlane::best_step(std::size_t coefficient) {
  return best_step(coefficient == rows_.n_columns() ? std::span<const double>(ones_)
                                                    : rows_.column(coefficient));
}

bool MovingPlane::move(const Plane& direction, const Step& step) {
  Plane moved = plane_;
  moved.move(direction, step.length);
  moved.normalise();
  values_along(rows_, moved, moved_);
  const double score = sweep_.score(moved_);
  const bool is_worse = is_better(score_, score);
  const bool falls_short = is_better(step.score, score_) && !is_better(score, score_);
  if (is_worse || falls_short) return false;
  plane_ = std::move(moved);
  std::swap(values_, moved_);
  score_ = score;
  return true;
}

bool MovingPlane::move(std::size_t coefficient, const Step& step) {
  Plane direction{0.0, std::vector<double>(rows_.n_columns(), 0.0)};
  (coefficient < rows_.n_columns() ? direction.slopes[coefficient] : direction.offset) = 1.0;
  return move(direction, step);
}

void MovingPlane::settle() {
  const std::size_t offset = rows_.n_columns();
  const Step step = best_step(offset);
  if (is_better(step.score, score_)) move(offset, step);
}

}  // namespace treewright
