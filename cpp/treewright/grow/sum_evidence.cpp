// Methods and readable tests over rows that are elsewhere.

#include "treewright/grow/sum_evidence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "treewright/data/lines.hpp"
#include "treewright/grow/choose.hpp"
#include "treewright/grow/partitioned.hpp"

namespace treewright {

std::vector<double> KnownOfRows::key_of(const Test& test, const Test& other) {
  std::vector<double> key = test.numbers;
  key.insert(key.end(), test.features.begin(), test.features.end());
  key.insert(key.end(), other.numbers.begin(), other.numbers.end() - 1);  // but for the threshold
  key.insert(key.end(), other.features.begin(), other.features.end());
  return key;
}

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The moments of some of the numbers, in this order.
JointMoments some_of(const JointMoments& all, std::span<const std::size_t> positions) {
  JointMoments some{{positions.size()}, {}};
  const JointLayout& layout = some.layout;
  for (std::size_t c = 0; c < all.n_classes(); ++c) {
    const std::size_t at = some.numbers.size();
    some.numbers.resize(at + layout.size());
    const auto numbers = std::span(some.numbers).subspan(at);
    numbers[JointLayout::count] = all.count(c);
    numbers[JointLayout::weight] = all.weight(c);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      numbers[layout.mean(i)] = all.mean(c, positions[i]);
      for (std::size_t j = 0; j <= i; ++j) {
        numbers[layout.product(i, j)] = all.product(c, positions[i], positions[j]);
      }
    }
  }
  return some;
}

double count_of(const JointMoments& moments) {
  double count = 0.0;
  for (std::size_t c = 0; c < moments.n_classes(); ++c) count += moments.count(c);
  return count;
}

ColumnSet ascending(std::span<const std::int32_t> columns) {
  ColumnSet set(columns.begin(), columns.end());
  std::ranges::sort(set);
  return set;
}

}  // namespace

class SumEvidence : public Evidence {
 public:
  SumEvidence(PartitionedGrowth& growth, std::size_t place, const Node& node)
      : growth_(growth), open_(growth.open_[place]), place_(place), node_(node) {}

  JointMoments moments(std::span<const std::int32_t> columns) override {
    const ColumnSet set = ascending(columns);
    if (const auto* found = known_moments(set)) {
      std::vector<std::size_t> positions;
      for (const std::int32_t column : columns) {
        const auto at = std::ranges::lower_bound(found->first, column) - found->first.begin();
        positions.push_back(static_cast<std::size_t>(at));
      }
      if (!growth_.is_classification()) positions.push_back(found->first.size());
      return some_of(found->second, positions);
    }
    growth_.wanted_.moments.emplace_back(place_, set);
    throw NotKnown{};
  }

  void expect(std::span<const ColumnSet> sets) override {
    for (const ColumnSet& columns : sets) {
      ColumnSet set = ascending(columns);
      const bool repeats = std::ranges::adjacent_find(set) != set.end();
      if (repeats || set.empty() || known_moments(set) != nullptr) continue;
      growth_.wanted_.moments.emplace_back(place_, std::move(set));
    }
  }

  std::vector<double> weights_below(std::span<const std::int32_t> columns,
                                    std::span<const double> limits) override {
    const std::size_t k = columns.size(), n_classes = growth_.target_.n_outputs();
    std::vector<double> below(n_classes * k, 0.0);
    bool is_known = true;
    for (std::size_t j = 0; j < k; ++j) {
      if (std::isnan(limits[j])) continue;
      const auto found = open_.known.below.find({columns[j], limits[j]});
      if (found == open_.known.below.end()) {
        growth_.wanted_.below.push_back({place_, columns[j], limits[j]});
        is_known = false;
        continue;
      }
      for (std::size_t c = 0; c < n_classes; ++c) below[c * k + j] = found->second[c];
    }
    if (!is_known) throw NotKnown{};
    return below;
  }

  LevelGroups levels(std::int32_t column) override {
    const auto found = open_.levels.find(column);
    if (found == open_.levels.end()) throw NotKnown{};  // wanted from the beginning
    return found->second;
  }

  std::optional<Candidate> cut_column(std::int32_t column) override {
    auto found = cut_line(column);
    if (found) found->test = axis_test(column, middle_of(found->low, found->high));
    return found;
  }

