// Split methods by name, and those written in Python.
#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "python_method.hpp"
#include "treewright/split/list.hpp"

namespace treewright::bind {

void bind_split(nb::module_& m) {
  bind_node_data(m);
  nb::class_<Method>(m, "Method", "A way of finding tests, ready for growth.");
  m.def("make_method", &make_method, nb::arg("name"), nb::arg("parameters"), nb::arg("parts"),
        "The split method of this name.");
  m.def("make_python_method", &make_python_method, nb::arg("propose"),
        "A split method that calls propose(node, seed) -> iterable of flat tests.");
  m.def("method_names", &method_names, "The names make_method knows.");
}

}  // namespace treewright::bind
