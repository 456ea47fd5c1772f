// Logistic models of the rows of a node, for pruners that fit tests anew and for tests of the core.
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "bind.hpp"
#include "treewright/base/error.hpp"
#include "treewright/split/logistic/bipartitions.hpp"
#include "treewright/split/logistic/lasso.hpp"
#include "treewright/split/logistic/stepwise.hpp"

namespace treewright::bind {

namespace {

// One model in the units of the table.
struct Model {
  Test test;
  bool is_swapped = false;  // the test sends rows outside to branch 1
  std::vector<std::int32_t> columns;
  std::vector<double> slopes;
  double intercept = 0.0;
  double deviance = 0.0;
  double lambda = 0.0;
  std::int32_t iterations = 0;
  bool converged = false;
};

LogisticSolver solver_named(const std::string& name) {
  require(name == "ridge" || name == "irls", "The solver must be 'ridge' or 'irls'.");
  return name == "ridge" ? LogisticSolver::ridge : LogisticSolver::irls;
}

class NodeModels {
 public:
  NodeModels(const TableHandle& table, const TargetHandle& target,
             const Vector<std::uint32_t>& rows, const std::vector<std::int32_t>& columns,
             const Vector<std::uint8_t>& inside, const std::string& solver, double tau)
      : models_(table.table, checked(table.table, columns), checked(table.table, rows),
                target.target.split_weights, solver_named(solver), tau) {
    require(inside.size() == rows.size(), "There must be one side a row.");
    require(target.target.size() == table.table.n_rows, "X and y differ in length.");
    std::vector<std::uint8_t> inside_of(table.table.n_rows, 0);
    for (std::size_t i = 0; i < rows.size(); ++i) inside_of[rows.data()[i]] = inside.data()[i];
    is_divided_ = models_.divide([&](std::uint32_t row) { return inside_of[row] != 0; });
  }

  // Some column has spread, and there are rows inside and outside.
  bool can_fit() const { return is_divided_ && models_.rows().n_columns() > 0; }

  Model fit() const { return as_model(models_.fit(models_.all_columns())); }

  std::vector<Model> dropping() const {
    std::vector<Model> sequence;
    const LogisticFit full = models_.fit(models_.all_columns());
    for (const auto& fit : dropping_columns(models_, full, poll())) {
      sequence.push_back(as_model(fit));
    }
    return sequence;
  }

  std::vector<Model> lasso(std::size_t n_lambdas, double least_lambda, bool one_at_a_time,
                           bool in_raw_units) const {
    LassoRules rules;
    rules.n_lambdas = n_lambdas;
    rules.least_lambda = least_lambda;
    rules.one_at_a_time = one_at_a_time;
    if (in_raw_units) {
      for (const double scale : models_.rows().scale) rules.factors.push_back(1.0 / scale);
    }
    std::vector<Model> sequence;
    for (const LassoPoint& point : path(rules)) sequence.push_back(as_model(point));
    return sequence;
  }

  std::vector<Model> squeezed(const std::vector<double>& shares, bool refit) const {
    require(models_.solver() == LogisticSolver::ridge, "Only ridge fits can be squeezed.");
    std::vector<LassoPoint> points = path({});
    const LogisticFit full = models_.fit(models_.all_columns());
    // Where groups can be separated the path ends before slopes grow without limit.
    if (full.deviance > LassoRules{}.least_deviance * points[0].deviance) {
      points.push_back({0.0, full.intercept, full.slopes, full.deviance});
    }
    std::vector<Model> found;
    for (const double share : shares) {
      if (share >= 1.0) {
        found.push_back(as_model(full));
        continue;
      }
      const LassoPoint point = squeeze(models_.rows(), models_.y(), points, share);
      const bool is_fitted = refit && !point.active().empty();
      found.push_back(is_fitted ? as_model(models_.fit(point.active())) : as_model(point));
    }
    return found;
  }

 private:
  static std::vector<std::int32_t> checked(const Table& table,
                                           const std::vector<std::int32_t>& columns) {
    for (const std::int32_t column : columns) {
      require(column >= 0 && column < table.n_columns() && !table.is_categorical(column),
              "Logistic models are made of numeric columns of the table.");
    }
    return columns;
  }
  static std::span<const std::uint32_t> checked(const Table& table,
                                                const Vector<std::uint32_t>& rows) {
    for (const std::uint32_t row : span_of(rows)) {
      require(row < table.n_rows, "There is no such row.");
    }
    return span_of(rows);
  }

  // Lets Python see signals; called without the GIL held.
  static std::function<void()> poll() {
    const auto look = [](double) {
      nb::gil_scoped_acquire acquire;
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    };
    const auto monitor = std::make_shared<Monitor>(std::nullopt, look);
    return [monitor] { monitor->poll(); };
  }

