// Pairs: two simple tests joined by and, or, xor (CART-alpha: Mălan 2021, section 5).
//
// In the first levels of the tree, every two simple tests of a node (column_bins.hpp) are joined in
// three ways, or in five: also "a and not b" and "b and not a". The five are all that two tests can
// say together, up to the order of the branches. Two thresholds of one column are joined in the one
// way that is new, the interval between them.
//
// No pair is routed. The rows of a node are counted once for every two columns, in a table of the
// bins of one by the bins of the other, with a sum of weights for each class (or the weight, sum
// and sum of squares of numbers) in a cell. Sums over cells give, for tests i and j, the rows where
// both are true, tt(i, j). With t, f the rows where a test is true and false, and t', f' those of
// them where the other test is known,
//
//             true              false
//   and       tt                f_i + f_j - ff        tf = t'_i - tt     ft = t'_j - tt
//   or        t_i + t_j - tt    ff                    ff = known - t'_i - t'_j + tt
//   xor       tf + ft           tt + ff
//   and not   tf                f_i + t_j - ft
//
// and the rest of the rows is unknown: a part that settles the answer alone needs no other. The
// best pair is then scored from its rows like any test. Absolute error has no sums: pairs are
// compared by squared error instead.

#include <algorithm>
#include <array>

#include "treewright/split/cut/candidates.hpp"
#include "treewright/split/cut/column_bins.hpp"
#include "treewright/split/list.hpp"

namespace treewright {

namespace {

// The ways to join tests i and j: the connective, and whether j stands first.
struct Joint {
  Connective connective;
  bool is_swapped;
};
constexpr std::array<Joint, 5> joints{{{Connective::both, false},
                                       {Connective::either, false},
                                       {Connective::exactly_one, false},
                                       {Connective::only_first, false},
                                       {Connective::only_first, true}}};

struct FoundPair {
  double score = 0.0;
  Test test;  // a leaf while nothing is found
};

// Sums over rows: what statistics are made of, then the count of rows.
class PairSearch {
 public:
  PairSearch(const Node& node, std::size_t n_joints)
      : node_(node),
        n_joints_(n_joints),
        k_(node.problem.target.n_outputs()),
        width_(k_ + 1),
        both_(2 * k_),
        judged_(k_) {
    for (auto* sums : {&known_, &true_, &false_, &unknown_, &known_first_, &known_second_}) {
      sums->resize(width_);
    }
  }

  // The best pair of tests on these columns, which may be one.
  FoundPair best_of(const ColumnBins& first, const ColumnBins& second) {
    fill_cells(first, second);
    sum_sides(first, second);
    FoundPair found;
    const bool is_interval = &first == &second;
    for (std::size_t i = 0; i < first.tests.size(); ++i) {
      const auto row =
          std::span(true_rows_).subspan(i * second.n_bins() * width_, second.n_bins() * width_);
      sum_where_true(second, row, width_, both_true_);
      sum_bins(row, second.n_known, first_true_known_);
      sum_bins(row, second.n_bins(), first_true_);
      for (std::size_t j = is_interval ? i + 1 : 0; j < second.tests.size(); ++j) {
        if (is_interval) {  // between thresholds i and j: "j and not i"
          consider(4, j, first.tests[i], second.tests[j], found);
        } else {
          for (std::size_t way = 0; way < n_joints_; ++way) {
            consider(way, j, first.tests[i], second.tests[j], found);
          }
        }
      }
    }
    return found;
  }

 private:
  bool is_classification() const { return node_.problem.target.is_classification(); }

  void fill_cells(const ColumnBins& first, const ColumnBins& second) {
    cells_.assign(first.n_bins() * second.n_bins() * width_, 0.0);
    const Target& target = node_.problem.target;
    const auto ids = node_.ids();
    for (std::size_t r = 0; r < ids.size(); ++r) {
      const std::uint32_t row = ids[r];
      double* cell =
          cells_.data() + (first.bin_of[r] * second.n_bins() + second.bin_of[r]) * width_;
      const double w = node_.weights[row];
      if (is_classification()) {
        cell[static_cast<std::size_t>(target.labels[row])] += w;
      } else {
        const double y = target.numbers[row] - node_.statistics[1];  // keeps the sums small
        cell[0] += w;
        cell[1] += w * y;
        cell[2] += w * y * y;
      }
      cell[k_] += node_.count_of(row);
    }
  }