  std::optional<Candidate> cut_along(std::span<const std::int32_t> columns,
                                     std::span<const double> coefficients) override {
    auto found = cut_line(number_of(linear_test(columns, coefficients, 0.0)));
    if (!found) return found;
    found->test = linear_test(columns, coefficients, middle_of(found->low, found->high));
    found->low = found->high = std::numeric_limits<double>::quiet_NaN();
    return found;
  }

  void propose_cuts(std::vector<Candidate>& candidates) override {
    open_.compares_columns = true;
    bool is_known = true;
    for (const std::int32_t column : growth_.columns_) {
      if (growth_.table_.is_categorical(column)) continue;
      is_known = has_bins(column) && is_known;
    }
    if (!is_known || !growth_.is_settled(place_, std::nullopt)) throw NotKnown{};
    growth_.propose_cuts(node_, open_, candidates);
  }

  Outcome outcome(const Test& test) override { return growth_.outcome_of(node_, open_, test); }

  std::pair<double, double> range_along(const Test& line) override {
    const std::int32_t number = number_of(line);
    if (!has_bins(number)) throw NotKnown{};
    const ColumnSums& steps = open_.numeric.at(number);
    if (steps.size() == 0) return {infinity, -infinity};
    return {steps.low.front(), steps.high.back()};
  }

  LineSides sides_along(const Test& line, double limit) override {
    const std::int32_t number = number_of(line);
    const auto found = open_.known.halves.find({number, limit});
    if (found == open_.known.halves.end()) {
      growth_.wanted_.below.push_back({place_, number, limit});
      throw NotKnown{};
    }
    const ColumnSums& steps = found->second;
    const auto above = std::ranges::upper_bound(steps.high, limit);
    const auto n_left = static_cast<std::size_t>(above - steps.high.begin());
    LineSides result;
    const std::vector<double> none(node_.statistics.size(), 0.0);
    result.statistics[0] = result.statistics[1] = none;
    if (n_left > 0) result.low = steps.high[n_left - 1];
    if (n_left < steps.size()) result.high = steps.low[n_left];
    if (n_left == 0 || n_left == steps.size()) return result;  // all rows on one side
    SumSides sides = sides_of(node_, steps, n_left - 1);
    result.statistics[0] = std::move(sides.left);
    result.statistics[1] = std::move(sides.right);
    result.counts[0] = sides.left_count;
    result.counts[1] = sides.right_count;
    return result;
  }

  std::vector<ValueSums> values_along(const Test& line) override {
    const std::int32_t number = number_of(line);
    open_.by_value.insert(number);
    if (!has_bins(number) || !growth_.is_settled(place_, number)) throw NotKnown{};
    const ColumnSums& steps = open_.numeric.at(number);
    std::vector<ValueSums> values;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const double weight =
          growth_.is_classification() ? sum_of(steps.sums_of(i)) : steps.sums_of(i)[0];
      values.push_back({steps.high[i], steps.counts[i], weight});
    }
    return values;
  }

 private:
  using Found = std::pair<const ColumnSet, JointMoments>;

  // Of these columns, or of more that no row lacks.
  const Found* known_moments(const ColumnSet& set) const {
    const auto& known = open_.known.moments;
    if (const auto found = known.find(set); found != known.end()) return &*found;
    for (const Found& found : known) {
      if (found.first.size() > set.size() && std::ranges::includes(found.first, set) &&
          count_of(found.second) == open_.rows) {
        return &found;
      }
    }
    return nullptr;
  }

  // Of an axis or a linear test.
  std::int32_t number_of(const Test& line) {
    if (is_axis(line.kind)) return line.features[0];
    const Linear linear = std::get<Linear>(view(line));
    if (const auto known = growth_.line_of(place_, linear.features, linear.coefficients)) {
      return *known;
    }
    growth_.combinations_.push_back(
        {place_, linear_test(linear.features, linear.coefficients, 0.0)});
    return static_cast<std::int32_t>(growth_.columns_.size() + growth_.combinations_.size() - 1);
  }

  bool has_bins(std::int32_t line) const {
    if (open_.numeric.contains(line)) return true;
    growth_.wanted_.bins.emplace_back(place_, line);
    return false;
  }

  std::optional<Candidate> cut_line(std::int32_t line) {
    open_.by_itself.insert(line);
    if (!has_bins(line) || !growth_.is_settled(place_, line)) throw NotKnown{};
    const ColumnSums& steps = open_.numeric.at(line);
    const auto cut = best_cut(node_, steps, growth_.rules_of(open_, line));
    if (!cut) return std::nullopt;
    return growth_.candidate_at(node_, steps, *cut);
  }

  PartitionedGrowth& growth_;
  PartitionedGrowth::Open& open_;
  std::size_t place_;
  const Node& node_;
};

