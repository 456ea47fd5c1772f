// Gain: how the decrease of impurity by a split becomes the score that splits are compared by.
//
//   plain     the decrease
//   ratio     decrease / split information, among decreases not below their mean (C4.5)
//   balanced  decrease / (1 + split information) (Leroux, Boussard, Des 2018)
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace treewright {

enum class Gain : std::uint8_t { plain, ratio, balanced };

Gain gain_named(const std::string& name);

// -sum q log2 q over the shares of the given weights, in bits.
double split_information(std::span<const double> weights);

// The gain of a split takes its split information.
constexpr bool needs_split_information(Gain gain) {
  switch (gain) {
    case Gain::plain:
      return false;
    case Gain::ratio:
    case Gain::balanced:
      return true;
  }
  return true;
}

// Which of two splits is better depends on the other candidates of the node.
constexpr bool needs_all_candidates(Gain gain) {
  switch (gain) {
    case Gain::plain:
    case Gain::balanced:
      return false;
    case Gain::ratio:
      return true;
  }
  return true;
}

// Cuts along one column are in the order of their decreases.
constexpr bool orders_cuts_by_decrease(Gain gain) {
  switch (gain) {
    case Gain::plain:
    case Gain::ratio:
      return true;
    case Gain::balanced:
      return false;
  }
  return false;
}

// The score of one split by itself: the decrease where the gain needs all candidates.
constexpr double score_of(Gain gain, double decrease, double split_information) {
  switch (gain) {
    case Gain::plain:
    case Gain::ratio:
      return decrease;
    case Gain::balanced:
      return decrease / (1.0 + split_information);
  }
  return decrease;
}

}  // namespace treewright
