// Growth with progress, Ctrl-C and a time limit.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "treewright/grow/bags.hpp"
#include "treewright/grow/grow.hpp"
#include "treewright/grow/readable.hpp"

namespace treewright::bind {

Monitor::Report report_to(nb::object progress) {
  return [progress = std::move(progress)](double done) {
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!progress.is_none()) progress(done);
  };
}

namespace {

void check_trends(const GrowOptions& options, const Table& table, const Target& target) {
  if (options.trends.empty()) return;
  require(options.trends.size() == table.n_levels.size(), "There must be one trend a column.");
  require(target.n_classes <= 2, "Trends need two classes, or a numeric target.");
  require(!options.measure.needs_rows() && !divides_rows(options.missing) &&
              !uses_surrogates(options.missing),
          "Trends cannot be kept with this measure or missing policy.");
  for (std::size_t column = 0; column < options.trends.size(); ++column) {
    require(
        options.trends[column] == 0 || table.n_levels[column] == 0 || table.n_levels[column] == 2,
        "Trends need numeric or boolean columns.");
  }
}

void check_task(const Table& table, const Target& target, const GrowOptions& options,
                const Ranks* ranks) {
  const std::size_t k = target.n_outputs();
  require(target.size() == table.n_rows, "X and y differ in length.");
  require(options.cost.empty() || options.cost.size() == k * k,
          "The cost matrix must have a row and a column per class.");
  check_trends(options, table, target);
  require(options.columns.is_empty() || !uses_surrogates(options.missing),
          "Surrogates read columns whatever the rules of columns.");
  require(!options.measure.traits().needs_costs || options.measure.cost.size() == k * k,
          "The cost matrix must have a row and a column per class.");
  require(options.measure.is_of_classes() == target.is_classification(),
          "The measure does not fit the kind of target.");
  require(ranks == nullptr || ranks->fits(table, target),
          "The ranks are of another table or of other labels.");
}

// What one of several trees is grown from.
using Task = std::tuple<const TargetHandle*, std::shared_ptr<Method>, GrowOptions>;

}  // namespace

