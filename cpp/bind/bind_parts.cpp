// Growth over parts of a table: what is counted in each part, and the growth that asks for it.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bind.hpp"
#include "treewright/grow/partitioned.hpp"
#include "treewright/parts/edges.hpp"
#include "treewright/parts/tally.hpp"
#include "treewright/split/cut/bound.hpp"
#include "treewright/tree/apply.hpp"

namespace treewright::bind {

namespace {

using Lines = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::span<const double> span_of(const Lines& lines) { return {lines.data(), lines.size()}; }

// The cells of a question as Python holds them: places, columns, begin, edges, means.
using FlatCells = std::tuple<Vector<std::int32_t>, Vector<std::int32_t>, Vector<std::int64_t>,
                             Vector<double>, Vector<double>>;

parts::Cells cells_of(const FlatCells& flat) {
  const auto& [place, column, begin, edges, means] = flat;
  const parts::Cells cells{bind::span_of(place), bind::span_of(column), bind::span_of(begin),
                           bind::span_of(edges), bind::span_of(means)};
  require(cells.column.size() == cells.size() && cells.begin.size() == cells.size() + 1 &&
              cells.begin[0] == 0 &&
              cells.begin[cells.size()] == static_cast<std::int64_t>(cells.edges.size()),
          "The cells of a question do not fit each other.");
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    require(cells.begin[cell] <= cells.begin[cell + 1] && cells.place[cell] >= 0 &&
                static_cast<std::size_t>(cells.place[cell]) < cells.means.size(),
            "The cells of a question do not fit each other.");
  }
  return cells;
}

// The rows of a part in the open nodes, which `place_of_node` names.
parts::Standing standing_of(const Tree& tree, const TableHandle& table, const TargetHandle& target,
                            const Vector<std::int32_t>& place_of_node, std::size_t n_places) {
  check_columns(tree, table.table);
  require(place_of_node.size() == tree.n_nodes(), "There must be one place a node.");
  require(target.target.size() == table.table.n_rows, "X and y differ in length.");
  for (const std::int32_t place : bind::span_of(place_of_node)) {
    require(place < static_cast<std::int32_t>(n_places), "There is no such place.");
  }
  std::vector<std::int32_t> places(table.table.n_rows);
  apply(tree, table.table, places);
  for (std::int32_t& place : places) place = place_of_node.data()[place];
  return {places, n_places, target.target};
}

void check_cells(const parts::Cells& cells, const Table& table) {
  for (const std::int32_t column : cells.column) {
    require(column >= 0 && column < table.n_columns(), "There is no such column.");
  }
}

Line line_of(std::int32_t n_classes) {
  return {n_classes > 0, static_cast<std::size_t>(n_classes)};
}

void bind_counting(nb::module_& m) {
  m.def(
      "tally",
      [](const Tree& tree, const Vector<std::int32_t>& place_of_node, const FlatCells& flat,
         const TableHandle& table, const TargetHandle& target) {
        const parts::Cells cells = cells_of(flat);
        check_cells(cells, table.table);
        const Line line(target.target);
        std::vector<double> lines(cells.n_bins() * line.width());
        {
          nb::gil_scoped_release release;
          const auto standing = standing_of(tree, table, target, place_of_node, cells.means.size());
          parts::tally(cells, standing, table.table, target.target, lines);
        }
        return to_matrix(std::move(lines), cells.n_bins(), line.width());
      },
      nb::arg("tree"), nb::arg("place_of_node"), nb::arg("cells"), nb::arg("table"),
      nb::arg("target"), "A line of sums for every bin of every cell.");
  m.def(
      "runs",
      [](const Tree& tree, const Vector<std::int32_t>& place_of_node, const FlatCells& flat,
         const Vector<std::uint8_t>& wanted, const TableHandle& table, const TargetHandle& target) {
        const parts::Cells cells = cells_of(flat);
        check_cells(cells, table.table);
        require(wanted.size() == cells.n_bins(), "There must be one mark a bin.");
        parts::Runs found = [&] {
          nb::gil_scoped_release release;
          const auto standing = standing_of(tree, table, target, place_of_node, cells.means.size());
          return parts::runs(cells, bind::span_of(wanted), standing, table.table, target.target);
        }();
        const std::size_t n = found.size(), width = found.width;
        return to_matrix(std::move(found.lines), n, width);
      },
      nb::arg("tree"), nb::arg("place_of_node"), nb::arg("cells"), nb::arg("wanted"),
      nb::arg("table"), nb::arg("target"),
      "Of the wanted bins, a line of sums for every distinct value, with the bin in front.");
  m.def(
      "merge_lines",
      [](std::int32_t n_classes, const Lines& first, const Lines& second) {
        const Line line = line_of(n_classes);
        require(first.shape(0) == second.shape(0) && first.shape(1) == line.width() &&
                    second.shape(1) == line.width(),
                "The lines of two parts differ in shape.");
        std::vector<double> merged(first.data(), first.data() + first.size());
        for (std::size_t i = 0; i < first.shape(0); ++i) {
          line.merge(std::span(merged).subspan(i * line.width(), line.width()),
                     span_of(second).subspan(i * line.width(), line.width()));
        }
        return to_matrix(std::move(merged), first.shape(0), line.width());
      },
      nb::arg("n_classes"), nb::arg("first"), nb::arg("second"), "The lines of both parts.");
  m.def(
      "merge_runs",
      [](std::int32_t n_classes, const Lines& first, const Lines& second) {
        const Line line = line_of(n_classes);
        require(first.shape(1) == line.width() + 1 && second.shape(1) == line.width() + 1,
                "The lines of two parts differ in shape.");
        parts::Runs merged = parts::merge(line, span_of(first), span_of(second));
        const std::size_t n = merged.size(), width = merged.width;
        return to_matrix(std::move(merged.lines), n, width);
      },
      nb::arg("n_classes"), nb::arg("first"), nb::arg("second"),
      "The distinct values of both parts.");
  m.def(
      "has_bound",
      [](const std::string& name, std::vector<double> cost, std::size_t n_classes) {
        Measure measure{&impurity_named(name), std::move(cost)};
        require(!measure.traits().needs_costs || measure.cost.size() == n_classes * n_classes,
                "The cost matrix must have a row and a column per class.");
        return has_bound(measure, n_classes);
      },
      nb::arg("measure"), nb::arg("cost"), nb::arg("n_classes"),
      "Whether sums of a bin bound what cuts inside of it are worth.");
  m.def(
      "sample_edges",
      [](const Tree& tree, const Vector<std::int32_t>& place_of_node, const TableHandle& table,
         const TargetHandle& target, const std::string& measure,
         const Vector<std::int32_t>& columns, const Vector<std::int32_t>& n_edges) {
        Measure judged;
        judged.impurity = &impurity_named(measure);
        require(!judged.needs_rows() && !judged.traits().needs_costs,
                "The measure cannot judge a sample.");
        for (const std::int32_t column : bind::span_of(columns)) {
          require(column >= 0 && column < table.table.n_columns(), "There is no such column.");
        }
        parts::Edges found = [&] {
          nb::gil_scoped_release release;
          const auto sample = standing_of(tree, table, target, place_of_node, n_edges.size());
          return parts::edges_from(sample, table.table, target.target, judged,
                                   bind::span_of(columns), bind::span_of(n_edges));
        }();
        return std::tuple(to_array(std::move(found.place)), to_array(std::move(found.column)),
                          to_array(std::move(found.begin)), to_array(std::move(found.edges)));
      },
      nb::arg("tree"), nb::arg("place_of_node"), nb::arg("table"), nb::arg("target"),
      nb::arg("measure"), nb::arg("columns"), nb::arg("n_edges"),
      "Places, columns, beginnings and edges of a cell for each column at each place.");
}

// Calls visit(place, column, edges, lines) for each cell.
template <class Visit>
void for_each_cell(const parts::Cells& cells, const Lines& lines, Visit visit) {
  require(lines.shape(0) == cells.n_bins(), "The lines do not fit the cells.");
  const std::size_t width = lines.shape(1);
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    const auto edges = cells.edges_of(cell);
    visit(static_cast<std::size_t>(cells.place[cell]), cells.column[cell], edges,
          span_of(lines).subspan(cells.first_bin(cell) * width, (edges.size() + 2) * width));
  }
}

