#include "treewright/search/pool/pool.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>

#include "treewright/base/parallel.hpp"
#include "treewright/search/pool/counts.hpp"

namespace treewright::search {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t n_quadrants =
    4;  // met by (first, second) condition: both, first, second, none

struct Best {
  double cost = infinity;
  std::int32_t test = -1;

  void take(double other_cost, std::int32_t other) {
    if (other_cost < cost || (other_cost == cost && other < test)) {
      cost = other_cost;
      test = other;
    }
  }
};

// What leaves cost that hold the amounts of many sets of rows at once.
class Losses {
 public:
  explicit Losses(const Pool& pool) : pool_(pool) {
    if (pool.is_classification()) n_labels_ = pool.costs.size() / pool.n_outputs;
  }

  // amounts[output][set], `stride` apart; for sets `first` to `last`.
  void operator()(const double* amounts, std::size_t stride, std::size_t first, std::size_t last,
                  double* out) {
    weight_.resize(last);
    part_.resize(last);
    if (pool_.is_classification()) {
      of_classes(amounts, stride, first, last, out);
    } else {
      for (std::size_t i = first; i < last; ++i) {
        const double sum = amounts[stride + i];
        weight_[i] = amounts[i];
        out[i] = -(sum * sum) / weight_[i];
      }
    }
    for (std::size_t i = first; i < last; ++i)
      out[i] = weight_[i] >= pool_.min_weight ? out[i] : infinity;
  }

 private:
  void of_classes(const double* amounts, std::size_t stride, std::size_t first, std::size_t last,
                  double* out) {
    const std::size_t n_classes = pool_.n_outputs;
    std::fill(weight_.begin(), weight_.end(), 0.0);
    std::fill(part_.begin(), part_.end(), 0.0);
    for (std::size_t k = 0; k < n_classes; ++k) {
      const double* of_class = amounts + k * stride;
      for (std::size_t i = first; i < last; ++i) {
        weight_[i] += of_class[i];
        part_[i] += of_class[i] * of_class[i];
      }
    }
    for (std::size_t i = first; i < last; ++i) {
      part_[i] = pool_.gini * (weight_[i] - part_[i] / weight_[i]);
      out[i] = infinity;
    }
    risk_.resize(last);
    for (std::size_t label = 0; label < n_labels_; ++label) {
      std::fill(risk_.begin(), risk_.end(), 0.0);
      for (std::size_t k = 0; k < n_classes; ++k) {
        const double cost = pool_.costs[k * n_labels_ + label];
        if (cost == 0.0) continue;
        const double* of_class = amounts + k * stride;
        for (std::size_t i = first; i < last; ++i) risk_[i] += cost * of_class[i];
      }
      for (std::size_t i = first; i < last; ++i) out[i] = std::min(out[i], risk_[i]);
    }
    for (std::size_t i = first; i < last; ++i) out[i] += part_[i];
  }

  const Pool& pool_;
  std::size_t n_labels_ = 0;
  std::vector<double> weight_, part_, risk_;
};

// The best condition below each pair of conditions, in each of the four parts.
class Thirds {
 public:
  explicit Thirds(std::size_t n_tests)
      : n_tests_(n_tests), best_(n_tests * n_tests * n_quadrants) {}

  Best& at(std::size_t first, std::size_t second, std::size_t quadrant) {
    return best_[(first * n_tests_ + second) * n_quadrants + quadrant];
  }
  void take(const Thirds& other) {
    for (std::size_t i = 0; i < best_.size(); ++i)
      best_[i].take(other.best_[i].cost, other.best_[i].test);
  }

 private:
  std::size_t n_tests_;
  std::vector<Best> best_;  // first < second
};

class Search {
 public:
  Search(const Pool& pool, Monitor& monitor)
      : pool_(pool), monitor_(monitor), counts_(pool), n_(pool.n_tests), thirds_(n_) {}

  std::vector<PoolTree> run() {
    count_pairs();
    if (pool_.max_depth > 2 && pool_.max_leaves > 2) count_triples();
    return best_of_each_size();
  }

 private:
  std::size_t padded() const { return counts_.n_padded(); }

  void count_pairs() {
    PoolCounts::Words rows, scratch;
    counts_.count(counts_.all_rows(), 0, singles_, scratch);
    for (std::size_t t = 0; t < n_; ++t) {
      counts_.meet(counts_.all_rows(), t, rows);
      counts_.count(rows, 0, pairs_.emplace_back(), scratch);
      monitor_.poll();
    }
  }

  void count_triples() {
    std::mutex guard;
    in_parallel(
        n_, pool_.n_threads,
        [&](std::size_t first) {
          Thirds own(n_);
          count_triples_of(first, own);
          const std::scoped_lock lock(guard);
          thirds_.take(own);
        },
        [&] { monitor_.poll(); });
  }

