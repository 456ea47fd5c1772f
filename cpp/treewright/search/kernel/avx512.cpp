// The kernel for x86 processors with AVX-512 that counts bits (BITALG), moves bytes anywhere (VBMI)
// and multiplies matrices of bits (GFNI): 32 columns in a vector. Compiled for these.
#include "treewright/search/kernel/kernel.hpp"

#if defined(__AVX512BITALG__) && defined(__AVX512VBMI__) && defined(__GFNI__)
#include <cstddef>

#include "treewright/search/kernel/avx512_lanes.hpp"

namespace treewright::search {
namespace {

struct Avx512 : Avx512Lanes {
  // Each word stands twice in 32 bits: a word of 32 bits goes to all lanes as it is loaded, one of
  // 16 bits takes the place of a count.
  static constexpr std::int32_t spread_columns = judged_columns;
  static constexpr std::int32_t spread_words = judged_columns;
  static void spread(const std::uint16_t* mine, std::int32_t n_groups, std::uint32_t* out) {
    for (; n_groups > 0; --n_groups, mine += block_columns, out += spread_words) {
      for (int r = 0; r < judged_columns; ++r) out[r] = mine[r] * 0x10001U;
    }
  }
  template <int rows>
  static void count_spread(const std::uint32_t* mine, const std::uint16_t* theirs,
                           std::int32_t n_groups, Lanes* sums) {
    for (int r = 0; r < rows; ++r) sums[r] = _mm512_setzero_si512();
    for (; n_groups > 0; --n_groups, mine += spread_words, theirs += block_columns) {
      const __m512i words = _mm512_loadu_si512(theirs);
      for (int r = 0; r < rows; ++r) {
        const __m512i wanted = _mm512_set1_epi32(static_cast<std::int32_t>(mine[r]));
        sums[r] = _mm512_add_epi16(sums[r], _mm512_popcnt_epi16(_mm512_and_si512(wanted, words)));
      }
    }
  }

  static void count(const std::uint16_t* rows, const std::uint16_t* block, std::int32_t n_groups,
                    std::int16_t* out) {
    __m512i sum = _mm512_setzero_si512();
    for (; n_groups > 0; --n_groups, ++rows, block += block_columns) {
      const __m512i wanted = _mm512_set1_epi16(static_cast<std::int16_t>(*rows));
      sum = _mm512_add_epi16(
          sum, _mm512_popcnt_epi16(_mm512_and_si512(wanted, _mm512_loadu_si512(block))));
    }
    store(out, sum);
  }
};

// Tiles from rows, 16 of them at a time.
class Transposed {
 public:
  // With places for bytes that are computed once.
  struct Places {
    alignas(64) std::uint8_t at[64];
    __m512i load() const { return _mm512_load_si512(at); }
  };

  static void fill(const TileJob& job) {
    constexpr std::size_t most_words = std::size_t{1} << 31;
    std::int32_t last = 0;
    for (std::int32_t k = 0; k < job.n_groups * group_rows; ++k)
      last = job.rows[k] > last ? job.rows[k] : last;
    if ((static_cast<std::size_t>(last) + 1) * job.stride >= most_words) return portable_fill(job);
    const std::size_t block_size = static_cast<std::size_t>(job.n_groups) * block_columns;
    const __m512i stride = _mm512_set1_epi32(static_cast<std::int32_t>(job.stride));
    for (std::int32_t g = 0; g < job.n_groups; ++g) {
      const __m512i rows = _mm512_loadu_si512(job.rows + g * group_rows);
      const __m512i words = _mm512_mullo_epi32(rows, stride);
      std::uint16_t* to = job.tile + static_cast<std::size_t>(g) * block_columns;
      std::int32_t b = 0;
      for (; b + 2 <= job.n_blocks; b += 2, to += 2 * block_size)
        two_blocks(job.by_row + b, words, to, to + block_size);
      if (b < job.n_blocks) one_block(job.by_row + b, words, to);
    }
  }

