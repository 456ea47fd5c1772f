// The signed sweep, for tests of the core.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include "bind.hpp"
#include "treewright/split/plane/sweep.hpp"

namespace treewright::bind {

namespace {

class SweepHandle {
 public:
  SweepHandle(const TargetHandle& handle, const std::string& measure, const std::string& gain,
              double min_count, double min_weight, const Vector<double>& cost)
      : rows_(rows_of(handle.target)),
        sweep_(
            rows_,
            {{&impurity_named(measure), copy_of(cost)}, gain_named(gain), min_count, min_weight}) {}

  double score(const Vector<double>& v) { return sweep_.score(checked(v)); }

  std::pair<double, double> best_step(const Vector<double>& v, const Vector<double>& x) {
    const Step step = sweep_.best_step(checked(v), checked(x));
    return {step.length, step.score};
  }

 private:
  static SideRows rows_of(const Target& target) {
    return {.n_classes = static_cast<std::size_t>(target.n_classes),
            .labels = {target.labels.begin(), target.labels.end()},
            .numbers = {target.numbers.begin(), target.numbers.end()},
            .weights = {target.split_weights.begin(), target.split_weights.end()},
            .counts = std::vector<double>(target.size(), 1.0)};
  }
  std::span<const double> checked(const Vector<double>& values) const {
    require(values.size() == rows_.size(), "There must be one value per row.");
    return span_of(values);
  }

  SideRows rows_;
  Sweep sweep_;
};

}  // namespace

void bind_sweep(nb::module_& m) {
  nb::class_<SweepHandle>(m, "Sweep",
                          "Where a hyperplane that moves along a line divides rows best.")
      .def(nb::init<const TargetHandle&, const std::string&, const std::string&, double, double,
                    const Vector<double>&>(),
           nb::arg("target"), nb::arg("measure"), nb::arg("gain"), nb::arg("min_count"),
           nb::arg("min_weight"), nb::arg("cost"))
      .def("score", &SweepHandle::score, nb::arg("v"),
           "The score of the division by v <= 0; -infinity where a side is too small.")
      .def("best_step", &SweepHandle::best_step, nb::arg("v"), nb::arg("x"),
           "The length t and the score of the best division by v + t x <= 0 other than that at 0.");
}

}  // namespace treewright::bind
