#include "treewright/search/bounds.hpp"

#include <algorithm>
#include <bit>

#include "treewright/base/popcount.hpp"

namespace treewright::search {

void Bounds::begin(const Context& context, const Sample& sample, const DepthTwo* two,
                   std::int32_t depth, bool joins) {
  sample_ = &sample;
  two_ = two;
  joins_ = joins;
  depth_ = depth;
  const Task& task = context.task;
  // A tree that is allowed for some rows may leave too few of others in a leaf.
  similar_ = context.options.similarity && !context.sized;
  known_ = 0;
  knows_whole_ = context.options.similarity;
  slack_ = static_cast<double>(context.slack_of_leaf()) *
           static_cast<double>(std::int64_t{1} << std::min(depth, 40));
  loss_ = task.numeric ? sample.sums[0] * sample.row_loss : static_cast<double>(sample.base);
  row_loss_ = 0.0;
  for (std::size_t k = 0; joins && k < sample.rows.size(); ++k) {
    const auto r = static_cast<std::size_t>(sample.rows[k]);
    row_loss_ =
        std::max(row_loss_, task.numeric ? static_cast<double>(task.weight[r]) * sample.row_loss
                                         : static_cast<double>(task.base[r]));
  }
  list_floors(context, sample);
  const auto m = static_cast<std::size_t>(sample.n_columns());
  ones_.assign(m, 0.0);
  inside_.resize(m);
  n_ones_.resize(joins ? m : 0);
  zeros_.assign(m, static_cast<double>(sample.floor));
  for (std::size_t j = 0; j < m; ++j) {
    const auto bits = sample.bits(static_cast<std::int32_t>(j));
    if (sample.floor > 0) ones_[j] = static_cast<double>(floors(bits).ones);
    zeros_[j] -= ones_[j];
    if (!n_ones_.empty()) n_ones_[j] = count(bits);
    inside_[j] = two->inside(static_cast<std::int32_t>(j));
  }
  floor_ones_ = ones_;
  settled_.clear();
}

void Bounds::learn_whole(Value known) {
  if (!knows_whole_ || known <= 0) return;
  known_ = known;
  for (std::size_t j = 0; j < ones_.size(); ++j) {
    const double inside = inside_[j], outside = loss_ - inside_[j];
    ones_[j] = std::max(ones_[j], static_cast<double>(known_) - outside - slack_);
    zeros_[j] = std::max(zeros_[j], static_cast<double>(known_) - inside - slack_);
  }
}

void Bounds::learn_stumps(Value penalty) {
  const auto price = static_cast<double>(penalty);
  for (std::int32_t j = 0; j < sample_->n_columns(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    const auto ones =
        static_cast<double>(std::min(two_->leaf_ones(j), two_->stump_ones(j) + penalty));
    const auto zeros =
        static_cast<double>(std::min(two_->leaf_zeros(j), two_->stump_zeros(j) + penalty));
    ones_[at] = std::max(ones_[at], std::min(ones, floor_of_ones(at) + 2.0 * price));
    zeros_[at] = std::max(zeros_[at], std::min(zeros, floor_of_zeros(at) + 2.0 * price));
  }
}

void Bounds::learn_depth_two(const Candidate& candidate, const PartBounds& optima, Value penalty) {
  const auto at = static_cast<std::size_t>(candidate.joined.first);
  const double price = 3.0 * static_cast<double>(penalty);
  ones_[at] =
      std::max(ones_[at], std::min(static_cast<double>(optima.ones), floor_of_ones(at) + price));
  zeros_[at] =
      std::max(zeros_[at], std::min(static_cast<double>(optima.zeros), floor_of_zeros(at) + price));
}

void Bounds::list_floors(const Context& context, const Sample& sample) {
  has_floor_.assign(sample.floor > 0 ? sample.n_words : 0, 0);
  if (has_floor_.empty()) return;
  floor_of_row_.resize(sample.rows.size());
  for (std::size_t k = 0; k < sample.rows.size(); ++k) {
    floor_of_row_[k] = context.row_floor[static_cast<std::size_t>(sample.rows[k])];
    if (floor_of_row_[k] > 0) has_floor_[k / 64] |= std::uint64_t{1} << (k % 64);
  }
}

PartBounds Bounds::floors(std::span<const std::uint64_t> bits) const {
  PartBounds floors;
  for (std::size_t w = 0; w < has_floor_.size(); ++w) {
    for (std::uint64_t rest = has_floor_[w] & bits[w]; rest != 0; rest &= rest - 1)
      floors.ones += floor_of_row_[w * 64 + static_cast<std::size_t>(std::countr_zero(rest))];
  }
  floors.zeros = sample_->floor - floors.ones;
  return floors;
}

std::int64_t Bounds::count(std::span<const std::uint64_t> bits) {
  std::int64_t n = 0;
  for (const std::uint64_t word : bits) n += popcount(word);
  return n;
}

// Raises bounds of the parts of a test, passed by `n_ones` rows, by what a settled one shows.
void Bounds::raise(const Settled& settled, std::span<const std::uint64_t> bits, std::int64_t n_ones,
                   PartBounds& bounds) const {
  const std::int64_t n = sample_->n_rows(), n_zeros = n - n_ones, n_others = n - settled.n_ones;
  const auto ones = static_cast<double>(settled.found.ones) - slack_,
             zeros = static_cast<double>(settled.found.zeros) - slack_;
  const auto better = [&](double value, std::int64_t beyond, Value& bound) {
    const double raised = value - static_cast<double>(beyond) * row_loss_;
    if (raised > static_cast<double>(bound)) bound = static_cast<Value>(raised);
  };
  // Parts of such sizes differ in at least so many rows.
  PartBounds hoped = bounds;
  better(ones, std::max<std::int64_t>(0, settled.n_ones - n_ones), hoped.ones);
  better(zeros, std::max<std::int64_t>(0, n_others - n_ones), hoped.ones);
  better(ones, std::max<std::int64_t>(0, settled.n_ones - n_zeros), hoped.zeros);
  better(zeros, std::max<std::int64_t>(0, n_others - n_zeros), hoped.zeros);
  if (hoped.ones == bounds.ones && hoped.zeros == bounds.zeros) return;
  std::int64_t both = 0;
  for (std::size_t w = 0; w < bits.size(); ++w) both += popcount(settled.bits[w] & bits[w]);
  better(ones, settled.n_ones - both, bounds.ones);
  better(zeros, n_others - (n_ones - both), bounds.ones);
  better(ones, both, bounds.zeros);
  better(zeros, n_ones - both, bounds.zeros);
}

PartBounds Bounds::of(const Candidate& candidate, std::span<const std::uint64_t> bits,
                      Value enough) const {
  if (candidate.is_single()) {
    const auto j = static_cast<std::size_t>(candidate.joined.first);
    return {static_cast<Value>(ones_[j]), static_cast<Value>(zeros_[j])};
  }
  PartBounds bounds = floors(bits);
  const std::int64_t n_ones = count(bits);
  if (known_ > 0) {
    const double inside = std::min(static_cast<double>(n_ones) * row_loss_, loss_);
    const double outside =
        std::min(static_cast<double>(sample_->n_rows() - n_ones) * row_loss_, loss_);
    bounds.ones =
        std::max(bounds.ones, static_cast<Value>(static_cast<double>(known_) - outside - slack_));
    bounds.zeros =
        std::max(bounds.zeros, static_cast<Value>(static_cast<double>(known_) - inside - slack_));
  }
  // Where parts have depth two, solving them is cheaper than a long look back.
  std::size_t n_looks = depth_ == 2 ? 32 : settled_.size();
  for (auto settled = settled_.rbegin();
       settled != settled_.rend() && bounds.ones + bounds.zeros < enough && n_looks-- > 0;
       ++settled) {
    raise(*settled, bits, n_ones, bounds);
  }
  return bounds;
}

void Bounds::learn(const Candidate& candidate, std::span<const std::uint64_t> bits,
                   const PartBounds& found) {
  if (similar_ && joins_) settled_.push_back({{bits.begin(), bits.end()}, count(bits), found});
  if (candidate.is_single()) {
    learn_column(candidate.joined.first, static_cast<double>(found.ones),
                 static_cast<double>(found.zeros));
  } else if (similar_) {
    for (std::size_t j = 0; j < ones_.size(); ++j) learn_from(settled_.back(), j);
  }
}

void Bounds::learn_column(std::int32_t column, double ones, double zeros) {
  const auto f = static_cast<std::size_t>(column);
  ones_[f] = std::max(ones_[f], ones);
  zeros_[f] = std::max(zeros_[f], zeros);
  if (!similar_) return;
  const double v1 = ones - slack_, v0 = zeros - slack_;
  const double inside = inside_[f], outside = loss_ - inside;
  const double* const insides = inside_.data();
  double *const ones_of = ones_.data(), *const zeros_of = zeros_.data();
  two_->with_overlaps(column, [&](const auto* overlaps, double unit) {
    for (std::size_t j = 0, m = ones_.size(); j < m; ++j) {
      const double both = unit * static_cast<double>(overlaps[j]), alone = insides[j] - both;
      const double passing = std::max(v1 - (inside - both), v0 - (outside - alone));
      const double failing = std::max(v0 - alone, v1 - both);
      ones_of[j] = std::max(ones_of[j], passing);
      zeros_of[j] = std::max(zeros_of[j], failing);
    }
  });
}

void Bounds::learn_by_others(std::int32_t column, const PartBounds& least) {
  const auto j = static_cast<std::size_t>(column);
  ones_[j] = std::max(ones_[j], static_cast<double>(least.ones));
  zeros_[j] = std::max(zeros_[j], static_cast<double>(least.zeros));
}

void Bounds::learn_from(const Settled& settled, std::size_t column) {
  PartBounds bounds{static_cast<Value>(ones_[column]), static_cast<Value>(zeros_[column])};
  raise(settled, sample_->bits(static_cast<std::int32_t>(column)), n_ones_[column], bounds);
  ones_[column] = static_cast<double>(bounds.ones);
  zeros_[column] = static_cast<double>(bounds.zeros);
}

}  // namespace treewright::search
