// The counting loops of the search, one set of them for each instruction set.
//
// A tile holds the columns of a set of rows as bits: columns in blocks of 32, rows in groups of 16,
// tile[block][group][column] a word of 16 rows. Rows of one class stand together and fill whole
// groups; bits of rows that are not there are 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace treewright::search {

inline constexpr std::int32_t block_columns = 32;
inline constexpr std::int32_t group_rows = 16;
// More classes than this are counted by the general way (sums.hpp).
inline constexpr std::int32_t most_counted_classes = 32;
// Columns that one call of judge_differences deals with.
inline constexpr std::int32_t judged_columns = 8;
// Words of 32 bits that a kernel may write for each group of rows to have them at hand.
inline constexpr std::int32_t scratch_words = 2 * judged_columns;
// A set is small if each class has at most so many groups, so that signed bytes hold its counts.
inline constexpr std::int32_t most_small_groups = 15;
// What a split is worth that leaves too few rows on a side, or that may not stand at its level.
inline constexpr std::int16_t worthless = -0x4000;

// Rows that are to be written as a tile. by_row[row][word] has the bits of 32 columns in a word, in
// the order that transposing wants (bit_of).
struct TileJob {
  const std::uint32_t* by_row = nullptr;
  std::size_t stride = 0;              // words of a row
  const std::int32_t* rows = nullptr;  // by group
  std::int32_t n_groups = 0;
  std::int32_t n_blocks = 0;
  std::uint16_t* tile = nullptr;
};

// The other way round: 32 columns of rows, 64 in a word, that are to be written row by row.
struct RowsJob {
  const std::uint64_t* columns[block_columns] = {};
  std::int32_t n_rows = 0;
  std::uint32_t* by_row = nullptr;  // of the first row
  std::size_t stride = 0;
};

// A block of a tile that is to be written column by column, 64 rows in a word.
struct ColumnsJob {
  const std::uint16_t* block = nullptr;
  std::int32_t n_groups = 0;
  std::uint64_t* words = nullptr;  // of the first column
  std::size_t n_words = 0;         // of a column
  std::int32_t* n_ones = nullptr;  // raised by the bits that are set in each column
};

// Rows of numbers that are compared with two values a column.
struct CompareJob {
  static constexpr std::size_t n_rows = 8;

  const double* rows = nullptr;  // column by column
  std::ptrdiff_t stride = 0;     // numbers from one row to the next
  std::size_t n_columns = 0;
  const double *first = nullptr, *second = nullptr;
  // Bit k of each column: whether row k has its first, or its second value. As wide as numbers are,
  // so that compilers make vectors of the loops.
  std::uint64_t *as_first = nullptr, *as_second = nullptr;
};

// Where column `place` of a block has its bit in a word of by_row.
constexpr std::int32_t bit_of(std::int32_t place) { return (place >> 1) + 16 * (place & 1); }

// One set of rows whose splits are judged.
struct CountedSet {
  const std::int16_t* singles = nullptr;  // [class][column]: rows that pass the test
  const std::int16_t* totals = nullptr;   // [class]
  // The most rows answered rightly by one more split among the rows that pass (ones) or fail
  // (zeros) the test of each column; the best so far, raised by the kernel.
  std::int16_t* ones = nullptr;
  std::int16_t* zeros = nullptr;
};

enum class Kept : std::int8_t {
  unused,
  write,  // keep the counts of all pairs
  read,   // judge a second set as well, the one whose counts are `table` less those of the tile
};

struct CountJob {
  const std::uint16_t* tile = nullptr;
  const std::int32_t* first_group = nullptr;  // of each class, and one past the last
  std::uint16_t* scratch = nullptr;           // n_groups words
  std::int32_t n_groups = 0;
  std::int32_t n_blocks = 0;
  std::int32_t n_classes = 0;
  std::int16_t min_rows = 1;
  const std::int16_t* prices = nullptr;  // of the lower test, in rows; null: none has a price
  CountedSet own;
  Kept use = Kept::unused;
  std::int16_t* table = nullptr;  // [column][block][class][32], blocks from the column's own on
  CountedSet other;
};