class ElsewhereSides : public LinearSides {
 public:
  ElsewhereSides(PartitionedGrowth& growth, std::size_t place, const Test& test)
      : growth_(growth), open_(growth.open_[place]), place_(place), test_(test) {}

  Gap gap_of(const Test& other, bool is_turned) override {
    const SideScores scores = scores_of(other);
    return is_turned ? Gap{scores.high_most, scores.low_least}
                     : Gap{scores.low_most, scores.high_least};
  }

  double relative_gap(const Test& other) override {
    const SideScores scores = scores_of(other);
    return (scores.high_least - scores.low_most) / (std::max(scores.low_most, scores.high_most) -
                                                    std::min(scores.low_least, scores.high_least));
  }

  bool leaves_unknown(const Test& fewer) override { return scores_of(fewer).n_revealed == 0.0; }

  std::vector<double> spreads() override {
    const double one[] = {1.0};
    std::vector<Test> terms;
    for (const std::int32_t column : test_.features) {
      terms.push_back(linear_test(std::span(&column, 1), one, 0.0));
    }
    expect(terms);
    std::vector<double> spreads;
    for (const Test& term : terms) spreads.push_back(std::sqrt(scores_of(term).squares));
    return spreads;
  }

  void expect(std::span<const Test> others) override {
    for (const Test& other : others) {
      if (find(other) == nullptr) want(other);
    }
  }

 private:
  const SideScores* find(const Test& other) const {
    const auto found = open_.known.sides.find(KnownOfRows::key_of(test_, other));
    return found == open_.known.sides.end() ? nullptr : &found->second;
  }

  SideScores scores_of(const Test& other) const {
    if (const SideScores* found = find(other)) return *found;
    want(other);
    throw NotKnown{};
  }

  void want(const Test& other) const {
    auto& wanted = growth_.wanted_.sides;
    const bool is_wanted = std::ranges::any_of(wanted, [&](const OtherTest& asked) {
      return asked.place == place_ && asked.other == other;
    });
    if (!is_wanted) wanted.push_back({place_, test_, other});
  }

  PartitionedGrowth& growth_;
  const PartitionedGrowth::Open& open_;
  std::size_t place_;
  const Test& test_;
};

std::optional<std::int32_t> PartitionedGrowth::line_of(std::size_t place,
                                                       std::span<const std::int32_t> columns,
                                                       std::span<const double> coefficients) const {
  const Test test = linear_test(columns, coefficients, 0.0);
  for (std::size_t i = 0; i < combinations_.size(); ++i) {
    if (combinations_[i].place == place && combinations_[i].test == test) {
      return static_cast<std::int32_t>(columns_.size() + i);
    }
  }
  return std::nullopt;
}

const ColumnSums& PartitionedGrowth::steps_at(const Open& open, std::int32_t line,
                                              double threshold) const {
  const auto has_cut = [&](const ColumnSums& steps) {
    const auto above = std::ranges::upper_bound(steps.high, threshold);
    if (above == steps.high.begin() || above == steps.high.end()) return false;
    return threshold < steps.low[static_cast<std::size_t>(above - steps.high.begin())];
  };
  for (const auto& [where, steps] : open.known.halves) {
    if (where.first == line && has_cut(steps)) return steps;
  }
  return open.numeric.at(line);
}

// Sums that differ by rounding only are one value, as in memory; the size of what is summed comes
// from the moments of the columns.
CutRules PartitionedGrowth::rules_of(const Open& open, std::int32_t line) const {
  if (line < table_.n_columns()) return {};
  const auto place = static_cast<std::size_t>(line - table_.n_columns());
  const Linear linear = std::get<Linear>(view(combinations_[place].test));
  double size = 0.0;
  for (std::size_t j = 0; j < linear.features.size(); ++j) {
    const auto known = open.known.moments.find({linear.features[j]});
    if (known == open.known.moments.end()) continue;
    double largest = 0.0;
    for (std::size_t c = 0; c < known->second.n_classes(); ++c) {
      const double weight = known->second.weight(c);
      if (!(weight > 0)) continue;
      largest = std::max(largest, std::abs(known->second.mean(c, 0)) +
                                      std::sqrt(known->second.product(c, 0, 0) / weight));
    }
    size += std::abs(linear.coefficients[j]) * largest;
  }
  return {.min_gap = 4.0 * static_cast<double>(linear.features.size()) *
                     std::numeric_limits<double>::epsilon() * size};
}

