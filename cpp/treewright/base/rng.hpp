// Random numbers addressed by (seed, path in the tree), so that a node draws the same numbers in
// whatever order the nodes are visited and on any number of threads.
// The generator is SplitMix64 (Steele, Lea, Flood 2014).
#pragma once

#include <cstdint>

namespace treewright {

class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15ULL;
    return mix(state_);
  }

  // An integer in [0, n), n > 0; multiply-shift, bias below 2^-32 for the sizes used here.
  std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>(((next() >> 32) * static_cast<std::uint64_t>(n)) >> 32);
  }

  // A number in [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  // The address of branch `branch` below the node with address `path`.
  static std::uint64_t child(std::uint64_t path, std::uint32_t branch) {
    return mix(path ^ (0xD1B54A32D192ED03ULL * (static_cast<std::uint64_t>(branch) + 1)));
  }

 private:
  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace treewright
