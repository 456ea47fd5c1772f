#include "treewright/grow/held_out.hpp"

#include <cmath>

#include "treewright/measure/class_loss.hpp"

namespace treewright {

void place_unknown(std::span<const std::uint32_t> ids, const std::vector<Surrogate>& surrogates,
                   std::int32_t otherwise, const Table& table,
                   std::vector<std::uint16_t>& branch_of) {
  for (const Surrogate& surrogate : surrogates) {
    route(view(surrogate.test), table, ids, [&](std::uint32_t row, std::int32_t branch) {
      if (branch_of[row] != Rows::unknown || branch == unknown) return;
      branch_of[row] = static_cast<std::uint16_t>(surrogate.swapped ? 1 - branch : branch);
    });
  }
  if (otherwise == unknown) return;
  for (const std::uint32_t row : ids) {
    if (branch_of[row] == Rows::unknown) branch_of[row] = static_cast<std::uint16_t>(otherwise);
  }
}

HeldOut::HeldOut(const Table& table, const Target& target, std::span<const double> cost,
                 bool absolute_error, bool fractional, Monitor& monitor)
    : table_(table),
      target_(target),
      cost_(cost),
      absolute_error_(absolute_error),
      fractional_(fractional),
      rows_(table, target, false, fractional, monitor),
      branch_of_(table.n_rows) {}

double HeldOut::loss(Range range, double answer) const {
  const auto ids = rows_.ids(range);
  const auto shares = rows_.shares(range);
  double loss = 0.0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::uint32_t row = ids[i];
    double one = 0.0;
    if (!target_.is_classification()) {
      const double off = target_.numbers[row] - answer;
      one = absolute_error_ ? std::abs(off) : off * off;
    } else {
      one = class_loss(target_, row, static_cast<std::size_t>(answer), cost_);
    }
    loss += one * target_.weights[row] * (shares.empty() ? 1.0 : shares[i]);
  }
  return loss;
}

std::vector<Range> HeldOut::divide(Range range, const Predicate& predicate,
                                   const std::vector<Surrogate>& surrogates, std::int32_t otherwise,
                                   std::span<const double> part) {
  const auto ids = rows_.ids(range);
  route(predicate, table_, ids, [&](std::uint32_t row, std::int32_t branch) {
    branch_of_[row] = branch == unknown ? Rows::unknown : static_cast<std::uint16_t>(branch);
  });
  const std::vector<bool> kept(part.size(), false);
  if (fractional_) return rows_.divide_shared(range, branch_of_, part, kept);
  place_unknown(ids, surrogates, otherwise, table_, branch_of_);
  return rows_.divide(rows_.set_aside_unknown(range, branch_of_), branch_of_, kept);
}

}  // namespace treewright
