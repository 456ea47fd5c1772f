// A linear machine, a linear score a class, trained as a perceptron that cools down (Utgoff,
// Brodley 1991, "Linear machine decision trees", after Frean's thermal perceptron).
//
// Rows come in a random order, x = (z, 1) standardised. A row of class i that is taken for class j
// moves the two scores,
//
//   k = (W_j - W_i)' x / (2 x'x),   c = B / (B + k),   W_i += c x,   W_j -= c x,
//
// a row of twice the mean weight by twice as much: errors far from the boundary (large k) count the
// less, the smaller B is. B becomes decay * B - step whenever the machine shrinks after it grew.
// The best machine seen at the end of a pass is kept ("pocket").
//
// Columns are then taken away one at a time, that first whose weights differ least between classes,
// sum over pairs (W_aj - W_bj)^2, and the rest is trained again, as long as the share of rows told
// right stays close to the best.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "treewright/base/rng.hpp"
#include "treewright/split/machine/class_rows.hpp"

namespace treewright {

struct ThermalTraining {
  double start, end;   // of B
  double decay, step;  // B becomes decay * B - step
  double max_epochs;   // passes through the rows in one training
  double elimination;  // loss of accuracy that taking columns away may cost; < 0: keep all
};

// A row a class: a number for each standardised column, 0 if it was taken away, then the intercept.
// `is_over` is asked now and then whether to end with the best machine so far.
std::vector<double> train_machine(const ClassRows& data, const ThermalTraining& training, Rng& rng,
                                  const std::function<bool()>& is_over);

}  // namespace treewright
