// The kernel for x86 processors with AVX2: sixteen columns in a vector. Compiled for AVX2.
#include "treewright/search/kernel/kernel.hpp"

#ifdef __AVX2__
#include <immintrin.h>

#include <cstddef>

#include "treewright/search/kernel/body.hpp"
#include "treewright/search/kernel/half_bytes.hpp"

namespace treewright::search {
namespace {

struct Avx2 {
  using Lanes = __m256i;
  static constexpr std::int32_t width = 16;

  static Lanes load(const std::int16_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }
  static void store(std::int16_t* to, Lanes lanes) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), lanes);
  }
  static Lanes fill(std::int16_t value) { return _mm256_set1_epi16(value); }
  static Lanes add(Lanes a, Lanes b) { return _mm256_add_epi16(a, b); }
  static Lanes subtract(Lanes a, Lanes b) { return _mm256_sub_epi16(a, b); }
  static Lanes larger(Lanes a, Lanes b) { return _mm256_max_epi16(a, b); }
  static Lanes smaller(Lanes a, Lanes b) { return _mm256_min_epi16(a, b); }
  static Lanes unless_less(Lanes a, Lanes limit, Lanes value) {
    return _mm256_blendv_epi8(value, fill(worthless), _mm256_cmpgt_epi16(limit, a));
  }
  static std::int16_t largest_lane(Lanes lanes) {
    const __m128i half =
        _mm_max_epi16(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
    // The least of unsigned numbers can be had at once: turned so, it is the largest.
    const __m128i turned = _mm_xor_si128(half, _mm_set1_epi16(0x7FFF));
    return static_cast<std::int16_t>(_mm_cvtsi128_si32(_mm_minpos_epu16(turned)) ^ 0x7FFF);
  }
  // Raises each of eight numbers to the largest lane of its vector, all at once.
  static void raise_by_largest(const Lanes (&lanes)[judged_columns], std::int16_t* to) {
    static_assert(judged_columns == 8, "Eight numbers are halved three times.");
    const Lanes low = of_four(of_two(lanes[0], lanes[1]), of_two(lanes[2], lanes[3]));
    const Lanes high = of_four(of_two(lanes[4], lanes[5]), of_two(lanes[6], lanes[7]));
    const Lanes all = _mm256_packs_epi32(of_pairs(low), of_pairs(high));
    const __m128i largest =
        _mm_max_epi16(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    auto* const out = reinterpret_cast<__m128i*>(to);
    _mm_storeu_si128(out, _mm_max_epi16(_mm_loadu_si128(out), largest));
  }
  // In each half of a vector: four numbers of one and four of the other,
  static Lanes of_two(Lanes a, Lanes b) {
    return _mm256_max_epi16(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
  }
  // two of each,
  static Lanes of_four(Lanes ab, Lanes cd) {
    const __m256 a = _mm256_castsi256_ps(ab), c = _mm256_castsi256_ps(cd);
    return _mm256_max_epi16(_mm256_castps_si256(_mm256_shuffle_ps(a, c, 0x88)),
                            _mm256_castps_si256(_mm256_shuffle_ps(a, c, 0xDD)));
  }
  // and the larger of these, in 32 bits.
  static Lanes of_pairs(Lanes pairs) {
    const Lanes upper = _mm256_srai_epi32(pairs, 16);
    const Lanes lower = _mm256_srai_epi32(_mm256_slli_epi32(pairs, 16), 16);
    return _mm256_max_epi32(upper, lower);
  }

  static Lanes absolute(Lanes a) { return _mm256_abs_epi16(a); }

  static __m256i ones_in_half_bytes() {
    return _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3,
                            1, 2, 2, 3, 2, 3, 3, 4);
  }
  // How many bits are set in each byte.
  static __m256i ones_in_bytes(__m256i bits) {
    const __m256i low = _mm256_set1_epi8(0x0F);
    const __m256i high = _mm256_and_si256(_mm256_srli_epi16(bits, 4), low);
    return _mm256_add_epi8(_mm256_shuffle_epi8(ones_in_half_bytes(), _mm256_and_si256(bits, low)),
                           _mm256_shuffle_epi8(ones_in_half_bytes(), high));
  }

  static constexpr std::int32_t spread_columns = 2;
  static constexpr std::int32_t spread_words = 2 * judged_columns;
  static void spread(const std::uint16_t* mine, std::int32_t n_groups, std::uint32_t* out) {
    spread_half_bytes(mine, n_groups, out);
  }
  template <int rows>
  static void count_spread(const std::uint32_t* mine, const std::uint16_t* theirs,
                           std::int32_t n_groups, Lanes* sums) {
    for (int r = 0; r < rows; ++r) sums[r] = _mm256_setzero_si256();
    while (n_groups > 0) {
      __m256i bytes[rows];  // each grows by at most 8 a group
      for (int r = 0; r < rows; ++r) bytes[r] = _mm256_setzero_si256();
      std::int32_t g = n_groups < 31 ? n_groups : 31;
      n_groups -= g;
      for (; g > 0; --g, mine += spread_words, theirs += block_columns) {
        const __m256i words = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(theirs));
        const __m256i shifted = _mm256_srli_epi16(words, 4);
        for (int r = 0; r < rows; ++r) {
          const __m256i low =
              _mm256_and_si256(words, _mm256_set1_epi32(static_cast<std::int32_t>(mine[r])));
          const __m256i high = _mm256_and_si256(
              shifted, _mm256_set1_epi32(static_cast<std::int32_t>(mine[judged_columns + r])));
          bytes[r] = _mm256_add_epi8(
              bytes[r], _mm256_add_epi8(_mm256_shuffle_epi8(ones_in_half_bytes(), low),
                                        _mm256_shuffle_epi8(ones_in_half_bytes(), high)));
        }
      }
      for (int r = 0; r < rows; ++r) {
        sums[r] = _mm256_add_epi16(sums[r], _mm256_maddubs_epi16(bytes[r], _mm256_set1_epi8(1)));
      }
    }
  }

  static std::size_t compare(const CompareJob& job) {
    std::size_t j = 0;
    for (; j + 4 <= job.n_columns; j += 4) {
      const __m256d one = _mm256_loadu_pd(job.first + j), other = _mm256_loadu_pd(job.second + j);
      __m256d ones = _mm256_setzero_pd(), others = ones;
      for (std::size_t k = 0; k < CompareJob::n_rows; ++k) {
        const __m256d bit = _mm256_castsi256_pd(_mm256_set1_epi64x(1LL << k));
        const __m256d values =
            _mm256_loadu_pd(job.rows + static_cast<std::ptrdiff_t>(k) * job.stride + j);
        ones = _mm256_or_pd(ones, _mm256_and_pd(_mm256_cmp_pd(values, one, _CMP_EQ_OQ), bit));
        others = _mm256_or_pd(others, _mm256_and_pd(_mm256_cmp_pd(values, other, _CMP_EQ_OQ), bit));
      }
      _mm256_storeu_pd(reinterpret_cast<double*>(job.as_first + j), ones);
      _mm256_storeu_pd(reinterpret_cast<double*>(job.as_second + j), others);
    }
    return j;
  }

  static void count(const std::uint16_t* rows, const std::uint16_t* block, std::int32_t n_groups,
                    std::int16_t* out) {
    __m256i sums[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    while (n_groups > 0) {
      __m256i bytes[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
      std::int32_t g = n_groups < 31 ? n_groups : 31;
      n_groups -= g;
      for (; g > 0; --g, ++rows, block += block_columns) {
        const __m256i wanted = _mm256_set1_epi16(static_cast<std::int16_t>(*rows));
        for (int q = 0; q < 2; ++q) {
          const __m256i words =
              _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block + 16 * q));
          bytes[q] = _mm256_add_epi8(bytes[q], ones_in_bytes(_mm256_and_si256(wanted, words)));
        }
      }
      for (int q = 0; q < 2; ++q) {
        sums[q] = _mm256_add_epi16(sums[q], _mm256_maddubs_epi16(bytes[q], _mm256_set1_epi8(1)));
      }
    }
    for (int q = 0; q < 2; ++q) store(out + 16 * q, sums[q]);
  }
};

constexpr Kernel kernel = kernel_of<Avx2>("avx2");

}  // namespace

const Kernel* avx2_kernel() { return __builtin_cpu_supports("avx2") ? &kernel : nullptr; }

}  // namespace treewright::search

#else

namespace treewright::search {
const Kernel* avx2_kernel() { return nullptr; }
}  // namespace treewright::search

#endif
