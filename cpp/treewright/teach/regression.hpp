// What regressions predict for rows they have not learned from: logistic for classes, linear for
// numbers, both with a ridge on every slope and none on intercepts.
//
// Terms are taken as they are; whoever calls has standardised them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace treewright {

// Column by column: term t of row i is values[t * n_rows + i].
struct TermMatrix {
  std::span<const double> values;
  std::size_t n_terms = 0;
  std::size_t n_rows = 0;

  std::span<const double> term(std::size_t t) const { return values.subspan(t * n_rows, n_rows); }
};

// Probabilities, a row of `n_classes` for each row of `asked`. Every class, 0 to n_classes - 1, is
// among the labels, and there are two at least. `poll` ends the work by what it throws.
std::vector<double> logistic_answers(const TermMatrix& learned,
                                     std::span<const std::int32_t> labels,
                                     std::span<const double> weights, std::size_t n_classes,
                                     double ridge, const TermMatrix& asked,
                                     const std::function<void()>& poll);

// A number for each row of `asked`.
std::vector<double> linear_answers(const TermMatrix& learned, std::span<const double> numbers,
                                   std::span<const double> weights, double ridge,
                                   const TermMatrix& asked);

}  // namespace treewright
