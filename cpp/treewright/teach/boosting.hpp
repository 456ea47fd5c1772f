// What boosted trees predict for rows they have not learned from.
//
// Each round adds to the scores of the rows a tree of Newton steps (Friedman 2001; Chen & Guestrin
// 2016): its leaves hold -rate G / H of the sums of first and second derivatives of the loss there,
// and each of its splits, the best leaf first, takes most off it by
// G_l^2 / H_l + G_r^2 / H_r - G^2 / H. Loss is squared error for numbers, log loss for classes, of
// which more than two have a tree each in a round. Values are bins of few numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace treewright {

// Column by column, as TermMatrix.
struct BinMatrix {
  std::span<const std::uint8_t> bins;
  std::size_t n_columns = 0;
  std::size_t n_rows = 0;

  std::span<const std::uint8_t> column(std::size_t j) const {
    return bins.subspan(j * n_rows, n_rows);
  }
};

struct BoostingOptions {
  std::int32_t n_rounds = 20;
  std::size_t n_leaves = 10;
  double rate = 0.3;
  std::size_t least_rows = 20;    // of a leaf
  double least_curvature = 1e-3;  // likewise, of its second derivatives
};

// Probabilities, a row of `n_classes` for each row of `asked`. Every class, 0 to n_classes - 1, is
// among the labels, and there are two at least. `poll` ends the work by what it throws.
std::vector<double> boosted_classes(const BinMatrix& learned, std::span<const std::int32_t> labels,
                                    std::span<const double> weights, std::size_t n_classes,
                                    const BinMatrix& asked, const BoostingOptions& options,
                                    const std::function<void()>& poll);

// A number for each row of `asked`.
std::vector<double> boosted_numbers(const BinMatrix& learned, std::span<const double> numbers,
                                    std::span<const double> weights, const BinMatrix& asked,
                                    const BoostingOptions& options,
                                    const std::function<void()>& poll);

}  // namespace treewright
