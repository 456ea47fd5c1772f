// Around the search: columns of numbers as tests, and the nodes of its answer with their rows.
#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>

#include "bind.hpp"
#include "treewright/base/error.hpp"
#include "treewright/search/nodes.hpp"
#include "treewright/search/two_valued.hpp"

namespace treewright::bind {

namespace {

using Bits = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

search::RowBits checked(const search::Plan& tree, const Bits& bits, std::size_t n_rows) {
  require(bits.shape(1) * 8 >= n_rows, "Each row must have its bit in every condition.");
  const auto n_tests = static_cast<std::int64_t>(bits.shape(0));
  for (const search::Plan::Node& node : tree.nodes)
    require(
        node.first + std::ssize(node.levels) <= n_tests &&
            std::max({node.first, node.second, node.first_unknown, node.second_unknown}) < n_tests,
        "The tree has a condition that is not among the columns of bits.");
  return {{bits.data(), bits.size()}, bits.shape(1)};
}

NamedValues to_python(search::Nodes nodes) {
  const std::size_t n_nodes = nodes.size(), n_sums = nodes.statistics.size() / n_nodes;
  nb::dict arrays;
  arrays["places"] = to_array(std::move(nodes.places));
  arrays["first_child"] = to_array(std::move(nodes.first_child));
  arrays["n_branches"] = to_array(std::move(nodes.n_branches));
  arrays["heavier"] = to_array(std::move(nodes.heavier));
  arrays["leaf_of_row"] = to_array(std::move(nodes.leaf_of_row));
  arrays["statistics"] = to_matrix(std::move(nodes.statistics), n_nodes, n_sums);
  arrays["rows"] = to_array(std::move(nodes.rows));
  arrays["value"] = to_array(std::move(nodes.value));
  arrays["gain"] = to_array(std::move(nodes.gain));
  return arrays;
}

// The nodes that `make` gives for so many rows.
template <class Make>
NamedValues made(std::size_t n_rows, Make make) {
  search::Nodes nodes;
  {
    const LongWork work(n_rows);
    nodes = make();
  }
  return to_python(std::move(nodes));
}

}  // namespace

void bind_search_rows(nb::module_& m) {
  m.def(
      "class_nodes",
      [](const search::Plan& tree, const Bits& bits, const Vector<std::int32_t>& classes,
         const Vector<double>& weights, const Matrix& costs) {
        const std::size_t n_classes = costs.shape(0);
        for (const std::int32_t c : span_of(classes))
          require(c >= 0 && static_cast<std::size_t>(c) < n_classes, "A class has no costs.");
        require(classes.size() == weights.size(), "Each row must have a class and a weight.");
        return made(classes.size(), [&] {
          return search::class_nodes(tree, checked(tree, bits, classes.size()), span_of(classes),
                                     span_of(weights), copy_of(costs), n_classes);
        });
      },
      nb::arg("tree"), nb::arg("bits"), nb::arg("classes"), nb::arg("weights"), nb::arg("costs"),
      "The nodes of a plan in the order of a tree, with class weights, predictions and gains.");
  m.def(
      "loss_nodes",
      [](const search::Plan& tree, const Bits& bits, const Vector<std::int32_t>& cheapest,
         const Vector<double>& weights, const Matrix& losses) {
        const std::size_t n_labels = losses.shape(1);
        for (const std::int32_t c : span_of(cheapest))
          require(c >= 0 && static_cast<std::size_t>(c) < n_labels, "A label has no losses.");
        require(cheapest.size() == weights.size() && losses.shape(0) == weights.size(),
                "Each row must have a cheapest label, a weight and losses.");
        return made(cheapest.size(), [&] {
          return search::class_nodes(tree, checked(tree, bits, cheapest.size()), span_of(cheapest),
                                     span_of(weights), {}, n_labels, copy_of(losses));
        });
      },
      nb::arg("tree"), nb::arg("bits"), nb::arg("cheapest"), nb::arg("weights"), nb::arg("losses"),
      "The nodes of a plan in the order of a tree: weights by cheapest label, the label that loses "
      "least, and gains.");
  m.def(
      "number_nodes",
      [](const search::Plan& tree, const Bits& bits, const Vector<double>& numbers,
         const Vector<double>& weights) {
        require(numbers.size() == weights.size(), "Each row must have a number and a weight.");
        return made(numbers.size(), [&] {
          return search::number_nodes(tree, checked(tree, bits, numbers.size()), span_of(numbers),
                                      span_of(weights));
        });
      },
      nb::arg("tree"), nb::arg("bits"), nb::arg("numbers"), nb::arg("weights"),
      "The nodes of a plan in the order of a tree, with weights, means, squares and gains.");
  m.def(
      "two_valued_columns",
      [](const Matrix& values, const std::string& name) {
        const search::Kernel* const kernel = search::find_kernel(name);
        require(kernel != nullptr, "This processor has no kernel '" + name + "'.");
        const std::size_t n_rows = values.shape(0);
        search::TwoValued found = search::find_two_valued(
            {values.data(), n_rows, values.shape(1), values.stride(0), values.stride(1)}, *kernel);
        const std::size_t n_tests = found.columns.size();
        return nb::make_tuple(to_array(std::move(found.columns)), to_array(std::move(found.low)),
                              to_array(std::move(found.high)),
                              to_matrix(std::move(found.bits), n_tests, (n_rows + 7) / 8),
                              to_array(std::move(found.rest)));
      },
      nb::arg("values"), nb::arg("kernel") = "auto",
      "Columns with two values, none missing: their places, the lower and the higher value and the "
      "bits of rows with the lower one; and the places of columns with more, or with missing "
      "values.");
}

}  // namespace treewright::bind
