#include "treewright/search/depth_two/depth_two.hpp"

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
  stump_ones_.resize(m);
  stump_zeros_.resize(m);
  all_rows_.resize(static_cast<std::size_t>(sample.n_rows()));
  std::iota(all_rows_.begin(), all_rows_.end(), 0);
  count(keep);
}

void DepthTwo::fill_rest(std::span<const std::int32_t> part) {
  std::vector<std::int32_t> rest;
  std::ranges::set_difference(all_rows_, part, std::back_inserter(rest));
  rest_tile_.fill(*context_.kernel, *sample_, rest, true);
}

}  // namespace treewright::search
