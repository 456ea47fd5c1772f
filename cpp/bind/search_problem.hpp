// The arrays of an optimal search as the core takes them; views, which the arrays must outlive.
#pragma once

#include "bind.hpp"
#include "treewright/search/problem.hpp"

namespace treewright::bind {

using SearchBits = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using SearchRanks = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using SearchCosts = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

inline search::Problem problem_of(const SearchBits& bits, std::size_t n_rows,
                                  const Vector<std::int64_t>& targets,
                                  const Vector<std::int64_t>& weights, const SearchCosts& costs,
                                  const Vector<std::int64_t>& prices,
                                  const Vector<std::int32_t>& last_levels,
                                  const Vector<std::int32_t>& chains,
                                  const Vector<std::int32_t>& sources) {
  search::Problem problem;
  problem.n_rows = n_rows;
  problem.n_tests = chains.size();
  problem.bits = {bits.data(), bits.size()};
  problem.targets = span_of(targets);
  problem.weights = span_of(weights);
  problem.costs = {costs.data(), costs.size()};
  problem.n_classes = costs.shape(0);
  problem.n_labels = costs.shape(1);
  problem.prices = span_of(prices);
  problem.last_levels = span_of(last_levels);
  problem.chains = span_of(chains);
  problem.sources = span_of(sources);
  return problem;
}

}  // namespace treewright::bind
