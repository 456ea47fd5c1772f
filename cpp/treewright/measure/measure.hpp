// Measures: how impure a node is, how much a split takes away, and how that becomes a score.
//
// Class measures work on class weights W_c with W = sum W_c and p_c = W_c / W; number measures on
// (weight, mean, sum of squared deviations). Decreases are shares of the node:
//
//   i(t) - sum_b (W_b / W) i(b)
//
// Three criteria are no impurities and judge a split as a whole: twoing (Breiman et al. 1984,
// section 4.1), the inter-node Hellinger distance (Akash et al. 2019), and the Hellinger distance
// between classes of HDDT (Cieslak and Chawla 2008), which does not see how large the classes are:
//
//   twoing     P_L P_R / 4 (sum_c |p_c|L - p_c|R|)^2
//   hellinger  sum_b (W_b / W) (1 - sum_c sqrt(p_bc p_tc))
//   hddt       max_c sqrt(sum_b (sqrt(W_bc / W_c) - sqrt((W_b - W_bc) / (W - W_c)))^2)
//
// HDDT is for two classes, where both values of c give the same. With more, a split is worth what
// it does for the class that it sets apart best from all others.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "treewright/data/rows.hpp"
#include "treewright/data/target.hpp"

namespace treewright {

enum class Impurity : std::uint8_t {
  gini,               // 1 - sum p^2
  entropy,            // -sum p log2 p
  misclassification,  // 1 - max p
  deviance,           // -2 sum p ln p
  twoing,
  hellinger,
  hddt,
  cost_gini,       // sum_ij cost_ij p_i p_j
  squared_error,   // sum w (y - mean)^2 / W
  absolute_error,  // sum w |y - median| / W, found from the rows, not from statistics
};

Impurity impurity_named(const std::string& name);

enum class Gain : std::uint8_t {
  plain,     // the decrease
  ratio,     // decrease / split information, among decreases not below their mean (C4.5)
  balanced,  // decrease / (1 + split information) (Leroux, Boussard, Des 2018)
};

Gain gain_named(const std::string& name);

struct Measure {
  Impurity impurity = Impurity::gini;
  std::vector<double> cost;  // K x K, row = truth; cost_gini only

  // The impurity of one node; for twoing, hellinger and hddt that of gini.
  double of(std::span<const double> statistics) const;

  // The decrease by a split into `branches` (n_outputs values each). Twoing takes two.
  double decrease(std::span<const double> parent, std::span<const double> branches) const;

  // Whether a decrease is a sum over branches, so that the two functions below give it.
  bool is_sum_over_branches() const;

  // What the contributions of the branches are taken from: of(parent), but 0 for hellinger.
  double of_split(std::span<const double> parent) const;

  // What a branch contributes: decrease = of_split(parent) - sum of contributions.
  double contribution(std::span<const double> parent, std::span<const double> branch) const;
};

inline double sum_of(std::span<const double> values) {
  double sum = 0.0;
  for (const double v : values) sum += v;
  return sum;
}

// x log2 x, 0 at 0.
inline double x_log_x(double x) { return x > 0 ? x * std::log2(x) : 0.0; }

// -sum q log2 q over the shares of the given weights, in bits.
double split_information(std::span<const double> weights);

// Adds number `y` of weight `w` to (weight, mean, sum of squared deviations); Welford 1962.
inline void add_number(std::span<double> statistics, double y, double w) {
  const double weight = statistics[0] + w;
  const double delta = y - statistics[1];
  const double part = w / weight;
  statistics[2] += delta * delta * statistics[0] * part;
  statistics[1] += delta * part;
  statistics[0] = weight;
}

// Adds a row of weight `w` to node statistics.
inline void add_row(std::span<double> statistics, const Target& target, std::uint32_t row,
                    double w) {
  if (target.is_classification()) {
    statistics[static_cast<std::size_t>(target.labels[row])] += w;
  } else {
    add_number(statistics, target.numbers[row], w);
  }
}

// Adds node statistics of the same kind.
void add_statistics(std::span<double> to, std::span<const double> from, bool is_classification);

// The weighted median of numbers (the middle of the two where half the weight lies on each side),
// and the summed absolute deviation from it.
struct Median {
  double median = 0.0;
  double deviation = 0.0;
};
Median weighted_median(std::vector<std::pair<double, double>>& number_and_weight);

// That of the target's numbers at these rows, each with its share of its weight.
Median weighted_median(const Target& target, const Rows& rows, Range range);

}  // namespace treewright
