#include "treewright/search/pool/pool.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

#include "treewright/base/parallel.hpp"
#include "treewright/search/pool/counts.hpp"
#include "treewright/search/pool/losses.hpp"
#include "treewright/search/pool/order.hpp"
#include "treewright/search/pool/paths.hpp"
#include "treewright/search/pool/thirds.hpp"

namespace treewright::search {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

Losses losses_of(const Pool& pool) {
  return {pool.costs, pool.n_outputs, pool.gini, pool.min_weight};
}

class Search {
 public:
  Search(const Pool& pool, Monitor& monitor)
      : pool_(pool),
        monitor_(monitor),
        counts_(pool),
        paths_(pool),
        order_({pool.trends.begin(), pool.trends.end()}),
        n_(pool.n_tests),
        thirds_(n_, n_orders()) {}

  PoolFront run() {
    count_pairs();
    if (order_.is_asked_for()) find_middles();
    if (pool_.max_depth > 2 && pool_.max_leaves > 2) count_triples();
    return best_of_each_size();
  }

 private:
  std::size_t padded() const { return counts_.n_padded(); }

  void count_pairs() {
    PoolCounts::Part all;
    counts_.take_all(all);
    counts_.count(all, 0, singles_);
    for (std::size_t t = 0; t < n_; ++t) {
      counts_.count(all, t, 0, pairs_.emplace_back());
      monitor_.poll();
    }
  }

  // Whether it matters which condition of a pair stands above the other.
  std::size_t n_orders() const { return order_.is_asked_for() ? 2 : 1; }

  // The weight of a set of rows from its amounts, `stride` apart.
  double weight_of(const double* amounts, std::size_t stride) const {
    if (!pool_.is_classification()) return *amounts;
    double weight = 0.0;
    for (std::size_t k = 0; k < counts_.n_outputs(); ++k) weight += amounts[k * stride];
    return weight;
  }

  // What it answers: the share of the second class, or the mean.
  double answer_of(const double* amounts, std::size_t stride) const {
    return amounts[stride] / weight_of(amounts, stride);
  }

  // What the rows on one side of a condition answer, or those on one side of another one too.
  double answer_at(std::size_t test, bool met) const {
    std::array<double, 2> amounts;
    for (std::size_t k = 0; k < 2; ++k) {
      const double with = singles_[k * padded() + test];
      amounts[k] = met ? with : counts_.total()[k] - with;
    }
    return answer_of(amounts.data(), 1);
  }
  double answer_at(std::size_t above, bool above_met, std::size_t test, bool met) const {
    std::array<double, 2> amounts;
    for (std::size_t k = 0; k < 2; ++k) {
      const double both = pairs_[above][k * padded() + test];
      const double of_above = singles_[k * padded() + above],
                   of_test = singles_[k * padded() + test];
      amounts[k] = above_met ? (met ? both : of_above - both)
                   : met     ? of_test - both
                             : counts_.total()[k] - of_above - of_test + both;
    }
    return answer_of(amounts.data(), 1);
  }

  void find_middles() {
    for (std::size_t t = 0; t < n_; ++t) {
      order_.set_middle(t, 0.5 * (answer_at(t, true) + answer_at(t, false)));
      for (std::size_t above = 0; above < n_; ++above) {
        for (const bool met : {false, true}) {
          const double first = answer_at(above, met, t, true);
          order_.set_middle(t, above, met, 0.5 * (first + answer_at(above, met, t, false)));
        }
      }
    }
  }

  void count_triples() {
    const std::size_t n_threads = std::min(pool_.n_threads, n_);
    std::vector<Thirds> found(n_threads, Thirds(n_, n_orders()));
    std::atomic<std::size_t> next{0};
    in_parallel(
        n_threads, n_threads,
        [&](std::size_t thread) {
          Triples triples(*this, found[thread]);
          for (std::size_t first = next++; first < n_; first = next++) {
            triples.count(first);
            if (thread == 0) monitor_.poll();
          }
        },
        [] {});
    for (const Thirds& some : found) thirds_.take(some);
  }

  // What one thread needs to count triples.
  class Triples {
   public:
    Triples(const Search& search, Thirds& best)
        : search_(search), best_(best), losses_(losses_of(search.pool_)) {
      for (std::size_t octant = 0; octant < n_octants; ++octant) {
        parts_[octant].resize(search.counts_.n_outputs() * search.padded());
        loss_[octant].resize(search.padded());
        weight_[octant].resize(search.paths_.are_limited() ? search.padded() : 0);
        answer_[octant].resize(search.order_.is_asked_for() ? search.padded() : 0);
      }
      for (std::vector<double>& price : price_) price.resize(search.padded());
    }

