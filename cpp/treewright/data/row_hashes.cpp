#include "treewright/data/row_hashes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

namespace treewright {

namespace {

constexpr std::size_t block = 4096;  // rows whose hashes stay in the processor's cache
constexpr std::uint64_t factor = 0x9E3779B97F4A7C15, missing = 0x7FF8000000000000;

void mix(std::uint64_t& hash, double value) {
  const auto bits = std::isnan(value) ? missing : std::bit_cast<std::uint64_t>(value + 0.0);
  hash = (hash ^ bits) * factor;
  hash ^= hash >> 29;
}

}  // namespace

std::vector<std::uint64_t> row_hashes(const Table& table,
                                      std::span<const std::span<const double>> further) {
  std::vector<std::uint64_t> hashes(table.n_rows, 0);
  for (std::size_t first = 0; first < table.n_rows; first += block) {
    const std::size_t end = std::min(first + block, table.n_rows);
    for (std::int32_t number = 0; number < table.n_columns(); ++number) {
      const Column column = table.column(number);
      for (std::size_t row = first; row < end; ++row) mix(hashes[row], column[row]);
    }
    for (const auto values : further) {
      for (std::size_t row = first; row < end; ++row) mix(hashes[row], values[row]);
    }
  }
  return hashes;
}

}  // namespace treewright
