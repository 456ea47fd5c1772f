// The kernel for x86 processors with AVX-512 that cannot count bits in it: 32 columns in a vector,
// bits counted by a table of half bytes. Compiled for these.
#include "treewright/search/kernel/kernel.hpp"

#ifdef __AVX512BW__
#include <cstddef>

#include "treewright/search/kernel/avx512_lanes.hpp"
#include "treewright/search/kernel/half_bytes.hpp"

namespace treewright::search {
namespace {

struct Avx512Bw : Avx512Lanes {
  static __m512i ones_in_half_bytes() {
    return _mm512_maskz_broadcast_i32x4(
        0xFFFF, _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
  }

  static constexpr std::int32_t spread_columns = 2;
  static constexpr std::int32_t spread_words = 2 * judged_columns;
  static void spread(const std::uint16_t* mine, std::int32_t n_groups, std::uint32_t* out) {
    spread_half_bytes(mine, n_groups, out);
  }
  template <int rows>
  static void count_spread(const std::uint32_t* mine, const std::uint16_t* theirs,
                           std::int32_t n_groups, Lanes* sums) {
    const __m512i table = ones_in_half_bytes();
    for (int r = 0; r < rows; ++r) sums[r] = _mm512_setzero_si512();
    while (n_groups > 0) {
      __m512i bytes[rows];  // each grows by at most 8 a group
      for (int r = 0; r < rows; ++r) bytes[r] = _mm512_setzero_si512();
      std::int32_t g = n_groups < 31 ? n_groups : 31;
      n_groups -= g;
      for (; g > 0; --g, mine += spread_words, theirs += block_columns) {
        const __m512i words = _mm512_loadu_si512(theirs), shifted = _mm512_srli_epi16(words, 4);
        for (int r = 0; r < rows; ++r) {
          const __m512i low =
              _mm512_and_si512(words, _mm512_set1_epi32(static_cast<std::int32_t>(mine[r])));
          const __m512i high = _mm512_and_si512(
              shifted, _mm512_set1_epi32(static_cast<std::int32_t>(mine[judged_columns + r])));
          bytes[r] = _mm512_add_epi8(bytes[r], _mm512_add_epi8(_mm512_shuffle_epi8(table, low),
                                                               _mm512_shuffle_epi8(table, high)));
        }
      }
      for (int r = 0; r < rows; ++r) {
        sums[r] = _mm512_add_epi16(sums[r], _mm512_maddubs_epi16(bytes[r], _mm512_set1_epi8(1)));
      }
    }
  }

  static void count(const std::uint16_t* rows, const std::uint16_t* block, std::int32_t n_groups,
                    std::int16_t* out) {
    const __m512i table = ones_in_half_bytes(), low = _mm512_set1_epi8(0x0F);
    __m512i sums = _mm512_setzero_si512();
    while (n_groups > 0) {
      __m512i bytes = _mm512_setzero_si512();
      std::int32_t g = n_groups < 31 ? n_groups : 31;
      n_groups -= g;
      for (; g > 0; --g, ++rows, block += block_columns) {
        const __m512i wanted = _mm512_set1_epi16(static_cast<std::int16_t>(*rows));
        const __m512i both = _mm512_and_si512(wanted, _mm512_loadu_si512(block));
        const __m512i high = _mm512_and_si512(_mm512_srli_epi16(both, 4), low);
        bytes = _mm512_add_epi8(
            bytes, _mm512_add_epi8(_mm512_shuffle_epi8(table, _mm512_and_si512(both, low)),
                                   _mm512_shuffle_epi8(table, high)));
      }
      sums = _mm512_add_epi16(sums, _mm512_maddubs_epi16(bytes, _mm512_set1_epi8(1)));
    }
    store(out, sums);
  }
};

constexpr Kernel kernel = kernel_of<Avx512Bw>("avx512bw");

}  // namespace

const Kernel* avx512bw_kernel() {
  const bool here = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
  return here ? &kernel : nullptr;
}

}  // namespace treewright::search

#else

namespace treewright::search {
const Kernel* avx512bw_kernel() { return nullptr; }
}  // namespace treewright::search

#endif