// The runs of each cell, without the number of their bin.
template <class Visit>
void for_each_run(const parts::Cells& cells, const Lines& runs, Visit visit) {
  const std::size_t width = runs.shape(1);
  const auto bin_of = [&](std::size_t i) {
    return static_cast<std::size_t>(runs.data()[i * width]);
  };
  std::size_t next = 0;
  for (std::size_t cell = 0; cell < cells.size() && next < runs.shape(0); ++cell) {
    const std::size_t end = cells.first_bin(cell) + cells.edges_of(cell).size() + 2;
    std::vector<double> lines;
    for (; next < runs.shape(0) && bin_of(next) < end; ++next) {
      const auto line = span_of(runs).subspan(next * width + 1, width - 1);
      lines.insert(lines.end(), line.begin(), line.end());
    }
    if (!lines.empty())
      visit(static_cast<std::size_t>(cells.place[cell]), cells.column[cell], lines);
  }
}

}  // namespace

void bind_parts(nb::module_& m) {
  bind_counting(m);
  nb::class_<PartitionedGrowth>(m, "PartitionedGrowth",
                                "Growth of a tree from sums over the parts of a table.")
      .def(
          "__init__",
          [](PartitionedGrowth* self, const Vector<std::int32_t>& n_levels, std::int32_t n_classes,
             const GrowOptions& options, const std::string& level_tests, std::size_t n_rows,
             bool unit_weights) {
            new (self) PartitionedGrowth(copy_of(n_levels), n_classes, options,
                                         level_tests_named(level_tests), n_rows, unit_weights);
          },
          nb::arg("n_levels"), nb::arg("n_classes"), nb::arg("options"), nb::arg("level_tests"),
          nb::arg("n_rows"), nb::arg("unit_weights"))
      .def(
          "plant",
          [](PartitionedGrowth& self, const Vector<double>& statistics) {
            self.plant(bind::span_of(statistics));
          },
          nb::arg("statistics"), "Begin with a root of these statistics.")
      .def_prop_ro("n_open", &PartitionedGrowth::n_open)
      .def_prop_ro(
          "rows",
          [](const PartitionedGrowth& self) {
            std::vector<double> rows;
            for (std::size_t i = 0; i < self.n_open(); ++i) rows.push_back(self.rows_at(i));
            return to_array(std::move(rows));
          },
          by_value, "Of each open node.")
      .def_prop_ro(
          "means",
          [](const PartitionedGrowth& self) {
            std::vector<double> means;
            for (std::size_t i = 0; i < self.n_open(); ++i) means.push_back(self.mean_at(i));
            return to_array(std::move(means));
          },
          by_value, "Of the target in each open node; 0 for classes.")
      .def(
          "tree",
          [](const PartitionedGrowth& self) {
            auto [tree, nodes] = self.tree();
            return std::pair(std::move(tree), to_array(std::move(nodes)));
          },
          "The tree so far, and which of its nodes are open.")
      .def(
          "put",
          [](PartitionedGrowth& self, const FlatCells& flat, const Lines& lines) {
            for_each_cell(cells_of(flat), lines, [&](auto place, auto column, auto edges, auto l) {
              self.put(place, column, edges, l);
            });
          },
          nb::arg("cells"), nb::arg("lines"), "Take the sums of all columns.")
      .def(
          "refine",
          [](PartitionedGrowth& self, const FlatCells& flat, const Lines& lines) {
            for_each_cell(cells_of(flat), lines, [&](auto place, auto column, auto edges, auto l) {
              self.refine(place, column, edges, l);
            });
          },
          nb::arg("cells"), nb::arg("lines"), "Take the sums of finer bins.")
      .def(
          "refine_by_value",
          [](PartitionedGrowth& self, const FlatCells& flat, const Lines& runs) {
            for_each_run(cells_of(flat), runs, [&](auto place, auto column, const auto& lines) {
              self.refine_by_value(place, column, lines);
            });
          },
          nb::arg("cells"), nb::arg("runs"), "Take the sums of distinct values.")
      .def(
          "unsettled",
          [](PartitionedGrowth& self) {
            const std::vector<Unsettled> found = [&] {
              nb::gil_scoped_release release;
              return self.unsettled();
            }();
            std::vector<std::int32_t> place, column;
            std::vector<double> numbers;
            for (const Unsettled& bin : found) {
              place.push_back(bin.place);
              column.push_back(bin.column);
              numbers.insert(numbers.end(), {bin.lower, bin.upper, bin.low, bin.high, bin.rows});
            }
            return std::tuple(to_array(std::move(place)), to_array(std::move(column)),
                              to_matrix(std::move(numbers), found.size(), 5));
          },
          "Places, columns and (lower, upper, low, high, rows) of bins that may hold a better cut.")
      .def(
          "bounds",
          [](const PartitionedGrowth& self, std::size_t place, std::int32_t column) {
            Worth worth = self.worth_at(place, column);
            return std::pair(std::move(worth.inside), std::move(worth.at_ends));
          },
          nb::arg("place"), nb::arg("column"),
          "What cuts inside each bin that holds rows are worth at most, and those at their ends "
          "for "
          "each place of missing values.")
      .def("options_at", &PartitionedGrowth::options_at, nb::arg("place"),
           "How an open node is grown where its rows are in memory.")
      .def("graft", &PartitionedGrowth::graft, nb::arg("place"), nb::arg("grown"),
           "Take what was grown of an open node; the places behind it move up.")
      .def("settle", &PartitionedGrowth::settle, nb::call_guard<nb::gil_scoped_release>(),
           "Choose splits and divide nodes.")
      .def(
          "finish",
          [](PartitionedGrowth& self) {
            Growth growth = self.finish();
            return std::pair(std::move(growth.tree), growth.out_of_time);
          },
          "The tree, and whether nodes are still open.")
      .def(
          "gaps",
          [](const PartitionedGrowth& self) {
            std::vector<std::pair<std::int32_t, double>> gaps;
            for (const Proof& proof : self.proofs()) gaps.emplace_back(proof.node, proof.gap);
            return gaps;
          },
          "Nodes of the tree that are not proven, with what a better cut may bring.");
}

}  // namespace treewright::bind
