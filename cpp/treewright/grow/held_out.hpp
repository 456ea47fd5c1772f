// Held-out rows that follow a tree as it grows, for early stopping.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/base/monitor.hpp"
#include "treewright/data/rows.hpp"
#include "treewright/measure/measure.hpp"
#include "treewright/tree/tree.hpp"

namespace treewright {

// Rows whose branch is still Rows::unknown go by the first surrogate that knows, else to the
// branch `otherwise`; or stay unknown when that is `unknown`.
void place_unknown(std::span<const std::uint32_t> ids, const std::vector<Surrogate>& surrogates,
                   std::int32_t otherwise, const Table& table,
                   std::vector<std::uint16_t>& branch_of);

class HeldOut {
 public:
  // `cost` (K x K) may be empty. Under `fractional`, a divided row counts its share of each loss.
  HeldOut(const Table& table, const Target& target, std::span<const double> cost,
          bool absolute_error, bool fractional, Monitor& monitor);

  Range all() const { return rows_.all(); }

  // What these rows would cost if their node were a leaf with this answer.
  double loss(Range range, double answer) const;

  // Divides a node's rows as its training rows were divided; `part` are the shares of unknown rows.
  // Rows that stop at the node are left behind the ranges of the branches.
  std::vector<Range> divide(Range range, const Predicate& predicate,
                            const std::vector<Surrogate>& surrogates, std::int32_t otherwise,
                            std::span<const double> part);

 private:
  const Table& table_;
  const Target& target_;
  std::span<const double> cost_;
  bool absolute_error_, fractional_;
  Rows rows_;
  std::vector<std::uint16_t> branch_of_;  // by row id
};

}  // namespace treewright
