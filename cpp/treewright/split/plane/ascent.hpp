// Hill climbing: the coefficients of a plane, one at a time, moved to where they divide the rows of
// a node best (sweep.hpp), until none helps; then perhaps a step along a random direction, which
// may lead on from where single coefficients cannot (Murthy, Kasif, Salzberg 1994, "A system for
// induction of oblique decision trees").
//
// Orders of the coefficients, the offset being the last:
//
//   best_first  all are tried, the best one is moved
//   sequential  each is moved as soon as it was tried
//   random      so many, drawn one after the other, likewise
//
// A plane that `drifts` may also take moves that leave the score as it is: the first with
// probability 1, the second with 0.9, and so on; the count starts anew with each improvement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "treewright/base/rng.hpp"
#include "treewright/split/plane/moving_plane.hpp"

namespace treewright {

enum class CoefficientOrder : std::uint8_t { best_first, sequential, random };

struct AscentRules {
  CoefficientOrder order = CoefficientOrder::sequential;
  std::size_t n_random = 0;  // coefficients drawn in a pass in random order
  std::size_t n_jumps = 0;   // random directions tried where no coefficient helps
  bool drifts = false;
  std::size_t max_passes = std::numeric_limits<std::size_t>::max();
};

class Ascent {
 public:
  // As a MovingPlane.
  Ascent(const SearchRows& rows, const SideRules& sides, const AscentRules& rules,
         std::function<void()> poll);

  // Moves the plane up as far as it goes, and gives its score, -infinity where no division is
  // allowed. Never lower than before.
  double climb(Plane& plane, Rng& rng);

 private:
  bool pass(Rng& rng);
  bool jump(Rng& rng);
  bool accept(std::size_t coefficient, const Step& step, Rng& rng);

  const SearchRows& rows_;
  AscentRules rules_;
  MovingPlane moving_;
  std::uint32_t n_level_moves_ = 0;  // tried since the last improvement
};

}  // namespace treewright