  void count_triples_of(std::size_t r, Thirds& best) const {
    PoolCounts::Words with_first, with_both, scratch;
    std::vector<double> triples, part(counts_.n_outputs() * padded());
    std::array<std::vector<double>, 8> loss;  // by whether r (4), a (2) and b (1) are met
    for (auto& l : loss) l.resize(padded());
    Losses losses(pool_);
    counts_.meet(counts_.all_rows(), r, with_first);
    const auto id = [](std::size_t t) { return static_cast<std::int32_t>(t); };
    for (std::size_t a = r + 1; a < n_; ++a) {
      counts_.meet(with_first, a, with_both);
      counts_.count(with_both, a + 1, triples, scratch);
      for (std::size_t octant = 0; octant < 8; ++octant) {
        for (std::size_t k = 0; k < counts_.n_outputs(); ++k)
          fill_octant(octant, r, a, k, triples.data() + k * padded(), part.data() + k * padded());
        losses(part.data(), padded(), a + 1, n_, loss[octant].data());
      }
      for (std::size_t q = 0; q < n_quadrants; ++q) {
        const std::size_t i = 1 - q / 2, j = 1 - q % 2;  // met by the first, the second of a pair
        Best& below_ra = best.at(r, a, q);
        for (std::size_t b = a + 1; b < n_; ++b) {
          below_ra.take(loss[4 * i + 2 * j + 1][b] + loss[4 * i + 2 * j][b] + pool_.prices[b],
                        id(b));
          best.at(r, b, q).take(loss[4 * i + 2 + j][b] + loss[4 * i + j][b] + pool_.prices[a],
                                id(a));
          best.at(a, b, q).take(loss[4 + 2 * i + j][b] + loss[2 * i + j][b] + pool_.prices[r],
                                id(r));
        }
      }
    }
  }

  // Amounts of one output in one of the eight parts, for all b, from those of rows that meet all.
  void fill_octant(std::size_t octant, std::size_t r, std::size_t a, std::size_t k,
                   const double* all_met, double* out) const {
    const double* with_r = pairs_[r].data() + k * padded();
    const double* with_a = pairs_[a].data() + k * padded();
    const double* alone = singles_.data() + k * padded();
    const double both = with_r[a], one_r = alone[r], one_a = alone[a], all = counts_.total()[k];
    for (std::size_t b = a + 1; b < n_; ++b) {
      const double rab = all_met[b], rb = with_r[b], ab = with_a[b], only_b = alone[b];
      switch (octant) {
        case 7:
          out[b] = rab;
          break;
        case 6:
          out[b] = both - rab;
          break;
        case 5:
          out[b] = rb - rab;
          break;
        case 4:
          out[b] = one_r - both - rb + rab;
          break;
        case 3:
          out[b] = ab - rab;
          break;
        case 2:
          out[b] = one_a - both - ab + rab;
          break;
        case 1:
          out[b] = only_b - rb - ab + rab;
          break;
        default:
          out[b] = all - one_r - one_a - only_b + both + rb + ab - rab;
      }
    }
  }

  // ---------------------------------------------------------------- trees

  // The best subtree of each size, up to four leaves, among the rows on one side of the root.
  struct Side {
    struct Choice {
      double cost = infinity;
      std::int32_t test = -1;
      bool splits_met = false, splits_failed = false;
    };
    std::array<Choice, 5> of_leaves;  // the first is not used
  };

  // What leaves cost in the four parts of a condition with every other one.
  struct Quadrants {
    std::array<std::vector<double>, n_quadrants> loss;
  };

  Quadrants quadrants_of(std::size_t r, Losses& losses) const {
    Quadrants found;
    std::vector<double> part(counts_.n_outputs() * padded());
    for (std::size_t q = 0; q < n_quadrants; ++q) {
      for (std::size_t k = 0; k < counts_.n_outputs(); ++k) {
        const double* with_r = pairs_[r].data() + k * padded();
        const double* alone = singles_.data() + k * padded();
        double* out = part.data() + k * padded();
        for (std::size_t a = 0; a < n_; ++a) {
          const double both = with_r[a];
          const std::array<double, n_quadrants> amounts{
              both, alone[r] - both, alone[a] - both,
              counts_.total()[k] - alone[r] - alone[a] + both};
          out[a] = amounts[q];
        }
      }
      found.loss[q].resize(n_);
      losses(part.data(), padded(), 0, n_, found.loss[q].data());
    }
    return found;
  }

  Best third(std::size_t r, std::size_t a, bool met_r, bool met_a) {
    const auto quadrant = [](bool first, bool second) {
      return static_cast<std::size_t>(2 * (first ? 0 : 1) + (second ? 0 : 1));
    };
    return r < a ? thirds_.at(r, a, quadrant(met_r, met_a))
                 : thirds_.at(a, r, quadrant(met_a, met_r));
  }