  static void write_rows(const RowsJob& job) {
    const __m512i squares = bytes_by_place.load();
    for (std::int32_t first = 0; first < job.n_rows; first += 64) {
      alignas(64) std::uint64_t columns[block_columns];  // by where their bits are in a row
      for (int p = 0; p < block_columns; ++p) columns[bit_of(p)] = job.columns[p][first / 64];
      __m512i bytes[4];  // of 64 rows each
      for (int b = 0; b < 4; ++b) {
        bytes[b] = on_side(
            _mm512_maskz_permutexvar_epi8(~0ULL, squares, _mm512_load_si512(columns + 8 * b)));
      }
      const __m512i a = _mm512_unpacklo_epi8(bytes[0], bytes[1]),
                    b = _mm512_unpackhi_epi8(bytes[0], bytes[1]),
                    c = _mm512_unpacklo_epi8(bytes[2], bytes[3]),
                    d = _mm512_unpackhi_epi8(bytes[2], bytes[3]);
      // Each quarter of a vector has four of sixteen rows that follow each other.
      alignas(64) std::uint32_t rows[4][16];
      _mm512_store_si512(rows[0], _mm512_unpacklo_epi16(a, c));
      _mm512_store_si512(rows[1], _mm512_unpackhi_epi16(a, c));
      _mm512_store_si512(rows[2], _mm512_unpacklo_epi16(b, d));
      _mm512_store_si512(rows[3], _mm512_unpackhi_epi16(b, d));
      std::uint32_t* to = job.by_row + static_cast<std::size_t>(first) * job.stride;
      const std::int32_t n = job.n_rows - first < 64 ? job.n_rows - first : 64;
      for (std::int32_t k = 0; k < n; ++k, to += job.stride)
        *to = rows[k % 16 / 4][k / 16 * 4 + k % 4];
    }
  }

  static void write_columns(const ColumnsJob& job) {
    const std::uint16_t* block = job.block;
    std::uint64_t* to = job.words;
    for (std::int32_t left = job.n_groups; left > 0; left -= 4, block += 4 * block_columns, ++to) {
      __m512i groups[4];
      for (int g = 0; g < 4; ++g) {
        groups[g] =
            g < left ? _mm512_loadu_si512(block + g * block_columns) : _mm512_setzero_si512();
      }
      const __m512i a = _mm512_unpacklo_epi16(groups[0], groups[1]),
                    b = _mm512_unpackhi_epi16(groups[0], groups[1]),
                    c = _mm512_unpacklo_epi16(groups[2], groups[3]),
                    d = _mm512_unpackhi_epi16(groups[2], groups[3]);
      // Each quarter of a vector has two of eight columns that follow each other.
      alignas(64) std::uint64_t columns[4][8];
      _mm512_store_si512(columns[0], _mm512_maskz_unpacklo_epi32(0xFFFF, a, c));
      _mm512_store_si512(columns[1], _mm512_maskz_unpackhi_epi32(0xFFFF, a, c));
      _mm512_store_si512(columns[2], _mm512_maskz_unpacklo_epi32(0xFFFF, b, d));
      _mm512_store_si512(columns[3], _mm512_maskz_unpackhi_epi32(0xFFFF, b, d));
      for (std::size_t j = 0; j < block_columns; ++j) {
        const std::uint64_t word = columns[j % 8 / 2][j / 8 * 2 + j % 2];
        to[j * job.n_words] = word;
        job.n_ones[j] += static_cast<std::int32_t>(_mm_popcnt_u64(word));
      }
    }
  }

 private:
  // From eight rows of eight bytes: the bytes of one place side by side.
  static constexpr Places bytes_by_place = [] {
    Places places{};
    for (int byte = 0; byte < 8; ++byte) {
      for (int row = 0; row < 8; ++row)
        places.at[byte * 8 + 7 - row] = static_cast<std::uint8_t>(row * 8 + byte);
    }
    return places;
  }();

  // Each 8 bytes are a square of bits, its rows in turned order, which comes out on its side.
  static __m512i on_side(__m512i squares) {
    const __m512i single_bits = _mm512_set1_epi64(static_cast<long long>(0x8040201008040201ULL));
    return _mm512_gf2p8affine_epi64_epi8(single_bits, squares, 0);
  }
  static __m512i gathered(const std::uint32_t* from, __m256i words) {
    return _mm512_mask_i32gather_epi64(_mm512_setzero_si512(), 0xFF, words, from, 4);
  }

