// Tally: the lines (cells.hpp) of all bins of all cells, from the rows of one part of a table, or
// of several. And Runs: of some bins, the lines of each distinct value.
#pragma once

#include <memory>

#include "treewright/parts/cells.hpp"

namespace treewright::parts {

class Bins;

// Parts are added one after the other: lines that are cleared and merged for each part of its own
// would take longer than counting, as there are about as many bins as rows in a part.
class Tally {
 public:
  // The cells stay where they are.
  Tally(const Cells& cells, const Line& line);
  ~Tally();
  Tally(const Tally&) = delete;
  Tally& operator=(const Tally&) = delete;

  void add(const Standing& standing, const Table& table, const Target& target);
  // Nothing can be added afterwards.
  std::vector<double> take_lines();

 private:
  bool has_ended() const { return lines_.size() != cells_.n_bins() * line_.width(); }
  void count_rows();

  const Cells& cells_;
  const Line line_;
  std::unique_ptr<Bins> bins_;
  std::vector<double> lines_;
  bool counts_are_sums_ = true;  // of weights, each 1 so far; counts are filled in later
};

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
