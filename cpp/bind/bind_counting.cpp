// What is counted in each part of a table, for growth that has no rows.
#include "questions.hpp"
#include "treewright/parts/edges.hpp"
#include "treewright/parts/tally.hpp"
#include "treewright/split/cut/bound.hpp"
#include "treewright/tree/apply.hpp"

namespace treewright::bind {

parts::Cells cells_of(const FlatCells& flat, const parts::Projections& projections) {
  const auto& [place, column, begin, edges, means, combinations] = flat;
  const parts::Cells cells{bind::span_of(place), bind::span_of(column), bind::span_of(begin),
                           bind::span_of(edges), bind::span_of(means),  projections};
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

std::vector<parts::Compared> compared_of(const FlatSides& flat) {
  std::vector<parts::Compared> compared;
  for (const auto& [place, test, other] : flat) {
    compared.push_back({place, from_python(test), from_python(other)});
    require(is_linear(compared.back().test.kind) && is_linear(compared.back().other.kind),
            "Both splits must be linear.");
  }
  return compared;
}

namespace {

parts::Projections projections_of(const nb::sequence& combinations) {
  std::vector<Test> tests;
  for (const nb::handle flat : combinations) {
    tests.push_back(from_python(flat));
    require(is_linear(tests.back().kind), "A combination must be linear.");
  }
  return parts::Projections(std::move(tests));
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
  const std::int32_t n_lines =
      table.n_columns() + static_cast<std::int32_t>(cells.projections.size());
  for (const std::int32_t column : cells.column) {
    require(column >= 0 && column < n_lines, "There is no such column.");
  }
}

Line line_of(std::int32_t n_classes) {
  return {n_classes > 0, static_cast<std::size_t>(n_classes)};
}

// A tally with what it is about.
struct Tallying {
  Tallying(const FlatCells& asked, std::int32_t n_classes)
      : flat(asked),
        projections(projections_of(std::get<5>(flat))),
        cells(cells_of(flat, projections)),
        line(line_of(n_classes)),
        tally(cells, line) {}

  FlatCells flat;
  parts::Projections projections;
  parts::Cells cells;
  Line line;
  parts::Tally tally;
};

std::vector<parts::ColumnsAt> sets_of(const FlatSets& flat) {
  std::vector<parts::ColumnsAt> sets;
  for (const auto& [place, columns] : flat) sets.push_back({place, columns});
  return sets;
}

void bind_sums(nb::module_& m) {
  nb::class_<Tallying>(m, "Tally", "A line of sums for every bin of every cell.")
      .def(nb::init<const FlatCells&, std::int32_t>(), nb::arg("cells"), nb::arg("n_classes"))
      .def(
          "add",
          [](Tallying& self, const Tree& tree, const Vector<std::int32_t>& place_of_node,
             const TableHandle& table, const TargetHandle& target) {
            check_cells(self.cells, table.table);
            require(target.target.is_classification() == self.line.is_classification &&
                        (!self.line.is_classification ||
                         Line(target.target).n_classes == self.line.n_classes),
                    "The target has other classes than the tally.");
            nb::gil_scoped_release release;
            const auto standing =
                standing_of(tree, table, target, place_of_node, self.cells.means.size());
            self.tally.add(standing, table.table, target.target);
          },
          nb::arg("tree"), nb::arg("place_of_node"), nb::arg("table"), nb::arg("target"),
          "Count the rows of a part of a table.")
      .def(
          "take_lines",
          [](Tallying& self) {
            return to_matrix(self.tally.take_lines(), self.cells.n_bins(), self.line.width());
          },
          "The lines of all parts that were added; ends the tally.");
  m.def(
      "runs",
      [](const Tree& tree, const Vector<std::int32_t>& place_of_node, const FlatCells& flat,
         const Vector<std::uint8_t>& wanted, const TableHandle& table, const TargetHandle& target) {
        const parts::Projections projections = projections_of(std::get<5>(flat));
        const parts::Cells cells = cells_of(flat, projections);
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
        line.merge_all(merged, span_of(second));
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
         const TargetHandle& target, const std::string& measure, const AnySequence& combinations,
         const Vector<std::int32_t>& places, const Vector<std::int32_t>& columns,
         const Vector<std::int32_t>& n_edges) {
        Measure judged;
        judged.impurity = &impurity_named(measure);
        require(!judged.needs_rows() && !judged.traits().needs_costs,
                "The measure cannot judge a sample.");
        const parts::Projections projections = projections_of(combinations);
        const std::int32_t n_lines =
            table.table.n_columns() + static_cast<std::int32_t>(projections.size());
        require(places.size() == columns.size(), "There must be one place a column.");
        for (std::size_t i = 0; i < columns.size(); ++i) {
          const std::int32_t column = columns.data()[i], place = places.data()[i];
          require(column >= 0 && column < n_lines && place >= 0 &&
                      place < static_cast<std::int32_t>(n_edges.size()),
                  "There is no such column.");
        }
        parts::Edges found = [&] {
          nb::gil_scoped_release release;
          const auto sample = standing_of(tree, table, target, place_of_node, n_edges.size());
          return parts::edges_from(sample, table.table, target.target, judged, projections,
                                   bind::span_of(places), bind::span_of(columns),
                                   bind::span_of(n_edges));
        }();
        return std::tuple(to_array(std::move(found.place)), to_array(std::move(found.column)),
                          to_array(std::move(found.begin)), to_array(std::move(found.edges)));
      },
      nb::arg("tree"), nb::arg("place_of_node"), nb::arg("table"), nb::arg("target"),
      nb::arg("measure"), nb::arg("combinations"), nb::arg("places"), nb::arg("columns"),
      nb::arg("n_edges"), "Places, columns, beginnings and edges of a cell for each column.");
}

void bind_moments(nb::module_& m) {
  m.def(
      "moments",
      [](const Tree& tree, const Vector<std::int32_t>& place_of_node, std::size_t n_places,
         const FlatSets& flat, const TableHandle& table, const TargetHandle& target) {
        const std::vector<parts::ColumnsAt> sets = sets_of(flat);
        for (const parts::ColumnsAt& set : sets) {
          require(set.place >= 0 && static_cast<std::size_t>(set.place) < n_places,
                  "There is no such place.");
          for (const std::int32_t column : set.columns) {
            require(column >= 0 && column < table.table.n_columns(), "There is no such column.");
          }
        }
        std::vector<double> numbers = [&] {
          nb::gil_scoped_release release;
          const auto standing = standing_of(tree, table, target, place_of_node, n_places);
          return parts::moments(sets, standing, table.table, target.target);
        }();
        return to_array(std::move(numbers));
      },
      nb::arg("tree"), nb::arg("place_of_node"), nb::arg("n_places"), nb::arg("sets"),
      nb::arg("table"), nb::arg("target"),
      "Rows, weight, means and products of each class, for sets of columns at open nodes.");
  m.def(
      "merge_moments",
      [](const FlatSets& sets, std::int32_t n_classes, const Vector<double>& first,
         const Vector<double>& second) {
        require(first.size() == second.size(), "The moments of two parts differ in shape.");
        std::vector<double> merged = copy_of(first);
        std::vector<std::int32_t> sizes;
        for (const auto& [place, columns] : sets) {
          sizes.push_back(static_cast<std::int32_t>(columns.size()));
        }
        parts::merge_moments(sizes, n_classes, merged, bind::span_of(second));
        return to_array(std::move(merged));
      },
      nb::arg("sets"), nb::arg("n_classes"), nb::arg("first"), nb::arg("second"),
      "The moments of both parts.");
  m.def(
      "sides",
      [](const Tree& tree, const Vector<std::int32_t>& place_of_node, std::size_t n_places,
         const FlatSides& flat, const TableHandle& table, const TargetHandle& target) {
        const std::vector<parts::Compared> compared = compared_of(flat);
        for (const parts::Compared& pair : compared) {
          require(pair.place >= 0 && static_cast<std::size_t>(pair.place) < n_places,
                  "There is no such place.");
          check_test(pair.test, table.table.n_levels);
          check_test(pair.other, table.table.n_levels);
        }
        std::vector<double> numbers = [&] {
          nb::gil_scoped_release release;
          const auto standing = standing_of(tree, table, target, place_of_node, n_places);
          return parts::sides(compared, standing, table.table);
        }();
        return to_matrix(std::move(numbers), compared.size(), parts::numbers_of_sides);
      },
      nb::arg("tree"), nb::arg("place_of_node"), nb::arg("n_places"), nb::arg("compared"),
      nb::arg("table"), nb::arg("target"),
      "Where the scores of other linear combinations lie on the two sides of one.");
  m.def(
      "merge_sides",
      [](const Lines& first, const Lines& second) {
        require(first.shape(0) == second.shape(0) && first.shape(1) == parts::numbers_of_sides &&
                    second.shape(1) == parts::numbers_of_sides,
                "The sides of two parts differ in shape.");
        std::vector<double> merged(first.data(), first.data() + first.size());
        parts::merge_sides(merged, span_of(second));
        return to_matrix(std::move(merged), first.shape(0), parts::numbers_of_sides);
      },
      nb::arg("first"), nb::arg("second"), "The sides of both parts.");
}

}  // namespace

void bind_counting(nb::module_& m) {
  bind_sums(m);
  bind_moments(m);
}

}  // namespace treewright::bind
