// What pruning needs of trees and rows.
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bind.hpp"
#include "treewright/base/error.hpp"
#include "treewright/prune/node_losses.hpp"
#include "treewright/prune/weakest_link.hpp"

namespace treewright::bind {

namespace {

void check_rows(const Tree& tree, const TableHandle& table, const TargetHandle& target) {
  require(tree.n_levels == table.table.n_levels,
          "The table does not have the columns of the tree.");
  require(target.target.size() == table.table.n_rows, "X and y differ in length.");
  require(target.target.is_classification() == tree.is_classification &&
              target.target.n_outputs() == tree.n_outputs(),
          "The target does not have the classes of the tree.");
}

}  // namespace

void bind_prune(nb::module_& m) {
  m.def(
      "weakest_links",
      [](const Tree& tree, const Vector<double>& risk, const Vector<double>& size) {
        std::vector<double> ends;
        {
          nb::gil_scoped_release release;
          ends = weakest_links(tree, span_of(risk), span_of(size));
        }
        return to_array(std::move(ends));
      },
      nb::arg("tree"), nb::arg("risk"), nb::arg("size"),
      "For each inner node the alpha at which it becomes a leaf or goes; -1 for leaves.");
  m.def(
      "node_losses",
      [](const Tree& tree, const TableHandle& table, const TargetHandle& target,
         bool absolute_error) {
        check_rows(tree, table, target);
        NodeLosses losses;
        {
          nb::gil_scoped_release release;
          losses = node_losses(tree, table.table, target.target, absolute_error);
        }
        return std::tuple(to_array(std::move(losses.loss)), to_array(std::move(losses.squares)),
                          to_array(std::move(losses.stopped_loss)),
                          to_array(std::move(losses.stopped_squares)));
      },
      nb::arg("tree"), nb::arg("table"), nb::arg("target"), nb::arg("absolute_error") = false,
      "Summed losses and squared losses of rows at each node: of all rows, of those that stop.");
}

}  // namespace treewright::bind
