#include "treewright/split/machine/thermal_machine.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace treewright {

namespace {

struct LinearMachine {
  std::vector<double>
      weights;             // a row a class: a number for each column in use, then the intercept
  double accuracy = -1.0;  // share of the weight told right
};

class Trainer {
 public:
  Trainer(const ClassRows& data, const ThermalTraining& training, Rng& rng,
          const std::function<bool()>& is_over)
      : data_(data),
        training_(training),
        rng_(rng),
        is_over_(is_over),
        n_classes_(data.classes.size()),
        used_(data.rows.n_columns()) {
    std::iota(used_.begin(), used_.end(), std::size_t{0});
    gather();
  }

  std::vector<double> run() {
    LinearMachine machine = train(std::vector<double>(n_classes_ * width(), 0.0));
    double best = machine.accuracy;
    while (training_.elimination >= 0 && used_.size() > 1 && !is_over_()) {
      const std::vector<std::size_t> before = used_;
      const std::size_t out = least_telling(machine.weights);
      std::vector<double> start = without(machine.weights, out);
      used_.erase(used_.begin() + static_cast<std::ptrdiff_t>(out));
      gather();
      LinearMachine smaller = train(std::move(start));
      if (ended_ || smaller.accuracy < best - training_.elimination) {
        used_ = before;
        break;
      }
      best = std::max(best, smaller.accuracy);
      machine = std::move(smaller);
    }
    return spread(machine.weights);
  }

 private:
  std::size_t width() const { return used_.size() + 1; }
  std::size_t n_rows() const { return data_.rows.n_rows(); }
  std::span<const double> row(std::size_t i) const {
    return std::span(values_).subspan(i * width(), width());
  }

  // The columns in use row by row, each with a 1 behind it.
  void gather() {
    const StandardRows& rows = data_.rows;
    values_.assign(n_rows() * width(), 1.0);
    squares_.assign(n_rows(), 1.0);
    for (std::size_t b = 0; b < rows.n_blocks(); ++b) {
      for (std::size_t j = 0; j < used_.size(); ++j) {
        const auto z = rows.column(b, used_[j]);
        for (std::size_t i = 0; i < z.size(); ++i) {
          const std::size_t at = b * rows.block_size + i;
          values_[at * width() + j] = z[i];
          squares_[at] += z[i] * z[i];
        }
      }
    }
  }

  double score(std::span<const double> weights, std::size_t k, std::span<const double> x) const {
    return std::inner_product(x.begin(), x.end(),
                              weights.begin() + static_cast<std::ptrdiff_t>(k * width()), 0.0);
  }

  // The class of the largest score, the first of equal ones, and that score.
  std::pair<std::size_t, double> answer(std::span<const double> weights,
                                        std::span<const double> x) const {
    std::size_t best = 0;
    double largest = score(weights, 0, x);
    for (std::size_t k = 1; k < n_classes_; ++k) {
      const double other = score(weights, k, x);
      if (other > largest) {
        best = k;
        largest = other;
      }
    }
    return {best, largest};
  }

  std::size_t label(std::size_t i) const { return static_cast<std::size_t>(data_.labels[i]); }

  // Looks at the clock now and then: with many classes an epoch takes long.
  void pass_row() {
    work_ += n_classes_ * width();
    if (work_ < much_work) return;
    work_ = 0;
    ended_ = is_over_();
  }

  // Of some rows only if the time is over.
  double accuracy(std::span<const double> weights) {
    double right = 0.0;
    for (std::size_t i = 0; i < n_rows() && !ended_; ++i) {
      pass_row();
      if (answer(weights, row(i)).first == label(i)) right += data_.rows.weights[i];
    }
    return right / data_.rows.weight;
  }

