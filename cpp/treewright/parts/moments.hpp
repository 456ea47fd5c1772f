// Moments: the joint moments (data/joint_moments.hpp) of sets of columns at open nodes, from the
// rows of one part of a table. And Sides: where other linear tests could cut the rows on the two
// sides of one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/data/joint_moments.hpp"
#include "treewright/parts/cells.hpp"

namespace treewright::parts {

struct ColumnsAt {
  std::int32_t place = 0;
  std::vector<std::int32_t> columns;
};

// The numbers of the sets, one behind the other.
std::size_t n_moments(std::span<const ColumnsAt> sets, const Target& target);
std::vector<double> moments(std::span<const ColumnsAt> sets, const Standing& standing,
                            const Table& table, const Target& target);
// `sizes` are the columns of each set.
void merge_moments(std::span<const std::int32_t> sizes, std::int32_t n_classes,
                   std::span<double> to, std::span<const double> from);

// A linear test at an open node, and another on the same columns or some of them.
struct Compared {
  std::int32_t place = 0;
  Test test, other;
};

// Of the scores of the other test: the least and the largest on the low side of the test, the same
// on its high side, the rows on neither side that have a score; of all scores their number, mean
// and squared deviations.
inline constexpr std::size_t numbers_of_sides = 8;
std::vector<double> sides(std::span<const Compared> compared, const Standing& standing,
                          const Table& table);
void merge_sides(std::span<double> to, std::span<const double> from);

}  // namespace treewright::parts
