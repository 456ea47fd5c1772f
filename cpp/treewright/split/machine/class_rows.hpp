// The standardised rows of a node with its classes counted from 0, and scores found on them in the
// units of the table: what methods share that fit a linear score a class.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/split/discriminant/discriminants.hpp"
#include "treewright/split/rows/standard_rows.hpp"

namespace treewright {

struct ClassRows {
  StandardRows rows;
  std::vector<std::int32_t> classes;  // that have a row, ascending
  std::vector<std::int32_t> labels;   // by position in the rows: a position in `classes`

  // At least two classes and a column to tell them apart.
  bool can_be_told_apart() const { return classes.size() > 1 && rows.n_columns() > 0; }
};

// The given rows of the node on its varying columns; those with a gap are left out.
ClassRows class_rows(const Node& node, std::span<const std::uint32_t> ids);

// `weights` hold a row a class: a number for each standardised column, then the intercept.
ClassScores in_units(const ClassRows& data, std::span<const double> weights);

}  // namespace treewright