void bind_grow(nb::module_& m) {
  nb::class_<ColumnRules>(m, "ColumnRules", "What a tree may read, and what that costs.")
      .def(nb::init<>())
      .def_rw("costs", &ColumnRules::costs)
      .def_rw("max_columns", &ColumnRules::max_columns)
      .def_rw("groups", &ColumnRules::groups)
      .def_rw("enemies", &ColumnRules::enemies)
      .def_rw("first", &ColumnRules::first)
      .def_rw("max_terms", &ColumnRules::max_terms)
      .def_rw("largest_whole", &ColumnRules::largest_whole);
  nb::class_<GrowOptions>(m, "GrowOptions", "How a tree is grown.")
      .def(nb::init<>())
      .def_prop_rw(
          "measure",
          [](const GrowOptions&) -> nb::object { throw nb::attribute_error("write-only"); },
          [](GrowOptions& self, const std::string& name) {
            self.measure.impurity = &impurity_named(name);
          })
      .def_prop_rw(
          "gain", [](const GrowOptions&) -> nb::object { throw nb::attribute_error("write-only"); },
          [](GrowOptions& self, const std::string& name) { self.gain = gain_named(name); })
      .def_prop_rw(
          "missing", [](const GrowOptions& self) { return static_cast<int>(self.missing); },
          [](GrowOptions& self, int policy) {
            require(is_policy(policy), "There is no such missing policy.");
            self.missing = static_cast<Missing>(policy);
          })
      .def_prop_rw(
          "measure_cost", [](const GrowOptions& self) { return self.measure.cost; },
          [](GrowOptions& self, std::vector<double> cost) { self.measure.cost = std::move(cost); })
      .def_rw("cost", &GrowOptions::cost)
      .def_rw("max_depth", &GrowOptions::max_depth)
      .def_rw("max_leaves", &GrowOptions::max_leaves)
      .def_rw("max_features", &GrowOptions::max_features)
      .def_rw("max_surrogates", &GrowOptions::max_surrogates)
      .def_rw("min_samples_split", &GrowOptions::min_samples_split)
      .def_rw("min_samples_leaf", &GrowOptions::min_samples_leaf)
      .def_rw("min_leaf_weight", &GrowOptions::min_leaf_weight)
      .def_rw("min_gain", &GrowOptions::min_gain)
      .def_rw("min_impurity_fraction", &GrowOptions::min_impurity_fraction)
      .def_rw("zero_gain", &GrowOptions::zero_gain)
      .def_rw("readable", &GrowOptions::readable)
      .def_rw("collapse", &GrowOptions::collapse)
      .def_prop_rw(
          "trends", [](const GrowOptions& self) { return self.trends; },
          [](GrowOptions& self, std::vector<std::int8_t> trends) {
            self.trends = std::move(trends);
          })
      .def_rw("columns", &GrowOptions::columns)
      .def_rw("patience", &GrowOptions::patience)
      .def_rw("seed", &GrowOptions::seed)
      .def_rw("n_threads", &GrowOptions::n_threads);

  m.def(
      "readable_test",
      [](nb::handle flat, const TableHandle& table, const Vector<std::uint32_t>& rows,
         bool keep_terms) {
        const Test test = from_python(flat);
        check_test(test, table.table.n_levels);
        for (const std::uint32_t row : span_of(rows)) {
          require(row < table.table.n_rows, "There is no such row.");
        }
        Monitor monitor(std::nullopt, report_to(nb::none()));
        const Readable shorter = [&] {
          nb::gil_scoped_release release;
          return readable({.test = test}, table.table, span_of(rows), &monitor,
                          keep_terms ? Terms::all : Terms::needed);
        }();
        return std::pair(to_python(shorter.test), shorter.is_turned);
      },
      nb::arg("test"), nb::arg("table"), nb::arg("rows"), nb::arg("keep_terms") = false,
      "The split with the shortest numbers that send these rows the same way, and whether its two "
      "branches changed places; a linear split loses the terms that no row needs.");
  m.def(
      "grow",
      [](const TableHandle& table, const TargetHandle& target,
         const std::shared_ptr<Method>& method, const GrowOptions& options,
         const TableHandle* validation_table, const TargetHandle* validation_target,
         std::optional<double> time_limit, nb::object progress, const Ranks* ranks) {
        check_task(table.table, target.target, options, ranks);
        std::optional<Validation> validation;
        if (validation_table != nullptr && validation_target != nullptr) {
          require(validation_table->table.n_levels == table.table.n_levels &&
                      validation_target->target.n_classes == target.target.n_classes &&
                      validation_target->target.size() == validation_table->table.n_rows,
                  "The validation part does not match the training part.");
          validation.emplace(validation_table->table, validation_target->target);
        }
        Monitor monitor(time_limit, report_to(std::move(progress)));
        nb::gil_scoped_release release;
        Growth growth = grow(table.table, target.target, *method, options,
                             validation ? &*validation : nullptr, monitor, ranks);
        return std::pair(std::move(growth.tree), growth.out_of_time);
      },
      nb::arg("table"), nb::arg("target"), nb::arg("method"), nb::arg("options"),
      nb::arg("validation_table") = nb::none(), nb::arg("validation_target") = nb::none(),
      nb::arg("time_limit") = nb::none(), nb::arg("progress") = nb::none(),
      nb::arg("ranks") = nb::none(), "Grow a tree; also says whether the time limit cut it short.");
  m.def(
      "grow_all",
      [](const TableHandle& table, const std::vector<Task>& tasks, std::optional<double> time_limit,
         const nb::object& progress, const Ranks* ranks) {
        for (const auto& [target, method, options] : tasks)
          check_task(table.table, target->target, options, ranks);
        std::size_t n_grown = 0;
        const Monitor::Report report = report_to(progress);
        Monitor monitor(time_limit, [&](double done) {
          report((static_cast<double>(n_grown) + done) / static_cast<double>(tasks.size()));
        });
        nb::gil_scoped_release release;
        std::vector<std::pair<Tree, bool>> trees;
        for (const auto& [target, method, options] : tasks) {
          Growth growth =
              grow(table.table, target->target, *method, options, nullptr, monitor, ranks);
          trees.emplace_back(std::move(growth.tree), growth.out_of_time);
          if (growth.out_of_time) break;
          ++n_grown;
        }
        return trees;
      },
      nb::arg("table"), nb::arg("tasks"), nb::arg("time_limit") = nb::none(),
      nb::arg("progress") = nb::none(), nb::arg("ranks") = nb::none(),
      "Grow a tree for each target, method and options, as `grow` does, up to the first that the "
      "time limit cuts short.");
  m.def(
      "bag_counts",
      [](std::uint64_t seed, std::uint64_t number, std::uint64_t purpose, std::size_t n_rows,
         std::size_t n_draws) {
        require(n_rows > 0, "A bag is drawn from one row at least.");
        std::vector<double> counts;
        {
          const LongWork work(n_draws);
          counts = bag_counts(SeedSequence(seed, number, purpose), n_rows, n_draws);
        }
        return to_array(std::move(counts));
      },
      nb::arg("seed"), nb::arg("number"), nb::arg("purpose"), nb::arg("n_rows"), nb::arg("n_draws"),
      "How often each row stands in the bag of a tree.");
  m.def(
      "seed_for",
      [](std::uint64_t seed, std::uint64_t number, std::uint64_t purpose) {
        return SeedSequence(seed, number, purpose).state<1>()[0];
      },
      nb::arg("seed"), nb::arg("number"), nb::arg("purpose"),
      "The seed of what is random for one purpose in one tree.");
}

}  // namespace treewright::bind
