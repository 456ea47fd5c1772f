// Thirty-two columns in a vector, for the kernels of x86 processors with AVX-512. As body.hpp it is
// for files compiled for one instruction set only.
#pragma once

#include <immintrin.h>

#include "treewright/search/kernel/body.hpp"

namespace treewright::search {
namespace {

struct Avx512Lanes {
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
  static std::size_t compare(const CompareJob& job) {
    std::size_t j = 0;
    for (; j + 8 <= job.n_columns; j += 8) {
      const __m512d one = _mm512_loadu_pd(job.first + j), other = _mm512_loadu_pd(job.second + j);
      __m512i ones = _mm512_setzero_si512(), others = ones;
      for (std::size_t k = 0; k < CompareJob::n_rows; ++k) {
        const __m512i bit = _mm512_set1_epi64(1LL << k);
        const __m512d values =
            _mm512_loadu_pd(job.rows + static_cast<std::ptrdiff_t>(k) * job.stride + j);
        ones = _mm512_mask_or_epi64(ones, _mm512_cmp_pd_mask(values, one, _CMP_EQ_OQ), ones, bit);
        others = _mm512_mask_or_epi64(others, _mm512_cmp_pd_mask(values, other, _CMP_EQ_OQ), others,
                                      bit);
      }
      _mm512_storeu_si512(job.as_first + j, ones);
      _mm512_storeu_si512(job.as_second + j, others);
    }
    return j;
  }
  static Lanes absolute(Lanes a) { return _mm512_abs_epi16(a); }
  static std::int16_t largest_lane(Lanes lanes) {
    // With a mask, as GCC 12 warns of what is undefined in its own headers without one.
    const __m256i halves = _mm256_max_epi16(_mm512_maskz_extracti64x4_epi64(0xF, lanes, 0),
                                            _mm512_maskz_extracti64x4_epi64(0xF, lanes, 1));
    const __m128i half =
        _mm_max_epi16(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1));
    // The least of unsigned numbers can be had at once: turned so, it is the largest.
    const __m128i turned = _mm_xor_si128(half, _mm_set1_epi16(0x7FFF));
    return static_cast<std::int16_t>(_mm_cvtsi128_si32(_mm_minpos_epu16(turned)) ^ 0x7FFF);
  }
  // Raises each of eight numbers to the largest lane of its vector, all at once.
  static void raise_by_largest(const Lanes (&lanes)[judged_columns], std::int16_t* to) {
    static_assert(judged_columns == 8, "Eight numbers are halved three times.");
    const Lanes low = of_four(of_two(lanes[0], lanes[1]), of_two(lanes[2], lanes[3]));
    const Lanes high = of_four(of_two(lanes[4], lanes[5]), of_two(lanes[6], lanes[7]));
    const Lanes all = _mm512_packs_epi32(of_pairs(low), of_pairs(high));
    const __m256i half = _mm256_max_epi16(_mm512_maskz_extracti64x4_epi64(0xF, all, 0),
                                          _mm512_maskz_extracti64x4_epi64(0xF, all, 1));
    const __m128i largest =
        _mm_max_epi16(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    auto* const out = reinterpret_cast<__m128i*>(to);
    _mm_storeu_si128(out, _mm_max_epi16(_mm_loadu_si128(out), largest));
  }

 private:
  // In each quarter of a vector: four numbers of one and four of the other,
  static Lanes of_two(Lanes a, Lanes b) {
    return _mm512_max_epi16(_mm512_maskz_unpacklo_epi64(0xFF, a, b),
                            _mm512_maskz_unpackhi_epi64(0xFF, a, b));
  }
  // two of each,
  static Lanes of_four(Lanes ab, Lanes cd) {
    const __m512 a = _mm512_castsi512_ps(ab), c = _mm512_castsi512_ps(cd);
    return _mm512_max_epi16(_mm512_castps_si512(_mm512_maskz_shuffle_ps(0xFFFF, a, c, 0x88)),
                            _mm512_castps_si512(_mm512_maskz_shuffle_ps(0xFFFF, a, c, 0xDD)));
  }
  // and the larger of these, in 32 bits.
  static Lanes of_pairs(Lanes pairs) {
    const Lanes upper = _mm512_maskz_srai_epi32(0xFFFF, pairs, 16);
    const Lanes lower =
        _mm512_maskz_srai_epi32(0xFFFF, _mm512_maskz_slli_epi32(0xFFFF, pairs, 16), 16);
    return _mm512_maskz_max_epi32(0xFFFF, upper, lower);
  }
};

}  // namespace
}  // namespace treewright::search
