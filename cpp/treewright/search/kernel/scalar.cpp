// The kernel for any processor: four columns in a 64-bit word.
#include <cstddef>
#include <cstring>

#include "treewright/search/kernel/body.hpp"

namespace treewright::search {
namespace {

struct Scalar {
  struct Lanes {
    std::int16_t at[4];
  };
  static constexpr std::int32_t width = 4;

  static Lanes load(const std::int16_t* from) {
    Lanes lanes;
    std::memcpy(lanes.at, from, sizeof lanes.at);
    return lanes;
  }
  static void store(std::int16_t* to, Lanes lanes) { std::memcpy(to, lanes.at, sizeof lanes.at); }
  static Lanes fill(std::int16_t value) { return {{value, value, value, value}}; }
  static Lanes add(Lanes a, Lanes b) {
    return each(a, b, [](int x, int y) { return x + y; });
  }
  static Lanes subtract(Lanes a, Lanes b) {
    return each(a, b, [](int x, int y) { return x - y; });
  }
  static Lanes larger(Lanes a, Lanes b) {
    return each(a, b, [](int x, int y) { return x > y ? x : y; });
  }
  static Lanes smaller(Lanes a, Lanes b) {
    return each(a, b, [](int x, int y) { return x < y ? x : y; });
  }
  static Lanes unless_less(Lanes a, Lanes limit, Lanes value) {
    for (int i = 0; i < width; ++i) {
      if (a.at[i] < limit.at[i]) value.at[i] = worthless;
    }
    return value;
  }
  static std::int16_t largest_lane(Lanes lanes) {
    const Lanes halves = larger(lanes, {{lanes.at[2], lanes.at[3], lanes.at[0], lanes.at[1]}});
    return halves.at[0] > halves.at[1] ? halves.at[0] : halves.at[1];
  }

  static Lanes absolute(Lanes a) { return larger(a, subtract(fill(0), a)); }

  template <int rows, int n>
  static void count_some(const std::uint16_t* mine, const std::uint16_t* theirs,
                         std::int32_t n_groups, Lanes (*out)[n]) {
    for (int r = 0; r < rows; ++r) {
      for (int k = 0; k < n; ++k)
        out[r][k] = count_four<block_columns>(mine + r, theirs + 4 * k, n_groups);
    }
  }
  static void count(const std::uint16_t* rows, const std::uint16_t* block, std::int32_t n_groups,
                    std::int16_t* out) {
    for (int k = 0; k < block_columns; k += 4)
      store(out + k, count_four<1>(rows, block + k, n_groups));
  }

 private:
  template <std::size_t step>
  static Lanes count_four(const std::uint16_t* rows, const std::uint16_t* columns,
                          std::int32_t n_groups) {
    constexpr std::uint64_t low_bytes = 0x00FF00FF00FF00FFULL;
    std::uint64_t sums = 0;  // 16 bits a column
    for (std::int32_t g = 0; g < n_groups;) {
      std::uint64_t bytes = 0;  // each grows by at most 8 a group
      const std::int32_t end = g + 31 < n_groups ? g + 31 : n_groups;
      for (; g < end; ++g) {
        std::uint64_t bits;
        std::memcpy(&bits, columns + static_cast<std::size_t>(g) * block_columns, 8);
        bytes += ones_in_bytes(bits &
                               (rows[static_cast<std::size_t>(g) * step] * 0x0001000100010001ULL));
      }
      sums += (bytes & low_bytes) + ((bytes >> 8) & low_bytes);
    }
    Lanes lanes;
    std::memcpy(lanes.at, &sums, sizeof lanes.at);
    return lanes;
  }

  static std::uint64_t ones_in_bytes(std::uint64_t x) {
    x -= (x >> 1) & 0x5555555555555555ULL;
    x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
    return (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
  }

  template <class Operation>
  static Lanes each(Lanes a, Lanes b, Operation operation) {
    Lanes out;
    for (int i = 0; i < width; ++i) {
      out.at[i] = static_cast<std::int16_t>(operation(a.at[i], b.at[i]));
    }
    return out;
  }
};

}  // namespace

constinit const Kernel scalar_kernel = kernel_of<Scalar>("scalar");

}  // namespace treewright::search
