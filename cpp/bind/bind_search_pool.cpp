// The search over a small pool of conditions.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "bind.hpp"
#include "treewright/base/error.hpp"
#include "treewright/search/pool/pool.hpp"
#include "treewright/search/pool/splits.hpp"

namespace treewright::bind {

namespace {

// Columns of conditions must be ascending, and known to the rules.
void check_rules(const ColumnRules& rules, const std::vector<Columns>& columns) {
  std::int32_t n_columns = static_cast<std::int32_t>(rules.costs.size());
  for (const Columns& read : columns) {
    require(!read.empty() && read.front() >= 0 && std::ranges::is_sorted(read),
            "A condition reads columns, ascending.");
    require(rules.costs.empty() || read.back() < n_columns, "Each column must have its price.");
  }
  if (rules.costs.empty()) n_columns = std::numeric_limits<std::int32_t>::max();
  rules.check(n_columns);
}

}  // namespace

void bind_search_pool(nb::module_& m) {
  nb::class_<search::PoolTree>(m, "PoolTree", "The best tree of one size over a pool.")
      .def_ro("cost", &search::PoolTree::cost)
      .def_ro("tree", &search::PoolTree::plan);
  nb::class_<search::PoolFront>(m, "PoolFront", "The best trees of every size over a pool.")
      .def_ro("trees", &search::PoolFront::trees)
      .def_ro("by_group", &search::PoolFront::by_group);

  using Bits = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  using Amounts = nb::ndarray<const std::uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  using Costs = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  m.def(
      "search_pool",
      [](const Bits& bits, const Amounts& amounts, const Costs& costs, const Vector<double>& prices,
         double gini, double min_weight, std::int32_t max_depth, std::int32_t max_leaves,
         std::size_t n_jobs, const nb::object& progress,
         const std::optional<Vector<std::int32_t>>& groups, const std::vector<Columns>& columns,
         const std::optional<ColumnRules>& rules,
         const std::optional<Vector<std::int32_t>>& trends) {
        search::Pool pool;
        pool.n_rows = amounts.shape(0);
        pool.n_tests = bits.shape(0);
        pool.bits = {bits.data(), bits.size()};
        pool.amounts = {amounts.data(), amounts.size()};
        pool.n_outputs = amounts.shape(1);
        pool.costs = {costs.data(), costs.size()};
        pool.gini = gini;
        pool.prices = span_of(prices);
        pool.min_weight = min_weight;
        if (groups) pool.groups = span_of(*groups);
        pool.columns = columns;
        if (rules) pool.rules = *rules;
        if (trends) pool.trends = span_of(*trends);
        require(!trends || (pool.trends.size() == pool.n_tests && pool.n_outputs == 2),
                "Each condition must have a trend, and there must be two classes or numbers.");
        pool.max_depth = max_depth;
        pool.max_leaves = max_leaves;
        pool.n_threads = n_jobs;
        require(bits.shape(1) * 8 >= pool.n_rows, "Each row must have its bit in every condition.");
        require(prices.size() == pool.n_tests, "Each condition must have a price.");
        require(!rules || columns.size() == pool.n_tests,
                "The columns of each condition must be known under rules.");
        require(!groups || pool.groups.size() == pool.n_tests, "Each condition must have a group.");
        for (const std::int32_t group : pool.groups)
          require(group >= 0 && std::cmp_less(group, pool.n_tests), "Groups are counted from 0.");
        require(pool.is_classification() ? costs.shape(0) == pool.n_outputs : pool.n_outputs == 2,
                "Each class must have its costs; numbers have a weight and a sum.");
        require(max_depth >= 1 && max_depth <= 3, "Trees over a pool have a depth of 1, 2 or 3.");
        require(max_leaves >= 1 && max_leaves <= 8, "Trees over a pool have 1 to 8 leaves.");
        require(min_weight > 0.0, "A leaf must have some weight.");
        require(n_jobs >= 1, "There must be a thread.");
        if (rules) check_rules(*rules, columns);
        Monitor monitor(std::nullopt, report_to(progress));
        nb::gil_scoped_release release;
        return search::search_pool(pool, monitor);
      },
      nb::arg("bits"), nb::arg("amounts"), nb::arg("costs"), nb::arg("prices"), nb::arg("gini"),
      nb::arg("min_weight"), nb::arg("max_depth"), nb::arg("max_leaves"), nb::arg("n_jobs"),
      nb::arg("progress") = nb::none(), nb::arg("groups") = nb::none(),
      nb::arg("columns") = std::vector<Columns>(), nb::arg("rules") = nb::none(),
      nb::arg("trends") = nb::none(),
      "The best tree of every number of leaves over a pool of conditions, by counting all "
      "triples; with groups of conditions the same for each group at the root, under rules of the "
      "columns that conditions read only trees whose paths keep them, with trends of conditions "
      "only trees whose leaves stand in their order.");

  using Numbers = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  m.def(
      "split_costs",
      [](const Numbers& met, const Numbers& amounts, const Vector<std::uint32_t>& rows,
         const Costs& costs, double gini, double min_weight) {
        const std::size_t n_rows = amounts.shape(0), n_outputs = amounts.shape(1);
        require(met.shape(0) == n_rows, "Each row must meet or fail every condition.");
        require(costs.size() ? costs.shape(0) == n_outputs : n_outputs == 2,
                "Each class must have its costs; numbers have a weight and a sum.");
        for (const std::uint32_t row : span_of(rows))
          require(row < n_rows, "There is no such row.");
        search::SplitCosts found;
        {
          const LongWork work(rows.size() * met.shape(1));
          search::Losses losses({costs.data(), costs.size()}, n_outputs, gini, min_weight);
          found = search::split_costs({met.data(), met.size()}, {amounts.data(), amounts.size()},
                                      n_outputs, span_of(rows), losses);
        }
        return std::pair(found.one_leaf, to_array(std::move(found.of_conditions)));
      },
      nb::arg("met"), nb::arg("amounts"), nb::arg("rows"), nb::arg("costs"), nb::arg("gini"),
      nb::arg("min_weight"),
      "What some rows cost in one leaf, and in the two leaves that each condition makes of them.");
}

}  // namespace treewright::bind
