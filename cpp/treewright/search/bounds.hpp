// Lower bounds of the parts that the tests of a node make, learned from each other: a tree that is
// good for some rows is good for similar rows, but for what the rows that differ can cost.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/search/depth_two/depth_two.hpp"
#include "treewright/search/sample.hpp"

namespace treewright::search {

struct Candidate {
  Joined joined;            // columns of the sample
  std::int32_t first = -1;  // tests
  std::int32_t second = -1;
  Value price = 0;
  Value key = 0;  // cost of a shallow tree with it on top: the smaller, the sooner it is tried

  bool is_single() const { return joined.function == Function::single; }
};

struct PartBounds {
  Value ones = 0;
  Value zeros = 0;
};

class Bounds {
 public:
  // `depth` is what the parts may have; `joins` whether tests are joined here.
  void begin(const Context& context, const Sample& sample, const DepthTwo* two, std::int32_t depth,
             bool joins);
  // Takes what trees of that depth for all rows of the sample cost at least.
  void learn_whole(Value known);
  // Takes what the parts of single tests cost with a test at most, for each its penalty, or with
  // two; no tests may be joined in the parts.
  void learn_stumps(Value penalty);
  // The same once the optima of depth two of the parts of a single test are known.
  void learn_depth_two(const Candidate& candidate, const PartBounds& optima, Value penalty);

  // Looks no further once the bounds together reach `enough`.
  PartBounds of(const Candidate& candidate, std::span<const std::uint64_t> bits,
                Value enough) const;
  // Takes bounds or optima of the two parts of a candidate.
  void learn(const Candidate& candidate, std::span<const std::uint64_t> bits,
             const PartBounds& found);

  // The same of single tests: what the parts of a column cost at least, as is known of these rows,
  void learn_column(std::int32_t column, double ones, double zeros);
  // or as is known of similar rows.
  void learn_by_others(std::int32_t column, const PartBounds& least);
  // What trees of the parts' depth for all rows of the sample cost at least.
  double whole() const { return static_cast<double>(known_); }
  // What the rows that pass a column, or that fail it, cost at least.
  double least(std::int32_t column, bool ones) const {
    return (ones ? ones_ : zeros_)[static_cast<std::size_t>(column)];
  }

  // The cost of the rows of a part that no tree can save.
  PartBounds floors(std::span<const std::uint64_t> bits) const;

 private:
  struct Settled {
    std::vector<std::uint64_t> bits;
    std::int64_t n_ones;
    PartBounds found;
  };
  // What the rows of a part cost at least that agree in every test.
  double floor_of_ones(std::size_t column) const { return floor_ones_[column]; }
  double floor_of_zeros(std::size_t column) const {
    return static_cast<double>(sample_->floor) - floor_ones_[column];
  }
  void list_floors(const Context& context, const Sample& sample);
  void learn_from(const Settled& settled, std::size_t column);
  static std::int64_t count(std::span<const std::uint64_t> bits);
  void raise(const Settled& settled, std::span<const std::uint64_t> bits, std::int64_t n_ones,
             PartBounds& bounds) const;

  const Sample* sample_ = nullptr;
  const DepthTwo* two_ = nullptr;
  bool similar_ = false;
  bool joins_ = false;
  bool knows_whole_ = false;  // whether what all rows cost bounds what their parts cost
  std::int32_t depth_ = 0;
  Value known_ = 0;
  double slack_ = 0.0;
  double loss_ = 0.0;                          // of all rows together, at most
  double row_loss_ = 0.0;                      // of one row, at most
  std::vector<double> ones_, zeros_, inside_;  // of each column: bounds, and what its rows can cost
  std::vector<double> floor_ones_;
  std::vector<std::uint64_t> has_floor_;  // bits of the rows with one; none if no row has
  std::vector<Value> floor_of_row_;
  std::vector<std::int64_t> n_ones_;
  std::vector<Settled> settled_;
};

}  // namespace treewright::search
