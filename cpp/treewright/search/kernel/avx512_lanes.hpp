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
};

}  // namespace
}  // namespace treewright::search