  std::vector<LassoPoint> path(LassoRules rules) const {
    rules.poll = poll();
    return lasso_path(models_.rows(), models_.y(), models_.all_columns(), rules);
  }

  Model as_model(const LassoPoint& point) const {
    Model model = as_model(models_.from_standard(point.fit()));
    model.lambda = point.lambda;
    return model;
  }

  Model as_model(const LogisticFit& fit) const {
    const LogisticFit plain = models_.original(fit);
    Model model{models_.test_of(fit), false,          {}, {}, plain.intercept, plain.deviance, 0.0,
                plain.iterations,     plain.converged};
    for (std::size_t i = 0; i < plain.used.size(); ++i) {
      if (plain.slopes[i] == 0) continue;
      model.columns.push_back(models_.rows().columns[plain.used[i]]);
      model.slopes.push_back(plain.slopes[i]);
    }
    model.is_swapped = model.columns.size() == 1 && model.slopes[0] < 0;
    return model;
  }

  LogisticModels models_;
  bool is_divided_ = false;
};

}  // namespace

void bind_logistic(nb::module_& m) {
  nb::class_<Model>(m, "LogisticModel", "A logistic model, in the units of the table.")
      .def_prop_ro(
          "test", [](const Model& model) { return to_python(model.test); },
          "Its boundary as a flat split; of kind -1 without a column.")
      .def_ro("is_swapped", &Model::is_swapped, "Rows outside go to branch 1, not 0.")
      .def_ro("columns", &Model::columns)
      .def_ro("slopes", &Model::slopes)
      .def_ro("intercept", &Model::intercept)
      .def_ro("deviance", &Model::deviance)
      .def_ro("penalty", &Model::lambda, "The penalty, for models of an L1 path.")
      .def_ro("iterations", &Model::iterations)
      .def_ro("converged", &Model::converged);
  const auto release = nb::call_guard<nb::gil_scoped_release>();
  nb::class_<NodeModels>(m, "NodeModels", "Logistic models of the rows of a node.")
      .def(nb::init<const TableHandle&, const TargetHandle&, const Vector<std::uint32_t>&,
                    const std::vector<std::int32_t>&, const Vector<std::uint8_t>&,
                    const std::string&, double>(),
           nb::arg("table"), nb::arg("target"), nb::arg("rows"), nb::arg("columns"),
           nb::arg("inside"), nb::arg("solver") = "ridge", nb::arg("tau") = 1e-4,
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def_prop_ro("can_fit", &NodeModels::can_fit,
                   "Some column has spread, and there are rows inside and outside.")
      .def("fit", &NodeModels::fit, release, "The model on all columns.")
      .def("dropping", &NodeModels::dropping, release,
           "Models without the column that costs least, one after the other, down to one column.")
      .def("lasso", &NodeModels::lasso, nb::arg("n_lambdas") = 100, nb::arg("least_lambda") = 1e-4,
           nb::arg("one_at_a_time") = true, nb::arg("in_raw_units") = false, release,
           "Models under an L1 penalty, the largest penalty first.")
      .def(
          "squeezed", &NodeModels::squeezed, nb::arg("shares"), nb::arg("refit"), release,
          "Models whose slopes sum to a proportion of those at the end of the L1 path, in absolute "
          "value; the full model for a proportion of 1.");
  m.def(
      "ways_to_divide",
      [](const TableHandle& table, const std::vector<std::int32_t>& columns,
         const TargetHandle& target, const std::string& kind, std::size_t at_most,
         std::uint64_t seed) {
        const Target& y = target.target;
        require(y.is_classification(), "Only classes can be divided.");
        require(y.size() == table.table.n_rows, "X and y differ in length.");
        std::vector<std::uint32_t> ids;
        std::vector<bool> seen(static_cast<std::size_t>(y.n_classes), false);
        for (std::uint32_t row = 0; row < y.size(); ++row) {
          ids.push_back(row);
          seen[static_cast<std::size_t>(y.labels[row])] = true;
        }
        std::vector<std::size_t> present;
        for (std::size_t c = 0; c < seen.size(); ++c) {
          if (seen[c]) present.push_back(c);
        }
        Rng rng(seed);
        return ways_to_divide(standard_rows(table.table, columns, ids, y.split_weights), y.labels,
                              present, seen.size(), bipartitions_named(kind), at_most, rng);
      },
      nb::arg("table"), nb::arg("columns"), nb::arg("target"), nb::arg("kind"), nb::arg("at_most"),
      nb::arg("seed"), "For each way of dividing the classes in two, which are inside.");
}

}  // namespace treewright::bind
