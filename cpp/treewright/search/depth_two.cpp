#include "treewright/search/depth_two.hpp"

#include <iterator>
#include <numeric>

namespace treewright::search {

void DepthTwo::begin(const Sample& sample, std::int32_t level, bool keep) {
  sample_ = &sample;
  level_ = level;
  n_padded_ = static_cast<std::size_t>(sample.n_blocks) * block_columns;
  const auto m = static_cast<std::size_t>(sample.n_columns());
  below_.resize(m);
  leaf_ones_.resize(m);
  leaf_zeros_.resize(m);
  all_rows_.resize(static_cast<std::size_t>(sample.n_rows()));
  std::iota(all_rows_.begin(), all_rows_.end(), 0);
  count(keep);
}

void DepthTwo::fill_tile() {
  tile_.fill(*sample_, all_rows_, true);
  if (level_ >= context_.options.alpha) return;
  present_.assign(static_cast<std::size_t>(tile_.n_groups), 0);
  for (std::size_t k = 0; k < tile_.padded.size(); ++k) {
    const unsigned present = tile_.padded[k] < sample_->n_rows() ? 1U : 0U;
    present_[k / group_rows] |= static_cast<std::uint16_t>(present << (k % group_rows));
  }
}

void DepthTwo::fill_mask(const Joined& joined) {
  mask_.resize(present_.size());
  const auto words = [&](std::int32_t column) {
    return tile_.block(column / block_columns) + column % block_columns;
  };
  const std::uint16_t* a = words(joined.first);
  const std::uint16_t* b = words(joined.second);
  for (std::size_t g = 0; g < mask_.size(); ++g) {
    mask_[g] = static_cast<std::uint16_t>(joined.pass(a[g * block_columns], b[g * block_columns]) &
                                          present_[g]);
  }
}

void DepthTwo::fill_rest(std::span<const std::int32_t> part) {
  std::vector<std::int32_t> rest;
  std::ranges::set_difference(all_rows_, part, std::back_inserter(rest));
  rest_tile_.fill(*sample_, rest, true);
}

}  // namespace treewright::search
