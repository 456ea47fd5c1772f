// CART-LC: linear combinations by deterministic search, then without the columns that hardly matter
// (Breiman, Friedman, Olshen, Stone 1984, "Classification and regression trees", section 5.2).
//
// Columns are centred at their median and divided by their interquartile range, by the standard
// deviation where that is 0. The plane v <= c starts at the best test on one column. In a cycle,
// for each column m and gamma in {-1/4, 0, 1/4},
//
//   v - delta (z_m + gamma) <= c,   with the delta that is best by the sweep,
//
// and the best of the three is taken; then c is moved to where it is best. Cycles end when one adds
// next to nothing. Columns are then deleted: with G* the score now and G_m the best score without
// column m, at the best c for it, the column of largest G_m, which costs least, goes if
//
//   G* - max_m G_m  <=  beta (G* - min_m G_m),
//
// where G_m counts as 0 if the other columns allow no division; and so on, down to one column.
// After that the cycles go on with what is left. A step that would lower the score is never taken,
// unlike in programs where only a limit of cycles ends the search.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "treewright/split/cut/cut.hpp"
#include "treewright/split/discriminant/contributions.hpp"
#include "treewright/split/list.hpp"
#include "treewright/split/plane/moving_plane.hpp"
#include "treewright/split/rows/known_columns.hpp"

namespace treewright {

namespace {

constexpr double rounding = 1e-12;

// The values that a quarter, half and three quarters of the weight do not exceed; the middle of two
// where a value ends exactly there.
struct Quartiles {
  double first, median, third;
};

Quartiles quartiles_of(std::span<const double> values, std::span<const double> weights) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
  const double total = sum_of(weights);
  double below = 0.0;
  std::size_t next = 0;
  const auto reach = [&](double share) {
    const double wanted = share * total;
    while (next < order.size() && below + weights[order[next]] < wanted - rounding * total) {
      below += weights[order[next++]];
    }
    const double here = values[order[next]];
    const bool ends_here = below + weights[order[next]] <= wanted + rounding * total;
    return ends_here && next + 1 < order.size() ? (here + values[order[next + 1]]) / 2 : here;
  };
  return {reach(0.25), reach(0.5), reach(0.75)};
}

void scale_by_quartiles(SearchRows& rows) {
  for (std::size_t j = 0; j < rows.n_columns(); ++j) {
    const auto column = rows.column(j);
    const Quartiles at = quartiles_of(column, rows.sides.weights);
    const double range = at.third > at.first ? at.third - at.first : 1.0;
    for (double& z : column) z = (z - at.median) / range;
    rows.centre[j] += rows.scale[j] * at.median;
    rows.scale[j] *= range;
  }
}

struct CartLcOptions {
  std::size_t n_features = 0;  // 0: all
  double beta = 0.2;
  double tolerance = 1e-4;  // of the impurity of the rows
  std::size_t max_cycles = 100;
};

class LinearCombination {
 public:
  LinearCombination(const Node& node, const SearchRows& rows, const CartLcOptions& options)
      : rows_(rows),
        options_(options),
        moving_(rows, side_rules(node, rows), [&node] { node.poll_deadline(); }),
        least_gain_(options.tolerance * node.problem.measure.of(node.statistics)) {
    used_.resize(rows.n_columns());
    std::iota(used_.begin(), used_.end(), std::size_t{0});
  }

  Plane search(Plane start) {
    moving_.place(std::move(start));
    climb();
    delete_columns();
    climb();
    return moving_.plane();
  }

 private:
  void climb() {
    for (std::size_t cycle = 0; cycle < options_.max_cycles; ++cycle) {
      const double before = moving_.score();
      for (const std::size_t column : used_) move_column(column);
      moving_.settle();
      const double now = moving_.score();
      if (!is_better(now, before) || now - before < least_gain_) return;
    }
  }

  void move_column(std::size_t column) {
    Plane best_direction;
    Step best;
    for (const double gamma : {-0.25, 0.0, 0.25}) {
      Plane direction{gamma, std::vector<double>(rows_.n_columns(), 0.0)};
      direction.slopes[column] = 1.0;
      values_along(rows_, direction, values_);
      const Step step = moving_.best_step(values_);
      if (!is_better(step.score, best.score)) continue;
      best = step;
      best_direction = std::move(direction);
    }
    if (is_better(best.score, moving_.score())) moving_.move(best_direction, best);
  }

  void delete_columns() {
    std::erase_if(used_, [&](std::size_t j) { return moving_.plane().slopes[j] == 0.0; });
    while (used_.size() > 1) {
      const Plane now = moving_.plane();
      const double score = moving_.score();
      Plane without_weakest;
      double most = -std::numeric_limits<double>::infinity(), least = -most;
      std::size_t weakest = used_[0];
      for (const std::size_t column : used_) {
        Plane without = now;
        without.slopes[column] = 0.0;
        moving_.place(std::move(without));
        moving_.settle();
        least = std::min(least, std::max(moving_.score(), 0.0));
        if (!is_better(moving_.score(), most)) continue;
        most = moving_.score();
        weakest = column;
        without_weakest = moving_.plane();
      }
      const bool is_cheap = score - most <= options_.beta * (score - least) + rounding * score;
      if (!std::isfinite(most) || !is_cheap) {
        moving_.place(now);
        return;
      }
      moving_.place(without_weakest);
      std::erase(used_, weakest);
    }
  }

  const SearchRows& rows_;
  CartLcOptions options_;
  MovingPlane moving_;
  double least_gain_;
  std::vector<std::size_t> used_;  // columns
  std::vector<double> values_;
};

class CartLc : public Method {
 public:
  explicit CartLc(CartLcOptions options) : options_(options) {}

  void prepare(const Problem& problem, const Rows& rows) override {
    require_sweepable(problem, "CARTLC");
    known_.prepare(problem, rows);
  }

  bool works_on_threads() const override { return true; }

  void propose(const Node& node, Rng&, std::vector<Candidate>& candidates) override {
    std::optional<Candidate> best = best_axis_cut(node);
    if (!best) return;
    candidates.push_back(*best);
    SearchRows rows = search_rows(node, leading_columns(node, known_, options_.n_features));
    if (rows.n_columns() > 1) {
      scale_by_quartiles(rows);
      if (auto start = axis_plane(node, rows, *best)) {
        const Plane plane = LinearCombination(node, rows, options_).search(std::move(*start));
        keep_better(node, candidate_along(node, rows, plane), best);
      }
    }
    candidates.back() = std::move(*best);
  }

 private:
  CartLcOptions options_;
  KnownColumns known_;
};

std::shared_ptr<Method> make(const Parameters& parameters, Parts) {
  return std::make_shared<CartLc>(CartLcOptions{
      .n_features = static_cast<std::size_t>(number(parameters, "features")),
      .beta = number(parameters, "beta"),
      .tolerance = number(parameters, "tolerance"),
      .max_cycles = static_cast<std::size_t>(number(parameters, "max_cycles")),
  });
}

const Listed listed{"cart_lc", make};

}  // namespace

}  // namespace treewright