    // All triples whose first condition is this one.
    void count(std::size_t r) {
      const PoolCounts& counts = search_.counts_;
      const std::size_t n = search_.n_, padded = search_.padded();
      const bool is_met = counts.take_fewer(r, fewer_);
      for (std::size_t a = r + 1; a < n; ++a) {
        counts.count(fewer_, a, a + 1, triples_);
        for (std::size_t k = 0; k < counts.n_outputs(); ++k) {
          if (!is_met) turn(a, k);
          fill_parts(r, a, k);
        }
        for (std::size_t octant = 0; octant < n_octants; ++octant)
          losses_(parts_[octant].data(), padded, a + 1, n, loss_[octant].data());
        const Paths& paths = search_.paths_;
        const Order& order = search_.order_;
        if (paths.are_limited() || order.is_asked_for()) {
          if (paths.are_limited()) fill_prices(r, a);
          if (order.is_asked_for()) fill_answers(a);
          take(r, a, [&](const Place& at, std::size_t b) {
            const auto [first, second, test] = conditions(at.third, r, a, b);
            double price = search_.pool_.prices[test];
            if (paths.are_limited())
              price += price_[at.third][b] * (weight_[at.met][b] + weight_[at.failed][b]);
            if (!order.is_asked_for()) return price;
            const Answers allowed = at.is_turned
                                        ? order.at(second, at.second_met, first, at.first_met)
                                        : order.at(first, at.first_met, second, at.second_met);
            const double met = answer_[at.met][b], failed = answer_[at.failed][b];
            const bool is_kept = allowed.hold(met) && allowed.hold(failed) &&
                                 in_order(order.trend(test), met, failed);
            return is_kept ? price : no_number;
          });
        } else {
          const double* price_of = search_.pool_.prices.data();
          take(r, a, [=](const Place& at, std::size_t b) {
            return price_of[at.third == below_a_and_b ? r : at.third == below_r_and_b ? a : b];
          });
        }
      }
    }

   private:
    // Parts by whether r (4), a (2) and b (1) are met.
    static constexpr std::size_t n_octants = 8;

    // Which of three conditions stands below the other two.
    enum Third : std::uint8_t { below_a_and_b, below_r_and_b, below_r_and_a };

    // Where a third condition stands: in a part of the first and the second of a pair, above each
    // other in that order unless it is turned; the octants of its own two leaves.
    struct Place {
      Third third;
      bool first_met, second_met, is_turned;
      std::size_t met, failed;
    };

    // The first and the second condition of a pair, and the third one.
    static std::array<std::size_t, 3> conditions(Third third, std::size_t r, std::size_t a,
                                                 std::size_t b) {
      if (third == below_a_and_b) return {a, b, r};
      return third == below_r_and_b ? std::array{r, b, a} : std::array{r, a, b};
    }

    // The conditions below each pair of r, a and every b; `price` tells what one costs there.
    template <class Price>
    void take(std::size_t r, std::size_t a, Price price) {
      const auto loss = [&](std::size_t octant) { return loss_[octant].data(); };
      const auto priced = [&](Place at) { return [=](std::size_t b) { return price(at, b); }; };
      for (std::size_t turned = 0; turned < search_.n_orders(); ++turned) {
        for (std::size_t part = 0; part < n_quadrants; ++part) {
          const std::size_t i = 1 - part / 2, j = 1 - part % 2;  // met by the first, the second
          const std::size_t q = turned * n_quadrants + part;
          Place at{below_a_and_b, i != 0, j != 0, turned != 0, 4 + 2 * i + j, 2 * i + j};
          best_.take(q, a, a + 1, loss(at.met), loss(at.failed), priced(at), r);
          at.third = below_r_and_b, at.met = 4 * i + 2 + j, at.failed = 4 * i + j;
          best_.take(q, r, a + 1, loss(at.met), loss(at.failed), priced(at), a);
          at.third = below_r_and_a, at.met = 4 * i + 2 * j + 1, at.failed = 4 * i + 2 * j;
          best_.take_best(q, r, a, a + 1, loss(at.met), loss(at.failed), priced(at));
        }
      }
    }

    // What the eight parts answer.
    void fill_answers(std::size_t a) {
      for (std::size_t octant = 0; octant < n_octants; ++octant) {
        for (std::size_t b = a + 1; b < search_.n_; ++b)
          answer_[octant][b] = search_.answer_of(parts_[octant].data() + b, search_.padded());
      }
    }

