#include "treewright/split/trend.hpp"

#include <algorithm>
#include <cmath>

namespace treewright {

int trend_of_column(const Problem& problem, std::int32_t column) {
  return problem.trends.empty() ? 0 : problem.trends[static_cast<std::size_t>(column)];
}

std::optional<int> trend_along(const Problem& problem, std::span<const std::int32_t> columns,
                               std::span<const double> coefficients) {
  int trend = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const int sign = (coefficients[i] > 0) - (coefficients[i] < 0);
    const int here = sign * trend_of_column(problem, columns[i]);
    if (here == 0) continue;
    if (trend == -here) return std::nullopt;
    trend = here;
  }
  return trend;
}

std::optional<int> trend_of(const Problem& problem, const Test& test) {
  switch (test.kind) {
    case Kind::axis:
      return trend_of_column(problem, test.features[0]);
    case Kind::linear: {
      const Linear linear = std::get<Linear>(view(test));
      return trend_along(problem, linear.features, linear.coefficients);
    }
    case Kind::subset: {
      const Subset subset = std::get<Subset>(view(test));
      const int trend = trend_of_column(problem, subset.feature);
      return subset.left[0] == 0 ? trend : -trend;  // of the two levels of a boolean
    }
    case Kind::leaf:
    case Kind::multiway:
    case Kind::pair:
    case Kind::machine:
      break;
  }
  const auto columns = columns_of(test);
  const bool is_free = std::ranges::all_of(
      columns, [&](std::int32_t column) { return trend_of_column(problem, column) == 0; });
  return is_free ? std::optional(0) : std::nullopt;
}

double answer_of(const Target& target, std::span<const double> statistics) {
  return target.is_classification() ? statistics[1] / sum_of(statistics) : statistics[1];
}

namespace {

// Calls visit(column, position of its first level in Region::levels, number of levels).
template <class Visit>
void for_each_column(const Table& table, Visit visit) {
  std::size_t first = 0;
  for (std::size_t column = 0; column < table.n_levels.size(); ++column) {
    const auto n = static_cast<std::size_t>(table.n_levels[column]);
    visit(column, first, n);
    first += n;
  }
}

}  // namespace

Region::Region(const Problem& problem, std::span<const std::uint32_t> rows)
    : low(problem.table.n_levels.size(), -std::numeric_limits<double>::infinity()),
      high(problem.table.n_levels.size(), std::numeric_limits<double>::infinity()),
      missing(problem.table.n_levels.size(), 0) {
  for_each_column(problem.table, [&](std::size_t column, std::size_t, std::size_t n_levels) {
    levels.insert(levels.end(), n_levels, 1);
    const Column values = problem.table.column(static_cast<std::int32_t>(column));
    missing[column] =
        std::ranges::any_of(rows, [&](std::uint32_t row) { return std::isnan(values[row]); });
  });
}

Region Region::branch(const Problem& problem, const Test& test, std::int32_t branch,
                      std::int32_t default_branch) const {
  Region region = *this;
  const auto columns = columns_of(test);
  if (columns.size() != 1) return region;
  const auto tested = static_cast<std::size_t>(columns[0]);
  const Predicate predicate = view(test);
  const auto goes_here = [&](double value) {
    const auto get = [&](std::int32_t) { return value; };
    const std::int32_t found =
        std::visit([&](const auto& kind) { return kind.branch(get); }, predicate);
    return (found == unknown ? default_branch : found) == branch;
  };
  region.missing[tested] = missing[tested] && goes_here(std::nan(""));
  if (is_axis(test.kind)) {
    double& end = branch == 0 ? region.high[tested] : region.low[tested];
    end = branch == 0 ? std::min(end, test.numbers[0]) : std::max(end, test.numbers[0]);
    return region;
  }
  for_each_column(problem.table, [&](std::size_t column, std::size_t first, std::size_t n_levels) {
    for (std::size_t level = 0; column == tested && level < n_levels; ++level) {
      if (!goes_here(static_cast<double>(level))) region.levels[first + level] = 0;
    }
  });
  return region;
}

bool may_precede(const Problem& problem, const Region& here, const Region& there) {
  bool may = true;
  for_each_column(problem.table, [&](std::size_t column, std::size_t first, std::size_t n_levels) {
    if (!may || (here.missing[column] && there.missing[column])) return;
    const int trend = problem.trends[column];
    const Region& a = trend < 0 ? there : here;  // the one of smaller values
    const Region& b = trend < 0 ? here : there;
    if (n_levels == 0) {
      may = a.low[column] < b.high[column] && (trend != 0 || b.low[column] < a.high[column]);
      return;
    }
    may = false;
    bool is_met = false;  // a level of `a` was met at or before this one
    for (std::size_t level = first; level < first + n_levels; ++level) {
      is_met = a.levels[level] || (trend != 0 && is_met);
      may = may || (is_met && b.levels[level]);
    }
  });
  return may;
}

bool Rivals::fit(const Problem& problem, const Region& branch, double answer) const {
  return std::ranges::all_of(others, [&](const Rival& rival) {
    const bool is_in_order = rival.is_below ? rival.answer <= answer : answer <= rival.answer;
    return is_in_order || !(rival.is_below ? may_precede(problem, *rival.region, branch)
                                           : may_precede(problem, branch, *rival.region));
  });
}

