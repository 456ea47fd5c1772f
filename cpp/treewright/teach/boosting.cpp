#include "treewright/teach/boosting.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace treewright {

namespace {

constexpr double tiny = 1e-15;

// Of the loss: first and second derivative by the score.
struct Slope {
  double first = 0.0, second = 0.0;
};

struct Sums {
  double first = 0.0, second = 0.0, rows = 0.0;

  void add(const Slope& slope) {
    first += slope.first;
    second += slope.second;
    rows += 1.0;
  }
  Sums operator+(const Sums& other) const {
    return {first + other.first, second + other.second, rows + other.rows};
  }
  Sums operator-(const Sums& other) const {
    return {first - other.first, second - other.second, rows - other.rows};
  }
  double worth() const { return first * first / (second + tiny); }
};

struct Cut {
  std::size_t column = 0;
  std::uint8_t last = 0;  // the largest bin that goes to the left
  double gain = 0.0;      // 0: there is none
};

struct Leaf {
  std::size_t begin = 0, end = 0;  // among the rows in order
  std::size_t node = 0;
  Sums sums;
  std::vector<Sums> by_bin;  // of column j: from j * width on; empty where it cannot be split
  Cut cut;
};

struct Node {
  Cut cut;  // of gain 0: a leaf
  std::size_t left = 0, right = 0;
  double step = 0.0;
};

class Booster {
 public:
  Booster(const BinMatrix& learned, const BinMatrix& asked, const BoostingOptions& options,
          const std::function<void()>& poll)
      : learned_(learned), asked_(asked), options_(options), poll_(poll), order_(learned.n_rows) {
    const auto largest = std::ranges::max_element(learned.bins);
    width_ = largest == learned.bins.end() ? 1 : std::size_t{*largest} + 1;
  }

  // Adds the steps of one more tree to the scores of the rows learned from and of those asked.
  void add_tree(std::span<const Slope> slopes, std::span<double> scores, std::span<double> asked) {
    poll_();
    std::iota(order_.begin(), order_.end(), 0U);
    nodes_.assign(1, {});
    std::vector<Leaf> leaves(1);
    leaves[0].end = order_.size();
    for (const Slope& slope : slopes) leaves[0].sums.add(slope);
    if (can_be_split(leaves[0])) count(leaves[0], slopes);
    find_cut(leaves[0]);
    while (leaves.size() < options_.n_leaves) {
      const auto best =
          std::ranges::max_element(leaves, {}, [](const Leaf& leaf) { return leaf.cut.gain; });
      if (!(best->cut.gain > 0.0)) break;
      Leaf right = divide(*best, slopes);
      leaves.push_back(std::move(right));
    }
    for (const Leaf& leaf : leaves) {
      const double step = -options_.rate * leaf.sums.first / (leaf.sums.second + tiny);
      nodes_[leaf.node].step = step;
      for (std::size_t i = leaf.begin; i < leaf.end; ++i) scores[order_[i]] += step;
    }
    for (std::size_t i = 0; i < asked.size(); ++i) asked[i] += step_of(i);
  }

 private:
  bool can_be_split(const Leaf& leaf) const {
    return leaf.end - leaf.begin >= 2 * options_.least_rows;
  }

  void count(Leaf& leaf, std::span<const Slope> slopes) {
    leaf.by_bin.assign(learned_.n_columns * width_, {});
    const auto rows = std::span(order_).subspan(leaf.begin, leaf.end - leaf.begin);
    gathered_.clear();
    for (const std::uint32_t row : rows) gathered_.push_back(slopes[row]);
    for (std::size_t j = 0; j < learned_.n_columns; ++j) {
      const auto bins = learned_.column(j);
      Sums* to = leaf.by_bin.data() + j * width_;
      for (std::size_t i = 0; i < rows.size(); ++i) to[bins[rows[i]]].add(gathered_[i]);
    }
  }

  void find_cut(Leaf& leaf) const {
    leaf.cut = {};
    if (leaf.by_bin.empty()) return;
    const auto least = static_cast<double>(options_.least_rows);
    const auto is_enough = [&](const Sums& side) {
      return side.rows >= least && side.second >= options_.least_curvature;
    };
    const double whole = leaf.sums.worth();
    for (std::size_t j = 0; j < learned_.n_columns; ++j) {
      Sums left;
      for (std::size_t bin = 0; bin + 1 < width_; ++bin) {
        const Sums& here = leaf.by_bin[j * width_ + bin];
        if (here.rows == 0.0) continue;
        left = left + here;
        const Sums right = leaf.sums - left;
        if (!is_enough(right)) break;
        if (!is_enough(left)) continue;
        const double gain = left.worth() + right.worth() - whole;
        if (gain > leaf.cut.gain) leaf.cut = {j, static_cast<std::uint8_t>(bin), gain};
      }
    }
  }

