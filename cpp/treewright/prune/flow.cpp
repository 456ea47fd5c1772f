#include "treewright/prune/flow.hpp"

#include <algorithm>

#include "treewright/measure/measure.hpp"
#include "treewright/tree/apply.hpp"

namespace treewright {

Flow::Flow(const Tree& tree, const Table& table, const Target& target, Monitor& monitor)
    : tree_(tree),
      table_(table),
      target_(target),
      monitor_(monitor),
      divides_rows_(divides_rows(tree)),
      rows_(table, target, false, divides_rows_, monitor),
      branch_of_(table.n_rows) {
  require(rows_.all().size() > 0, "There is no row with a positive weight.");
  require(std::ranges::all_of(tree.n_branches, [](std::int32_t n) { return n < Rows::unknown; }),
          "A node of the tree has too many branches.");
}

std::vector<Range> Flow::divide(std::size_t node, Range range) {
  monitor_.out_of_time(0.0);
  route(tree_.tests.view(node), table_, rows_.ids(range),
        [&](std::uint32_t row, std::int32_t branch) {
          branch_of_[row] = branch == unknown ? Rows::unknown : static_cast<std::uint16_t>(branch);
        });
  const auto n_branches = static_cast<std::size_t>(tree_.n_branches[node]);
  const std::vector<bool> kept(n_branches, false);
  const auto policy = static_cast<Missing>(tree_.missing[node]);
  if (divides_rows(policy)) {
    return rows_.divide_shared(range, branch_of_, known_shares(node, range), kept);
  }
  place_unknown(node, range);
  if (divides_rows_) {
    return rows_.divide_shared(range, branch_of_, std::vector<double>(n_branches, 0.0), kept);
  }
  const Range moving = may_stop(policy) ? rows_.set_aside_unknown(range, branch_of_) : range;
  return rows_.divide(moving, branch_of_, kept);
}

void Flow::release(std::size_t mark) {
  if (divides_rows_) rows_.release(mark);
}

template <class Counts>
double Flow::count_if(Range range, std::span<double> statistics, Counts counts) const {
  std::ranges::fill(statistics, 0.0);
  const auto ids = rows_.ids(range);
  const auto shares = rows_.shares(range);
  double counted = 0.0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!counts(ids[i])) continue;
    const double share = shares.empty() ? 1.0 : shares[i];
    add_row(statistics, target_, ids[i], target_.weights[ids[i]] * share);
    counted += share;
  }
  return counted;
}

double Flow::count(Range range, std::span<double> statistics) const {
  return count_if(range, statistics, [](std::uint32_t) { return true; });
}

double Flow::count_stopped(Range range, std::span<double> statistics) const {
  return count_if(range, statistics,
                  [&](std::uint32_t row) { return branch_of_[row] == Rows::unknown; });
}

void Flow::place_unknown(std::size_t node, Range range) {
  for (const std::uint32_t row : rows_.ids(range)) {
    if (branch_of_[row] != Rows::unknown) continue;
    const std::int32_t branch = settled_branch(tree_, node, table_, row);
    if (branch == unknown) {
      ++n_unsettled_;
    } else {
      branch_of_[row] = static_cast<std::uint16_t>(branch);
    }
  }
}

std::vector<double> Flow::known_shares(std::size_t node, Range range) {
  const auto ids = rows_.ids(range);
  const auto shares = rows_.shares(range);
  std::vector<double> known(static_cast<std::size_t>(tree_.n_branches[node]), 0.0);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::uint16_t branch = branch_of_[ids[i]];
    if (branch == Rows::unknown) {
      ++n_unsettled_;
    } else {
      known[branch] += target_.weights[ids[i]] * shares[i];
    }
  }
  const double total = sum_of(known);
  if (total > 0) {
    for (double& weight : known) weight /= total;
  } else {
    tree_.branch_shares(node, known);
  }
  return known;
}

}  // namespace treewright
