// The thresholds of a node that are still open. What is known of the two parts of one threshold
// bounds the parts of its neighbours: the part that gains rows costs no less, the other at most
// less by what the rows that leave it can cost. So whole intervals of a chain are closed at once
// (Brita, van der Linden and Demirovic 2025 call it neighbourhood and interval pruning).
//
// Thresholds are visited in an order that does not depend on what is found: the middle of each
// chain, then the middles of its halves, and so on. So the first of several equally good ones is
// the same for any number of threads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "treewright/search/bounds.hpp"
#include "treewright/search/chains/ranks.hpp"

namespace treewright::search {

// A threshold of a node, with what its parts cost at least; rows on the left pass it.
struct Cut {
  std::size_t place = 0;  // of its chain in the node
  std::int32_t index = 0;
  std::int32_t n_left = 0;
  Ranks::Test test;
  PartBounds bounds;
  Value reach = 0;          // a tree that costs so much more than the limit closes the interval
  std::uint64_t order = 0;  // smaller: visited sooner
};

// What a threshold has to stay below: the least cost so far. One that comes sooner than that which
// reached it may cost as much.
struct Limit {
  Value cost = no_value;
  std::uint64_t order = 0;
  Value at(std::uint64_t visited) const { return cost + (visited < order ? 1 : 0); }
};

class Intervals {
 public:
  Intervals(const Context& context, const Ranks& ranks) : context_(context), ranks_(ranks) {}

  // `depth` is what the parts may have, `known` the optimum of that depth for all rows or less.
  void begin(const Ordered& rows, std::int32_t level, std::int32_t depth, Value known);

  // Opens all chains, level by level; or one alone, swept to and fro.
  void open_all();
  void open(std::size_t place);
  // The threshold of a test.
  std::optional<Cut> find(std::int32_t test) const;
  // The next one that may lead below the limit.
  std::optional<Cut> next(const Limit& limit);
  // Takes bounds or optima of the two parts.
  void learn(const Cut& cut, const PartBounds& found);

  std::int64_t n_cuts() const { return static_cast<std::int64_t>(cuts_.size()); }
  std::int64_t n_closed() const { return n_closed_; }
  // No threshold that is not yet visited costs less.
  Value bound_of_rest() const;

 private:
  struct Settled {
    std::int32_t index;
    double loss;  // of all rows to the left, at most
    double left, right;
  };
  struct Chain {
    std::size_t first;  // cut
    std::int32_t n_cuts;
    double least_price;
    std::vector<Settled> settled;  // in order, with one before the first cut and after the last
  };
  struct Item {
    std::size_t place;
    std::int32_t low, high;  // cuts, both included
  };
  struct Neighbours {
    const Settled& before;
    const Settled& after;
  };

  void list_cuts(std::size_t place, std::int32_t level);
  bool allowed(std::int32_t n_left, Value weight) const;
  Neighbours neighbours(const Chain& chain, std::int32_t index) const;
  // The cuts between two neighbours that may lead below the limit; none if low > high.
  Item open_between(const Neighbours& around, std::size_t place, double room) const;
  PartBounds bounds_at(const Neighbours& around, double loss) const;
  Cut cut_at(std::size_t place, std::int32_t index) const;
  double loss(const Chain& chain, std::int32_t index) const {
    return losses_[chain.first + static_cast<std::size_t>(index)];
  }
  // What rows can cost more in another part.
  double worth(double from, double to) const { return (to - from) * unit_; }

  const Context& context_;
  const Ranks& ranks_;
  const Ordered* rows_ = nullptr;
  std::int32_t level_ = 0;
  bool similar_ = false;
  bool grows_ = false;  // whether more rows never cost less
  double unit_ = 1.0;   // of losses
  double total_loss_ = 0.0;
  double slack_ = 0.0;
  std::vector<Chain> chains_;
  std::vector<std::int32_t> cuts_;  // [chain][cut]: rows on the left
  std::vector<double> losses_;      // [chain][cut]
  std::vector<Item> items_, later_;
  std::size_t next_ = 0;
  std::uint64_t depth_of_items_ = 0;
  bool to_and_fro_ = false, backwards_ = false;
  std::int64_t n_closed_ = 0;
};

}  // namespace treewright::search
