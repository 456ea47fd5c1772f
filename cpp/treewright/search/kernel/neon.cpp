// The kernel for ARM processors with NEON: eight columns in a vector.
#include "treewright/search/kernel/kernel.hpp"

#ifdef __ARM_NEON
#include <arm_neon.h>

#include <cstddef>

#include "treewright/search/kernel/body.hpp"

namespace treewright::search {
namespace {

struct Neon {
  using Lanes = int16x8_t;
  static constexpr std::int32_t width = 8;

  static Lanes load(const std::int16_t* from) { return vld1q_s16(from); }
  static void store(std::int16_t* to, Lanes lanes) { vst1q_s16(to, lanes); }
  static Lanes fill(std::int16_t value) { return vdupq_n_s16(value); }
  static Lanes add(Lanes a, Lanes b) { return vaddq_s16(a, b); }
  static Lanes subtract(Lanes a, Lanes b) { return vsubq_s16(a, b); }
  static Lanes larger(Lanes a, Lanes b) { return vmaxq_s16(a, b); }
  static Lanes smaller(Lanes a, Lanes b) { return vminq_s16(a, b); }
  static Lanes unless_less(Lanes a, Lanes limit, Lanes value) {
    return vbslq_s16(vcltq_s16(a, limit), fill(worthless), value);
  }
  static std::int16_t largest_lane(Lanes lanes) { return vmaxvq_s16(lanes); }

  static Lanes absolute(Lanes a) { return vabsq_s16(a); }

  template <int rows, int n>
  static void count_some(const std::uint16_t* mine, const std::uint16_t* theirs,
                         std::int32_t n_groups, Lanes (*out)[n]) {
    uint16x8_t sums[rows][n];
    for (int r = 0; r < rows; ++r) {
      for (int q = 0; q < n; ++q) sums[r][q] = vdupq_n_u16(0);
    }
    while (n_groups > 0) {
      uint8x16_t bytes[rows][n];  // each grows by at most 8 a group
      for (int r = 0; r < rows; ++r) {
        for (int q = 0; q < n; ++q) bytes[r][q] = vdupq_n_u8(0);
      }
      std::int32_t g = n_groups < 31 ? n_groups : 31;
      n_groups -= g;
      for (; g > 0; --g, mine += block_columns, theirs += block_columns) {
        uint16x8_t words[n];
        for (int q = 0; q < n; ++q) words[q] = vld1q_u16(theirs + 8 * q);
        for (int r = 0; r < rows; ++r) {
          const uint16x8_t wanted = vld1q_dup_u16(mine + r);
          for (int q = 0; q < n; ++q) {
            const uint8x16_t both = vreinterpretq_u8_u16(vandq_u16(wanted, words[q]));
            bytes[r][q] = vaddq_u8(bytes[r][q], vcntq_u8(both));
          }
        }
      }
      for (int r = 0; r < rows; ++r) {
        for (int q = 0; q < n; ++q) sums[r][q] = vpadalq_u8(sums[r][q], bytes[r][q]);
      }
    }
    for (int r = 0; r < rows; ++r) {
      for (int q = 0; q < n; ++q) out[r][q] = vreinterpretq_s16_u16(sums[r][q]);
    }
  }

  // How many more rows of the first class than of the second pass both tests.
  template <int rows>
  static void count_small(const std::uint16_t* mine, const std::uint16_t* theirs,
                          std::int32_t n_first, std::int32_t n_groups, Lanes* out) {
    int8x16_t bytes[rows];
    for (int r = 0; r < rows; ++r) bytes[r] = vdupq_n_s8(0);
    const auto both = [&](int r, uint16x8_t words) {
      const uint16x8_t shared = vandq_u16(vld1q_dup_u16(mine + r), words);
      return vreinterpretq_s8_u8(vcntq_u8(vreinterpretq_u8_u16(shared)));
    };
    std::int32_t g = 0;
    for (; g < n_first; ++g, mine += block_columns, theirs += block_columns) {
      const uint16x8_t words = vld1q_u16(theirs);
      for (int r = 0; r < rows; ++r) bytes[r] = vaddq_s8(bytes[r], both(r, words));
    }
    for (; g < n_groups; ++g, mine += block_columns, theirs += block_columns) {
      const uint16x8_t words = vld1q_u16(theirs);
      for (int r = 0; r < rows; ++r) bytes[r] = vsubq_s8(bytes[r], both(r, words));
    }
    for (int r = 0; r < rows; ++r) out[r] = vpaddlq_s8(bytes[r]);
  }

  static void count(const std::uint16_t* rows, const std::uint16_t* block, std::int32_t n_groups,
                    std::int16_t* out) {
    uint16x8_t sums[4] = {vdupq_n_u16(0), vdupq_n_u16(0), vdupq_n_u16(0), vdupq_n_u16(0)};
    while (n_groups > 0) {
      uint8x16_t bytes[4] = {vdupq_n_u8(0), vdupq_n_u8(0), vdupq_n_u8(0), vdupq_n_u8(0)};
      std::int32_t g = n_groups < 31 ? n_groups : 31;
      n_groups -= g;
      for (; g > 0; --g, ++rows, block += block_columns) {
        const uint16x8_t wanted = vld1q_dup_u16(rows);
        for (int q = 0; q < 4; ++q) {
          const uint16x8_t both = vandq_u16(wanted, vld1q_u16(block + 8 * q));
          bytes[q] = vaddq_u8(bytes[q], vcntq_u8(vreinterpretq_u8_u16(both)));
        }
      }
      for (int q = 0; q < 4; ++q) sums[q] = vpadalq_u8(sums[q], bytes[q]);
    }
    for (int q = 0; q < 4; ++q) store(out + 8 * q, vreinterpretq_s16_u16(sums[q]));
  }
};

constexpr Kernel kernel = kernel_of<Neon>("neon");

}  // namespace

const Kernel* neon_kernel() { return &kernel; }

}  // namespace treewright::search

#else

namespace treewright::search {
const Kernel* neon_kernel() { return nullptr; }
}  // namespace treewright::search

#endif