    // Weights of the eight parts, and what a unit of weight pays for the columns of the third
    // condition; no number where the three may not stand on one path.
    void fill_prices(std::size_t r, std::size_t a) {
      const Paths& paths = search_.paths_;
      const std::size_t n = search_.n_;
      for (std::size_t octant = 0; octant < n_octants; ++octant) {
        const double* part = parts_[octant].data();
        for (std::size_t b = a + 1; b < n; ++b)
          weight_[octant][b] = search_.weight_of(part + b, search_.padded());
      }
      for (std::size_t b = a + 1; b < n; ++b) {
        const bool is_allowed = paths.allow(r, a, b);
        price_[below_a_and_b][b] = is_allowed ? paths.price(r, a, b) : no_number;
        price_[below_r_and_b][b] = is_allowed ? paths.price(a, r, b) : no_number;
        price_[below_r_and_a][b] = is_allowed ? paths.price(b, r, a) : no_number;
      }
    }

    // From amounts of one output in rows that fail r to those in rows that meet it.
    void turn(std::size_t a, std::size_t k) {
      const double* with_a = search_.pairs_[a].data() + k * search_.padded();
      double* all_met = triples_.data() + k * search_.padded();
      for (std::size_t b = a + 1; b < search_.n_; ++b) all_met[b] = with_a[b] - all_met[b];
    }

    // Amounts of one output in the eight parts, for all b, from those of rows that meet all three.
    void fill_parts(std::size_t r, std::size_t a, std::size_t k) {
      const std::size_t from = k * search_.padded();
      const double* all_met = triples_.data() + from;
      const double* with_r = search_.pairs_[r].data() + from;
      const double* with_a = search_.pairs_[a].data() + from;
      const double* alone = search_.singles_.data() + from;
      const double both = with_r[a], only_r = alone[r] - both, only_a = alone[a] - both;
      const double neither = search_.counts_.total()[k] - both - only_r - only_a;
      std::array<double*, n_octants> part;
      for (std::size_t octant = 0; octant < n_octants; ++octant)
        part[octant] = parts_[octant].data() + from;
      for (std::size_t b = a + 1; b < search_.n_; ++b) {
        const double rab = all_met[b], rb = with_r[b] - rab, ab = with_a[b] - rab;
        const double only_b = alone[b] - rab - rb - ab;
        part[7][b] = rab;
        part[6][b] = both - rab;
        part[5][b] = rb;
        part[4][b] = only_r - rb;
        part[3][b] = ab;
        part[2][b] = only_a - ab;
        part[1][b] = only_b;
        part[0][b] = neither - only_b;
      }
    }

    const Search& search_;
    Thirds& best_;
    Losses losses_;
    PoolCounts::Part fewer_;  // the rows on one side of the first condition
    std::vector<double> triples_;
    std::array<std::vector<double>, n_octants> parts_;                   // [output][b]
    std::array<std::vector<double>, n_octants> loss_, weight_, answer_;  // [b]
    std::array<std::vector<double>, 3> price_;                           // [third][b]
  };

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

  Thirds::Best third(std::size_t r, std::size_t a, bool met_r, bool met_a) const {
    const auto quadrant = [](bool first, bool second) {
      return static_cast<std::size_t>(2 * (first ? 0 : 1) + (second ? 0 : 1));
    };
    const std::size_t turned = order_.is_asked_for() ? n_quadrants : 0;
    return r < a ? thirds_.at(quadrant(met_r, met_a), r, a)
                 : thirds_.at(turned + quadrant(met_a, met_r), a, r);
  }

  // Whether a leaf below two conditions answers what it may.
  bool may_answer(std::size_t r, bool met_r, std::size_t a, bool met_a) const {
    return !order_.is_asked_for() ||
           order_.at(r, met_r, a, met_a).hold(answer_at(r, met_r, a, met_a));
  }

  // `weight` is that of the rows on the side.
  Side side_of(std::size_t r, bool met, double leaf, double weight,
               const Quadrants& quadrants) const {
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
      if (a == r || !paths_.allow(r, a)) continue;
      const double price = pool_.prices[a] + paths_.price(a, r) * weight;
      double met_leaf = quadrants.loss[met ? 0 : 2][a];
      double failed_leaf = quadrants.loss[met ? 1 : 3][a];
      if (!may_answer(r, met, a, true)) met_leaf = infinity;
      if (!may_answer(r, met, a, false)) failed_leaf = infinity;
      const double met_split = third(r, a, met, true).cost;
      const double failed_split = third(r, a, met, false).cost;
      take(2, met_leaf + failed_leaf + price, a, false, false);
      take(3, met_split + failed_leaf + price, a, true, false);
      take(3, met_leaf + failed_split + price, a, false, true);
      take(4, met_split + failed_split + price, a, true, true);
    }
    return side;
  }