  // Sums that do not depend on the pair of tests.
  void sum_sides(const ColumnBins& first, const ColumnBins& second) {
    const std::size_t row_width = second.n_bins() * width_;
    sum_where_true(first, cells_, row_width, true_rows_);
    known_row_.assign(row_width, 0.0);
    for (std::size_t b = 0; b < first.n_known; ++b) {
      for (std::size_t i = 0; i < row_width; ++i) known_row_[i] += cells_[b * row_width + i];
    }
    all_row_ = known_row_;
    for (std::size_t i = 0; i < row_width; ++i)
      all_row_[i] += cells_[first.n_known * row_width + i];
    sum_where_true(second, known_row_, width_, second_true_known_);
    sum_where_true(second, all_row_, width_, second_true_);
    sum_bins(known_row_, second.n_known, known_);
    sum_bins(known_row_, second.n_bins(), known_first_);
    sum_bins(all_row_, second.n_known, known_second_);
    sum_bins(all_row_, second.n_bins(), unknown_);
    total_ = unknown_;
  }

  void sum_bins(std::span<const double> by_bin, std::size_t n, std::vector<double>& sums) const {
    sums.assign(width_, 0.0);
    for (std::size_t i = 0; i < n * width_; ++i) sums[i % width_] += by_bin[i];
  }

  void consider(std::size_t way, std::size_t j, const Test& first, const Test& second,
                FoundPair& found) {
    for (std::size_t c = 0; c < width_; ++c) {
      const double tt = both_true_[j * width_ + c];
      const double t_i = first_true_[c], t_j = second_true_[j * width_ + c];
      const double f_i = known_first_[c] - t_i, f_j = known_second_[c] - t_j;
      const double tf = first_true_known_[c] - tt, ft = second_true_known_[j * width_ + c] - tt;
      const double ff = known_[c] - tf - ft - tt;
      switch (joints[way].connective) {
        case Connective::both:
          true_[c] = tt;
          false_[c] = f_i + f_j - ff;
          break;
        case Connective::either:
          true_[c] = t_i + t_j - tt;
          false_[c] = ff;
          break;
        case Connective::exactly_one:
          true_[c] = tf + ft;
          false_[c] = tt + ff;
          break;
        case Connective::only_first:
          true_[c] = joints[way].is_swapped ? ft : tf;
          false_[c] = joints[way].is_swapped ? f_j + t_i - tf : f_i + t_j - ft;
          break;
      }
      unknown_[c] = total_[c] - true_[c] - false_[c];
    }
    const double score = score_now();
    if (!found.test.is_leaf() && !clearly_better(score, found.score)) return;
    if (!(score > 0)) return;
    found.score = score;
    found.test = joints[way].is_swapped ? pair_test(joints[way].connective, second, first)
                                        : pair_test(joints[way].connective, first, second);
  }

  // The score of the two sides; 0 where a side is too small for a leaf.
  double score_now() {
    if (!(unknown_[k_] > limit_slack)) return score_of_sides(0.0);
    if (!takes_default_branch(node_.problem.missing)) return score_of_sides(weight_of(unknown_));
    double best = 0.0;
    for (auto* side : {&true_, &false_}) {
      const std::vector<double> before = *side;
      for (std::size_t c = 0; c < width_; ++c) (*side)[c] += unknown_[c];
      best = std::max(best, score_of_sides(0.0));
      *side = before;
    }
    return best;
  }

