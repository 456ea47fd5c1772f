// The search for optimal trees under rules of columns.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "search_report.hpp"
#include "treewright/base/error.hpp"
#include "treewright/search/limited/limited.hpp"

namespace treewright::bind {

using search::LimitedOptions;
using search::LimitedResult;
using search::OrderRules;
using search::Plan;

void bind_search_limited(nb::module_& m) {
  nb::class_<OrderRules>(
      m, "SearchOrderRules",
      "In which order the leaves of a tree must stand, by columns and conditions.")
      .def(nb::init<>())
      .def_rw("trends", &OrderRules::trends)
      .def_rw("n_levels", &OrderRules::n_levels)
      .def_rw("has_missing", &OrderRules::has_missing)
      .def_rw("sides", &OrderRules::sides)
      .def_rw("columns", &OrderRules::columns)
      .def_rw("thresholds", &OrderRules::thresholds)
      .def_rw("levels", &OrderRules::levels)
      .def_rw("unknown", &OrderRules::unknown);
  nb::class_<LimitedOptions>(m, "LimitedSearchOptions",
                             "How to search for an optimal tree under rules of columns.")
      .def(nb::init<>())
      .def_rw("max_depth", &LimitedOptions::max_depth)
      .def_rw("penalty", &LimitedOptions::penalty)
      .def_rw("min_rows", &LimitedOptions::min_rows)
      .def_rw("min_weight", &LimitedOptions::min_weight)
      .def_rw("limit", &LimitedOptions::limit)
      .def_rw("seconds", &LimitedOptions::seconds)
      .def_rw("memory", &LimitedOptions::memory)
      .def_rw("hint_cost", &LimitedOptions::hint_cost)
      .def_rw("least", &LimitedOptions::least)
      .def_rw("unit", &LimitedOptions::unit);
  nb::class_<LimitedResult>(m, "LimitedSearchResult", "What such a search found and proved.")
      .def_ro("found", &LimitedResult::found)
      .def_ro("objective", &LimitedResult::objective)
      .def_ro("lower_bound", &LimitedResult::lower_bound)
      .def_prop_ro("status", [](const LimitedResult& r) { return name_of(r.status); })
      .def_ro("tree", &LimitedResult::plan)
      .def_prop_ro("statistics", [](const LimitedResult& r) -> NamedValues {
        nb::dict d;
        d["nodes"] = r.n_nodes;
        d["cache_entries"] = r.n_remembered;
        return d;
      });

  using Bits = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  using Levels = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  using Costs = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  m.def(
      "search_limited_tree",
      [](const Bits& bits, std::size_t n_rows, const Vector<std::int32_t>& codes,
         const Vector<double>& numbers, const Vector<double>& weights, const Costs& costs,
         const Vector<double>& prices, const Vector<std::int32_t>& last_levels,
         const Vector<std::int32_t>& chains, const std::vector<Columns>& columns,
         const ColumnRules& rules, const OrderRules& order, const std::optional<Plan>& hint,
         const LimitedOptions& options, nb::object progress, const std::optional<Levels>& levels,
         const Columns& level_columns, const std::vector<std::int32_t>& n_levels) {
        search::LimitedProblem problem;
        problem.n_rows = n_rows;
        problem.n_tests = bits.shape(0);
        problem.bits = {bits.data(), bits.size()};
        problem.codes = span_of(codes);
        problem.numbers = span_of(numbers);
        problem.weights = span_of(weights);
        problem.costs = {costs.data(), costs.size()};
        problem.n_classes = costs.shape(0);
        problem.n_labels = costs.shape(1);
        problem.prices = span_of(prices);
        problem.last_levels = span_of(last_levels);
        problem.chains = span_of(chains);
        problem.columns = columns;
        problem.rules = rules;
        if (levels) {
          require(levels->shape(1) == n_rows && level_columns.size() == levels->shape(0) &&
                      n_levels.size() == levels->shape(0),
                  "There must be levels of rows, a column and a number of levels each.");
          const std::span all(levels->data(), levels->size());
          for (std::size_t c = 0; c < level_columns.size(); ++c)
            problem.level_columns.push_back(
                {all.subspan(c * n_rows, n_rows), n_levels[c], level_columns[c]});
        }
        problem.order = order;
        if (hint) problem.hint = *hint;
        SearchReport reporter(std::move(progress));
        LimitedResult result;
        {
          nb::gil_scoped_release release;
          result = search::solve_limited(problem, options, std::ref(reporter));
        }
        if (result.status != search::Status::optimal) {
          reporter.take_late_interrupt();
          if (reporter.interrupted) result.status = search::Status::interrupted;
        }
        return result;
      },
      nb::arg("bits"), nb::arg("n_rows"), nb::arg("codes"), nb::arg("numbers"), nb::arg("weights"),
      nb::arg("costs"), nb::arg("prices"), nb::arg("last_levels"), nb::arg("chains"),
      nb::arg("columns"), nb::arg("rules"), nb::arg("order"), nb::arg("hint").none(),
      nb::arg("options"), nb::arg("progress") = nb::none(), nb::arg("levels") = nb::none(),
      nb::arg("level_columns") = Columns{}, nb::arg("n_levels") = std::vector<std::int32_t>{},
      "Search for the tree of least cost that keeps rules of columns; where there are levels (-1: "
      "missing), each column's may have a branch each. Such splits are numbered after the others, "
      "one for each level that rows without one may go with.");
}

}  // namespace treewright::bind
