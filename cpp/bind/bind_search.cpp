// The search for optimal trees, in whole numbers.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <string>

#include "bind.hpp"
#include "search_problem.hpp"
#include "search_report.hpp"
#include "treewright/base/error.hpp"
#include "treewright/search/kernel/kernel.hpp"
#include "treewright/search/problem.hpp"

namespace treewright::bind {

namespace {

using search::Options;
using search::Plan;
using search::Result;
using search::Status;

template <class Get>
NewVector<std::int32_t> nodes_to_array(const Plan& plan, Get get) {
  std::vector<std::int32_t> values;
  for (const Plan::Node& node : plan.nodes) values.push_back(static_cast<std::int32_t>(get(node)));
  return to_array(std::move(values));
}

}  // namespace

void bind_search(nb::module_& m) {
  nb::class_<Options>(m, "SearchOptions",
                      "How to search for an optimal tree, in units of the problem.")
      .def(nb::init<>())
      .def_rw("max_depth", &Options::max_depth)
      .def_rw("max_nodes", &Options::max_nodes)
      .def_rw("penalty", &Options::penalty)
      .def_rw("min_rows", &Options::min_rows)
      .def_rw("min_weight", &Options::min_weight)
      .def_rw("pair_levels", &Options::pair_levels)
      .def_rw("pair_functions", &Options::pair_functions)
      .def_rw("pair_price", &Options::pair_price)
      .def_rw("front", &Options::front)
      .def_rw("n_jobs", &Options::n_threads)
      .def_rw("seconds", &Options::seconds)
      .def_rw("memory", &Options::memory)
      .def_rw("kernel", &Options::kernel)
      .def_rw("similarity", &Options::similarity)
      .def_rw("cache", &Options::cache)
      .def_rw("reduction", &Options::reduction)
      .def_rw("ordering", &Options::ordering)
      .def_rw("fused", &Options::fused)
      .def_rw("chain_length", &Options::chain_length)
      .def_rw("limit", &Options::limit)
      .def_rw("smallest", &Options::smallest);

  using Places = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  nb::class_<Plan>(m, "SearchTree", "A tree over conditions, its nodes in preorder.")
      .def(
          "__init__",
          [](Plan* plan, const Places& first, const Places& passed, const Places& failed) {
            const std::size_t n = first.shape(0);
            require(n > 0 && passed.shape(0) == n && failed.shape(0) == n,
                    "Each node needs a condition and two children.");
            new (plan) Plan;
            plan->nodes.resize(n);
            for (std::size_t i = 0; i < n; ++i) {
              Plan::Node& node = plan->nodes[i];
              node.first = first.data()[i];
              node.passed = passed.data()[i];
              node.failed = failed.data()[i];
              if (node.first < 0) continue;
              const auto below = [&](std::int32_t child) {
                return child > static_cast<std::int32_t>(i) && child < static_cast<std::int32_t>(n);
              };
              require(below(node.passed) && below(node.failed), "Children come after their node.");
            }
          },
          nb::arg("first"), nb::arg("passed"), nb::arg("failed"),
          "A tree of single conditions: that of each node (-1 in leaves), and its children.")
      .def(
          "over",
          [](const Plan& plan, const Places& tests, const std::optional<Places>& unknown) {
            require(!unknown || unknown->size() == tests.size(),
                    "There must be a column of rows of unknown branch, or -1, a condition.");
            const auto begin = tests.data(), end = tests.data() + tests.size();
            const auto place = [&](std::int32_t test) {
              if (test < 0) return test;
              const auto at = std::find(begin, end, test);
              require(at != end, "The tree has a condition that is not among those given.");
              return static_cast<std::int32_t>(at - begin);
            };
            const auto unknown_at = [&](std::int32_t test) {
              return unknown && test >= 0 ? unknown->data()[test] : -1;
            };
            Plan over = plan;
            for (Plan::Node& node : over.nodes) {
              node.first = place(node.first);
              node.second = place(node.second);
              node.first_unknown = unknown_at(node.first);
              node.second_unknown = unknown_at(node.second);
            }
            return over;
          },
          nb::arg("tests"), nb::arg("unknown") = nb::none(),
          "The same tree, its conditions numbered by their place among these; beside each the "
          "column of bits that has the rows whose branch it does not know, -1 for none.")
      .def_prop_ro(
          "first",
          [](const Plan& p) { return nodes_to_array(p, [](const auto& n) { return n.first; }); },
          by_value, "Condition of each node, -1 in leaves.")
      .def_prop_ro(
          "second",
          [](const Plan& p) { return nodes_to_array(p, [](const auto& n) { return n.second; }); },
          by_value, "Second condition where two are joined, else -1.")
      .def_prop_ro(
          "function",
          [](const Plan& p) { return nodes_to_array(p, [](const auto& n) { return n.function; }); },
          by_value, "0 one condition, 1 and, 2 or, 3 xor, 4 first and not second.")
      .def_prop_ro(
          "passed",
          [](const Plan& p) { return nodes_to_array(p, [](const auto& n) { return n.passed; }); },
          by_value, "Child for rows that meet the condition.")
      .def_prop_ro(
          "failed",
          [](const Plan& p) { return nodes_to_array(p, [](const auto& n) { return n.failed; }); },
          by_value, "Child for rows that do not.")
      .def_prop_ro(
          "answers",
          [](const Plan& p) { return nodes_to_array(p, [](const auto& n) { return n.answer; }); },
          by_value, "Label of each leaf, -1 elsewhere.");

  nb::class_<search::FrontPoint>(m, "SearchFrontPoint", "The best tree of one size.")
      .def_ro("n_tests", &search::FrontPoint::n_tests)
      .def_ro("cost", &search::FrontPoint::cost, "Without the penalty for size.")
      .def_ro("tree", &search::FrontPoint::plan);

  nb::class_<Result>(m, "SearchResult", "What a search found and proved.")
      .def_ro("found", &Result::found, "Whether a tree costs less than the limit of the options.")
      .def_ro("objective", &Result::objective)
      .def_ro("lower_bound", &Result::lower_bound)
      .def_prop_ro("status", [](const Result& r) { return name_of(r.status); })
      .def_prop_ro(
          "status_of_size", [](const Result& r) { return name_of(r.status_of_size); },
          "Whether the smallest of equally good trees was found, where that was asked for.")
      .def_ro("tree", &Result::plan)
      .def_ro("front", &Result::front)
      .def_prop_ro("statistics", [](const Result& r) -> NamedValues {
        nb::dict d;
        d["nodes"] = r.statistics.nodes;
        d["fused"] = r.statistics.fused;
        d["skipped"] = r.statistics.similar;
        d["cache_hits"] = r.statistics.cache_hits;
        d["cache_entries"] = r.statistics.cache_entries;
        d["evictions"] = r.statistics.evictions;
        d["bytes"] = r.statistics.bytes;
        d["kernel"] = r.kernel;
        return d;
      });

  m.def(
      "search_tree",
      [](const SearchBits& bits, std::size_t n_rows, const Vector<std::int64_t>& targets,
         const Vector<std::int64_t>& weights, const SearchCosts& costs,
         const Vector<std::int64_t>& prices, const Vector<std::int32_t>& last_levels,
         const Vector<std::int32_t>& chains, const Vector<std::int32_t>& sources,
         const Options& options, nb::object progress, const std::optional<SearchCosts>& losses,
         const std::optional<SearchRanks>& ranks, const std::optional<SearchBits>& unknown,
         const std::optional<Vector<std::int32_t>>& unknown_of) {
        search::Problem problem =
            problem_of(bits, n_rows, targets, weights, costs, prices, last_levels, chains, sources);
        if (losses) {
          require(losses->shape(0) == n_rows && losses->shape(1) > 0,
                  "The losses must hold one number for each row and label.");
          problem.losses = {losses->data(), losses->size()};
          problem.n_labels = losses->shape(1);
        }
        if (ranks) problem.ranks = {ranks->data(), ranks->size()};
        if (unknown && unknown_of) {
          require(unknown->shape(1) == (n_rows + 7) / 8,
                  "Each row must have its bit in every set of rows of unknown branch.");
          problem.unknown = {unknown->data(), unknown->size()};
          problem.unknown_of = span_of(*unknown_of);
        }
        SearchReport reporter(std::move(progress));
        Result result;
        {
          nb::gil_scoped_release release;
          result = search::solve(problem, options, std::ref(reporter));
        }
        if (result.status != Status::optimal) {
          reporter.take_late_interrupt();
          if (reporter.interrupted) result.status = Status::interrupted;
        } else if (reporter.interrupted && result.status_of_size != Status::optimal) {
          result.status_of_size = Status::interrupted;
        }
        return result;
      },
      nb::arg("bits"), nb::arg("n_rows"), nb::arg("targets"), nb::arg("weights"), nb::arg("costs"),
      nb::arg("prices"), nb::arg("last_levels"), nb::arg("chains"), nb::arg("sources"),
      nb::arg("options"), nb::arg("progress") = nb::none(), nb::arg("losses") = nb::none(),
      nb::arg("ranks") = nb::none(), nb::arg("unknown") = nb::none(),
      nb::arg("unknown_of") = nb::none(),
      "Search for the tree of least cost over conditions given as columns of bits; or, where the "
      "search goes along chains only, as how many conditions of each chain a row fails. Where "
      "conditions are joined, `unknown` holds sets of rows, and `unknown_of` says whose branch "
      "each condition does not know (-1: it knows all).");
  m.def(
      "reads_ranks_only",
      [](std::size_t n_rows, const Vector<std::int32_t>& chains, const Options& options) {
        search::Problem problem;
        problem.n_rows = n_rows;
        problem.n_tests = chains.size();
        problem.chains = span_of(chains);
        return search::reads_ranks_only(problem, options);
      },
      nb::arg("n_rows"), nb::arg("chains"), nb::arg("options"),
      "Whether a search goes along chains only, so that ranks may stand for its bits.");
  m.def(
      "search_kernels",
      [] {
        std::vector<std::string> names;
        for (const search::Kernel* kernel : search::usable_kernels())
          names.emplace_back(kernel->name);
        return names;
      },
      "Names of the counting kernels this processor can run, the fastest first.");
}

}  // namespace treewright::bind
