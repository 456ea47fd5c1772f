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
