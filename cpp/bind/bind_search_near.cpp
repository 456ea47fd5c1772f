// The search for all trees that cost little more than the best one.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "search_problem.hpp"
#include "search_report.hpp"
#include "treewright/search/near/near.hpp"

namespace treewright::bind {

using search::FirstTree;
using search::NearOptions;
using search::NearResult;
using search::NearTree;

void bind_search_near(nb::module_& m) {
  nb::class_<NearOptions>(m, "NearOptions", "Which trees near the best one are looked for.")
      .def(nb::init<>())
      .def_rw("slack", &NearOptions::slack)
      .def_rw("known", &NearOptions::known)
      .def_rw("n_trees", &NearOptions::n_trees)
      .def_rw("with_idle_tests", &NearOptions::with_idle_tests)
      .def_rw("with_first", &NearOptions::with_first);
  nb::class_<NearTree>(m, "NearTree", "One of these trees.")
      .def_ro("cost", &NearTree::cost)
      .def_ro("tree", &NearTree::plan);
  nb::class_<FirstTree>(m, "FirstTree", "The best tree whose root reads some columns.")
      .def_ro("columns", &FirstTree::columns)
      .def_ro("cost", &FirstTree::cost)
      .def_ro("tree", &FirstTree::plan);
  nb::class_<NearResult>(m, "NearResult", "What such a search found and proved.")
      .def_ro("optimum", &NearResult::optimum)
      .def_prop_ro("status", [](const NearResult& r) { return name_of(r.status); })
      .def_ro("costs", &NearResult::costs, "What trees cost, the least first.")
      .def_ro("counts", &NearResult::counts, "How many trees cost so much.")
      .def_ro("without", &NearResult::without, "Of each column, trees that do not read it.")
      .def_ro("trees", &NearResult::trees, "The best ones, no two with the same predictions.")
      .def_ro("has_all_trees", &NearResult::has_all_trees,
              "Whether no other tree predicts anything else.")
      .def_ro("first", &NearResult::first)
      .def_prop_ro("status_of_first",
                   [](const NearResult& r) { return name_of(r.status_of_first); })
      .def_prop_ro("statistics", [](const NearResult& r) -> NamedValues {
        nb::dict d;
        d["nodes"] = r.n_nodes;
        d["edges"] = r.n_edges;
        return d;
      });

  m.def(
      "search_near_trees",
      [](const SearchBits& bits, std::size_t n_rows, const Vector<std::int64_t>& targets,
         const Vector<std::int64_t>& weights, const SearchCosts& costs,
         const Vector<std::int64_t>& prices, const Vector<std::int32_t>& last_levels,
         const Vector<std::int32_t>& chains, const Vector<std::int32_t>& sources,
         const std::vector<Columns>& columns, std::int32_t n_columns,
         const search::Options& options, const NearOptions& near, nb::object progress) {
        const search::Problem problem =
            problem_of(bits, n_rows, targets, weights, costs, prices, last_levels, chains, sources);
        SearchReport reporter(std::move(progress));
        NearResult result;
        {
          nb::gil_scoped_release release;
          result =
              search::find_near(problem, options, near, columns, n_columns, std::ref(reporter));
        }
        if (result.status != search::Status::optimal) {
          reporter.take_late_interrupt();
          if (reporter.interrupted) result.status = search::Status::interrupted;
        }
        return result;
      },
      nb::arg("bits"), nb::arg("n_rows"), nb::arg("targets"), nb::arg("weights"), nb::arg("costs"),
      nb::arg("prices"), nb::arg("last_levels"), nb::arg("chains"), nb::arg("sources"),
      nb::arg("columns"), nb::arg("n_columns"), nb::arg("options"), nb::arg("near"),
      nb::arg("progress") = nb::none(),
      "Search for all trees that cost little more than the best one.");
}

}  // namespace treewright::bind