bool keeps_trends(const Node& node, const Candidate& candidate) {
  const Problem& problem = node.problem;
  const Test& test = candidate.test;
  const std::optional<int> trend = trend_of(problem, test);
  if (!trend || candidate.overrules_rows) return false;
  const auto n_branches = static_cast<std::size_t>(check_test(test, problem.table.n_levels));
  const std::size_t k = problem.target.n_outputs();
  std::vector<double> statistics(n_branches * k, 0.0);
  std::vector<std::pair<std::uint32_t, std::int32_t>> routed;
  bool has_unknown = false;
  route(view(test), problem.table, node.ids(), [&](auto row, std::int32_t branch) {
    has_unknown = has_unknown || branch == unknown;
    routed.emplace_back(row, branch);
  });
  const std::int32_t otherwise =
      takes_default_branch(problem.missing) ? evaluate(node, test).default_branch : unknown;
  // As the grower sums them, so that what is judged here is what the branches answer. The final
  // threshold may be any between the values next to it.
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  for (const auto& [row, found] : routed) {
    const std::int32_t branch = found == unknown ? otherwise : found;
    if (is_axis(test.kind) && found != unknown) {
      const double value = problem.table.at(row, test.features[0]);
      if (found == 0) low = std::max(low, value);
      if (found == 1) high = std::min(high, value);
    }
    if (branch == unknown) continue;
    add_row(std::span(statistics).subspan(static_cast<std::size_t>(branch) * k, k), problem.target,
            row, problem.target.weights[row]);
  }
  std::vector<double> answers;
  for (std::size_t b = 0; b < n_branches; ++b) {
    const auto here = std::span<const double>(statistics).subspan(b * k, k);
    const double weight = problem.target.is_classification() ? sum_of(here) : here[0];
    if (!(weight > 0)) return false;
    answers.push_back(answer_of(problem.target, here));
    Test widest = test;
    if (is_axis(test.kind)) widest.numbers[0] = b == 0 ? high : low;
    // Where no row is without a value, such rows may come to any branch.
    const auto branch = static_cast<std::int32_t>(b);
    const std::int32_t without_value = has_unknown || otherwise == unknown ? otherwise : branch;
    const Region region = node.rivals->region->branch(problem, widest, branch, without_value);
    if (!node.rivals->fit(problem, region, answers.back())) return false;
  }
  if (n_branches != 2) return true;
  return *trend * (answers[1] - answers[0]) >= 0;
}

void Limits::add(const Rival& rival) {
  if (rival.is_below) {
    least = std::max(least, rival.answer);
  } else {
    most = std::min(most, rival.answer);
  }
}

TrendWatch::TrendWatch(const Node& node, int trend, std::int32_t column, Column values,
                       std::span<const Entry> moving, std::span<const Entry> without_left,
                       std::span<const Entry> without_right)
    : node_(node), trend_(trend), values_(values), moving_(moving) {
  for (const Entry e : without_left) add(left_, e);
  total_ = left_;
  for (const Entry e : moving) add(total_, e);
  for (const Entry e : without_right) add(total_, e);
  const bool takes_default = takes_default_branch(node.problem.missing);
  find_limits(column, takes_default && without_right.empty(),
              takes_default && without_left.empty());
}

// A rival binds a side whatever the cut, or the left side only if its values begin before the cut,
// the right side only if they end behind it.
void TrendWatch::find_limits(std::int32_t column, bool missing_left, bool missing_right) {
  constexpr double always = std::numeric_limits<double>::infinity();
  std::vector<std::pair<double, const Rival*>> left, right;
  const auto place = static_cast<std::size_t>(std::max(column, 0));
  for (const Rival& rival : node_.rivals->others) {
    const Region& region = *rival.region;
    const bool shares_missing =
        column < 0 || (node_.rivals->region->missing[place] && region.missing[place]);
    // Along a column with a trend, larger values lie on one side of any rival for good.
    const bool follows = trend_ != 0 && (trend_ > 0) == rival.is_below;
    const bool precedes = trend_ != 0 && !follows;
    const bool all_left = column < 0 || precedes || (shares_missing && missing_left);
    const bool all_right = column < 0 || follows || (shares_missing && missing_right);
    left.emplace_back(all_left ? -always : region.low[place], &rival);
    right.emplace_back(all_right ? always : region.high[place], &rival);
  }
  std::ranges::sort(left, {}, [](const auto& pair) { return pair.first; });
  std::ranges::sort(right, std::greater{}, [](const auto& pair) { return pair.first; });
  on_left_.push_back({-always, {}});
  for (const auto& [from, rival] : left) {
    on_left_.push_back({from, on_left_.back().limits});
    on_left_.back().limits.add(*rival);
  }
  on_right_.push_back({always, {}});
  for (const auto& [from, rival] : right) {
    on_right_.push_back({from, on_right_.back().limits});
    on_right_.back().limits.add(*rival);
  }
  next_right_ = on_right_.size() - 1;
}

void TrendWatch::add(Sum& to, Entry e) const {
  const Target& target = node_.problem.target;
  const double weight = target.weights[e.row];
  to.weight += weight;
  to.answer += weight * (target.is_classification() ? target.labels[e.row] : target.numbers[e.row]);
}

bool TrendWatch::allows(std::size_t last) {
  // The cut may be anywhere between these.
  const double low = values_[moving_[last].row], high = values_[moving_[last + 1].row];
  while (next_left_ + 1 < on_left_.size() && on_left_[next_left_ + 1].from < high) ++next_left_;
  while (next_right_ > 0 && !(on_right_[next_right_].from > low)) --next_right_;
  const double right = total_.weight - left_.weight;
  if (!(left_.weight > 0) || !(right > 0)) return false;
  const double left_answer = left_.answer / left_.weight;
  const double right_answer = (total_.answer - left_.answer) / right;
  return on_left_[next_left_].limits.hold(left_answer) &&
         on_right_[next_right_].limits.hold(right_answer) &&
         trend_ * (right_answer - left_answer) >= 0;
}

}  // namespace treewright
