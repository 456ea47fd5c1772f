// The soft entropy of a plane and the descent along it, for tests of the core.
#include <nanobind/stl/function.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <tuple>

#include "bind.hpp"
#include "treewright/base/lbfgs.hpp"
#include "treewright/split/plane/soft_entropy.hpp"

namespace treewright::bind {

namespace {

using Numbers = std::vector<double>;
using ValueAndGradient = std::pair<double, Numbers>;

ValueAndGradient soft_entropy(const std::vector<Numbers>& columns, const TargetHandle& handle,
                              const Numbers& at) {
  const Target& target = handle.target;
  require(target.is_classification(), "The target must be classes.");
  require(at.size() == columns.size() + 1, "There must be a slope a column, and an offset.");
  SearchRows rows;
  for (const Numbers& column : columns) {
    require(column.size() == target.size(), "X and y differ in length.");
    rows.columns.push_back(static_cast<std::int32_t>(rows.columns.size()));
    rows.values.insert(rows.values.end(), column.begin(), column.end());
  }
  rows.sides.n_classes = static_cast<std::size_t>(target.n_classes);
  rows.sides.labels.assign(target.labels.begin(), target.labels.end());
  rows.sides.weights.assign(target.split_weights.begin(), target.split_weights.end());
  Numbers gradient(at.size());
  const double value = SoftEntropy(rows)(at, gradient);
  return {value, std::move(gradient)};
}

}  // namespace

void bind_descent(nb::module_& m) {
  m.def(
      "soft_entropy", &soft_entropy, nb::arg("columns"), nb::arg("target"), nb::arg("at"),
      "The soft entropy of the sides of a hyperplane, given by its slopes and its offset, and the "
      "gradient.");
  m.def(
      "minimum_of",
      [](const std::function<ValueAndGradient(const Numbers&)>& function, Numbers start,
         int max_iterations, double tolerance) {
        const auto smooth = [&](std::span<const double> at, std::span<double> gradient) {
          const auto [value, found] = function(Numbers(at.begin(), at.end()));
          require(found.size() == gradient.size(), "There must be a slope a coordinate.");
          std::ranges::copy(found, gradient.begin());
          return value;
        };
        Minimum found = minimum_of(smooth, std::move(start), {max_iterations, tolerance});
        return std::tuple(std::move(found.at), found.value, found.iterations, found.converged);
      },
      nb::arg("function"), nb::arg("start"), nb::arg("max_iterations"), nb::arg("tolerance"),
      "Where a smooth function is smallest, its value there, the steps taken and whether the "
      "gradient is as small as asked; function(at) -> (value, gradient).");
}

}  // namespace treewright::bind
