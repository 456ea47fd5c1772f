#include "treewright/split/climb.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace treewright {

namespace {

constexpr int most_sweeps = 20;
constexpr double least_gain = 1e-12;

class Climber {
 public:
  Climber(const Node& node, const StandardRows& rows)
      : node_(node), rows_(rows), n_classes_(node.problem.target.n_outputs()) {
    all_.assign(n_classes_, 0.0);
    for (const std::uint32_t row : rows.ids) node.add_row(all_, row);
  }

  LogisticFit run(LogisticFit fit) const {
    double best = score_at(fit);
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      bool has_moved = false;
      for (std::size_t j = 0; j <= fit.used.size(); ++j) {
        node_.breathe();
        const auto found = best_value(fit, j);
        if (!found || !(found->score > best + least_gain)) continue;
        (j < fit.used.size() ? fit.slopes[j] : fit.intercept) = found->value;
        best = found->score;
        has_moved = true;
      }
      if (!has_moved) break;
    }
    return fit;
  }

 private:
  struct Moving {
    double at;        // where the row changes sides
    bool comes_left;  // as the coefficient rises
    std::uint32_t row;
  };
  struct Found {
    double value, score;
  };

  double z_of(std::size_t row, std::size_t column) const {
    return rows_.column(row / rows_.block_size, column)[row % rows_.block_size];
  }

  std::vector<double> scores_of(const LogisticFit& fit) const {
    std::vector<double> scores(rows_.n_rows(), fit.intercept);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      for (std::size_t j = 0; j < fit.used.size(); ++j) {
        scores[i] += fit.slopes[j] * z_of(i, fit.used[j]);
      }
    }
    return scores;
  }

  // What stands left and right of a cut.
  struct Sides {
    std::vector<double> statistics;  // left, then right
    double counts[2] = {0.0, 0.0};
  };

  void add(Sides& sides, std::size_t side, std::uint32_t row, double times) const {
    const std::size_t k = n_classes_;
    const auto label = static_cast<std::size_t>(node_.problem.target.labels[row]);
    sides.statistics[side * k + label] += times * node_.weights[row];
    sides.counts[side] += times * node_.count_of(row);
  }

  // -infinity where a side is too small.
  double score_of_sides(const Sides& sides) const {
    const Problem& problem = node_.problem;
    const auto side = [&](std::size_t s) {
      return std::span(sides.statistics).subspan(s * n_classes_, n_classes_);
    };
    const double weights[2] = {sum_of(side(0)), sum_of(side(1))};
    for (std::size_t s = 0; s < 2; ++s) {
      if (sides.counts[s] < problem.min_leaf - limit_slack ||
          weights[s] < problem.min_leaf_weight * (1 - limit_slack) || !(weights[s] > 0)) {
        return -std::numeric_limits<double>::infinity();
      }
    }
    return score_of(problem.gain, problem.measure.decrease(all_, sides.statistics),
                    split_information(weights));
  }

  double score_at(const LogisticFit& fit) const {
    const std::vector<double> scores = scores_of(fit);
    Sides sides{std::vector<double>(2 * n_classes_, 0.0)};
    for (std::size_t i = 0; i < scores.size(); ++i) {
      add(sides, scores[i] < 0 ? 0 : 1, rows_.ids[i], 1.0);
    }
    return score_of_sides(sides);
  }

  // The best value of slope `which`, or of the intercept behind the last slope.
  std::optional<Found> best_value(const LogisticFit& fit, std::size_t which) const {
    const bool is_intercept = which == fit.used.size();
    const double now = is_intercept ? fit.intercept : fit.slopes[which];
    const std::vector<double> scores = scores_of(fit);
    Sides sides{std::vector<double>(2 * n_classes_, 0.0)};
    std::vector<Moving> moving;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double z = is_intercept ? 1.0 : z_of(i, fit.used[which]);
      const double rest = scores[i] - now * z;
      if (z != 0) moving.push_back({-rest / z, z < 0, rows_.ids[i]});
      add(sides, z > 0 || (z == 0 && rest < 0) ? 0 : 1, rows_.ids[i], 1.0);
    }
    std::ranges::sort(moving, [](const Moving& a, const Moving& b) {
      return a.at != b.at ? a.at < b.at : a.row < b.row;
    });
    std::optional<Found> best;
    for (std::size_t i = 0; i + 1 < moving.size(); ++i) {
      add(sides, moving[i].comes_left ? 1 : 0, moving[i].row, -1.0);
      add(sides, moving[i].comes_left ? 0 : 1, moving[i].row, 1.0);
      const double middle = moving[i].at + (moving[i + 1].at - moving[i].at) / 2;
      if (!(moving[i].at < middle && middle < moving[i + 1].at)) continue;
      const double score = score_of_sides(sides);
      if (std::isfinite(score) && (!best || score > best->score + least_gain)) {
        best = Found{middle, score};
      }
    }
    return best;
  }

  const Node& node_;
  const StandardRows& rows_;
  std::size_t n_classes_;
  std::vector<double> all_;
};

}  // namespace

LogisticFit climb(const Node& node, const StandardRows& rows, LogisticFit fit) {
  return Climber(node, rows).run(std::move(fit));
}

}  // namespace treewright
