// Measures, for tests and for Python code that scores splits itself.
#include <nanobind/stl/string.h>

#include "bind.hpp"
#include "treewright/measure/measure.hpp"

namespace treewright::bind {

void bind_measure(nb::module_& m) {
  m.def(
      "impurity",
      [](const std::string& measure, const Vector<double>& statistics, const Vector<double>& cost) {
        return Measure{&impurity_named(measure), copy_of(cost)}.of(span_of(statistics));
      },
      nb::arg("measure"), nb::arg("statistics"), nb::arg("cost"),
      "The impurity of a node with these statistics.");
  m.def(
      "decrease",
      [](const std::string& measure, const Vector<double>& parent, const Vector<double>& branches,
         const Vector<double>& cost) {
        require(parent.size() > 0 && branches.size() % parent.size() == 0,
                "The branches must hold the same statistics as the parent.");
        return Measure{&impurity_named(measure), copy_of(cost)}.decrease(span_of(parent),
                                                                         span_of(branches));
      },
      nb::arg("measure"), nb::arg("parent"), nb::arg("branches"), nb::arg("cost"),
      "The decrease of impurity by a split; `branches` holds the statistics one after the other.");
  m.def(
      "split_information",
      [](const Vector<double>& weights) { return split_information(span_of(weights)); },
      nb::arg("weights"), "The entropy of the branch proportions, in bits.");
}

}  // namespace treewright::bind
