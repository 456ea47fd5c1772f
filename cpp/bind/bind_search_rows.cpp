// Around the search: columns of numbers as tests, and the rows of the leaves of its answer.
#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "treewright/base/error.hpp"
#include "treewright/search/leaves.hpp"
#include "treewright/search/two_valued.hpp"

namespace treewright::bind {

void bind_search_rows(nb::module_& m) {
  using Bits = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  m.def(
      "search_leaves",
      [](const search::Plan& tree, const Bits& bits, std::size_t n_rows) {
        require(bits.shape(1) * 8 >= n_rows, "Each row must have its bit in every test.");
        const auto n_tests = static_cast<std::int64_t>(bits.shape(0));
        for (const search::Plan::Node& node : tree.nodes)
          require(node.first < n_tests && node.second < n_tests,
                  "The tree has a test that is not among the columns of bits.");
        return to_array(search::leaves_of(tree, {bits.data(), bits.size()}, bits.shape(1), n_rows));
      },
      nb::arg("tree"), nb::arg("bits"), nb::arg("n_rows"), by_value,
      "The node of the leaf that each row ends in.");
  m.def(
      "two_valued_columns",
      [](const Matrix& values) {
        const std::size_t n_rows = values.shape(0);
        search::TwoValued found = search::find_two_valued(
            {values.data(), n_rows, values.shape(1), values.stride(0), values.stride(1)});
        const std::size_t n_tests = found.columns.size();
        return nb::make_tuple(to_array(std::move(found.columns)), to_array(std::move(found.low)),
                              to_array(std::move(found.high)),
                              to_matrix(std::move(found.bits), n_tests, (n_rows + 7) / 8),
                              to_array(std::move(found.rest)));
      },
      nb::arg("values"),
      "Columns with two values and no gap: their places, the lower and the higher value and the "
      "bits of rows with the lower one; and the places of columns with more values or gaps.");
}

}  // namespace treewright::bind
