#include "treewright/search/task.hpp"

#include <cmath>
#include <numeric>

#include "treewright/base/error.hpp"

namespace treewright::search {

namespace {

constexpr double most_cost = 0x1p52;    // doubles hold every whole number up to here
constexpr double most_square = 0x1p48;  // leaves room for the division in number_reward

void check(const Problem& problem) {
  require(problem.n_rows > 0, "There must be at least one row.");
  require(problem.n_rows < (std::size_t{1} << 31), "There are too many rows.");
  require(problem.targets.size() == problem.n_rows && problem.weights.size() == problem.n_rows,
          "Targets and weights must have one entry per row.");
  require(
      !problem.ranks.empty() || problem.bits.size() == problem.n_tests * ((problem.n_rows + 7) / 8),
      "The bits must hold one bit per row for each condition.");
  require(problem.prices.size() == problem.n_tests && problem.last_levels.size() == problem.n_tests,
          "Prices and levels must have one entry per condition.");
  require(problem.sources.size() == problem.n_tests, "Sources must have one entry per condition.");
  require(std::ranges::all_of(problem.weights, [](auto w) { return w > 0; }),
          "Weights must be above 0.");
  require(std::ranges::all_of(problem.prices, [](auto p) { return p >= 0 && p < no_value / 4096; }),
          "Prices must be 0 or more.");
}

}  // namespace

Task::Task(const Problem& problem, bool keep_weights)
    : numeric(problem.n_classes == 0 && problem.losses.empty()) {
  check(problem);
  original_row.resize(problem.n_rows);
  weight.reserve(problem.n_rows);
  base.reserve(problem.n_rows);
  std::iota(original_row.begin(), original_row.end(), 0);
  if (numeric) {
    read_numbers(problem);
  } else if (!problem.losses.empty()) {
    require(!keep_weights, "Leaves of rows with losses have no least weight.");
    read_losses(problem);
  } else {
    read_classes(problem, keep_weights);
  }
  const bool common = std::ranges::all_of(weight, [&](Value w) { return w == weight.front(); });
  common_weight = common && !by_row ? weight.front() : 0;
}

void Task::read_classes(const Problem& problem, bool keep_weights) {
  n_classes = static_cast<std::int32_t>(problem.n_classes);
  const std::size_t n = problem.n_classes;
  n_labels_ = problem.n_labels == 0 ? n : problem.n_labels;
  require(problem.costs.size() == n * problem.n_labels,
          "The costs must hold one number for each class and label.");
  require(std::ranges::all_of(problem.costs, [](auto cost) { return cost >= 0; }),
          "Costs must be 0 or more.");
  for (const std::int64_t target : problem.targets) {
    require(target >= 0 && target < n_classes, "Targets must be class codes.");
  }
  first_row.assign(n + 1, 0);
  for (const std::int64_t target : problem.targets)
    ++first_row[static_cast<std::size_t>(target) + 1];
  std::partial_sum(first_row.begin(), first_row.end(), first_row.begin());
  std::vector<std::int32_t> next(first_row.begin(), first_row.end() - 1);
  for (std::size_t r = 0; r < problem.n_rows; ++r) {
    std::int32_t& at = next[static_cast<std::size_t>(problem.targets[r])];
    original_row[static_cast<std::size_t>(at++)] = static_cast<std::int32_t>(r);
  }

  const auto cost = [&](std::size_t c, std::size_t l) { return problem.costs[c * n_labels_ + l]; };
  // Where every wrong answer of a class costs the same, that is part of the weight of its rows.
  std::vector<Value> wrong(n, 1);
  plain = n == n_labels_;
  for (std::size_t c = 0; plain && !problem.costs.empty() && c < n; ++c) {
    wrong[c] = n == 1 ? 1 : cost(c, c == 0 ? 1 : 0);
    plain = keep_weights ? wrong[c] == 1 : wrong[c] > 0;
    for (std::size_t l = 0; plain && l < n; ++l) plain = cost(c, l) == (l == c ? 0 : wrong[c]);
  }
  rates_.assign(n, 1);
  if (!plain) gains_.assign(n * n_labels_, 0);
  for (std::size_t c = 0; !plain && c < n; ++c) {
    rates_[c] = 0;
    for (std::size_t l = 0; l < n_labels_; ++l) rates_[c] = std::max(rates_[c], cost(c, l));
    for (std::size_t l = 0; l < n_labels_; ++l) gains_[l * n + c] = rates_[c] - cost(c, l);
  }

  double total = 0.0;
  for (const std::int32_t row : original_row) {
    const auto r = static_cast<std::size_t>(row);
    const auto c = static_cast<std::size_t>(problem.targets[r]);
    const double exact =
        static_cast<double>(problem.weights[r]) * static_cast<double>(plain ? wrong[c] : 1);
    total += exact * static_cast<double>(std::max<Value>(rates_[c], 1));
    require(total <= most_cost, "The costs of all rows together must be at most 2^52 units.");
    weight.push_back(problem.weights[r] * (plain ? wrong[c] : 1));
    base.push_back(weight.back() * rates_[c]);
  }
}

void Task::read_losses(const Problem& problem) {
  n_labels_ = problem.n_labels;
  require(n_labels_ > 0 && problem.losses.size() == problem.n_rows * n_labels_,
          "The losses must hold one number for each row and label.");
  require(std::ranges::all_of(problem.losses, [](auto loss) { return loss >= 0; }),
          "Losses must be 0 or more.");
  const auto loss = [&](std::int32_t row, std::size_t label) {
    return problem.losses[static_cast<std::size_t>(row) * n_labels_ + label];
  };
  plain = n_labels_ == 2;
  by_row = !plain;
  n_classes = plain ? 2 : 1;
  rates_.assign(static_cast<std::size_t>(n_classes), 1);
  const auto class_of = [&](std::int32_t row) { return plain && loss(row, 1) < loss(row, 0); };
  std::ranges::stable_sort(original_row, {}, class_of);
  first_row.assign(static_cast<std::size_t>(n_classes) + 1, 0);
  first_row.back() = static_cast<std::int32_t>(problem.n_rows);
  double total = 0.0;
  for (const std::int32_t row : original_row) {
    Value least = loss(row, 0), most = least;
    for (std::size_t l = 1; l < n_labels_; ++l) {
      least = std::min(least, loss(row, l));
      most = std::max(most, loss(row, l));
    }
    total += static_cast<double>(most) - static_cast<double>(least);
    require(total <= most_cost, "The losses of all rows together must be at most 2^52 units.");
    weight.push_back(plain ? most - least : 1);
    base.push_back(most - least);
    if (plain) {
      first_row[1] += class_of(row) ? 0 : 1;
      continue;
    }
    for (std::size_t l = 0; l < n_labels_; ++l)
      row_gains_.push_back(static_cast<double>(most - loss(row, l)));
  }
}

void Task::read_numbers(const Problem& problem) {
  first_row = {0, static_cast<std::int32_t>(problem.n_rows)};
  const std::int64_t smallest = *std::ranges::min_element(problem.targets);
  double total = 0.0;
  for (std::size_t r = 0; r < problem.n_rows; ++r) {
    const double y = static_cast<double>(problem.targets[r]) - static_cast<double>(smallest);
    total += static_cast<double>(problem.weights[r]) * std::max(y, 1.0) * std::max(y, 1.0);
    require(total <= most_square, "The squares of all rows together must be at most 2^48 units.");
    const Value number = problem.targets[r] - smallest;
    weight.push_back(problem.weights[r]);
    moment.push_back(problem.weights[r] * number);
    base.push_back(moment.back() * number);
  }
}

double Task::number_reward(double weight, double moment) {
  // The quarter lifts what division leaves just below a whole number; costs stay 0 or more.
  return weight > 0.0 ? std::floor(moment * moment / weight + 0.25) : 0.0;
}

}  // namespace treewright::search
