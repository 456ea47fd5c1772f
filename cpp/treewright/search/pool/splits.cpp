#include "treewright/search/pool/splits.hpp"

namespace treewright::search {

SplitCosts split_costs(std::span<const double> met, std::span<const double> amounts,
                       std::size_t n_outputs, std::span<const std::uint32_t> rows, Losses& losses) {
  const std::size_t n_rows = amounts.size() / n_outputs;
  const std::size_t n = n_rows == 0 ? 0 : met.size() / n_rows;
  std::vector<double> total(n_outputs, 0.0), with(n_outputs * n, 0.0), without(n_outputs * n);
  for (const std::uint32_t row : rows) {
    const double* met_by_row = met.data() + row * n;
    for (std::size_t k = 0; k < n_outputs; ++k) {
      const double amount = amounts[row * n_outputs + k];
      total[k] += amount;
      double* sums = with.data() + k * n;
      for (std::size_t c = 0; c < n; ++c) sums[c] += amount * met_by_row[c];
    }
  }
  for (std::size_t k = 0; k < n_outputs; ++k) {
    for (std::size_t c = 0; c < n; ++c) without[k * n + c] = total[k] - with[k * n + c];
  }
  SplitCosts found;
  losses(total.data(), 1, 0, 1, &found.one_leaf);
  found.of_conditions.resize(n);
  std::vector<double> failed(n);
  losses(with.data(), n, 0, n, found.of_conditions.data());
  losses(without.data(), n, 0, n, failed.data());
  for (std::size_t c = 0; c < n; ++c) found.of_conditions[c] += failed[c];
  return found;
}

}  // namespace treewright::search
