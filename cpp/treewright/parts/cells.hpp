// Cells: what is asked about the open nodes of a tree, and the shape of the reply.
//
// A cell is a column at an open node, with edges e_0 < e_1 < ... that part its values into bins:
// bin b holds e_{b-1} < x <= e_b, and one more bin the rows without a value. The reply has one line
// of sums (data/lines.hpp) for each bin of each cell. Numbers behind those of the columns stand for
// linear combinations of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/data/lines.hpp"
#include "treewright/data/table.hpp"
#include "treewright/tree/predicate.hpp"

namespace treewright::parts {

// Columns, and linear combinations of them, the thresholds of which say nothing.
class Projections {
 public:
  explicit Projections(std::vector<Test> combinations) : combinations_(std::move(combinations)) {}

  std::size_t size() const { return combinations_.size(); }
  // The values of some rows, not a number where they have none.
  void read(const Table& table, std::int32_t column, std::span<const std::uint32_t> rows,
            std::span<double> values) const;

 private:
  std::vector<Test> combinations_;
};

struct Cells {
  std::span<const std::int32_t> place;   // of the open node, for each cell
  std::span<const std::int32_t> column;  // likewise
  std::span<const std::int64_t> begin;   // its edges are [begin[cell], begin[cell + 1])
  std::span<const double> edges;
  std::span<const double> means;  // of the open nodes; numbers only
  const Projections& projections;

  std::size_t size() const { return place.size(); }
  std::span<const double> edges_of(std::size_t cell) const {
    const auto first = static_cast<std::size_t>(begin[cell]);
    return edges.subspan(first, static_cast<std::size_t>(begin[cell + 1]) - first);
  }
  // Of the cell among all bins; its last bin is that of rows without a value.
  std::size_t first_bin(std::size_t cell) const {
    return static_cast<std::size_t>(begin[cell]) + 2 * cell;
  }
  std::size_t n_bins() const { return edges.size() + 2 * size(); }
};

// The rows of a part of a table that stand in open nodes, by the place of the node.
struct Standing {
  std::vector<std::uint32_t> rows;
  std::vector<std::size_t> begin;  // those of place p are rows[begin[p]..begin[p + 1])

  // `place_of` names the open node of each row, or -1; rows without weight stand nowhere.
  Standing(std::span<const std::int32_t> place_of, std::size_t n_places, const Target& target);
  std::span<const std::uint32_t> at(std::size_t place) const {
    return std::span(rows).subspan(begin[place], begin[place + 1] - begin[place]);
  }
};

}  // namespace treewright::parts