  // The best tree of one size: its root, and the leaves on either side.
  struct Root {
    double cost = infinity;
    std::size_t test = 0, met_leaves = 0, failed_leaves = 0;
    Side met, failed;
  };

  PoolFront best_of_each_size() {
    Losses losses = losses_of(pool_);
    std::vector<double> leaf(padded()), failed_leaf(padded());
    losses(singles_.data(), padded(), 0, n_, leaf.data());
    std::vector<double> rest(singles_.size());
    for (std::size_t k = 0; k < counts_.n_outputs(); ++k) {
      for (std::size_t t = 0; t < padded(); ++t)
        rest[k * padded() + t] = counts_.total()[k] - singles_[k * padded() + t];
    }
    losses(rest.data(), padded(), 0, n_, failed_leaf.data());

    const double total = weight_of(counts_.total().data(), 1);
    std::vector<Root> best(static_cast<std::size_t>(pool_.max_leaves) + 1);
    std::vector<std::vector<Root>> of_group(n_groups(), best);
    for (std::size_t r = 0; r < n_; ++r) {
      if (!paths_.may_begin(r)) continue;
      const Quadrants quadrants = quadrants_of(r, losses);
      const double weight = weight_of(singles_.data() + r, padded());
      if (order_.is_asked_for() &&
          !in_order(order_.trend(r), answer_at(r, true), answer_at(r, false)))
        leaf[r] = failed_leaf[r] = infinity;
      const Side met = side_of(r, true, leaf[r], weight, quadrants);
      const Side failed = side_of(r, false, failed_leaf[r], total - weight, quadrants);
      const double price = pool_.prices[r] + paths_.price(r) * total;
      for (std::size_t i = 1; i < met.of_leaves.size(); ++i) {
        for (std::size_t j = 1; j < failed.of_leaves.size() && i + j < best.size(); ++j) {
          const double cost = met.of_leaves[i].cost + failed.of_leaves[j].cost + price;
          const auto take = [&](Root& root) {
            if (cost < root.cost) root = {cost, r, i, j, met, failed};
          };
          take(best[i + j]);
          if (!pool_.groups.empty())
            take(of_group[static_cast<std::size_t>(pool_.groups[r])][i + j]);
        }
      }
    }
    std::vector<double> all(counts_.total().begin(), counts_.total().end());
    double one_leaf = 0.0;
    losses(all.data(), 1, 0, 1, &one_leaf);
    PoolFront found;
    found.trees.emplace_back().cost = one_leaf;
    found.trees.back().plan.nodes.emplace_back();
    add_better(best, found.trees);
    for (const std::vector<Root>& roots : of_group) {
      std::vector<PoolTree> trees;
      add_better(roots, trees);
      if (!trees.empty()) found.by_group.push_back(std::move(trees));
    }
    std::stable_sort(found.by_group.begin(), found.by_group.end(),
                     [](const auto& a, const auto& b) { return a.back().cost < b.back().cost; });
    return found;
  }

  std::size_t n_groups() const {
    if (pool_.groups.empty()) return 0;
    return static_cast<std::size_t>(std::ranges::max(pool_.groups)) + 1;
  }

  // Add the tree of each size that is better than the smaller ones.
  void add_better(const std::vector<Root>& roots, std::vector<PoolTree>& trees) const {
    for (const Root& root : roots) {
      if (!(root.cost < (trees.empty() ? infinity : trees.back().cost))) continue;
      PoolTree& tree = trees.emplace_back();
      tree.cost = root.cost;
      const auto test = static_cast<std::int32_t>(root.test);
      add_split(
          tree.plan, test,
          [&] { add_side(tree.plan, root.test, true, root.met.of_leaves[root.met_leaves]); },
          [&] {
            add_side(tree.plan, root.test, false, root.failed.of_leaves[root.failed_leaves]);
          });
    }
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

  void add_side(Plan& plan, std::size_t r, bool met, const Side::Choice& choice) const {
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
  Paths paths_;
  Order order_;
  std::size_t n_;
  std::vector<double> singles_;             // [output][condition]
  std::vector<std::vector<double>> pairs_;  // [condition][output][condition]
  Thirds thirds_;
};

}  // namespace

PoolFront search_pool(const Pool& pool, Monitor& monitor) { return Search(pool, monitor).run(); }

}  // namespace treewright::search
