// Soft entropy: what is left of the entropy of the classes when rows go to the right with a
// probability instead of for certain (Yang, Shen, Gao 2019).
//
//   p_i = 1 / (1 + exp(theta - z_i'w)),   R_k = sum over class k of v_i p_i,   L_k that of v_i (1 -
//   p_i)
//
//   F = L log2 L - sum_k L_k log2 L_k + R log2 R - sum_k R_k log2 R_k
//
//   b_i = v_i p_i (1 - p_i) log2 (L_k R / (L R_k)) of its class k,   dF/dw = sum b_i z_i,
//   dF/dtheta = -sum b_i
#pragma once

#include <span>
#include <vector>

#include "treewright/split/plane/search_rows.hpp"

namespace treewright {

class SoftEntropy {
 public:
  // The rows must outlive it.
  explicit SoftEntropy(const SearchRows& rows);

  // At the slopes w, then theta; the gradient likewise.
  double operator()(std::span<const double> at, std::span<double> gradient);

 private:
  // Finds p of each row, and the weights of the classes on both sides.
  void divide(std::span<const double> at);

  const SearchRows& rows_;
  std::vector<double> right_share_;          // p of each row
  std::vector<double> left_, right_, turn_;  // of each class; the last: log2 (L_k R / (L R_k))
};

}  // namespace treewright
