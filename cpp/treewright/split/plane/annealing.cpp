#include "treewright/split/plane/annealing.hpp"

#include <cmath>

namespace treewright {

namespace {

class Annealing {
 public:
  Annealing(const SearchRows& rows, const SideRules& sides, Plane start, Rng& rng)
      : rows_(rows), sweep_(rows.sides, sides), rng_(rng), plane_(std::move(start)) {
    values_along(rows_, plane_, values_);
    moved_.resize(values_.size());
    score_ = sweep_.score(values_);
  }

  double score() const { return score_; }
  const Plane& plane() const { return plane_; }

  // Draws a change; what it would cost, below 0 for a gain. From and to planes that are not allowed
  // costs nothing, to leave them is worth any gain.
  double draw() {
    coefficient_ = rng_.below(static_cast<std::uint32_t>(plane_.slopes.size() + 1));
    change_ = rng_.unit() - 0.5;
    const bool is_offset = coefficient_ == plane_.slopes.size();
    const double* column = is_offset ? nullptr : rows_.column(coefficient_).data();
    for (std::size_t i = 0; i < moved_.size(); ++i) {
      moved_[i] = values_[i] + change_ * (is_offset ? 1.0 : column[i]);
    }
    moved_score_ = sweep_.score(moved_);
    return score_ == moved_score_ ? 0.0 : score_ - moved_score_;
  }

  void take() {
    const bool is_offset = coefficient_ == plane_.slopes.size();
    (is_offset ? plane_.offset : plane_.slopes[coefficient_]) += change_;
    std::swap(values_, moved_);
    score_ = moved_score_;
  }

  // What a change that is a loss loses, on average.
  double mean_loss() {
    constexpr int n_changes = 100;
    double sum = 0.0;
    int n_losses = 0;
    for (int i = 0; i < n_changes; ++i) {
      const double loss = draw();
      if (!(loss > 0 && std::isfinite(loss))) continue;
      sum += loss;
      ++n_losses;
    }
    return n_losses > 0 ? sum / n_losses : 0.0;
  }

 private:
  const SearchRows& rows_;
  Sweep sweep_;
  Rng& rng_;
  Plane plane_;
  std::vector<double> values_, moved_;  // of the plane and of the changed one, a number a row
  double score_ = 0.0, moved_score_ = 0.0, change_ = 0.0;
  std::size_t coefficient_ = 0;
};

}  // namespace

Plane anneal(const SearchRows& rows, const SideRules& sides, const AnnealingRules& rules,
             Plane start, Rng& rng, const std::function<void()>& poll) {
  Annealing search(rows, sides, std::move(start), rng);
  double temperature = rules.temperature < 0 ? search.mean_loss() : rules.temperature;
  Plane best = search.plane();
  double best_score = search.score();
  for (double waited = 0; waited < rules.patience; ++waited) {
    poll();
    const double loss = search.draw(), chance = rng.unit();
    if (loss <= 0 || chance < std::exp(-loss / temperature)) search.take();
    temperature *= rules.cooling;
    if (is_better(search.score(), best_score)) {
      best = search.plane();
      best_score = search.score();
      waited = 0;
    }
  }
  return best;
}

}  // namespace treewright
