// The words of some columns as kernels that count half bytes want them. As body.hpp it is for files
// compiled for one instruction set only.
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "treewright/search/kernel/kernel.hpp"

namespace treewright::search {
namespace {

// For each group: the lower half bytes of judged_columns words, then the upper ones, each word
// twice in 32 bits, so that it goes to all lanes as it is loaded.
inline void spread_half_bytes(const std::uint16_t* mine, std::int32_t n_groups,
                              std::uint32_t* out) {
  static_assert(judged_columns == 8, "Eight words fill a vector.");
  const __m128i half = _mm_set1_epi8(0x0F);
  for (; n_groups > 0; --n_groups, mine += block_columns, out += 2 * judged_columns) {
    const __m128i words = _mm_loadu_si128(reinterpret_cast<const __m128i*>(mine));
    const __m128i low = _mm_and_si128(words, half);
    const __m128i high = _mm_and_si128(_mm_srli_epi16(words, 4), half);
    auto* to = reinterpret_cast<__m128i*>(out);
    _mm_storeu_si128(to, _mm_unpacklo_epi16(low, low));
    _mm_storeu_si128(to + 1, _mm_unpackhi_epi16(low, low));
    _mm_storeu_si128(to + 2, _mm_unpacklo_epi16(high, high));
    _mm_storeu_si128(to + 3, _mm_unpackhi_epi16(high, high));
  }
}

}  // namespace
}  // namespace treewright::search
