// The counting loop of each kernel of the search on its own, for tests.
#include <nanobind/stl/string.h>

#include <limits>
#include <string>
#include <vector>

#include "bind.hpp"
#include "treewright/base/error.hpp"
#include "treewright/search/kernel/kernel.hpp"

namespace treewright::bind {

namespace {

using search::block_columns;
using search::group_rows;

// The columns of bits as the tile of one class (kernel.hpp).
std::vector<std::uint16_t> to_tile(const std::uint8_t* bits, std::size_t n_tests,
                                   std::size_t n_bytes, std::size_t n_rows, std::size_t n_groups) {
  const std::size_t n_blocks = (n_tests + block_columns - 1) / block_columns;
  std::vector<std::uint16_t> tile(n_blocks * n_groups * block_columns);
  for (std::size_t j = 0; j < n_tests; ++j) {
    const std::uint8_t* column = bits + j * n_bytes;
    std::uint16_t* words = tile.data() + j / block_columns * n_groups * block_columns;
    for (std::size_t r = 0; r < n_rows; ++r) {
      const unsigned bit = (column[r / 8] >> (r % 8)) & 1U;
      words[r / group_rows * block_columns + j % block_columns] |=
          static_cast<std::uint16_t>(bit << (r % group_rows));
    }
  }
  return tile;
}

}  // namespace

void bind_search_kernel(nb::module_& m) {
  using Bits = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  m.def(
      "count_pairs",
      [](const Bits& bits, std::size_t n_rows, const std::string& name) {
        const search::Kernel* kernel = search::find_kernel(name);
        require(kernel != nullptr, "There is no kernel '" + name + "' here.");
        require(n_rows <= std::numeric_limits<std::int16_t>::max() && bits.shape(1) * 8 >= n_rows,
                "The kernels count at most 32767 rows, each of which must have its bit.");
        const std::size_t n_tests = bits.shape(0);
        const std::size_t n_groups = (n_rows + group_rows - 1) / group_rows;
        const std::vector<std::uint16_t> tile =
            to_tile(bits.data(), n_tests, bits.shape(1), n_rows, n_groups);
        std::vector<std::int64_t> counts(n_tests * n_tests);
        std::vector<std::uint16_t> rows(n_groups);
        std::vector<std::int16_t> found(block_columns);
        const std::size_t block_size = n_groups * block_columns;
        for (std::size_t i = 0; i < n_tests; ++i) {
          const std::uint16_t* own = tile.data() + i / block_columns * block_size;
          for (std::size_t g = 0; g < n_groups; ++g)
            rows[g] = own[g * block_columns + i % block_columns];
          for (std::size_t j = 0; j < n_tests; ++j) {
            if (j % block_columns == 0)
              kernel->count(rows.data(), tile.data() + j / block_columns * block_size,
                            static_cast<std::int32_t>(n_groups), found.data());
            counts[i * n_tests + j] = found[j % block_columns];
          }
        }
        return to_matrix(std::move(counts), n_tests, n_tests);
      },
      nb::arg("bits"), nb::arg("n_rows"), nb::arg("kernel"), by_value,
      "How many rows meet each pair of conditions, counted by one kernel of the search.");
}

}  // namespace treewright::bind
