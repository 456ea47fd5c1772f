// The rows of a node as a search for a plane reads them, thousands of times: complete on some
// numeric columns, standardised, column after column.
//
// Rows stand in the order of their values, and rows that are equal, values and target, are one row
// that weighs as much as all of them: neither the order of the table, nor whether a row is repeated
// or weighs twice, changes what is found. Weights are multiples of the smallest, so that equal
// weights are 1, whatever they are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/split/method.hpp"
#include "treewright/split/plane/sweep.hpp"
#include "treewright/split/rows/standard_rows.hpp"

namespace treewright {

struct SearchRows {
  std::vector<std::int32_t> columns;  // that have spread
  std::vector<double> centre, scale;  // of these: z = (x - centre) / scale
  std::vector<double> values;         // z, column after column
  SideRows sides;
  double unit = 1.0;  // weight of a row of weight 1

  std::size_t n_rows() const { return sides.size(); }
  std::size_t n_columns() const { return columns.size(); }
  std::span<const double> column(std::size_t j) const {
    return std::span(values).subspan(j * n_rows(), n_rows());
  }
  std::span<double> column(std::size_t j) {
    return std::span(values).subspan(j * n_rows(), n_rows());
  }
};

SearchRows search_rows(const Node& node, std::span<const std::int32_t> columns);

// Rows that are standardised already, as they are, on some of their columns, by position.
SearchRows search_rows(const Node& node, const StandardRows& standard,
                       std::span<const std::size_t> used);

// How a node judges divisions of its rows.
SideRules side_rules(const Node& node, const SearchRows& rows);

// Refuses a measure that no sweep can follow.
void require_sweepable(const Problem& problem, const char* method);

}  // namespace treewright