  // Makes the leaf its left part, and gives the right one.
  Leaf divide(Leaf& leaf, std::span<const Slope> slopes) {
    const auto bins = learned_.column(leaf.cut.column);
    const auto from = order_.begin() + static_cast<std::ptrdiff_t>(leaf.begin);
    const auto to = order_.begin() + static_cast<std::ptrdiff_t>(leaf.end);
    const auto goes_left = [&](std::uint32_t row) { return bins[row] <= leaf.cut.last; };
    const auto middle = std::stable_partition(from, to, goes_left);
    Leaf left, right;
    left.begin = leaf.begin;
    left.end = right.begin = static_cast<std::size_t>(middle - order_.begin());
    right.end = leaf.end;
    left.node = nodes_.size();
    right.node = left.node + 1;
    nodes_[leaf.node] = {leaf.cut, left.node, right.node, 0.0};
    nodes_.resize(nodes_.size() + 2);
    for (std::size_t bin = 0; bin <= leaf.cut.last; ++bin) {
      left.sums = left.sums + leaf.by_bin[leaf.cut.column * width_ + bin];
    }
    right.sums = leaf.sums - left.sums;
    // The sums of the larger part are what those of the smaller one leave.
    const bool is_left_smaller = left.end - left.begin <= right.end - right.begin;
    Leaf &smaller = is_left_smaller ? left : right, &larger = is_left_smaller ? right : left;
    if (can_be_split(larger)) {
      count(smaller, slopes);
      larger.by_bin = std::move(leaf.by_bin);
      for (std::size_t i = 0; i < larger.by_bin.size(); ++i) {
        larger.by_bin[i] = larger.by_bin[i] - smaller.by_bin[i];
      }
      if (!can_be_split(smaller)) smaller.by_bin.clear();
    }
    find_cut(left);
    find_cut(right);
    leaf = std::move(left);
    return right;
  }

  double step_of(std::size_t row) const {
    std::size_t at = 0;
    while (nodes_[at].cut.gain > 0.0) {
      const Cut& cut = nodes_[at].cut;
      at = asked_.column(cut.column)[row] <= cut.last ? nodes_[at].left : nodes_[at].right;
    }
    return nodes_[at].step;
  }

  const BinMatrix &learned_, &asked_;
  const BoostingOptions& options_;
  const std::function<void()>& poll_;
  std::size_t width_ = 0;             // bins of a column
  std::vector<std::uint32_t> order_;  // rows, those of a leaf together
  std::vector<Slope> gathered_;
  std::vector<Node> nodes_;
};

// Scores of a row side by side become probabilities.
void to_probabilities(std::span<double> scores) {
  const double largest = std::ranges::max(scores);
  double sum = 0.0;
  for (double& score : scores) sum += score = std::exp(score - largest);
  for (double& score : scores) score /= sum;
}

}  // namespace

std::vector<double> boosted_classes(const BinMatrix& learned, std::span<const std::int32_t> labels,
                                    std::span<const double> weights, std::size_t n_classes,
                                    const BinMatrix& asked, const BoostingOptions& options,
                                    const std::function<void()>& poll) {
  // Of two classes only the difference of the scores counts: one tree a round makes both.
  const std::size_t n_trees = n_classes == 2 ? 1 : n_classes, n = learned.n_rows;
  std::vector<double> held(n_classes, 0.0);
  for (std::size_t i = 0; i < n; ++i) held[static_cast<std::size_t>(labels[i])] += weights[i];
  std::vector<std::vector<double>> scores, of_asked;
  for (std::size_t k = 0; k < n_trees; ++k) {
    const double start = n_trees == 1 ? std::log(held[1] / held[0]) : std::log(held[k]);
    scores.emplace_back(n, start);
    of_asked.emplace_back(asked.n_rows, start);
  }
  Booster booster(learned, asked, options, poll);
  std::vector<std::vector<Slope>> slopes(n_trees, std::vector<Slope>(n));
  std::vector<double> p(n_classes);
  for (std::int32_t round = 0; round < options.n_rounds; ++round) {
    for (std::size_t i = 0; i < n; ++i) {
      p[0] = 0.0;
      for (std::size_t k = 0; k < n_trees; ++k) p[n_trees == 1 ? 1 : k] = scores[k][i];
      to_probabilities(p);
      for (std::size_t k = 0; k < n_trees; ++k) {
        const std::size_t of_class = n_trees == 1 ? 1 : k;
        const double own = static_cast<std::size_t>(labels[i]) == of_class ? 1.0 : 0.0;
        slopes[k][i] = {weights[i] * (p[of_class] - own),
                        weights[i] * p[of_class] * (1.0 - p[of_class])};
      }
    }
    for (std::size_t k = 0; k < n_trees; ++k) booster.add_tree(slopes[k], scores[k], of_asked[k]);
  }
  std::vector<double> answers(asked.n_rows * n_classes, 0.0);
  for (std::size_t i = 0; i < asked.n_rows; ++i) {
    const auto row = std::span(answers).subspan(i * n_classes, n_classes);
    for (std::size_t k = 0; k < n_trees; ++k) row[n_trees == 1 ? 1 : k] = of_asked[k][i];
    to_probabilities(row);
  }
  return answers;
}

std::vector<double> boosted_numbers(const BinMatrix& learned, std::span<const double> numbers,
                                    std::span<const double> weights, const BinMatrix& asked,
                                    const BoostingOptions& options,
                                    const std::function<void()>& poll) {
  const double weight = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double mean =
      std::inner_product(numbers.begin(), numbers.end(), weights.begin(), 0.0) / weight;
  std::vector<double> scores(learned.n_rows, mean), of_asked(asked.n_rows, mean);
  std::vector<Slope> slopes(learned.n_rows);
  Booster booster(learned, asked, options, poll);
  for (std::int32_t round = 0; round < options.n_rounds; ++round) {
    for (std::size_t i = 0; i < slopes.size(); ++i) {
      slopes[i] = {weights[i] * (scores[i] - numbers[i]), weights[i]};
    }
    booster.add_tree(slopes, scores, of_asked);
  }
  return of_asked;
}

}  // namespace treewright
