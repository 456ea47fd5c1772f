// How many bits of a word are set. Where code is compiled for processors without an instruction for
// that, std::popcount is a call that looks up one byte after the other; this is sums of neighbours
// (Warren, Hacker's Delight, section 5-1).
#pragma once

#include <cstdint>

namespace treewright {

constexpr std::int32_t popcount(std::uint64_t x) {
  x -= (x >> 1) & 0x5555555555555555ULL;
  x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
  x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
  return static_cast<std::int32_t>((x * 0x0101010101010101ULL) >> 56);
}

}  // namespace treewright