  double score_of_sides(double weight_apart) {
    const Problem& problem = node_.problem;
    if (std::min(true_[k_], false_[k_]) < problem.min_leaf - limit_slack) return 0.0;
    const double weights[] = {weight_of(true_), weight_of(false_), weight_apart};
    if (std::min(weights[0], weights[1]) < problem.min_leaf_weight * (1 - limit_slack)) return 0.0;
    write_statistics(true_, std::span(both_).first(k_));
    write_statistics(false_, std::span(both_).subspan(k_));
    std::ranges::copy(std::span(both_).first(k_), judged_.begin());
    add_statistics(judged_, std::span(both_).subspan(k_), is_classification());
    const double judged_weight = weights[0] + weights[1];
    const double decrease = node_.without_noise(problem.measure.decrease(judged_, both_) *
                                                judged_weight / node_.weight);
    const bool is_score = orders_cuts_by_decrease(problem.gain);
    return score_of(problem.gain, decrease, is_score ? 0.0 : split_information(weights));
  }

  double weight_of(std::span<const double> sums) const {
    return is_classification() ? sum_of(sums.first(k_)) : sums[0];
  }

  // Less than rounding leaves is nothing; a square root would make it matter.
  void write_statistics(std::span<const double> sums, std::span<double> statistics) const {
    if (is_classification()) {
      for (std::size_t c = 0; c < k_; ++c) {
        statistics[c] = sums[c] > 1e-13 * total_[c] ? sums[c] : 0.0;
      }
      return;
    }
    const double weight = sums[0], mean = weight > 0 ? sums[1] / weight : 0.0;
    statistics[0] = weight;
    statistics[1] = mean;
    statistics[2] = std::max(0.0, sums[2] - sums[1] * mean);
  }

  const Node& node_;
  std::size_t n_joints_, k_, width_;
  std::vector<double> cells_;                            // bins of first x bins of second
  std::vector<double> true_rows_, known_row_, all_row_;  // cells summed over bins of the first
  std::vector<double> first_true_, first_true_known_;    // of test i
  std::vector<double> second_true_, second_true_known_;  // of each test j
  std::vector<double> both_true_;                        // of i and each j
  std::vector<double> known_first_, known_second_;       // rows where one column is known
  std::vector<double> known_, total_;                    // where both are; all
  std::vector<double> true_, false_, unknown_;           // of the pair in hand
  std::vector<double> both_, judged_;                    // statistics
};

class Pairs : public Method {
 public:
  Pairs(double levels, std::size_t n_joints, std::size_t max_tests)
      : levels_(levels), n_joints_(n_joints), max_tests_(max_tests) {}

  bool needs_sorted_columns() const override { return true; }
  bool works_on_threads() const override { return true; }

  void propose(const Node& node, Rng&, std::vector<Candidate>& candidates) override {
    if (levels_ >= 0 && node.depth >= levels_) return;
    std::vector<ColumnBins> columns;
    for (const std::int32_t column : node.columns) {
      ColumnBins bins = bin_column(node, column, max_tests_);
      if (!bins.tests.empty()) columns.push_back(std::move(bins));
      node.poll();
    }
    PairSearch search(node, n_joints_);
    FoundPair best;
    for (std::size_t a = 0; a < columns.size(); ++a) {
      // Two levels of one column are a set of levels, which is no pair.
      for (std::size_t b = a + columns[a].is_categorical; b < columns.size(); ++b) {
        FoundPair found = search.best_of(columns[a], columns[b]);
        node.poll();
        if (found.test.is_leaf()) continue;
        if (needs_all_candidates(node.problem.gain)) {  // compared by `choose`, as columns are
          propose_one(node, std::move(found.test), candidates);
        } else if (best.test.is_leaf() || clearly_better(found.score, best.score)) {
          best = std::move(found);
        }
      }
    }
    if (!best.test.is_leaf()) propose_one(node, std::move(best.test), candidates);
  }

 private:
  static void propose_one(const Node& node, Test test, std::vector<Candidate>& candidates) {
    if (auto candidate = evaluated(node, std::move(test)))
      candidates.push_back(std::move(*candidate));
  }

  double levels_;  // no limit: -1
  std::size_t n_joints_, max_tests_;
};

std::shared_ptr<Method> make(const Parameters& parameters, Parts) {
  return std::make_shared<Pairs>(number(parameters, "levels"),
                                 static_cast<std::size_t>(number(parameters, "functions")),
                                 static_cast<std::size_t>(number(parameters, "thresholds")));
}

const Listed listed{"pairs", make};

}  // namespace

}  // namespace treewright
