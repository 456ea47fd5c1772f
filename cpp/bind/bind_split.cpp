// Split methods by name, and those written in Python.
#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "python_method.hpp"
#include "treewright/split/discriminant/direction.hpp"
#include "treewright/split/discriminant/group_threshold.hpp"
#include "treewright/split/list.hpp"
#include "treewright/split/plane/principal_axes.hpp"

namespace treewright::bind {

void bind_split(nb::module_& m) {
  bind_node_data(m);
  nb::class_<Method>(m, "Method", "A way of finding splits, ready for growth.")
      .def_prop_ro("needs_sorted_columns", &Method::needs_sorted_columns);
  m.def("make_method", &make_method, nb::arg("name"), nb::arg("parameters"), nb::arg("parts"),
        "The split method of this name.");
  m.def("make_python_method", &make_python_method, nb::arg("propose"),
        "A split method that calls propose(node, seed) -> iterable of flat splits.");
  m.def(
      "discriminant_direction",
      [](const std::vector<double>& scatter, const std::vector<double>& difference, double n_rows,
         bool null_space) {
        require(scatter.size() == difference.size() * difference.size(),
                "The scatter must have a row and a column for each difference.");
        return discriminant_direction(scatter, difference, n_rows,
                                      null_space ? SmallSample::null_space : SmallSample::ridge);
      },
      nb::arg("scatter"), nb::arg("difference"), nb::arg("n_rows"), nb::arg("null_space"),
      "Where two groups lie furthest apart, given their within scatter (row by row) and the "
      "difference of their means; empty if they do not differ.");
  m.def(
      "threshold_between",
      [](double mean_0, double deviation_0, double mean_1, double deviation_1) {
        return threshold_between({1.0, mean_0, deviation_0 * deviation_0},
                                 {1.0, mean_1, deviation_1 * deviation_1});
      },
      nb::arg("mean_0"), nb::arg("deviation_0"), nb::arg("mean_1"), nb::arg("deviation_1"),
      "A threshold between two groups by their means and standard deviations.");
  m.def(
      "principal_axes",
      [](const std::vector<double>& covariance, std::size_t n_columns) {
        require(covariance.size() == n_columns * n_columns, "The covariance must be square.");
        return principal_axes(covariance, n_columns);
      },
      nb::arg("covariance"), nb::arg("n_columns"),
      "The eigenvectors of a matrix given row by row, one after the other, the largest eigenvalue "
      "first.");
  method_names();  // two methods of one name end the import
  m.def("method_names", &method_names, "The names make_method knows.");
}

}  // namespace treewright::bind
