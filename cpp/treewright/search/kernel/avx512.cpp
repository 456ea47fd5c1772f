// The kernel for x86 processors with AVX-512 and its bit counting (BITALG): 32 columns in a vector.
// Compiled for these.
#include "treewright/search/kernel/kernel.hpp"

#ifdef __AVX512BITALG__
#include <immintrin.h>

#include <cstddef>

#include "treewright/search/kernel/body.hpp"

namespace treewright::search {
namespace {

struct Avx512 {
  using Lanes = __m512i;
  static constexpr std::int32_t width = 32;

  static Lanes load(const std::int16_t* from) { return _mm512_loadu_si512(from); }
  static void store(std::int16_t* to, Lanes lanes) { _mm512_storeu_si512(to, lanes); }
  static Lanes fill(std::int16_t value) { return _mm512_set1_epi16(value); }
  static Lanes add(Lanes a, Lanes b) { return _mm512_add_epi16(a, b); }
  static Lanes subtract(Lanes a, Lanes b) { return _mm512_sub_epi16(a, b); }
  static Lanes larger(Lanes a, Lanes b) { return _mm512_max_epi16(a, b); }
  static Lanes smaller(Lanes a, Lanes b) { return _mm512_min_epi16(a, b); }
  static Lanes unless_less(Lanes a, Lanes limit, Lanes value) {
    return _mm512_mask_mov_epi16(value, _mm512_cmplt_epi16_mask(a, limit), fill(worthless));
  }
  static std::int16_t largest_lane(Lanes lanes) {
    alignas(64) std::int16_t stored[width];
    store(stored, lanes);
    const __m256i halves =
        _mm256_max_epi16(_mm256_load_si256(reinterpret_cast<const __m256i*>(stored)),
                         _mm256_load_si256(reinterpret_cast<const __m256i*>(stored + 16)));
    __m128i half =
        _mm_max_epi16(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1));
    half = _mm_max_epi16(half, _mm_srli_si128(half, 8));
    half = _mm_max_epi16(half, _mm_srli_si128(half, 4));
    half = _mm_max_epi16(half, _mm_srli_si128(half, 2));
    return static_cast<std::int16_t>(_mm_extract_epi16(half, 0));
  }

  static Lanes absolute(Lanes a) { return _mm512_abs_epi16(a); }

  template <int rows, int n>
  static void count_some(const std::uint16_t* mine, const std::uint16_t* theirs,
                         std::int32_t n_groups, Lanes (*sums)[n]) {
    static_assert(n == 1, "A vector holds a whole block.");
    for (int r = 0; r < rows; ++r) sums[r][0] = _mm512_setzero_si512();
    for (; n_groups > 0; --n_groups, mine += block_columns, theirs += block_columns) {
      const __m512i words = _mm512_loadu_si512(theirs);
      for (int r = 0; r < rows; ++r) {
        const __m512i wanted = _mm512_set1_epi16(static_cast<std::int16_t>(mine[r]));
        sums[r][0] =
            _mm512_add_epi16(sums[r][0], _mm512_popcnt_epi16(_mm512_and_si512(wanted, words)));
      }
    }
  }
  // Words of so many columns, each twice in 32 bits: a word of 32 bits goes to all lanes as it is
  // loaded, one of 16 bits takes the place of a count.
  static constexpr std::int32_t spread_columns = judged_columns;
  template <int rows>
  static void spread(const std::uint16_t* mine, std::int32_t n_groups, std::uint32_t* out) {
    for (; n_groups > 0; --n_groups, mine += block_columns, out += rows) {
      for (int r = 0; r < rows; ++r) out[r] = mine[r] * 0x10001U;
    }
  }
  template <int rows>
  static void count_spread(const std::uint32_t* mine, const std::uint16_t* theirs,
                           std::int32_t n_groups, Lanes* sums) {
    for (int r = 0; r < rows; ++r) sums[r] = _mm512_setzero_si512();
    for (; n_groups > 0; --n_groups, mine += rows, theirs += block_columns) {
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
