// What kernels do alike on processors that have no instructions for it.
#include <bit>
#include <cstring>

#include "treewright/base/popcount.hpp"
#include "treewright/search/kernel/kernel.hpp"
#include "treewright/search/kernel/transpose.hpp"

namespace treewright::search {

namespace {

// As many blocks at a time as fit in a word.
template <class Word>
void fill_blocks(const TileJob& job, std::int32_t first) {
  constexpr std::size_t n = sizeof(Word) / sizeof(std::uint32_t);
  const std::size_t block_size = static_cast<std::size_t>(job.n_groups) * block_columns;
  std::uint16_t* to = job.tile + static_cast<std::size_t>(first) * block_size;
  const std::uint32_t* from = job.by_row + first;
  const std::int32_t* row = job.rows;
  for (std::int32_t g = 0; g < job.n_groups; ++g, row += group_rows, to += block_columns) {
    Word x[group_rows];
    for (std::size_t r = 0; r < group_rows; ++r) {
      std::memcpy(&x[r], from + static_cast<std::size_t>(row[r]) * job.stride, sizeof(Word));
    }
    transpose(x);
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t r = 0; r < group_rows; ++r) {
        const auto two_columns = static_cast<std::uint32_t>(x[r] >> (32 * k));
        std::memcpy(to + k * block_size + 2 * r, &two_columns, sizeof two_columns);
      }
    }
  }
}

}  // namespace

void portable_fill(const TileJob& job) {
  std::int32_t b = 0;
  for (; b + 2 <= job.n_blocks; b += 2) fill_blocks<std::uint64_t>(job, b);
  if (b < job.n_blocks) fill_blocks<std::uint32_t>(job, b);
}

void portable_rows(const RowsJob& job) {
  for (std::int32_t first = 0; first < job.n_rows; first += 2 * group_rows) {  // side by side
    const std::int32_t word = first / 64, shift = first % 64;
    std::uint64_t x[group_rows];
    for (std::size_t r = 0; r < group_rows; ++r) {
      const std::uint64_t low = job.columns[2 * r][word] >> shift;
      const std::uint64_t high = job.columns[2 * r + 1][word] >> shift;
      x[r] = (low & 0xFFFF) | (high & 0xFFFF) << 16 | (low & 0xFFFF0000) << 16 |
             (high & 0xFFFF0000) << 32;
    }
    transpose(x);
    std::uint32_t* to = job.by_row + static_cast<std::size_t>(first) * job.stride;
    const std::int32_t left = job.n_rows - first;
    for (std::int32_t k = 0; k < (left < 2 * group_rows ? left : 2 * group_rows); ++k) {
      to[static_cast<std::size_t>(k) * job.stride] =
          static_cast<std::uint32_t>(x[k % group_rows] >> 32 * (k / group_rows));
    }
  }
}

void portable_columns(const ColumnsJob& job) {
  for (std::size_t j = 0; j < block_columns; ++j) {
    const std::uint16_t* column = job.block + j;
    const auto word = [&](std::int32_t group) {
      return static_cast<std::uint64_t>(column[static_cast<std::size_t>(group) * block_columns]);
    };
    std::uint64_t* to = job.words + j * job.n_words;
    std::int32_t g = 0;
    for (; g + 4 <= job.n_groups; g += 4, ++to) {
      *to = word(g) | word(g + 1) << 16 | word(g + 2) << 32 | word(g + 3) << 48;
      job.n_ones[j] += popcount(*to);
    }
    if (g == job.n_groups) continue;
    *to = 0;
    for (int shift = 0; g < job.n_groups; ++g, shift += 16) *to |= word(g) << shift;
    job.n_ones[j] += popcount(*to);
  }
}

void portable_list(const std::uint64_t* bits, std::int32_t n_bits, bool wanted, std::int32_t* out) {
  for (std::int32_t first = 0; first < n_bits; first += 64, ++bits) {
    std::uint64_t rest = wanted ? *bits : ~*bits;
    if (n_bits - first < 64) rest &= (std::uint64_t{1} << (n_bits - first)) - 1;
    for (; rest != 0; rest &= rest - 1) *out++ = first + std::countr_zero(rest);
  }
}

std::int32_t portable_count(const std::uint64_t* words, std::size_t n_words) {
  std::int32_t n = 0;
  for (std::size_t w = 0; w < n_words; ++w) n += popcount(words[w]);
  return n;
}

}  // namespace treewright::search
