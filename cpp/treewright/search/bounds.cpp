#include "treewright/search/bounds.hpp"

#include <algorithm>
#include <bit>

namespace treewright::search {

void Bounds::begin(const Context& context, const Sample& sample, const DepthTwo& two,
                   std::int32_t depth, Value known, bool joins) {
  sample_ = &sample;
  two_ = &two;
  joins_ = joins;
  const Task& task = context.task;
  // A tree that is allowed for some rows may leave too few of others in a leaf.
  similar_ = context.options.similarity && !context.sized;
  known_ = context.options.similarity ? known : 0;
  slack_ = static_cast<double>(context.slack_of_leaf()) *
           static_cast<double>(std::int64_t{1} << std::min(depth, 40));
  loss_ = 0.0;
  row_loss_ = 0.0;
  for (const std::int32_t row : sample.rows) {
    const auto r = static_cast<std::size_t>(row);
    const double loss = task.numeric ? static_cast<double>(task.weight[r]) * sample.row_loss
                                     : static_cast<double>(task.base[r]);
    loss_ += loss;
    row_loss_ = std::max(row_loss_, loss);
  }
  floor_rows_.clear();
  if (sample.floor > 0) {
    for (std::int32_t k = 0; k < sample.n_rows(); ++k) {
      const Value floor =
          context.row_floor[static_cast<std::size_t>(sample.rows[static_cast<std::size_t>(k)])];
      if (floor > 0) floor_rows_.emplace_back(k, floor);
    }
  }
  const auto m = static_cast<std::size_t>(sample.n_columns());
  ones_.assign(m, 0.0);
  inside_.resize(m);
  zeros_.assign(m, static_cast<double>(sample.floor));
  for (std::size_t j = 0; j < m; ++j) {
    const auto bits = sample.bits(static_cast<std::int32_t>(j));
    for (const auto& [row, floor] : floor_rows_) {
      if (bits[static_cast<std::size_t>(row) / 64] >> (row % 64) & 1)
        ones_[j] += static_cast<double>(floor);
    }
    zeros_[j] -= ones_[j];
    const double inside = inside_[j] = two.overlaps(static_cast<std::int32_t>(j))[j];
    if (known_ > 0) {
      ones_[j] = std::max(ones_[j], static_cast<double>(known_) - (loss_ - inside) - slack_);
      zeros_[j] = std::max(zeros_[j], static_cast<double>(known_) - inside - slack_);
    }
  }
  settled_.clear();
}

PartBounds Bounds::floors(std::span<const std::uint64_t> bits) const {
  PartBounds floors;
  for (const auto& [row, floor] : floor_rows_) {
    (bits[static_cast<std::size_t>(row) / 64] >> (row % 64) & 1 ? floors.ones : floors.zeros) +=
        floor;
  }
  return floors;
}

Value Bounds::raised(const Settled& settled, std::span<const std::uint64_t> bits, bool ones) const {
  // Rows of each part of the settled test that are not in the part asked for.
  std::int64_t beyond_ones = 0, beyond_zeros = 0, n_settled = 0;
  std::int64_t n_ones = 0;
  for (std::size_t w = 0; w < bits.size(); ++w) {
    beyond_ones += std::popcount(settled.bits[w] & ~bits[w]);
    n_settled += std::popcount(settled.bits[w]);
    n_ones += std::popcount(bits[w]);
  }
  const std::int64_t inside = n_settled - beyond_ones, n = sample_->n_rows();
  if (ones) {
    beyond_zeros = n - n_settled - (n_ones - inside);
  } else {
    beyond_zeros = n_ones - inside;
    beyond_ones = inside;
  }
  const double from_ones =
      static_cast<double>(settled.found.ones) - static_cast<double>(beyond_ones) * row_loss_;
  const double from_zeros =
      static_cast<double>(settled.found.zeros) - static_cast<double>(beyond_zeros) * row_loss_;
  return static_cast<Value>(std::max({from_ones, from_zeros, slack_}) - slack_);
}

PartBounds Bounds::of(const Candidate& candidate, std::span<const std::uint64_t> bits,
                      Value enough) const {
  if (candidate.is_single()) {
    const auto j = static_cast<std::size_t>(candidate.joined.first);
    return {static_cast<Value>(ones_[j]), static_cast<Value>(zeros_[j])};
  }
  PartBounds bounds = floors(bits);
  if (known_ > 0) {
    std::int64_t n_ones = 0;
    for (const std::uint64_t word : bits) n_ones += std::popcount(word);
    const double inside = std::min(static_cast<double>(n_ones) * row_loss_, loss_);
    const double outside =
        std::min(static_cast<double>(sample_->n_rows() - n_ones) * row_loss_, loss_);
    bounds.ones =
        std::max(bounds.ones, static_cast<Value>(static_cast<double>(known_) - outside - slack_));
    bounds.zeros =
        std::max(bounds.zeros, static_cast<Value>(static_cast<double>(known_) - inside - slack_));
  }
  for (auto settled = settled_.rbegin();
       settled != settled_.rend() && bounds.ones + bounds.zeros < enough; ++settled) {
    bounds.ones = std::max(bounds.ones, raised(*settled, bits, true));
    bounds.zeros = std::max(bounds.zeros, raised(*settled, bits, false));
  }
  return bounds;
}

void Bounds::learn(const Candidate& candidate, std::span<const std::uint64_t> bits,
                   const PartBounds& found) {
  const auto m = static_cast<std::size_t>(sample_->n_columns());
  const auto v1 = static_cast<double>(found.ones) - slack_,
             v0 = static_cast<double>(found.zeros) - slack_;
  if (candidate.is_single()) {
    const auto f = static_cast<std::size_t>(candidate.joined.first);
    ones_[f] = std::max(ones_[f], static_cast<double>(found.ones));
    zeros_[f] = std::max(zeros_[f], static_cast<double>(found.zeros));
  }
  if (!similar_) return;
  if (joins_) settled_.push_back({{bits.begin(), bits.end()}, found});
  if (candidate.is_single()) {
    const auto overlaps = two_->overlaps(candidate.joined.first);
    const double inside = inside_[static_cast<std::size_t>(candidate.joined.first)];
    for (std::size_t j = 0; j < m; ++j) {
      const double both = overlaps[j], theirs = inside_[j];
      ones_[j] =
          std::max({ones_[j], v1 - (inside - both), v0 - (loss_ - inside - (theirs - both))});
      zeros_[j] = std::max({zeros_[j], v0 - (theirs - both), v1 - both});
    }
  } else {
    for (std::size_t j = 0; j < m; ++j) {
      const auto column = sample_->bits(static_cast<std::int32_t>(j));
      ones_[j] = std::max(ones_[j], static_cast<double>(raised(settled_.back(), column, true)));
      zeros_[j] = std::max(zeros_[j], static_cast<double>(raised(settled_.back(), column, false)));
    }
  }
}

}  // namespace treewright::search
