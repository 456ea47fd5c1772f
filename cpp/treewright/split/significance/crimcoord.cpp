#include "treewright/split/significance/crimcoord.hpp"

#include <cmath>
#include <limits>

#include "treewright/base/lapack.hpp"

namespace treewright {

namespace {

constexpr double zero_eigenvalue = 1e-12;  // of the largest possible, 1

}  // namespace

std::vector<double> crimcoord(const Contingency& table) {
  const auto at = [&](std::size_t level, std::size_t c) {
    return table.weights[level * table.n_classes + c];
  };
  std::vector<double> of_level(table.n_levels, 0.0), of_class(table.n_classes, 0.0);
  for (std::size_t level = 0; level < table.n_levels; ++level) {
    for (std::size_t c = 0; c < table.n_classes; ++c) {
      of_level[level] += at(level, c);
      of_class[c] += at(level, c);
    }
  }
  std::vector<std::size_t> present;
  for (std::size_t c = 0; c < table.n_classes; ++c) {
    if (of_class[c] > 0) present.push_back(c);
  }
  const std::size_t k = present.size();
  if (k < 2) return {};
  const double total = sum_of(of_class);
  std::vector<double> matrix(k * k, 0.0), values(k);
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      const double scale = std::sqrt(of_class[present[i]] * of_class[present[j]]);
      double& cell = matrix[i * k + j];
      for (std::size_t level = 0; level < table.n_levels; ++level) {
        if (!(of_level[level] > 0)) continue;
        cell += at(level, present[i]) * at(level, present[j]) / of_level[level];
      }
      cell = cell / scale - scale / total;
    }
  }
  lapack::symmetric_eigen(matrix, values);
  if (!(values[k - 1] > zero_eigenvalue)) return {};
  std::vector<double> coordinates(table.n_levels, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t level = 0; level < table.n_levels; ++level) {
    if (!(of_level[level] > 0)) continue;
    double sum = 0.0;
    for (std::size_t i = 0; i < k; ++i) {
      sum +=
          at(level, present[i]) * matrix[(k - 1) * k + i] * std::sqrt(total / of_class[present[i]]);
    }
    coordinates[level] = sum / of_level[level];
  }
  return coordinates;
}

std::vector<ClassMoments> moments_along(const Contingency& table,
                                        const std::vector<double>& coordinates) {
  std::vector<ClassMoments> classes(table.n_classes);
  for (std::size_t cell = 0; cell < table.weights.size(); ++cell) {
    if (!(table.weights[cell] > 0)) continue;
    ClassMoments& here = classes[cell % table.n_classes];
    here.moments.add({table.weights[cell], coordinates[cell / table.n_classes], 0.0});
    here.count += table.counts[cell];
  }
  return classes;
}

}  // namespace treewright
