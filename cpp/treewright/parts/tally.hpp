// Tally: the lines (cells.hpp) of all bins of all cells, from the rows of one part of a table. And
// Runs: of some bins, the lines of each distinct value.
#pragma once

#include "treewright/parts/cells.hpp"

namespace treewright::parts {

// `lines` has room for all bins.
void tally(const Cells& cells, const Standing& standing, const Table& table, const Target& target,
           std::span<double> lines);

// Lines with the number of the bin in front, in the order of bins and, in each, of values.
struct Runs {
  std::size_t width = 0;
  std::vector<double> lines;
  std::size_t size() const { return lines.size() / width; }
};

Runs runs(const Cells& cells, std::span<const std::uint8_t> wanted, const Standing& standing,
          const Table& table, const Target& target);

Runs merge(const Line& line, std::span<const double> first, std::span<const double> second);

}  // namespace treewright::parts