bool PartitionedGrowth::is_settled(std::size_t place, std::optional<std::int32_t> line) {
  std::vector<Unsettled> found;
  find_unsettled(place, found);  // which notes the gap
  if (open_[place].is_given_up) return true;
  return std::ranges::none_of(found, [&](const Unsettled& bin) {
    return line ? bin.column == *line : bin.column < table_.n_columns();
  });
}

std::optional<Candidate> PartitionedGrowth::find_split(std::size_t place, const Node& node) {
  if (!method_) {
    std::vector<Candidate> candidates = candidates_of(node, open_[place]);
    return choose(node, candidates);
  }
  Node asked = node;
  SumEvidence evidence(*this, place, asked);
  asked.evidence = &evidence;
  Rng rng(options_.seed);
  std::vector<Candidate> candidates;
  method_->propose(asked, rng, candidates);
  return choose(asked, candidates);
}

Readable PartitionedGrowth::readable_of(std::size_t place, const Candidate& candidate) {
  if (!is_linear(candidate.test.kind)) return readable(candidate, table_, {}, &monitor_);
  ElsewhereSides sides(*this, place, candidate.test);
  return readable(candidate.test, table_, sides);
}

const Wanted& PartitionedGrowth::wanted() {
  wanted_ = {};
  for (std::size_t place = 0; place < open_.size(); ++place) {
    Open& open = open_[place];
    if (open.is_found) continue;
    for (const std::int32_t column : columns_) {
      const bool has_levels = table_.is_categorical(column);
      const bool is_new = has_levels
                              ? !open.levels.contains(column)
                              : method_->needs_sorted_columns() && !open.numeric.contains(column);
      if (is_new) wanted_.bins.emplace_back(place, column);
    }
    if (method_->needs_sorted_columns()) open.compares_columns = true;
    try {
      choose_split(place);
      open.is_found = true;
    } catch (const NotKnown&) {
      continue;  // it has said what
    }
  }
  std::ranges::sort(wanted_.bins);
  wanted_.bins.erase(std::ranges::unique(wanted_.bins).begin(), wanted_.bins.end());
  std::ranges::sort(wanted_.moments);
  wanted_.moments.erase(std::ranges::unique(wanted_.moments).begin(), wanted_.moments.end());
  return wanted_;
}

std::size_t PartitionedGrowth::n_moments(std::size_t n_columns) const {
  return is_classification() ? target_.n_outputs() * JointLayout{n_columns}.size()
                             : JointLayout{n_columns + 1}.size();
}

void PartitionedGrowth::put_moments(std::size_t place, const ColumnSet& columns,
                                    std::vector<double> numbers) {
  require(place < open_.size() && numbers.size() == n_moments(columns.size()),
          "The moments do not fit the columns.");
  const JointLayout layout{columns.size() + (is_classification() ? 0 : 1)};
  open_[place].known.moments[columns] = {layout, std::move(numbers)};
}

void PartitionedGrowth::put_below(std::size_t place, std::int32_t column, double limit,
                                  std::span<const double> lines) {
  const Line line(target_);
  require(place < open_.size() && lines.size() == 3 * line.width(),
          "The sums of a column do not fit its limit.");
  const auto weights = lines.subspan(line.first_sum(), line.n_sums());
  KnownOfRows& known = open_[place].known;
  known.below[{column, limit}].assign(weights.begin(), weights.end());
  known.halves[{column, limit}] = sums_of(std::span(&limit, 1), lines);
}

void PartitionedGrowth::put_sides(const OtherTest& asked, const SideScores& scores) {
  require(asked.place < open_.size(), "There is no such place.");
  open_[asked.place].known.sides[KnownOfRows::key_of(asked.test, asked.other)] = scores;
}

void PartitionedGrowth::give_up() {
  for (const Unsettled& bin : unsettled()) {
    open_[static_cast<std::size_t>(bin.place)].is_given_up = true;
  }
}

}  // namespace treewright
