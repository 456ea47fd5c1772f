// LMDT: a branch a class by a linear machine (Utgoff, Brodley 1991, "Linear machine decision
// trees").
//
// The machine (thermal_machine.hpp) is the test. Classes that it predicts for no row of the node
// have no branch; where two are left, the test is the linear one that says the same. Training reads
// rows as a stream, so they are put in an order of their own first: the seed and the rows decide
// what is found, not where the rows stand in the table.

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "treewright/split/cut/candidates.hpp"
#include "treewright/split/discriminant/score_test.hpp"
#include "treewright/split/list.hpp"
#include "treewright/split/machine/thermal_machine.hpp"

namespace treewright {

namespace {

constexpr std::size_t most_products = std::size_t{1} << 24;  // about a hundredth of a second

// By class, then by value and weight: rows that stay equal are the same to training.
std::vector<std::uint32_t> in_order(const Node& node) {
  std::vector<std::uint32_t> ids(node.ids().begin(), node.ids().end());
  const Table& table = node.problem.table;
  const auto labels = node.problem.target.labels;
  std::ranges::sort(ids, [&](std::uint32_t a, std::uint32_t b) {
    if (labels[a] != labels[b]) return labels[a] < labels[b];
    for (const std::int32_t column : node.columns) {
      const double x = table.at(a, column), y = table.at(b, column);
      if (std::isnan(x) != std::isnan(y)) return std::isnan(y);
      if (x != y && !std::isnan(x)) return x < y;
    }
    return node.weights[a] < node.weights[b];
  });
  return ids;
}

// Weights by row id as shares of the largest. Equal weights become exactly 1, whatever they are:
// training makes differences of rounding larger.
std::vector<double> of_the_largest(const Node& node, std::span<const std::uint32_t> ids) {
  double largest = 0.0;
  for (const std::uint32_t row : ids) largest = std::max(largest, node.weights[row]);
  std::vector<double> shares(node.weights.size(), 0.0);
  for (const std::uint32_t row : ids) shares[row] = node.weights[row] / largest;
  return shares;
}

class Lmdt : public Method {
 public:
  explicit Lmdt(ThermalTraining training) : training_(training) {}

  void prepare(const Problem& problem, const Rows&) override {
    require_classes(problem, "LMDT");
    require_many_branches(problem, "LMDT");
  }

  void propose(const Node& node, Rng& rng, std::vector<Candidate>& candidates) override {
    const std::vector<std::uint32_t> ids = in_order(node);
    const std::vector<double> weights = of_the_largest(node, ids);
    Node in_proportion = node;
    in_proportion.weights = weights;
    in_proportion.weight = std::accumulate(weights.begin(), weights.end(), 0.0);
    const ClassRows data = class_rows(in_proportion, ids);
    if (!data.can_be_told_apart()) return;
    const std::function<bool()> is_over = [monitor = node.problem.monitor] {
      return monitor != nullptr && monitor->poll();
    };
    const ClassScores scores = in_units(data, train_machine(data, training_, rng, is_over));
    // With many classes it takes long, too, to ask all rows what a machine says that is cut short.
    if (is_over() && ids.size() * scores.rows.size() > most_products) throw OutOfTime{};
    auto found = evaluated(node, score_test(node, data.rows.columns, scores));
    if (found) candidates.push_back(std::move(*found));
  }

 private:
  ThermalTraining training_;
};

std::shared_ptr<Method> make(const Parameters& parameters, Parts) {
  return std::make_shared<Lmdt>(ThermalTraining{
      .start = number(parameters, "start_temperature"),
      .end = number(parameters, "end_temperature"),
      .decay = number(parameters, "decay"),
      .step = number(parameters, "step"),
      .max_epochs = number(parameters, "max_epochs"),
      .elimination = number(parameters, "elimination"),
  });
}

const Listed listed{"lmdt", make};

}  // namespace

}  // namespace treewright
