// The best single tests for both parts of a threshold, for one threshold after another: rows that
// change sides are moved, and a pass over sums tells the best test of each chain. Where many rows
// have one rank, their sums are moved at once.
//
// Sums are kept by bins of rows between which a best test may lie. Where prices and sizes do not
// matter, rewards are convex in the sums, so that no cut inside a run of rows of one class is
// better than both its ends: such a run is one bin.
//
// With two labels only the difference D of what they would cost matters. A leaf costs
// (C0 + C1 - |D|) / 2, and the best cut of a chain follows from the largest and smallest D of the
// rows before a cut:  max |D| + |T - D| = max(|T|, 2 max D - T, T - 2 min D).
//
// With more classes, whose errors cost all the same, the reward of a side is the weight of its
// heaviest class. That only grows from one end of a chain to the other, so that each row counts
// once: a bin is kept in pieces, one for each class that it holds, which count as bins.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "treewright/search/bounds.hpp"
#include "treewright/search/chains/cells.hpp"
#include "treewright/search/chains/ranks.hpp"

namespace treewright::search {

class Stumps {
 public:
  Stumps(const Context& context, const Ranks& ranks);

  // All below is about these rows, which must stay as they are; tests stand at `level`.
  void begin(const Ordered& rows, std::int32_t level);

  // Cost of the best tree of at most one test of all rows, by tests of this chain alone.
  Value whole(std::size_t place) const { return whole_costs_[place]; }
  // Costs of such trees, over all chains, of the first rows of a chain and of the others.
  PartBounds parts(std::size_t place, std::int32_t n_left);

  std::function<void()> poll;  // called now and then in long work

 private:
  static constexpr double none = -0x1p60;

  struct Chain {
    std::size_t first_bin;
    std::size_t n_bins;
    Value price;  // of its tests with the penalty, where they are alike
  };

  enum class By : std::uint8_t { differences, classes, sums };

  bool alike() const;
  void list_bins(std::size_t place);
  void fill();
  void move(std::span<const Ordered::Entry> entries, bool to_left);
  void move_all(std::span<const Ordered::Entry> entries, bool to_left);
  // Sums the rows of each rank of a chain, if these are few.
  void list_steps(std::size_t place);
  void take_step(std::size_t step, bool to_left);
  void clear_left();
  void take_all();
  Value difference_of(Value kept) const;
  // Calls `use` with what gives the value of each bin of a chain, for the rows on a side.
  template <class Use>
  auto with_bins(std::size_t place, bool left, const Use& use);
  Value best_difference(std::size_t place, bool left);
  Value heaviest_of(std::size_t place, bool left);
  PartBounds parts_by_differences();
  PartBounds parts_by_classes();
  PartBounds parts_by_sums();
  // The largest reward of one test of a chain, if the cells hold these sums less those.
  double best_reward(std::size_t place, const std::vector<double>& sums, const double* minus,
                     const double* total);

  const Context& context_;
  const Ranks& ranks_;
  const Task& task_;
  const std::size_t n_sums_;
  // Leaves need a number of rows: differences are kept times 2^32, with the rows counted below.
  bool counted_ = false;
  By fastest_ = By::sums;     // where the tests of each chain have one price
  std::vector<Value> kept_;   // of each row: the difference of its labels, or its weight
  std::vector<Value> costs_;  // of each row: the cost of both labels together, or of an error

  const Ordered* rows_ = nullptr;
  std::int32_t level_ = 0;
  By by_ = By::sums;
  bool runs_ = false;  // bins are runs of rows of one class
  std::vector<Chain> chains_;
  Cells cells_;
  std::vector<std::uint32_t> bin_of_row_;
  std::vector<double> prices_;           // [bin]: of a test behind it
  std::vector<std::int32_t> bin_class_;  // [bin], by classes
  std::vector<std::uint8_t> may_end_;    // [bin], by classes: whether a test may stand behind it
  std::vector<Value> class_sums_, heaviest_;
  std::vector<Value> whole_costs_;

  // Of all rows, and of those on the left.
  std::vector<Value> all_, left_;  // [cell]: differences, or weights
  Value all_difference_ = 0, left_difference_ = 0;
  Value all_cost_ = 0, left_cost_ = 0;        // of both labels, or the base
  std::vector<double> all_sums_, left_sums_;  // [cell][sum]
  std::vector<double> left_total_, right_total_, before_after_;
  std::vector<Value> shared_;        // [bin] of a chain that shares its cells
  std::vector<double> shared_sums_;  // [bin][sum] of such a chain
  std::size_t moved_place_ = 0;
  std::size_t n_moved_ = 0;  // rows on the left

  // What the rows of one rank of the chain at `moved_place_` add to the left; none if moved singly.
  struct Step {
    std::size_t end;  // of its rows in the order of the chain
    Value difference, cost;
    std::vector<Value> cells;
    std::vector<double> sums, total;
  };
  std::vector<Step> steps_;
  std::size_t n_taken_ = 0;  // steps on the left
};

}  // namespace treewright::search
