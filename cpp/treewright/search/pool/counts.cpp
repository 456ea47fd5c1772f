#include "treewright/search/pool/counts.hpp"

#include <algorithm>
#include <numeric>

#include "treewright/base/popcount.hpp"

namespace treewright::search {

namespace {

constexpr std::size_t most_groups = 0x7FFF / group_rows;  // whose counts fit in 16 bits

std::size_t n_digits(std::span<const std::uint32_t> amounts) {
  std::uint32_t used = 0;
  for (const std::uint32_t amount : amounts) used |= amount;
  return static_cast<std::size_t>(popcount(used));
}

constexpr std::size_t n_blocks_of(std::size_t n_columns) {
  return (n_columns + block_columns - 1) / block_columns;
}

}  // namespace

PoolCounts::PoolCounts(const Pool& pool)
    : kernel_(*find_kernel("auto")),
      n_blocks_(n_blocks_of(pool.n_tests)),
      n_outputs_(pool.n_outputs),
      left_over_(pool.n_outputs) {
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

  struct Source {
    std::size_t output;
    std::uint32_t digit;
  };
  std::vector<Source> sources;
  for (std::size_t k = 0; k < n_outputs_; ++k) {
    std::uint32_t used = 0;
    for (const std::uint32_t amount : outputs[k]) used |= amount;
    for (std::uint32_t digit = 0; digit < 32; ++digit) {
      if ((used >> digit & 1U) == 0) continue;
      sources.push_back({k, digit});
      digits_.push_back({k, static_cast<double>(1U << digit)});
    }
  }
  const std::size_t stride = n_blocks_ + n_blocks_of(digits_.size());
  rows_.rows.resize(pool.n_rows);
  std::iota(rows_.rows.begin(), rows_.rows.end(), 0);
  rows_.stride = static_cast<std::int32_t>(stride);
  rows_.by_row.assign((pool.n_rows + 1) * stride, 0);
  const auto set_bit = [&](std::size_t row, std::size_t block, std::size_t place) {
    rows_.by_row[row * stride + block] |= 1U << bit_of(static_cast<std::int32_t>(place));
  };
  const std::size_t n_bytes = pool.n_tests == 0 ? 0 : pool.bits.size() / pool.n_tests;
  for (std::size_t t = 0; t < pool.n_tests; ++t) {
    const auto bits = pool.bits.subspan(t * n_bytes, n_bytes);
    std::vector<std::int32_t> met, failed;
    for (std::size_t row = 0; row < pool.n_rows; ++row) {
      const bool is_met = (bits[row / 8] >> (row % 8) & 1) != 0;
      (is_met ? met : failed).push_back(static_cast<std::int32_t>(row));
      if (is_met) set_bit(row, t / block_columns, t % block_columns);
    }
    is_met_.push_back(met.size() <= failed.size());
    fewer_.push_back(std::move(is_met_.back() ? met : failed));
  }
  for (std::size_t d = 0; d < sources.size(); ++d) {
    const std::vector<std::uint32_t>& output = outputs[sources[d].output];
    for (std::size_t row = 0; row < pool.n_rows; ++row) {
      if ((output[row] >> sources[d].digit & 1U) != 0)
        set_bit(row, n_blocks_ + d / block_columns, d % block_columns);
    }
  }
}

void PoolCounts::take_all(Part& out) const { take(rows_.rows, out); }

bool PoolCounts::take_fewer(std::size_t test, Part& out) const {
  take(fewer_[test], out);
  return is_met_[test];
}

void PoolCounts::take(std::span<const std::int32_t> rows, Part& out) const {
  out.tile.fill(kernel_, rows_, rows, false);
  const auto n_groups = static_cast<std::size_t>(out.tile.n_groups);
  out.digits.resize(digits_.size() * n_groups);
  for (std::size_t d = 0; d < digits_.size(); ++d) {
    const std::uint16_t* block =
        out.tile.block(static_cast<std::int32_t>(n_blocks_ + d / block_columns));
    for (std::size_t g = 0; g < n_groups; ++g)
      out.digits[d * n_groups + g] = block[g * block_columns + d % block_columns];
  }
}

void PoolCounts::count(Part& part, std::size_t first, std::vector<double>& out) const {
  part.met.assign(static_cast<std::size_t>(part.tile.n_groups), std::uint16_t{0xFFFF});
  count_met(part, first, out);
}

void PoolCounts::count(Part& part, std::size_t test, std::size_t first,
                       std::vector<double>& out) const {
  const auto n_groups = static_cast<std::size_t>(part.tile.n_groups);
  const std::uint16_t* block = part.tile.block(static_cast<std::int32_t>(test / block_columns));
  part.met.resize(n_groups);
  for (std::size_t g = 0; g < n_groups; ++g)
    part.met[g] = block[g * block_columns + test % block_columns];
  count_met(part, first, out);
}

void PoolCounts::count_met(Part& part, std::size_t first, std::vector<double>& out) const {
  const auto n_groups = static_cast<std::size_t>(part.tile.n_groups);
  const std::size_t first_block = first / block_columns;
  out.resize(n_outputs_ * n_padded());
  for (std::size_t k = 0; k < n_outputs_; ++k)
    std::fill_n(out.data() + k * n_padded() + first_block * block_columns,
                n_padded() - first_block * block_columns, 0.0);
  part.counted.resize(n_groups);
  alignas(64) std::int16_t counts[block_columns];
  for (std::size_t d = 0; d < digits_.size(); ++d) {
    const std::uint16_t* digit = part.digits.data() + d * n_groups;
    for (std::size_t g = 0; g < n_groups; ++g)
      part.counted[g] = static_cast<std::uint16_t>(part.met[g] & digit[g]);
    double* sums = out.data() + digits_[d].counted * n_padded();
    for (std::size_t b = first_block; b < n_blocks_; ++b) {
      const std::uint16_t* block = part.tile.block(static_cast<std::int32_t>(b));
      for (std::size_t g = 0; g < n_groups; g += most_groups) {
        const std::size_t some = std::min(most_groups, n_groups - g);
        kernel_.count(part.counted.data() + g, block + g * block_columns,
                      static_cast<std::int32_t>(some), counts);
        for (std::size_t c = 0; c < block_columns; ++c)
          sums[b * block_columns + c] += digits_[d].worth * counts[c];
      }
    }
  }
  if (left_over_ == n_outputs_) return;
  double* rest = out.data() + left_over_ * n_padded();
  for (std::size_t k = 0; k < n_outputs_; ++k) {
    if (k == left_over_) continue;
    const double* other = out.data() + k * n_padded();
    for (std::size_t t = first_block * block_columns; t < n_padded(); ++t) rest[t] -= other[t];
  }
}

}  // namespace treewright::search
