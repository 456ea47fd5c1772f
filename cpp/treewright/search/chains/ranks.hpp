// The tests as chains. A row that passes a test of a chain passes all that follow it, so that one
// number tells everything about a row: its rank, how many tests of the chain it fails.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "treewright/search/context.hpp"

namespace treewright::search {

class Ranks {
 public:
  using Chain = Context::Chain;

  // `poll` is called now and then.
  Ranks(const Context& context, const std::function<void()>& poll);

  // The cheapest test of a chain, then the first, that is passed by rows of rank `low` or less and
  // failed by rows of rank `high` or more.
  struct Test {
    std::int32_t number = -1;
    Value price = Context::forbidden;
  };
  Test test_between(std::int32_t chain, std::int32_t low, std::int32_t high,
                    std::int32_t level) const;

  const std::vector<Chain>& chains() const { return context_.chains; }
  std::int32_t chain_of(std::int32_t test) const {
    return context_.chain_of[static_cast<std::size_t>(test)];
  }
  std::int32_t rank(std::int32_t chain, std::int32_t row) const {
    return ranks_[static_cast<std::size_t>(chain) * context_.task.n_rows() +
                  static_cast<std::size_t>(row)];
  }
  std::int32_t class_of(std::int32_t row) const { return class_of_[static_cast<std::size_t>(row)]; }

 private:
  // Reads them off the bits of the tests.
  void rank_rows(std::span<const std::int32_t> place, const std::function<void()>& poll);

  const Context& context_;
  std::vector<std::int32_t> ranks_;     // [chain][row], rows as in the task
  std::vector<std::int32_t> class_of_;  // of each row
};

// What trees of some rows depend on but for the tests.
struct Summary {
  std::int32_t n_rows = 0;
  Hash hash;
  Value base = 0;
  Value floor = 0;           // no tree costs less
  std::vector<double> sums;  // as many as the context has

  explicit Summary(const Context& context) : sums(static_cast<std::size_t>(context.n_sums), 0.0) {}
  void add(const Context& context, const Ranks& ranks, std::int32_t row);
  // Without the rows of a part.
  Summary without(const Summary& part) const;
  Value leaf(const Task& task) const { return base - static_cast<Value>(task.reward(sums.data())); }
};

// Adds a row, or takes it away (sign -1).
void add_row(const Context& context, const Ranks& ranks, std::int32_t row, double sign,
             double* sums);

// The rows of a node in the order of each chain that tells them apart.
class Ordered {
 public:
  struct Entry {
    std::int32_t row;
    std::int32_t rank;
  };

  explicit Ordered(const Context& context) : summary(context) {}

  void begin(const Context& context, const Ranks& ranks, std::span<const std::int32_t> rows);
  // The first `n_left` rows of a parent in the order of its chain at `place`, or all others.
  void part(const Context& context, const Ordered& parent, std::size_t place, std::int32_t n_left,
            bool left, const Summary& its_summary);

  std::vector<std::int32_t> chains;
  Summary summary;
  double row_loss = 1.0;  // the most that a unit of weight can cost: numbers; classes have rates

  std::int32_t n_rows() const { return summary.n_rows; }
  std::vector<std::int32_t> rows() const;  // in the order of the task
  std::span<const Entry> entries(std::size_t place) const {
    const auto n = static_cast<std::size_t>(n_rows());
    return {entries_.data() + place * n, n};
  }

 private:
  void finish(const Context& context);

  // [place of chain][row]; the rows of the first place are there even if no chain tells them apart.
  std::vector<Entry> entries_;
  std::vector<std::uint8_t> sides_;  // of each row of the task: 1 if it is in the part
};

}  // namespace treewright::search
