// NumPy's SeedSequence and PCG64, number for number: what is random in a forest has been drawn by
// them from the first, and is drawn here without Python, a tree at a time.
//
// PCG64 is O'Neill's XSL-RR generator of 128 bits (2014); the seeds are mixed by O'Neill's
// seed_seq, as NumPy documents both. tests/estimators holds them against NumPy's own.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace treewright {

// Four words that hold what is in a seed and a key.
class SeedSequence {
 public:
  SeedSequence(std::uint64_t seed, std::uint64_t number, std::uint64_t purpose) {
    std::vector<std::uint32_t> words = words_of(seed);
    words.resize(pool_size, 0);
    for (const std::uint64_t part : {number, purpose}) {
      for (const std::uint32_t word : words_of(part)) words.push_back(word);
    }
    std::uint32_t factor = 0x43b0d7e5U;
    const auto hashed = [&factor](std::uint32_t value) {
      value ^= factor;
      factor *= 0x931e8875U;
      value *= factor;
      return value ^ (value >> 16);
    };
    const auto mix = [](std::uint32_t& to, std::uint32_t value) {
      to = 0xca01f9ddU * to - 0x4973f715U * value;
      to ^= to >> 16;
    };
    for (std::size_t i = 0; i < pool_size; ++i) pool_[i] = hashed(words[i]);
    for (std::size_t from = 0; from < pool_size; ++from) {
      for (std::size_t to = 0; to < pool_size; ++to) {
        if (from != to) mix(pool_[to], hashed(pool_[from]));
      }
    }
    for (std::size_t from = pool_size; from < words.size(); ++from) {
      for (std::uint32_t& to : pool_) mix(to, hashed(words[from]));
    }
  }

  template <std::size_t n>
  std::array<std::uint64_t, n> state() const {
    std::uint32_t factor = 0x8b51f9ddU;
    std::array<std::uint64_t, n> numbers{};
    for (std::size_t i = 0; i < 2 * n; ++i) {
      std::uint32_t word = pool_[i % pool_size] ^ factor;
      factor *= 0x58f38dedU;
      word *= factor;
      word ^= word >> 16;
      numbers[i / 2] |= std::uint64_t{word} << (i % 2 == 0 ? 0 : 32);
    }
    return numbers;
  }

 private:
  static constexpr std::size_t pool_size = 4;

  static std::vector<std::uint32_t> words_of(std::uint64_t number) {
    std::vector<std::uint32_t> words{static_cast<std::uint32_t>(number)};
    if (number >> 32 != 0) words.push_back(static_cast<std::uint32_t>(number >> 32));
    return words;
  }

  std::array<std::uint32_t, pool_size> pool_{};
};

class Pcg64 {
 public:
  explicit Pcg64(const SeedSequence& seeds) {
    const auto [high, low, other_high, other_low] = seeds.state<4>();
    step_ = {other_high << 1 | other_low >> 63, other_low << 1 | 1U};
    state_ = step_;
    state_ = state_ + Wide{high, low};
    advance();
  }

  // Evenly from [0, 1).
  double uniform() {
    advance();
    const std::uint64_t bits =
        std::rotr(state_.high ^ state_.low, static_cast<int>(state_.high >> 58));
    return static_cast<double>(bits >> 11) * 0x1p-53;
  }

 private:
  // 128 bits; compilers differ in what they offer.
  struct Wide {
    std::uint64_t high = 0, low = 0;

    Wide operator+(const Wide& other) const {
      const std::uint64_t sum = low + other.low;
      return {high + other.high + (sum < low ? 1U : 0U), sum};
    }
    Wide operator*(const Wide& other) const {
      constexpr std::uint64_t half = 0xffffffffU;
      const std::uint64_t a = low & half, b = low >> 32, c = other.low & half, d = other.low >> 32;
      const std::uint64_t ac = a * c, bc = b * c, ad = a * d;
      const std::uint64_t middle = (ac >> 32) + (bc & half) + (ad & half);
      const std::uint64_t carried = b * d + (bc >> 32) + (ad >> 32) + (middle >> 32);
      return {carried + high * other.low + low * other.high, low * other.low};
    }
  };

  void advance() { state_ = state_ * factor + step_; }

  static constexpr Wide factor{0x2360ed051fc65da4U, 0x4385df649fccf645U};
  Wide state_, step_;
};

}  // namespace treewright
