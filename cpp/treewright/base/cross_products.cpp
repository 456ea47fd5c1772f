#include "treewright/base/cross_products.hpp"

#include <algorithm>
#include <cstring>

namespace treewright {

namespace {

constexpr std::size_t lanes = 2;
#if defined(__GNUC__)  // Clang says so too
using Lanes = double __attribute__((vector_size(lanes * sizeof(double))));
#else
struct Lanes {
  double values[lanes];
  double operator[](std::size_t lane) const { return values[lane]; }
  Lanes operator*(const Lanes& other) const { return {values[0] * other[0], values[1] * other[1]}; }
  void operator+=(const Lanes& other) {
    for (std::size_t lane = 0; lane < lanes; ++lane) values[lane] += other[lane];
  }
};
#endif

Lanes load(const double* from) {
  Lanes values;
  std::memcpy(&values, from, sizeof values);
  return values;
}

// Products of `height` columns from `a` on with `width` columns from `b` on, summed over rows in
// registers.
template <std::size_t height, std::size_t width>
void add_tile(const Panel& panel, std::size_t a, std::size_t b, std::span<double> matrix) {
  Lanes sums[height][width] = {};
  const double* rows = panel.values.data();
  for (std::size_t i = 0; i < panel.n_rows; i += lanes) {
    Lanes left[height], right[width];
    for (std::size_t h = 0; h < height; ++h) left[h] = load(rows + (a + h) * panel.stride + i);
    for (std::size_t w = 0; w < width; ++w) right[w] = load(rows + (b + w) * panel.stride + i);
    for (std::size_t h = 0; h < height; ++h) {
      for (std::size_t w = 0; w < width; ++w) sums[h][w] += left[h] * right[w];
    }
  }
  for (std::size_t h = 0; h < height; ++h) {
    for (std::size_t w = 0; w < width; ++w) {
      const Lanes& sum = sums[h][w];
      matrix[(a + h) * panel.n_columns + b + w] += sum[0] + sum[1];
    }
  }
}

}  // namespace

void add_cross_products(const Panel& panel, std::span<double> matrix) {
  constexpr std::size_t side = 4;
  const std::size_t k = panel.n_columns, tiled = k / side * side;
  for (std::size_t j = 0; j < k; ++j) {
    const std::size_t filled = (panel.n_rows + lanes - 1) / lanes * lanes;
    std::ranges::fill(panel.values.subspan(j * panel.stride + panel.n_rows, filled - panel.n_rows),
                      0.0);
  }
  for (std::size_t a = 0; a < tiled; a += side) {
    for (std::size_t b = 0; b <= a; b += side) add_tile<side, side>(panel, a, b, matrix);
  }
  for (std::size_t a = tiled; a < k; ++a) {
    for (std::size_t b = 0; b < tiled; b += side) add_tile<1, side>(panel, a, b, matrix);
    for (std::size_t b = tiled; b <= a; ++b) add_tile<1, 1>(panel, a, b, matrix);
  }
}

void mirror(std::span<double> matrix, std::size_t k) {
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = i + 1; j < k; ++j) matrix[i * k + j] = matrix[j * k + i];
  }
}

}  // namespace treewright
