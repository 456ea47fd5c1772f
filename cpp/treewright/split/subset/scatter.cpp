// The scatter of a node's terms. A row has few levels, so their sums are made from those it has.
#include <algorithm>
#include <cmath>

#include "treewright/base/cross_products.hpp"
#include "treewright/split/subset/work.hpp"

namespace treewright {

namespace {

constexpr std::size_t block = 128;  // rows

}  // namespace

SubsetFinder::Scatter SubsetFinder::scatter_of(const Work& work) const {
  const std::size_t n_terms = table_.n_terms, n_numeric = table_.n_numeric;
  const std::size_t n_outputs = table_.n_outputs, n = work.node.rows.size();
  const std::size_t n_classes = table_.is_classification ? n_outputs : 1;
  const std::size_t first_output = table_.is_classification ? 0 : 1;
  Scatter found{std::vector<double>(n_terms * n_terms, 0.0),
                std::vector<double>(n_classes * n_terms, 0.0)};
  auto& [products, class_sums] = found;
  std::vector<double> mean(n_numeric, 0.0);
  for (std::size_t j = 0; j < n_numeric; ++j) {
    const double* values = table_.values.data() + j * table_.n_rows;
    for (std::size_t i = 0; i < n; ++i) mean[j] += work.weights[i] * values[work.node.rows[i]];
    mean[j] /= work.weight;
  }
  std::vector<double> panel_values(block * n_numeric), numeric(n_numeric * n_numeric, 0.0);
  for (std::size_t begin = 0; begin < n; begin += block) {
    const std::size_t size = std::min(block, n - begin);
    for (std::size_t j = 0; j < n_numeric; ++j) {
      const double* values = table_.values.data() + j * table_.n_rows;
      double* to = panel_values.data() + j * block;
      for (std::size_t i = 0; i < size; ++i) to[i] = values[work.node.rows[begin + i]] - mean[j];
      for (std::size_t k = 0; k < n_classes; ++k) {
        double sum = 0.0;
        for (std::size_t i = 0; i < size; ++i)
          sum += work.amounts[(begin + i) * n_outputs + first_output + k] * to[i];
        class_sums[k * n_terms + j] += sum;
      }
    }
    for (std::size_t i = 0; i < size; ++i) {
      const double weight = work.weights[begin + i];
      const auto levels = levels_of(work.node.rows[begin + i]);
      for (const std::uint32_t level : levels) {
        double* to = products.data() + level * n_terms;
        for (std::size_t j = 0; j < n_numeric; ++j) to[j] += weight * panel_values[j * block + i];
        for (const std::uint32_t other : levels) {
          if (other <= level) to[other] += weight;
        }
        for (std::size_t k = 0; k < n_classes; ++k)
          class_sums[k * n_terms + level] +=
              work.amounts[(begin + i) * n_outputs + first_output + k];
      }
    }
    for (std::size_t j = 0; j < n_numeric; ++j) {
      double* to = panel_values.data() + j * block;
      for (std::size_t i = 0; i < size; ++i) to[i] *= std::sqrt(work.weights[begin + i]);
    }
    add_cross_products({panel_values, block, size, n_numeric}, numeric);
  }
  for (std::size_t a = 0; a < n_numeric; ++a)
    std::copy_n(numeric.data() + a * n_numeric, a + 1, products.data() + a * n_terms);
  // Levels so far hold weights, not deviations from their means; numbers deviate by 0 in all.
  std::vector<double> held(n_terms - n_numeric);
  for (std::size_t a = n_numeric; a < n_terms; ++a) held[a - n_numeric] = products[a * n_terms + a];
  for (std::size_t a = n_numeric; a < n_terms; ++a) {
    const double proportion = held[a - n_numeric] / work.weight;
    for (std::size_t b = n_numeric; b <= a; ++b)
      products[a * n_terms + b] -= proportion * held[b - n_numeric];
    for (std::size_t k = 0; k < n_classes; ++k)
      class_sums[k * n_terms + a] -= proportion * work.total[first_output + k];
  }
  mirror(products, n_terms);
  return found;
}

}  // namespace treewright
