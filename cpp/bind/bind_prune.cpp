// What pruning needs of trees and rows: Ctrl-C works, and other threads may run meanwhile.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "bind.hpp"
#include "treewright/base/error.hpp"
#include "treewright/prune/cheap_cuts.hpp"
#include "treewright/prune/error_based.hpp"
#include "treewright/prune/node_losses.hpp"
#include "treewright/prune/refit.hpp"
#include "treewright/prune/reroute.hpp"
#include "treewright/prune/weakest_link.hpp"
#include "treewright/tree/apply.hpp"

namespace treewright::bind {

namespace {

void check_node(const Tree& tree, const Table& table, std::size_t node,
                std::span<const std::uint32_t> rows) {
  require(node < tree.n_nodes(), "There is no such node.");
  require(!divides_rows(tree), "The tree divides rows among branches.");
  for (const std::uint32_t row : rows) require(row < table.n_rows, "There is no such row.");
}

void check_rows(const Tree& tree, const TableHandle& table, const TargetHandle& target) {
  check_columns(tree, table.table);
  require(target.target.size() == table.table.n_rows, "X and y differ in length.");
  require(target.target.is_classification() == tree.is_classification &&
              target.target.n_outputs() == tree.n_outputs(),
          "The target does not have the classes of the tree.");
}

NewVector<double> copied(std::span<const double> values) {
  return to_array(std::vector<double>(values.begin(), values.end()));
}

// Called without the GIL held.
ExtraErrors extra_errors_by(const nb::callable& function) {
  return [&function](std::span<const double> weights, std::span<const double> errors,
                     std::span<double> extra) {
    nb::gil_scoped_acquire acquire;
    const auto found = nb::cast<Vector<double>>(function(copied(weights), copied(errors)));
    require(found.size() == extra.size(), "There must be one number of extra errors a leaf.");
    std::ranges::copy(span_of(found), extra.begin());
  };
}

}  // namespace

void bind_prune(nb::module_& m) {
  m.def(
      "cheap_cuts",
      [](const Vector<double>& values, const Vector<double>& extra, double gap) {
        require(values.size() == extra.size(), "There must be one loss a value.");
        CheapCuts cuts;
        {
          nb::gil_scoped_release release;
          cuts = cheap_cuts(span_of(values), span_of(extra), gap);
        }
        return std::tuple(to_array(std::move(cuts.lost)), to_array(std::move(cuts.low)),
                          to_array(std::move(cuts.high)));
      },
      nb::arg("values"), nb::arg("extra"), nb::arg("gap"),
      "What rows before a cut lose more, and the values next to it; cuts that cannot be the best "
      "may be absent.");
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
  m.def(
      "refit",
      [](const Tree& tree, const TableHandle& table, const TargetHandle& target,
         bool absolute_error) {
        check_rows(tree, table, target);
        Monitor monitor(std::nullopt, report_to(nb::none()));
        nb::gil_scoped_release release;
        return refit(tree, table.table, target.target, absolute_error, monitor);
      },
      nb::arg("tree"), nb::arg("table"), nb::arg("target"), nb::arg("absolute_error") = false,
      "The tree with the statistics and predictions of these rows.");
  m.def(
      "with_statistics",
      [](const Tree& tree, const Vector<double>& rows, const Vector<double>& statistics) {
        require(
            rows.size() == tree.n_nodes() && statistics.size() == tree.n_nodes() * tree.n_outputs(),
            "There must be a row count and statistics for every node.");
        const auto counts = span_of(rows), sums = span_of(statistics);
        return with_statistics(tree, {counts.begin(), counts.end()}, {sums.begin(), sums.end()});
      },
      nb::arg("tree"), nb::arg("rows"), nb::arg("statistics"),
      "The tree with row counts and statistics, and predictions by these.");
  m.def(
      "risk_of_part",
      [](const Vector<double>& part, const Vector<double>& all, const std::string& risk,
         const Vector<double>& cost) {
        require(part.size() == all.size() &&
                    (cost.size() == 0 || cost.size() == all.size() * all.size()),
                "The statistics of part and whole, and the costs, must be of one size.");
        return risk_of_part(span_of(part), span_of(all), risk_named(risk), span_of(cost));
      },
      nb::arg("part"), nb::arg("all"), nb::arg("risk"), nb::arg("cost"),
      "What some rows of a node lose by the prediction of all of them.");
  m.def(
      "what_is_below",
      [](const Tree& tree, std::size_t node, const TableHandle& table, const TargetHandle& target,
         const Vector<std::uint32_t>& rows, const std::string& risk, bool drop_empty) {
        check_rows(tree, table, target);
        check_node(tree, table.table, node, span_of(rows));
        const Risk named = risk_named(risk);
        require((named == Risk::squared_error) != tree.is_classification,
                "The risk does not fit what the tree predicts.");
        nb::gil_scoped_release release;
        const Below below =
            what_is_below(tree, node, table.table, target.target, span_of(rows), named, drop_empty);
        return std::pair(below.risk, below.terms);
      },
      nb::arg("tree"), nb::arg("node"), nb::arg("table"), nb::arg("target"), nb::arg("rows"),
      nb::arg("risk"), nb::arg("drop_empty"),
      "Risk of the leaves and columns in the splits at and below a node when these rows reach it.");
  m.def(
      "refit_below",
      [](const Tree& tree, std::size_t node, const TableHandle& table, const TargetHandle& target,
         const Vector<std::uint32_t>& rows, bool absolute_error) {
        check_rows(tree, table, target);
        check_node(tree, table.table, node, span_of(rows));
        Refitted result;
        {
          nb::gil_scoped_release release;
          result =
              refit_below(tree, node, table.table, target.target, span_of(rows), absolute_error);
        }
        nb::dict rows_of;
        for (auto& [here, ids] : result.rows) rows_of[nb::int_(here)] = to_array(std::move(ids));
        return std::pair(std::move(result.tree), rows_of);
      },
      nb::arg("tree"), nb::arg("node"), nb::arg("table"), nb::arg("target"), nb::arg("rows"),
      nb::arg("absolute_error") = false,
      nb::sig("def refit_below(tree: Tree, node: int, table: Table, target: Target, rows: "
              "Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', "
              "writable=False)], absolute_error: bool = False) -> tuple[Tree, dict[int, "
              "NDArray[numpy.uint32]]]"),
      "The tree with the statistics and predictions of these rows at and below a node, and the "
      "rows of each of these nodes.");
  m.def(
      "error_based",
      [](const Tree& tree, const TableHandle& table, const TargetHandle& target,
         const nb::callable& extra_errors) {
        check_rows(tree, table, target);
        require(tree.is_classification, "Only a classification tree makes errors.");
        Monitor monitor(std::nullopt, report_to(nb::none()));
        const ExtraErrors extra = extra_errors_by(extra_errors);
        auto [pruned, old_ids] = [&] {
          nb::gil_scoped_release release;
          return error_based(tree, table.table, target.target, extra, monitor);
        }();
        return std::pair(std::move(pruned), to_array(std::move(old_ids)));
      },
      nb::arg("tree"), nb::arg("table"), nb::arg("target"), nb::arg("extra_errors"),
      "Prune by expected errors, raising branches; also gives the old id of each node. "
      "extra_errors(weights, errors) gives one number per leaf.");
}

}  // namespace treewright::bind