  Side side_of(std::size_t r, bool met, double leaf, const Quadrants& quadrants) {
    Side side;
    side.of_leaves[1].cost = leaf;
    if (pool_.max_depth < 2) return side;
    const auto take = [&](std::size_t size, double cost, std::size_t test, bool splits_met,
                          bool splits_failed) {
      Side::Choice& best = side.of_leaves[size];
      if (cost < best.cost)
        best = {cost, static_cast<std::int32_t>(test), splits_met, splits_failed};
    };
    for (std::size_t a = 0; a < n_; ++a) {
      if (a == r) continue;
      const double price = pool_.prices[a];
      const double met_leaf = quadrants.loss[met ? 0 : 2][a];
      const double failed_leaf = quadrants.loss[met ? 1 : 3][a];
      const double met_split = third(r, a, met, true).cost;
      const double failed_split = third(r, a, met, false).cost;
      take(2, met_leaf + failed_leaf + price, a, false, false);
      take(3, met_split + failed_leaf + price, a, true, false);
      take(3, met_leaf + failed_split + price, a, false, true);
      take(4, met_split + failed_split + price, a, true, true);
    }
    return side;
  }

  std::vector<PoolTree> best_of_each_size() {
    Losses losses(pool_);
    std::vector<double> leaf(padded()), failed_leaf(padded());
    losses(singles_.data(), padded(), 0, n_, leaf.data());
    std::vector<double> rest(singles_.size());
    for (std::size_t k = 0; k < counts_.n_outputs(); ++k) {
      for (std::size_t t = 0; t < padded(); ++t)
        rest[k * padded() + t] = counts_.total()[k] - singles_[k * padded() + t];
    }
    losses(rest.data(), padded(), 0, n_, failed_leaf.data());

    struct Root {
      double cost = infinity;
      std::size_t test = 0, met_leaves = 0, failed_leaves = 0;
      Side met, failed;
    };
    std::vector<Root> best(static_cast<std::size_t>(pool_.max_leaves) + 1);
    for (std::size_t r = 0; r < n_; ++r) {
      const Quadrants quadrants = quadrants_of(r, losses);
      const Side met = side_of(r, true, leaf[r], quadrants);
      const Side failed = side_of(r, false, failed_leaf[r], quadrants);
      for (std::size_t i = 1; i < met.of_leaves.size(); ++i) {
        for (std::size_t j = 1; j < failed.of_leaves.size() && i + j < best.size(); ++j) {
          const double cost = met.of_leaves[i].cost + failed.of_leaves[j].cost + pool_.prices[r];
          if (cost < best[i + j].cost) best[i + j] = {cost, r, i, j, met, failed};
        }
      }
    }
    std::vector<double> all(counts_.total().begin(), counts_.total().end());
    double one_leaf = 0.0;
    losses(all.data(), 1, 0, 1, &one_leaf);
    std::vector<PoolTree> front{{one_leaf, {}}};
    front.back().plan.nodes.emplace_back();
    for (const Root& root : best) {
      if (!(root.cost < front.back().cost)) continue;
      PoolTree& tree = front.emplace_back();
      tree.cost = root.cost;
      const auto test = static_cast<std::int32_t>(root.test);
      add_split(
          tree.plan, test,
          [&] { add_side(tree.plan, root.test, true, root.met.of_leaves[root.met_leaves]); },
          [&] {
            add_side(tree.plan, root.test, false, root.failed.of_leaves[root.failed_leaves]);
          });
    }
    return front;
  }

  template <class Met, class Failed>
  static void add_split(Plan& plan, std::int32_t test, Met add_met, Failed add_failed) {
    const std::size_t place = plan.nodes.size();
    plan.nodes.emplace_back().first = test;
    plan.nodes[place].passed = static_cast<std::int32_t>(plan.nodes.size());
    add_met();
    plan.nodes[place].failed = static_cast<std::int32_t>(plan.nodes.size());
    add_failed();
  }

  static void add_leaf(Plan& plan) { plan.nodes.emplace_back(); }

  void add_side(Plan& plan, std::size_t r, bool met, const Side::Choice& choice) {
    if (choice.test < 0) return add_leaf(plan);
    const auto a = static_cast<std::size_t>(choice.test);
    const auto below = [&](bool met_a, bool splits) {
      if (!splits) return add_leaf(plan);
      add_split(
          plan, third(r, a, met, met_a).test, [&] { add_leaf(plan); }, [&] { add_leaf(plan); });
    };
    add_split(
        plan, choice.test, [&] { below(true, choice.splits_met); },
        [&] { below(false, choice.splits_failed); });
  }

  const Pool& pool_;
  Monitor& monitor_;
  PoolCounts counts_;
  std::size_t n_;
  std::vector<double> singles_;             // [output][condition]
  std::vector<std::vector<double>> pairs_;  // [condition][output][condition]
  Thirds thirds_;
};

}  // namespace

std::vector<PoolTree> search_pool(const Pool& pool, Monitor& monitor) {
  return Search(pool, monitor).run();
}

}  // namespace treewright::search
