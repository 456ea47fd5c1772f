// Table and Target over NumPy memory.
#include <nanobind/stl/optional.h>

#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "bind.hpp"
#include "treewright/data/order.hpp"
#include "treewright/data/row_hashes.hpp"

namespace treewright::bind {

namespace {

void check_weights(std::span<const double> weights, std::size_t n_rows) {
  require(weights.size() == n_rows, "There must be one weight a row.");
  for (const double w : weights) {
    require(std::isfinite(w) && w >= 0, "Weights must be finite and not negative.");
  }
}

TargetHandle with_weights(TargetHandle handle, std::size_t n_rows, const Vector<double>& weights,
                          const std::optional<Vector<double>>& split_weights,
                          const std::optional<Vector<double>>& case_weights) {
  handle.weights = nb::cast(weights);
  handle.target.weights = span_of(weights);
  check_weights(handle.target.weights, n_rows);
  handle.target.split_weights = handle.target.weights;
  handle.target.case_weights = handle.target.weights;
  if (case_weights) {
    handle.case_weights = nb::cast(*case_weights);
    handle.target.case_weights = span_of(*case_weights);
    check_weights(handle.target.case_weights, n_rows);
  }
  if (split_weights) {
    handle.split_weights = nb::cast(*split_weights);
    handle.target.split_weights = span_of(*split_weights);
    check_weights(handle.target.split_weights, n_rows);
  }
  return handle;
}

// Rows that are some of several classes.
using Proportions = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void take_proportions(TargetHandle& handle, const Proportions& proportions) {
  require(proportions.shape(0) == handle.target.labels.size() &&
              proportions.shape(1) == static_cast<std::size_t>(handle.target.n_classes),
          "There must be a proportion for every row and class.");
  handle.proportions = nb::cast(proportions);
  handle.target.proportions = {proportions.data(), proportions.size()};
  for (const double proportion : handle.target.proportions) {
    require(proportion >= 0.0 && proportion <= 1.0, "A proportion is not between 0 and 1.");
  }
}

}  // namespace

void bind_data(nb::module_& m) {
  nb::class_<TableHandle>(m, "Table", "Columns of doubles; categorical ones hold level codes.")
      .def(
          "__init__",
          [](TableHandle* self, const Matrix& values, const Vector<std::int32_t>& n_levels) {
            require(values.shape(1) == n_levels.size(), "There must be one level count a column.");
            Table table{.values = values.data(),
                        .n_rows = values.shape(0),
                        .row_stride = values.stride(0),
                        .column_stride = values.stride(1),
                        .n_levels = copy_of(n_levels)};
            check_levels(table);
            new (self) TableHandle{values, std::move(table)};
          },
          nb::arg("values").noconvert(), nb::arg("n_levels"))
      .def_prop_ro("n_rows", [](const TableHandle& self) { return self.table.n_rows; })
      .def_prop_ro("values", [](const TableHandle& self) { return self.values; })
      .def_prop_ro("n_columns", [](const TableHandle& self) { return self.table.n_columns(); });

  nb::class_<TargetHandle>(m, "Target", "Labels or numbers with the weights of the rows.")
      .def_static(
          "classes",
          [](const Vector<std::int32_t>& labels, std::int32_t n_classes,
             const Vector<double>& weights, std::optional<Vector<double>> split_weights,
             std::optional<Vector<double>> case_weights, std::optional<Proportions> proportions) {
            TargetHandle handle;
            handle.labels_or_numbers = nb::cast(labels);
            handle.target.n_classes = n_classes;
            handle.target.labels = span_of(labels);
            require(n_classes >= 1, "There must be a class.");
            for (const std::int32_t label : handle.target.labels) {
              require(label >= 0 && label < n_classes, "A label is out of range.");
            }
            if (proportions) take_proportions(handle, *proportions);
            return with_weights(std::move(handle), labels.size(), weights, split_weights,
                                case_weights);
          },
          nb::arg("labels"), nb::arg("n_classes"), nb::arg("weights"),
          nb::arg("split_weights") = nb::none(), nb::arg("case_weights") = nb::none(),
          nb::arg("proportions") = nb::none())
      .def_static(
          "numbers",
          [](const Vector<double>& numbers, const Vector<double>& weights) {
            TargetHandle handle;
            handle.labels_or_numbers = nb::cast(numbers);
            handle.target.numbers = span_of(numbers);
            for (const double y : handle.target.numbers) {
              require(std::isfinite(y), "A target number is not finite.");
            }
            return with_weights(std::move(handle), numbers.size(), weights, std::nullopt,
                                std::nullopt);
          },
          nb::arg("numbers"), nb::arg("weights"))
      .def_prop_ro(
          "labels",
          [](nb::handle self) {
            const auto labels = nb::cast<const TargetHandle&>(self).target.labels;
            return NewVector<const std::int32_t>(labels.data(), {labels.size()}, self);
          },
          by_value, "Class codes; none if the target is numbers.")
      .def_prop_ro(
          "case_weights",
          [](nb::handle self) {
            const auto weights = nb::cast<const TargetHandle&>(self).target.case_weights;
            return NewVector<const double>(weights.data(), {weights.size()}, self);
          },
          by_value, "Weights before priors and class weights.")
      .def_prop_ro(
          "total_case_weight",
          [](const TargetHandle& self) {
            const auto weights = self.target.case_weights;
            return std::accumulate(weights.begin(), weights.end(), 0.0);
          },
          "Sum of the weights before priors and class weights.");

  m.def(
      "row_hashes",
      [](const TableHandle& table, const Vector<double>& truth, const Vector<double>& weights) {
        require(truth.size() == table.table.n_rows && weights.size() == table.table.n_rows,
                "X and y differ in length.");
        std::vector<std::uint64_t> hashes;
        {
          nb::gil_scoped_release release;
          hashes = row_hashes(table.table, std::array{span_of(truth), span_of(weights)});
        }
        return to_array(std::move(hashes));
      },
      nb::arg("table"), nb::arg("truth"), nb::arg("weights"),
      "A number for each row that depends on what it holds, as if by chance.");

  nb::class_<Ranks>(m, "Ranks", "The keys of all columns, for many growths on one table.")
      .def(
          "__init__",
          [](Ranks* self, const TableHandle& table, const TargetHandle& target,
             nb::object progress) {
            require(target.target.size() == table.table.n_rows, "X and y differ in length.");
            Monitor monitor(std::nullopt, report_to(std::move(progress)));
            nb::gil_scoped_release release;
            new (self) Ranks(table.table, target.target, monitor);
          },
          nb::arg("table"), nb::arg("target"), nb::arg("progress") = nb::none());
}

}  // namespace treewright::bind
