#include "treewright/split/plane/ascent.hpp"

#include <cmath>
#include <utility>

namespace treewright {

namespace {

constexpr std::uint32_t most_level_moves = 10;

}  // namespace

Ascent::Ascent(const SearchRows& rows, const SideRules& sides, const AscentRules& rules,
               std::function<void()> poll)
    : rows_(rows), rules_(rules), moving_(rows, sides, std::move(poll)) {}

double Ascent::climb(Plane& plane, Rng& rng) {
  n_level_moves_ = 0;
  moving_.place(plane);
  for (std::size_t i = 0; i < rules_.max_passes; ++i) {
    if (!pass(rng) && !jump(rng)) break;
  }
  plane = moving_.plane();
  return moving_.score();
}

// Whether the plane has moved.
bool Ascent::pass(Rng& rng) {
  const std::size_t n_coefficients = rows_.n_columns() + 1;
  if (rules_.order == CoefficientOrder::best_first) {
    std::size_t best = 0;
    Step best_step;
    for (std::size_t c = 0; c < n_coefficients; ++c) {
      const Step step = moving_.best_step(c);
      if (is_better(step.score, best_step.score)) {
        best = c;
        best_step = step;
      }
    }
    return accept(best, best_step, rng);
  }
  const bool is_random = rules_.order == CoefficientOrder::random;
  const std::size_t n_tries = is_random ? rules_.n_random : n_coefficients;
  bool has_moved = false;
  for (std::size_t i = 0; i < n_tries; ++i) {
    const std::size_t c = is_random ? rng.below(static_cast<std::uint32_t>(n_coefficients)) : i;
    has_moved |= accept(c, moving_.best_step(c), rng);
  }
  return has_moved;
}

bool Ascent::jump(Rng& rng) {
  std::vector<double> values;
  for (std::size_t i = 0; i < rules_.n_jumps; ++i) {
    const Plane direction = random_plane(rows_.n_columns(), rng);
    values_along(rows_, direction, values);
    const Step step = moving_.best_step(values);
    if (!is_better(step.score, moving_.score()) || !moving_.move(direction, step)) continue;
    n_level_moves_ = 0;
    return true;
  }
  return false;
}

bool Ascent::accept(std::size_t coefficient, const Step& step, Rng& rng) {
  if (is_better(step.score, moving_.score())) {
    // A promise that rounding breaks must not renew the level moves: they might never end.
    if (!moving_.move(coefficient, step)) return false;
    n_level_moves_ = 0;
    return true;
  }
  const bool is_level = std::isfinite(step.score) && !is_better(moving_.score(), step.score);
  if (!rules_.drifts || !is_level || n_level_moves_ == most_level_moves) return false;
  const bool dares = rng.below(most_level_moves) < most_level_moves - n_level_moves_;
  ++n_level_moves_;
  return dares && moving_.move(coefficient, step);
}

}  // namespace treewright
