#include "treewright/search/pool/counts.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace treewright::search {

namespace {

constexpr std::size_t block_size = block_columns;
constexpr std::size_t group_size = group_rows;
constexpr std::size_t most_groups = 0x7FFF / group_size;  // whose counts fit in 16 bits

std::size_t n_digits(std::span<const std::uint32_t> amounts) {
  std::uint32_t used = 0;
  for (const std::uint32_t amount : amounts) used |= amount;
  return static_cast<std::size_t>(std::popcount(used));
}

}  // namespace

PoolCounts::PoolCounts(const Pool& pool)
    : kernel_(*find_kernel("auto")),
      n_tests_(pool.n_tests),
      n_padded_((pool.n_tests + block_size - 1) / block_size * block_size),
      n_groups_((pool.n_rows + group_size - 1) / group_size),
      n_outputs_(pool.n_outputs),
      tile_(n_padded_ * n_groups_, std::uint16_t{0}),
      left_over_(pool.n_outputs) {
  const std::size_t n_bytes = n_tests_ == 0 ? 0 : pool.bits.size() / n_tests_;
  for (std::size_t t = 0; t < n_tests_; ++t) {
    const auto bits = pool.bits.subspan(t * n_bytes, n_bytes);
    Words words(n_groups_, std::uint16_t{0});
    for (std::size_t row = 0; row < pool.n_rows; ++row) {
      const auto bit = static_cast<std::uint32_t>((bits[row / 8] >> (row % 8)) & 1U);
      words[row / group_size] |= static_cast<std::uint16_t>(bit << (row % group_size));
    }
    for (std::size_t g = 0; g < n_groups_; ++g)
      tile_[(t / block_size * n_groups_ + g) * block_size + t % block_size] = words[g];
    tests_.push_back(std::move(words));
  }

  std::vector<std::vector<std::uint32_t>> outputs(n_outputs_,
                                                  std::vector<std::uint32_t>(pool.n_rows));
  for (std::size_t row = 0; row < pool.n_rows; ++row) {
    for (std::size_t k = 0; k < n_outputs_; ++k)
      outputs[k][row] = pool.amounts[row * n_outputs_ + k];
  }
  for (const auto& output : outputs)
    total_.push_back(std::accumulate(output.begin(), output.end(), 0.0));
  if (pool.is_classification()) {
    std::vector<std::uint32_t> weight(pool.n_rows, 0);
    for (const auto& output : outputs) {
      for (std::size_t row = 0; row < pool.n_rows; ++row) weight[row] += output[row];
    }
    const auto longest =
        std::max_element(outputs.begin(), outputs.end(),
                         [](const auto& a, const auto& b) { return n_digits(a) < n_digits(b); });
    if (n_digits(weight) < n_digits(*longest)) {
      left_over_ = static_cast<std::size_t>(longest - outputs.begin());
      *longest = std::move(weight);
    }
  }
  for (std::size_t k = 0; k < n_outputs_; ++k) {
    for (std::uint32_t digit = 0; digit < 32; ++digit) {
      Words words(n_groups_, std::uint16_t{0});
      bool is_used = false;
      for (std::size_t row = 0; row < pool.n_rows; ++row) {
        const std::uint32_t bit = (outputs[k][row] >> digit) & 1U;
        words[row / group_size] |= static_cast<std::uint16_t>(bit << (row % group_size));
        is_used = is_used || bit != 0;
      }
      if (is_used) digits_.push_back({k, static_cast<double>(1U << digit), std::move(words)});
    }
  }
}

PoolCounts::Words PoolCounts::all_rows() const { return Words(n_groups_, std::uint16_t{0xFFFF}); }

void PoolCounts::meet(const Words& rows, std::size_t test, Words& out) const {
  out.resize(n_groups_);
  const Words& words = tests_[test];
  for (std::size_t g = 0; g < n_groups_; ++g)
    out[g] = static_cast<std::uint16_t>(rows[g] & words[g]);
}

void PoolCounts::count(const Words& rows, std::size_t first, std::vector<double>& out,
                       Words& scratch) const {
  out.assign(n_outputs_ * n_padded_, 0.0);
  scratch.resize(n_groups_);
  alignas(64) std::int16_t counts[block_size];
  for (const Digit& digit : digits_) {
    for (std::size_t g = 0; g < n_groups_; ++g)
      scratch[g] = static_cast<std::uint16_t>(rows[g] & digit.rows[g]);
    double* sums = out.data() + digit.counted * n_padded_;
    for (std::size_t b = first / block_size; b < n_padded_ / block_size; ++b) {
      const std::uint16_t* block = tile_.data() + b * n_groups_ * block_size;
      for (std::size_t g = 0; g < n_groups_; g += most_groups) {
        const std::size_t some = std::min(most_groups, n_groups_ - g);
        kernel_.count(scratch.data() + g, block + g * block_size, static_cast<std::int32_t>(some),
                      counts);
        for (std::size_t c = 0; c < block_size; ++c)
          sums[b * block_size + c] += digit.worth * counts[c];
      }
    }
  }
  if (left_over_ == n_outputs_) return;
  double* rest = out.data() + left_over_ * n_padded_;
  for (std::size_t k = 0; k < n_outputs_; ++k) {
    if (k == left_over_) continue;
    const double* other = out.data() + k * n_padded_;
    for (std::size_t t = first / block_size * block_size; t < n_padded_; ++t) rest[t] -= other[t];
  }
}

}  // namespace treewright::search