// Two classes and no least number of rows: of a set it is enough to know how many more rows it has
// of the first class than of the second.
struct DifferenceSet {
  const std::int16_t* singles = nullptr;  // [column]: the difference among rows that pass the test
  std::int16_t total = 0;
  // As in CountedSet, but with prices the largest sum of the absolute differences of the two parts,
  // less the price; without prices the largest difference in any part, of either sign as the other
  // part has what is missing: twice that, less the difference before the split, is the sum.
  std::int16_t* ones = nullptr;
  std::int16_t* zeros = nullptr;
};

struct DifferenceJob {
  const std::uint16_t* tile = nullptr;
  std::uint32_t* scratch = nullptr;  // scratch_words for each group
  std::int32_t n_groups = 0;
  std::int32_t n_first = 0;  // groups of the first class
  std::int32_t n_blocks = 0;
  std::int32_t n_columns = 0;
  const std::int16_t* prices = nullptr;  // of the lower test, twice, in rows
  bool small = false;
  DifferenceSet own;
  Kept use = Kept::unused;
  std::int16_t* table = nullptr;  // [column][block][32]
  std::int16_t* both = nullptr;   // rows that pass both tests, as `table`; written with it
  DifferenceSet other;
};

// The largest sums of absolute differences that trees with at most so many tests leave.
struct DifferenceWorth {
  std::int16_t one = worthless, two = worthless, three = worthless;
};

struct Kernel {
  std::string_view name;
  std::int32_t width;  // columns in a vector
  // out[column] = rows counted in a block of columns among those whose bit is set in `rows`.
  void (*count)(const std::uint16_t* rows, const std::uint16_t* block, std::int32_t n_groups,
                std::int16_t* out);
  // Counts the pairs of `column` with all columns from its own block on and raises what both are
  // worth as the upper test with the other one below.
  void (*judge)(const CountJob& job, std::int32_t column);
  // The same for `column`, a multiple of judged_columns, and those after it.
  void (*judge_differences)(const DifferenceJob& job, std::int32_t column);
  // Where no test has a price: turns `ones` and `zeros` of so many columns from the largest
  // difference in a part into the largest sum of the absolute ones, and gives what trees with any
  // column on top are worth. What fills the last vector counts as columns that no row passes.
  DifferenceWorth (*add_up)(const DifferenceSet& set, std::int32_t n_columns);
  void (*fill)(const TileJob& job);
  void (*write_rows)(const RowsJob& job);
  void (*write_columns)(const ColumnsJob& job);
  // Lists which of so many bits are set, or which are not; `out` has room for list_room more.
  void (*list)(const std::uint64_t* bits, std::int32_t n_bits, bool wanted, std::int32_t* out);
  std::int32_t (*count_bits)(const std::uint64_t* words, std::size_t n_words);
  void (*compare)(const CompareJob& job);
};
inline constexpr std::int32_t list_room = 16;

// What kernels do alike that have no instructions for it.
void portable_fill(const TileJob& job);
void portable_rows(const RowsJob& job);
void portable_columns(const ColumnsJob& job);
void portable_list(const std::uint64_t* bits, std::int32_t n_bits, bool wanted, std::int32_t* out);
std::int32_t portable_count(const std::uint64_t* words, std::size_t n_words);

// The kernels this processor can run, the fastest first, the scalar one last.
std::span<const Kernel* const> usable_kernels();

// The kernel of that name, or the fastest for "auto"; null if this processor has none such.
const Kernel* find_kernel(std::string_view name);

// One for each instruction set; null where the compiler does not aim at that family.
extern const Kernel scalar_kernel;
const Kernel* neon_kernel();
const Kernel* avx2_kernel();
const Kernel* avx512bw_kernel();
const Kernel* avx512_kernel();

}  // namespace treewright::search
