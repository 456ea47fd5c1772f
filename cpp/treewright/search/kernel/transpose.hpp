// Squares of bits turned on their side, in words of any width.
#pragma once

namespace treewright::search {
namespace {

// Transposes the 16 x 16 squares of bits side by side in 16 words: bit j of a square of word i goes
// to bit i of word j.
template <class Word>
inline void transpose(Word* x) {
  constexpr Word ones = static_cast<Word>(~Word{0});
  const auto swap = [x](int i, int j, int shift, Word mask) {
    const Word moved = ((x[i] >> shift) ^ x[j]) & mask;
    x[j] ^= moved;
    x[i] ^= moved << shift;
  };
  for (int i = 0; i < 8; ++i) swap(i, i + 8, 8, ones / 0xFFFF * 0x00FF);
  for (int half = 0; half < 16; half += 8) {
    for (int i = half; i < half + 4; ++i) swap(i, i + 4, 4, ones / 0xFF * 0x0F);
  }
  for (int quarter = 0; quarter < 16; quarter += 4) {
    for (int i = quarter; i < quarter + 2; ++i) swap(i, i + 2, 2, ones / 0xF * 0x3);
  }
  for (int i = 0; i < 16; i += 2) swap(i, i + 1, 1, ones / 0x3);
}

}  // namespace
}  // namespace treewright::search