  static void two_blocks(const std::uint32_t* from, __m512i words, std::uint16_t* first,
                         std::uint16_t* second) {
    // From the bits of eight rows and of eight more by column: columns in their order, 16 bits
    // each.
    static constexpr auto in_order = [](int block) {
      Places places{};
      for (int p = 0; p < block_columns; ++p) {
        places.at[2 * p] = static_cast<std::uint8_t>(32 * block + bit_of(p));
        places.at[2 * p + 1] = static_cast<std::uint8_t>(64 + 32 * block + bit_of(p));
      }
      return places;
    };
    static constexpr Places of_first = in_order(0), of_second = in_order(1);
    const __m512i upper = _mm512_maskz_permutexvar_epi8(
        ~0ULL, bytes_by_place.load(),
        gathered(from, _mm512_maskz_extracti64x4_epi64(0xF, words, 0)));
    const __m512i lower = _mm512_maskz_permutexvar_epi8(
        ~0ULL, bytes_by_place.load(),
        gathered(from, _mm512_maskz_extracti64x4_epi64(0xF, words, 1)));
    const __m512i a = on_side(upper), b = on_side(lower);
    _mm512_storeu_si512(first, _mm512_permutex2var_epi8(a, of_first.load(), b));
    _mm512_storeu_si512(second, _mm512_permutex2var_epi8(a, of_second.load(), b));
  }

  static void one_block(const std::uint32_t* from, __m512i words, std::uint16_t* to) {
    static constexpr Places squares = [] {
      Places places{};
      for (int half = 0; half < 2; ++half) {
        for (int byte = 0; byte < 4; ++byte) {
          for (int row = 0; row < 8; ++row) {
            places.at[(half * 4 + byte) * 8 + 7 - row] =
                static_cast<std::uint8_t>((half * 8 + row) * 4 + byte);
          }
        }
      }
      return places;
    }();
    static constexpr Places in_order = [] {
      Places places{};
      for (int p = 0; p < block_columns; ++p) {
        places.at[2 * p] = static_cast<std::uint8_t>(bit_of(p));
        places.at[2 * p + 1] = static_cast<std::uint8_t>(32 + bit_of(p));
      }
      return places;
    }();
    const __m512i rows =
        _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), 0xFFFF, words, from, 4);
    const __m512i sides = on_side(_mm512_maskz_permutexvar_epi8(~0ULL, squares.load(), rows));
    _mm512_storeu_si512(to, _mm512_maskz_permutexvar_epi8(~0ULL, in_order.load(), sides));
  }
};

void list(const std::uint64_t* bits, std::int32_t n_bits, bool wanted, std::int32_t* out) {
  const __m512i step = _mm512_set1_epi32(16);
  __m512i numbers = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  for (std::int32_t first = 0; first < n_bits; first += 64, ++bits) {
    std::uint64_t rest = wanted ? *bits : ~*bits;
    if (n_bits - first < 64) rest &= (std::uint64_t{1} << (n_bits - first)) - 1;
    for (int quarter = 0; quarter < 4; ++quarter, rest >>= 16) {
      const auto here = static_cast<__mmask16>(rest);
      _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(here, numbers));
      out += _mm_popcnt_u32(here);
      numbers = _mm512_add_epi32(numbers, step);
    }
  }
}

std::int32_t count_all(const std::uint64_t* words, std::size_t n_words) {
  std::int64_t n = 0;
  for (std::size_t w = 0; w < n_words; ++w) n += _mm_popcnt_u64(words[w]);
  return static_cast<std::int32_t>(n);
}

constexpr Kernel kernel = [] {
  Kernel made = kernel_of<Avx512>("avx512");
  made.fill = Transposed::fill;
  made.write_rows = Transposed::write_rows;
  made.write_columns = Transposed::write_columns;
  made.list = list;
  made.count_bits = count_all;
  return made;
}();

}  // namespace

const Kernel* avx512_kernel() {
  const bool here = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512bitalg") &&
                    __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("gfni") &&
                    __builtin_cpu_supports("popcnt");
  return here ? &kernel : nullptr;
}

}  // namespace treewright::search

#else

namespace treewright::search {
const Kernel* avx512_kernel() { return nullptr; }
}  // namespace treewright::search

#endif
