// The nodes of a plan in the order of a Tree, with what the training rows say of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/search/problem.hpp"

namespace treewright::search {

// Tests as columns of bits, laid out as in Problem.
struct RowBits {
  std::span<const std::uint8_t> bytes;
  std::size_t bytes_of_test;

  bool passes(std::int32_t test, std::size_t row) const {
    const std::uint8_t byte = bytes[static_cast<std::size_t>(test) * bytes_of_test + row / 8];
    return ((byte >> (row % 8)) & 1U) != 0;
  }
};

struct Nodes {
  std::vector<std::int32_t> places;       // where each stands in the plan
  std::vector<std::int32_t> first_child;  // -1 in leaves
  std::vector<std::int32_t> n_branches;   // 0 in leaves
  std::vector<std::int32_t> heavier;      // the branch with more weight, -1 in leaves
  std::vector<std::int32_t> leaf_of_row;
  std::vector<double> statistics;  // [node][...], as in a Tree
  std::vector<double> rows, value, gain;

  std::size_t size() const { return places.size(); }
};

// Values are the labels of the plan and elsewhere the cheapest label; of equal ones that of the
// parent, else the first. Gains are differences of weight times Gini index. Where labels cost every
// row something of its own, `losses` ([row][label]) take the place of `costs`.
Nodes class_nodes(const Plan& plan, const RowBits& bits, std::span<const std::int32_t> classes,
                  std::span<const double> weights, std::span<const double> costs,
                  std::size_t n_classes, std::span<const double> losses = {});

// Values are means, gains differences of sums of squared deviations.
Nodes number_nodes(const Plan& plan, const RowBits& bits, std::span<const double> numbers,
                   std::span<const double> weights);

}  // namespace treewright::search
