#include "treewright/split/discriminant/score_test.hpp"

#include <algorithm>
#include <cmath>

#include "treewright/base/pace.hpp"
#include "treewright/split/cut/candidates.hpp"
#include "treewright/split/significance/line_classes.hpp"

namespace treewright {

namespace {

// A row a score: a number for each column, then the intercept.
struct LinearScores {
  std::vector<std::int32_t> columns;
  std::vector<double> numbers;

  std::size_t width() const { return columns.size() + 1; }
};

// The scores without the columns that have a coefficient in none of them.
LinearScores in_use(std::span<const std::int32_t> columns, std::span<const double> numbers) {
  const std::size_t width = columns.size() + 1;
  std::vector<bool> is_used(width, false);
  is_used[width - 1] = true;
  LinearScores used;
  for (std::size_t i = 0; i + 1 < width; ++i) {
    for (std::size_t at = i; at < numbers.size(); at += width) {
      is_used[i] = is_used[i] || numbers[at] != 0.0;
    }
    if (is_used[i]) used.columns.push_back(columns[i]);
  }
  for (std::size_t at = 0; at < numbers.size(); ++at) {
    if (is_used[at % width]) used.numbers.push_back(numbers[at]);
  }
  return used;
}

// Scores of one column; those of none are no test.
Test interval_test(const Node& node, const LinearScores& scores) {
  if (scores.columns.empty()) return {};
  Lines lines;
  for (std::size_t at = 0; at < scores.numbers.size(); at += 2) {
    lines.slopes.push_back(scores.numbers[at]);
    lines.intercepts.push_back(scores.numbers[at + 1]);
  }
  return interval_test(node, scores.columns[0], envelope_cuts(lines), CutsFrom::fit);
}

// Which scores are the largest at some row of the node.
std::vector<bool> winners(const Node& node, LinearScores scores) {
  for (std::size_t b = 0; b * scores.width() < scores.numbers.size(); ++b) {
    scores.numbers[(b + 1) * scores.width() - 1] -= score_tie * static_cast<double>(b);
  }
  const Test machine = machine_test(scores.columns, scores.numbers);
  const auto n_branches = std::get<Machine>(view(machine)).n_branches();
  std::vector<bool> wins(n_branches, false);
  Pace pace(node.problem.monitor);
  route(view(machine), node.problem.table, node.ids(), [&](std::uint32_t, std::int32_t branch) {
    pace.is_over_after(scores.numbers.size());  // lets Ctrl-C end it
    if (branch != unknown) wins[static_cast<std::size_t>(branch)] = true;
  });
  return wins;
}

// score_1 - score_0 <= 0 is branch 0.
Test two_way(std::span<const std::int32_t> columns, std::span<const double> difference) {
  const Test direction = direction_of(columns, difference.first(columns.size()));
  if (direction.is_leaf()) return direction;
  double largest = 0.0;
  for (const double w : difference.first(columns.size())) largest = std::max(largest, std::abs(w));
  const double threshold = -difference.back() / largest;
  const Linear linear = std::get<Linear>(view(direction));
  return linear_test(linear.features, linear.coefficients, threshold);
}

}  // namespace

void require_many_branches(const Problem& problem, const std::string& method) {
  const Traits& traits = problem.measure.traits();
  require(!traits.needs_two_branches, method + " makes a branch per class, which " +
                                          std::string(traits.name) +
                                          " cannot score; use another criterion.");
}

Test score_test(const Node& node, std::span<const std::int32_t> columns, const ClassScores& scores,
                UnseenClasses unseen) {
  if (scores.classes.size() < 2) return {};
  const LinearScores all = in_use(columns, scores.rows);
  if (all.columns.size() < 2) return interval_test(node, all);
  const std::size_t width = all.width();
  std::vector<bool> wins = winners(node, all);
  if (unseen == UnseenClasses::have_branches && std::ranges::count(wins, true) > 1) {
    wins.assign(wins.size(), true);
  }
  std::vector<double> numbers;
  const double* base = nullptr;
  for (std::size_t b = 0; b < wins.size(); ++b) {
    if (!wins[b]) continue;
    const double* row = all.numbers.data() + b * width;
    if (base == nullptr) base = row;
    for (std::size_t i = 0; i < width; ++i) numbers.push_back(row[i] - base[i]);
    numbers.back() -= score_tie * static_cast<double>(numbers.size() / width - 1);
  }
  if (numbers.size() <= width) return {};
  if (numbers.size() == 2 * width) return two_way(all.columns, std::span(numbers).subspan(width));
  const LinearScores kept = in_use(all.columns, numbers);
  return kept.columns.size() < 2 ? interval_test(node, kept)
                                 : machine_test(kept.columns, kept.numbers);
}

std::vector<double> classes_of_branches(const Node& node, const Test& test,
                                        std::span<const std::int32_t> columns,
                                        const ClassScores& scores) {
  const std::vector<std::int32_t> read = columns_of(test);
  if (read.size() > 1 || is_linear(test.kind)) {
    return {scores.classes.begin(), scores.classes.end()};
  }
  // An interval stands for the class whose score is largest at the mean of its rows.
  const auto n_branches = static_cast<std::size_t>(check_test(test, node.problem.table.n_levels));
  std::vector<Moments> rows(n_branches);
  const Column values = node.problem.table.column(read[0]);
  route(view(test), node.problem.table, node.ids(), [&](std::uint32_t row, std::int32_t branch) {
    if (branch == unknown) return;
    rows[static_cast<std::size_t>(branch)].add({node.weights[row], values[row], 0.0});
  });
  std::vector<double> classes;
  const std::size_t width = columns.size() + 1;
  const auto place =
      static_cast<std::size_t>(std::ranges::find(columns, read[0]) - columns.begin());
  for (const Moments& interval : rows) {
    const auto score = [&](std::size_t c) {
      return scores.rows[c * width + place] * interval.mean + scores.rows[(c + 1) * width - 1];
    };
    std::size_t best = 0;
    for (std::size_t c = 1; c < scores.classes.size(); ++c) {
      if (score(c) > score(best) + score_tie) best = c;
    }
    classes.push_back(scores.classes[best]);
  }
  return classes;
}

}  // namespace treewright
