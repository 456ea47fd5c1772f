// Where sums over the rows of a node are kept. A chain by itself has a cell for each of its bins.
// Chains that read the same column, as sets of its levels do, share cells: one for each combination
// of their bins. So a row is added once for all of them, and the bins of each chain are summed up
// from its cells when they are asked for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/search/chains/ranks.hpp"

namespace treewright::search {

class Cells {
 public:
  struct Chain {
    std::size_t first = 0;  // cell
    std::size_t n = 0;      // cells
    // Of each cell; none where the cells are the bins.
    std::vector<std::uint32_t> bin_of_cell;
  };

  // The rows of a node; `n_rows` is how many the task has.
  void begin(std::span<const Ordered::Entry> rows, std::size_t n_rows);
  // Takes the bins of the next chain, by row of the task, and the column it reads (-1: several);
  // leaves any numbers in their place.
  void add(std::vector<std::uint32_t>& bins, std::size_t n_bins, std::int32_t column);
  // After the last chain.
  void finish();

  const Chain& chain(std::size_t place) const { return chains_[place]; }
  std::size_t size() const { return n_cells_; }
  // Cells of a row, one for each group of chains.
  std::span<const std::uint32_t> of(std::size_t row) const {
    return {cells_.data() + row * n_groups_, n_groups_};
  }

 private:
  struct Group {
    std::int32_t column;
    std::size_t first_chain;
    std::size_t n_cells;
    std::vector<std::uint32_t> cell_of_row;
  };
  // Divides the cells of the last group by the bins of one more chain; false if they become many.
  bool divide(std::span<const std::uint32_t> bins, std::size_t n_bins);

  std::span<const Ordered::Entry> rows_;
  std::size_t n_rows_ = 0;  // of the task
  std::size_t n_cells_ = 0;
  std::vector<Chain> chains_;
  std::vector<Group> groups_;  // the first `n_groups_`, the others for later
  std::size_t n_groups_ = 0;
  std::vector<std::uint32_t> cells_;  // [row of the task][group]
};

}  // namespace treewright::search
