// Growth over parts of a table: it asks, and takes what was counted in each part.
#include <nanobind/stl/shared_ptr.h>

#include "questions.hpp"
#include "treewright/grow/partitioned.hpp"

namespace treewright::bind {

namespace {

// Calls visit(place, column, edges, lines) for each cell.
template <class Visit>
void for_each_cell(const FlatCells& flat, const Lines& lines, Visit visit) {
  const parts::Projections none({});
  const parts::Cells cells = cells_of(flat, none);
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
void for_each_run(const FlatCells& flat, const Lines& runs, Visit visit) {
  const parts::Projections none({});
  const parts::Cells cells = cells_of(flat, none);
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

// What methods ask, and what they are told.
void bind_evidence(nb::class_<PartitionedGrowth>& growth) {
  growth
      .def(
          "wanted",
          [](PartitionedGrowth& self) {
            const Wanted& wanted = [&]() -> const Wanted& {
              nb::gil_scoped_release release;
              return self.wanted();
            }();
            const auto place_of = [](std::size_t place) {
              return static_cast<std::int32_t>(place);
            };
            FlatSets sets;
            for (const auto& [place, columns] : wanted.moments) {
              sets.emplace_back(place_of(place), columns);
            }
            std::vector<std::int32_t> places, columns, below_places, below_columns;
            std::vector<double> limits;
            for (const auto& [place, column] : wanted.bins) {
              places.push_back(place_of(place));
              columns.push_back(column);
            }
            for (const Wanted::Below& below : wanted.below) {
              below_places.push_back(place_of(below.place));
              below_columns.push_back(below.column);
              limits.push_back(below.limit);
            }
            FlatSides sides;
            for (const OtherTest& asked : wanted.sides) {
              sides.emplace_back(place_of(asked.place), to_python(asked.test),
                                 to_python(asked.other));
            }
            nb::list combinations;
            for (const Combination& line : self.combinations()) {
              combinations.append(to_python(line.test));
            }
            return nb::typed<nb::tuple, nb::any, nb::ellipsis>(nb::make_tuple(
                sets, nb::make_tuple(to_array(std::move(places)), to_array(std::move(columns))),
                nb::make_tuple(to_array(std::move(below_places)),
                               to_array(std::move(below_columns)), to_array(std::move(limits))),
                sides, combinations));
          },
          "What the method lacks: sets of columns whose moments, columns whose bins, limits and "
          "splits are wanted; and the combinations that stand behind the columns.")
      .def(
          "put_moments",
          [](PartitionedGrowth& self, const FlatSets& sets, const Vector<double>& numbers) {
            std::size_t at = 0;
            for (const auto& [place, columns] : sets) {
              const std::size_t size = self.n_moments(columns.size());
              require(at + size <= numbers.size(), "The moments do not fit the sets.");
              self.put_moments(static_cast<std::size_t>(place), columns,
                               {numbers.data() + at, numbers.data() + at + size});
              at += size;
            }
          },
          nb::arg("sets"), nb::arg("numbers"), "Take the moments of sets of columns.")
      .def(
          "put_below",
          [](PartitionedGrowth& self, const FlatCells& flat, const Lines& lines) {
            for_each_cell(flat, lines, [&](auto place, auto column, auto edges, auto l) {
              self.put_below(place, column, edges[0], l);
            });
          },
          nb::arg("cells"), nb::arg("lines"), "Take the sums up to limits, one a cell.")
      .def(
          "put_sides",
          [](PartitionedGrowth& self, const FlatSides& flat, const Lines& numbers) {
            const std::vector<parts::Compared> compared = compared_of(flat);
            require(
                numbers.shape(0) == compared.size() && numbers.shape(1) == parts::numbers_of_sides,
                "The sides do not fit the splits.");
            for (std::size_t i = 0; i < compared.size(); ++i) {
              const double* s = numbers.data() + i * parts::numbers_of_sides;
              self.put_sides({static_cast<std::size_t>(compared[i].place), compared[i].test,
                              compared[i].other},
                             {s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]});
            }
          },
          nb::arg("compared"), nb::arg("numbers"), "Take where the scores of other splits lie.")
      .def("give_up", &PartitionedGrowth::give_up, "Let what is unsettled stay so.");
}

}  // namespace

void bind_parts(nb::module_& m) {
  nb::class_<PartitionedGrowth> bound(m, "PartitionedGrowth",
                                      "Growth of a tree from sums over the parts of a table.");
  bind_evidence(bound);
  bound
      .def(
          "__init__",
          [](PartitionedGrowth* self, const Vector<std::int32_t>& n_levels, std::int32_t n_classes,
             const GrowOptions& options, const std::string& level_tests, std::size_t n_rows,
             bool unit_weights, std::shared_ptr<Method> method) {
            new (self)
                PartitionedGrowth(copy_of(n_levels), n_classes, options,
                                  level_tests_named(level_tests), n_rows, unit_weights, method);
          },
          nb::arg("n_levels"), nb::arg("n_classes"), nb::arg("options"), nb::arg("level_tests"),
          nb::arg("n_rows"), nb::arg("unit_weights"), nb::arg("method").none())
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
            for_each_cell(flat, lines, [&](auto place, auto column, auto edges, auto l) {
              self.put(place, column, edges, l);
            });
          },
          nb::arg("cells"), nb::arg("lines"), "Take the sums of all columns.")
      .def(
          "refine",
          [](PartitionedGrowth& self, const FlatCells& flat, const Lines& lines) {
            for_each_cell(flat, lines, [&](auto place, auto column, auto edges, auto l) {
              self.refine(place, column, edges, l);
            });
          },
          nb::arg("cells"), nb::arg("lines"), "Take the sums of finer bins.")
      .def(
          "refine_by_value",
          [](PartitionedGrowth& self, const FlatCells& flat, const Lines& runs) {
            for_each_run(flat, runs, [&](auto place, auto column, const auto& lines) {
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
      .def("options_at", &PartitionedGrowth::options_at, nb::arg("depth"),
           "How a node at a depth is grown where its rows are in memory.")
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