  LinearMachine train(std::vector<double> weights) {
    LinearMachine pocket{weights, accuracy(weights)};
    std::vector<std::size_t> order(n_rows());
    std::iota(order.begin(), order.end(), std::size_t{0});
    temperature_ = training_.start;
    has_grown_ = false;
    for (double epoch = 0; epoch < training_.max_epochs; ++epoch) {
      if (pocket.accuracy >= 1.0 || temperature_ < training_.end) break;
      for (std::size_t i = 0; i + 1 < order.size(); ++i) {
        std::swap(order[i], order[i + rng_.below(static_cast<std::uint32_t>(order.size() - i))]);
      }
      for (const std::size_t i : order) {
        pass_row();
        correct(weights, i);
        if (temperature_ < training_.end || ended_) break;
      }
      if (ended_) break;
      const double now = accuracy(weights);
      if (ended_) break;
      if (now > pocket.accuracy) pocket = {weights, now};
    }
    return pocket;
  }

  void correct(std::vector<double>& weights, std::size_t i) {
    const auto x = row(i);
    const auto [taken_for, largest] = answer(weights, x);
    const std::size_t own = label(i);
    if (taken_for == own) return;
    const double k = (largest - score(weights, own, x)) / (2 * squares_[i]);
    const double mean_weight = data_.rows.weight / static_cast<double>(n_rows());
    const double c = temperature_ / (temperature_ + k) * (data_.rows.weights[i] / mean_weight);
    for (std::size_t j = 0; j < width(); ++j) {
      weights[own * width() + j] += c * x[j];
      weights[taken_for * width() + j] -= c * x[j];
    }
    // |W|^2 changes by 2 c x'x (c - 2 k).
    const bool grows = c > 2 * k;
    if (has_grown_ && !grows) temperature_ = training_.decay * temperature_ - training_.step;
    has_grown_ = grows;
  }

  // The position of the column whose weights differ least between classes; the last of equal ones.
  std::size_t least_telling(std::span<const double> weights) {
    std::size_t least = 0;
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < used_.size(); ++j) {
      double differences = 0.0;
      for (std::size_t a = 0; a < n_classes_; ++a) {
        pass_row();
        for (std::size_t b = 0; b < a; ++b) {
          const double difference = weights[a * width() + j] - weights[b * width() + j];
          differences += difference * difference;
        }
      }
      if (differences <= smallest) {
        smallest = differences;
        least = j;
      }
    }
    return least;
  }

  std::vector<double> without(std::span<const double> weights, std::size_t out) const {
    std::vector<double> kept;
    for (std::size_t at = 0; at < weights.size(); ++at) {
      if (at % width() != out) kept.push_back(weights[at]);
    }
    return kept;
  }

  // Weights of all columns, 0 for those taken away.
  std::vector<double> spread(std::span<const double> weights) const {
    const std::size_t all = data_.rows.n_columns() + 1;
    std::vector<double> result(n_classes_ * all, 0.0);
    for (std::size_t k = 0; k < n_classes_; ++k) {
      for (std::size_t j = 0; j < used_.size(); ++j) {
        result[k * all + used_[j]] = weights[k * width() + j];
      }
      result[k * all + all - 1] = weights[(k + 1) * width() - 1];
    }
    return result;
  }

  static constexpr std::size_t much_work = std::size_t{1} << 20;  // some milliseconds

  const ClassRows& data_;
  const ThermalTraining& training_;
  Rng& rng_;
  const std::function<bool()>& is_over_;
  std::size_t n_classes_;
  std::vector<std::size_t> used_;  // columns, ascending
  std::vector<double> values_;     // of the rows on these columns
  std::vector<double> squares_;    // x'x of each row
  double temperature_ = 0.0;       // B
  bool has_grown_ = false;         // by the last correction
  std::size_t work_ = 0;           // products since the clock was looked at
  bool ended_ = false;             // the time is over: the best machine so far stands
};

}  // namespace

std::vector<double> train_machine(const ClassRows& data, const ThermalTraining& training, Rng& rng,
                                  const std::function<bool()>& is_over) {
  return Trainer(data, training, rng, is_over).run();
}

}  // namespace treewright
