// The kernel for x86 processors with AVX-512 and its bit counting (BITALG): 32 columns in a vector.
// Compiled for these.
#include "treewright/search/kernel/kernel.hpp"

#ifdef __AVX512BITALG__
#include <cstddef>

#include "treewright/search/kernel/avx512_lanes.hpp"

namespace treewright::search {
namespace {

struct Avx512 : Avx512Lanes {
  // Each word stands twice in 32 bits: a word of 32 bits goes to all lanes as it is loaded, one of
  // 16 bits takes the place of a count.
  static constexpr std::int32_t spread_columns = judged_columns;
  static constexpr std::int32_t spread_words = judged_columns;
  static void spread(const std::uint16_t* mine, std::int32_t n_groups, std::uint32_t* out) {
    for (; n_groups > 0; --n_groups, mine += block_columns, out += spread_words) {
      for (int r = 0; r < judged_columns; ++r) out[r] = mine[r] * 0x10001U;
    }
  }
  template <int rows>
  static void count_spread(const std::uint32_t* mine, const std::uint16_t* theirs,
                           std::int32_t n_groups, Lanes* sums) {
    for (int r = 0; r < rows; ++r) sums[r] = _mm512_setzero_si512();
    for (; n_groups > 0; --n_groups, mine += spread_words, theirs += block_columns) {
      const __m512i words = _mm512_loadu_si512(theirs);
      for (int r = 0; r < rows; ++r) {
        const __m512i wanted = _mm512_set1_epi32(static_cast<std::int32_t>(mine[r]));
        sums[r] = _mm512_add_epi16(sums[r], _mm512_popcnt_epi16(_mm512_and_si512(wanted, words)));
      }
    }
  }

  static void count(const std::uint16_t* rows, const std::uint16_t* block, std::int32_t n_groups,
                    std::int16_t* out) {
    __m512i sum = _mm512_setzero_si512();
    for (; n_groups > 0; --n_groups, ++rows, block += block_columns) {
      const __m512i wanted = _mm512_set1_epi16(static_cast<std::int16_t>(*rows));
      sum = _mm512_add_epi16(
          sum, _mm512_popcnt_epi16(_mm512_and_si512(wanted, _mm512_loadu_si512(block))));
    }
    store(out, sum);
  }
};

constexpr Kernel kernel{"avx512", Avx512::count, Judge<Avx512>::judge,
                        JudgeDifferences<Avx512>::judge};

}  // namespace

const Kernel* avx512_kernel() {
  const bool here = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512bitalg");
  return here ? &kernel : nullptr;
}

}  // namespace treewright::search

#else

namespace treewright::search {
const Kernel* avx512_kernel() { return nullptr; }
}  // namespace treewright::search

#endif
