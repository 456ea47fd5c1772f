// What every thread of a search knows and none changes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/search/kernel/kernel.hpp"
#include "treewright/search/problem.hpp"
#include "treewright/search/task.hpp"

namespace treewright::search {

// Names a set of rows: the exclusive or of random numbers, one a row.
struct Hash {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  Hash& operator^=(const Hash& other) {
    high ^= other.high;
    low ^= other.low;
    return *this;
  }
  friend Hash operator^(Hash a, const Hash& b) { return a ^= b; }
  bool operator==(const Hash&) const = default;
};

// A sum over rows is a sum over terms: `factor` times the rows of a class whose bit is set in a
// plane, which is one binary digit of their weights or moments.
struct Term {
  std::int32_t row_class;
  std::int32_t plane;  // -1: all rows
  std::int32_t sum;
  double factor;
};

struct Context {
  Context(const Problem& asked, const Options& wanted);

  // Tests that stand side by side, each passed by all rows that pass the one before it.
  struct Chain {
    std::int32_t first_test;
    std::int32_t n_tests;
    bool uniform;       // all its tests have the same price and last level
    Value least_price;  // of its tests
  };

  const Problem& problem;
  const Options options;  // with pair_levels no larger than the depth allows
  Task task;
  const Kernel* kernel;
  std::vector<Chain> chains;
  std::vector<std::int32_t> chain_of;  // of each test
  std::vector<Hash> row_hash;
  // Rows that agree in every test but not in their targets cost this much in any tree; noted at the
  // first row of each such group.
  std::vector<Value> row_floor;
  bool has_floors = false;            // whether there are such groups
  std::vector<bool> unknown_passes;   // of each test: whether the rows of unknown branch pass it
  std::vector<double> label_rewards;  // of each label, were it the answer for all rows
  bool has_prices = false;
  bool has_levels = false;

  // How sums are counted: by rows of each class (counted), or by terms.
  bool counted = false;
  std::vector<Term> terms;
  std::vector<std::uint64_t> planes;  // of each row; of losses there are too many to keep
  std::int32_t n_planes = 0;
  std::int32_t n_sums = 0;     // with those below
  std::int32_t rows_sum = -1;  // which sum counts rows, -1: none
  std::int32_t base_sum = -1;  // which sum is that of bases, -1: it follows from the others
  bool sized = false;          // leaves have a smallest number or weight of rows
  // Fewer rows cost no more than the penalty of the test that sets them apart, which never pays. No
  // constraint: a tree with such tests is allowed.
  std::int64_t least_paying_rows = 1;

  // Whether a row of the problem passes a test.
  bool passes(std::int32_t test, std::size_t row) const;
  // The set of rows whose branch a test does not know, -1 if there is none; and whether they pass.
  std::int32_t unknown_set(std::int32_t test) const {
    return problem.unknown_of.empty() ? -1 : problem.unknown_of[static_cast<std::size_t>(test)];
  }
  std::size_t n_unknown_sets() const {
    return problem.unknown.empty() ? 0 : problem.unknown.size() / bytes_of_rows();
  }
  bool is_unknown(std::int32_t set, std::size_t row) const {
    const auto at = static_cast<std::size_t>(set) * bytes_of_rows() + row / 8;
    return (problem.unknown[at] >> (row % 8) & 1) != 0;
  }
  bool passes_unknown(std::int32_t test) const {
    return unknown_passes[static_cast<std::size_t>(test)];
  }
  // What the tests allowed at a level cost there; `forbidden` deeper than their last one.
  static constexpr Value forbidden = no_value;
  Value price_at(Value price, std::int32_t last_level, std::int32_t level) const {
    return level <= last_level ? price : forbidden;
  }
  // Whether a row counts in a plane.
  bool is_in_plane(std::size_t row, std::int32_t plane) const;
  // Whether a leaf with these sums holds as many rows and as much weight as it must.
  bool enough(const double* sums) const;
  // The cheapest label of a leaf with these sums of classes; of equal ones that of the heavier
  // class overall, then the first.
  std::int32_t cheapest_label(std::span<const double> sums) const;
  Value price_of(std::int32_t first, std::int32_t second) const {
    const auto price = [&](std::int32_t test) {
      return problem.prices[static_cast<std::size_t>(test)];
    };
    if (second < 0) return price(first);
    return price(first) + price(second) + (same_source(first, second) ? 0 : options.pair_price);
  }
  // Whether two tests read one and the same column.
  bool same_source(std::int32_t first, std::int32_t second) const {
    const std::int32_t source = problem.sources[static_cast<std::size_t>(first)];
    return source >= 0 && source == problem.sources[static_cast<std::size_t>(second)];
  }
  // A set of rows with what its optimum depends on.
  Hash key(const Hash& rows, std::int32_t depth, std::int32_t level) const;
  // With at most so many leaves, the smallest classes have none: what their rows cost.
  Value class_floor(std::span<const double> sums, std::int32_t depth) const;
  // A tree of more than `depth` levels has more tests than that: what it costs at least for rows
  // whose equal ones cost `floor`.
  Value deeper_floor(Value floor, std::int32_t depth) const {
    return floor + (depth + 1) * options.penalty;
  }
  // Whether by that the optimum of one depth says something of deeper trees at this level. Where
  // tests are joined it does not: the two lowest levels of a shallow tree have single tests.
  bool bounds_deeper(std::int32_t level) const {
    return options.penalty > 0 && level >= options.pair_levels;
  }
  // The levels that a tree below the limit can have, if they are fewer than `depth`; at least 2.
  std::int32_t useful_depth(std::int32_t level, std::int32_t depth, Value floor, Value limit) const;
  // Rounding of squared errors: bounds from other sets are lowered by this much for each leaf.
  Value slack_of_leaf() const { return task.numeric ? 2 : 0; }

 private:
  // A binary digit of the sum that a row adds to, counted in units.
  struct Digit {
    std::int32_t sum;
    int place;
  };
  std::size_t bytes_of_rows() const { return (problem.n_rows + 7) / 8; }
  void list_chains();
  void list_unknown();
  void check_ranks() const;
  void make_terms();
  void make_terms_of_losses();
  Value added(std::size_t row, std::int32_t sum) const;
  void find_least_paying_rows();

  std::vector<Digit> digits_;  // of the planes of losses
  Value unit_ = 1;             // of losses
};

}  // namespace treewright::search
