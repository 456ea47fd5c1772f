// Products of the columns of a small block with each other.
//
// Written out, not left to BLAS: a node asks for many blocks of a few hundred rows, and a BLAS that
// wakes threads for each of them stands still where the cores are busy.
#pragma once

#include <cstddef>
#include <span>

namespace treewright {

// A block of rows, column by column: column j is values[j * stride], ..., n_rows numbers of it.
struct Panel {
  std::span<double> values;
  std::size_t stride = 0;  // even
  std::size_t n_rows = 0;
  std::size_t n_columns = 0;

  std::span<double> column(std::size_t j) const { return values.subspan(j * stride, n_rows); }
};

// Adds sum x_i x_j over the rows of a panel to a k x k matrix, for all columns i and j <= i. The
// panel is filled up with zeros to an even number of rows.
void add_cross_products(const Panel& panel, std::span<double> matrix);

// Copies the lower triangle of a k x k matrix to the upper one.
void mirror(std::span<double> matrix, std::size_t k);

}  // namespace treewright
