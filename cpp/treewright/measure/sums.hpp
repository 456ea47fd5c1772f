// Sums: what a measure is calculated from while rows move between two sides.
//
// It is the one thing that fast loops tell measures apart by. With class weights L_c, R_c, T_c on
// the left, the right and both sides, weights W_L, W_R, W and W Delta the decrease times W:
//
//   squares        W Delta = sum L_c^2 / W_L + sum R_c^2 / W_R - sum T_c^2 / W
//   logarithms     the same with x log2 x of class weights, times the unit of the measure
//   differences    W Delta = W D^2 / (4 W_L W_R),   D = sum |L_c - T_c W_L / W|
//   roots          W Delta = W - sqrt(W_L) sum sqrt(T_c / W L_c) - sqrt(W_R) sum sqrt(T_c / W R_c)
//   class_weights  by the measure itself, from the class weights of both sides: any measure
//   moments        squared deviations of numbers from the means of both sides
//   medians        absolute deviations from the medians, which take the rows, not statistics
#pragma once

#include <cstdint>

namespace treewright {

enum class Sums : std::uint8_t {
  squares,
  logarithms,
  differences,
  roots,
  class_weights,
  moments,
  medians,
};

// Of class weights; otherwise of numbers.
constexpr bool are_of_classes(Sums sums) {
  switch (sums) {
    case Sums::squares:
    case Sums::logarithms:
    case Sums::differences:
    case Sums::roots:
    case Sums::class_weights:
      return true;
    case Sums::moments:
    case Sums::medians:
      return false;
  }
  return true;
}

// Node statistics do not hold them.
constexpr bool need_rows(Sums sums) {
  switch (sums) {
    case Sums::squares:
    case Sums::logarithms:
    case Sums::differences:
    case Sums::roots:
    case Sums::class_weights:
    case Sums::moments:
      return false;
    case Sums::medians:
      return true;
  }
  return true;
}

// A table of x log x spares logarithms of counts.
constexpr bool need_logarithms(Sums sums) {
  switch (sums) {
    case Sums::logarithms:
      return true;
    case Sums::squares:
    case Sums::differences:
    case Sums::roots:
    case Sums::class_weights:
    case Sums::moments:
    case Sums::medians:
      return false;
  }
  return false;
}

}  // namespace treewright
