#include "treewright/tree/predicate.hpp"

#include <string>

namespace treewright {

namespace {

Linear linear_view(std::span<const std::int32_t> features, std::span<const double> numbers) {
  const std::size_t k = features.size();
  return {features, numbers.first(k), numbers.subspan(k, numbers.size() - k - 1), numbers.back()};
}

Subset subset_view(std::span<const std::int32_t> features) {
  const auto n_left = static_cast<std::size_t>(features[1]);
  return {features[0], features.subspan(2, n_left), features.subspan(2 + n_left)};
}

// The two parts of a pair in flat form.
struct FlatPart {
  Kind kind;
  std::span<const std::int32_t> features;
  std::span<const double> numbers;
};

constexpr const char* no_literal = "The parts of a pair must be axis or subset predicates.";

Literal literal_view(const FlatPart& part) {
  switch (part.kind) {
    case Kind::axis:
      return Axis{part.features[0], part.numbers[0]};
    case Kind::subset:
      return subset_view(part.features);
    case Kind::leaf:
    case Kind::linear:
    case Kind::multiway:
    case Kind::pair:
    case Kind::machine:
      break;
  }
  throw Error(no_literal);
}

// Takes one part off the front; an Error when it is malformed.
FlatPart take_part(std::span<const std::int32_t>& features, std::span<const double>& numbers) {
  require(features.size() >= 2, "A pair predicate is cut short.");
  const auto kind = static_cast<Kind>(features[0]);
  require(is_kind_of_test(features[0]) && is_literal(kind), no_literal);
  require(features[1] >= 0 && static_cast<std::size_t>(features[1]) <= features.size() - 2,
          "A pair predicate is cut short.");
  const auto n_features = static_cast<std::size_t>(features[1]);
  const std::size_t n_numbers = is_axis(kind) ? 1 : 0;
  require(numbers.size() >= n_numbers, "A pair predicate is cut short.");
  const FlatPart part{kind, features.subspan(2, n_features), numbers.first(n_numbers)};
  features = features.subspan(2 + n_features);
  numbers = numbers.subspan(n_numbers);
  return part;
}

// Every node of a growth is checked: sentences are put together only where they are needed.
void check_column(std::int32_t column, std::span<const std::int32_t> n_levels) {
  if (column >= 0 && static_cast<std::size_t>(column) < n_levels.size()) return;
  throw Error("A split reads column " + std::to_string(column) + ", but there are " +
              std::to_string(n_levels.size()) + " columns.");
}

void check_numeric(std::int32_t column, std::span<const std::int32_t> n_levels) {
  check_column(column, n_levels);
  if (n_levels[static_cast<std::size_t>(column)] == 0) return;
  throw Error("A split calculates with column " + std::to_string(column) +
              ", which is categorical.");
}

void check_finite(std::span<const double> numbers) {
  for (const double x : numbers) require(std::isfinite(x), "A split holds a number not finite.");
}

void check_levels_of(std::int32_t column, std::span<const std::int32_t> codes,
                     std::int32_t levels) {
  std::int32_t previous = -1;
  for (const std::int32_t code : codes) {
    if (code <= previous || code >= levels) {
      throw Error("The levels of a subset predicate on column " + std::to_string(column) +
                  " must rise and lie below " + std::to_string(levels) + ".");
    }
    previous = code;
  }
}

void check_distinct_columns(std::span<const std::int32_t> features,
                            std::span<const std::int32_t> n_levels) {
  std::vector<std::int32_t> seen(features.begin(), features.end());
  std::ranges::sort(seen);
  require(std::ranges::adjacent_find(seen) == seen.end(), "A split names a column twice.");
  for (const std::int32_t column : features) check_numeric(column, n_levels);
}

// Terms on one column have different levels, so a numeric column stands in one term only.
void check_terms(const Linear& test, std::span<const std::int32_t> n_levels) {
  require(std::ranges::any_of(test.levels, [](double level) { return level >= 0; }),
          "A linear predicate names the levels of its terms, and none has one.");
  std::vector<std::pair<std::int32_t, double>> seen;
  for (std::size_t i = 0; i < test.features.size(); ++i) {
    const std::int32_t column = test.features[i];
    const double level = test.levels[i];
    seen.emplace_back(column, level);
    if (level == -1.0) {
      check_numeric(column, n_levels);
      continue;
    }
    check_column(column, n_levels);
    const std::int32_t levels = n_levels[static_cast<std::size_t>(column)];
    if (!(level >= 0 && level < levels && level == std::floor(level))) {
      throw Error("A linear predicate reads a level of column " + std::to_string(column) +
                  " that is none of its " + std::to_string(levels) + ".");
    }
  }
  std::ranges::sort(seen);
  require(std::ranges::adjacent_find(seen) == seen.end(),
          "A linear predicate has the same term twice.");
}

std::int32_t check_linear(std::span<const std::int32_t> features, std::span<const double> numbers,
                          std::span<const std::int32_t> n_levels) {
  const std::size_t k = features.size();
  require(k > 0 && (numbers.size() == k + 1 || numbers.size() == 2 * k + 1),
          "A linear predicate is malformed.");
  if (numbers.size() == k + 1) {
    check_distinct_columns(features, n_levels);
  } else {
    check_terms(linear_view(features, numbers), n_levels);
  }
  return 2;
}

std::int32_t check_subset(std::span<const std::int32_t> features, std::span<const double> numbers,
                          std::span<const std::int32_t> n_levels) {
  require(features.size() >= 2 && numbers.empty(), "A subset predicate is malformed.");
  check_column(features[0], n_levels);
  const std::int32_t levels = n_levels[static_cast<std::size_t>(features[0])];
  require(levels > 0, "A subset predicate needs a categorical column.");
  require(features[1] > 0 && static_cast<std::size_t>(features[1]) < features.size() - 2,
          "A subset predicate needs levels on both sides.");
  const Subset test = subset_view(features);
  check_levels_of(test.feature, test.left, levels);
  check_levels_of(test.feature, test.right, levels);
  for (const std::int32_t code : test.left) {
    require(!std::ranges::binary_search(test.right, code), "A level stands on both sides.");
  }
  return 2;
}

std::int32_t check_multiway(std::span<const std::int32_t> features, std::span<const double> numbers,
                            std::span<const std::int32_t> n_levels) {
  require(features.size() >= 3 && numbers.empty(), "A multiway split needs two levels or more.");
  check_column(features[0], n_levels);
  const auto branches = features.subspan(1);
  require(
      static_cast<std::size_t>(n_levels[static_cast<std::size_t>(features[0])]) == branches.size(),
      "A multiway split must name the branch of every level of its column.");
  const std::int32_t largest = *std::ranges::max_element(branches);
  require(*std::ranges::min_element(branches) >= 0 && largest >= 1 &&
              static_cast<std::size_t>(largest) < branches.size(),
          "A multiway split names a branch out of range.");
  std::vector<bool> used(static_cast<std::size_t>(largest) + 1, false);
  for (const std::int32_t b : branches) used[static_cast<std::size_t>(b)] = true;
  require(std::ranges::find(used, false) == used.end(),
          "Every branch of a multiway split needs a level.");
  return largest + 1;
}

}  // namespace

Predicate view(Kind kind, std::span<const std::int32_t> features, std::span<const double> numbers) {
  switch (kind) {
    case Kind::axis:
      return Axis{features[0], numbers[0]};
    case Kind::linear:
      return linear_view(features, numbers);
    case Kind::subset:
      return subset_view(features);
    case Kind::multiway:
      return Multiway{features[0], features.subspan(1)};
    case Kind::pair: {
      auto rest = features.subspan(1);
      const Literal first = literal_view(take_part(rest, numbers));
      return Pair{static_cast<Connective>(features[0]), first,
                  literal_view(take_part(rest, numbers))};
    }
    case Kind::machine:
      return Machine{features, numbers};
    case Kind::leaf:
      break;
  }
  throw Error("A leaf has no split.");
}

std::int32_t check_test(Kind kind, std::span<const std::int32_t> features,
                        std::span<const double> numbers, std::span<const std::int32_t> n_levels) {
  check_finite(numbers);
  switch (kind) {
    case Kind::axis:
      require(features.size() == 1 && numbers.size() == 1, "An axis predicate is malformed.");
      check_numeric(features[0], n_levels);
      return 2;
    case Kind::linear:
      return check_linear(features, numbers, n_levels);
    case Kind::subset:
      return check_subset(features, numbers, n_levels);
    case Kind::multiway:
      return check_multiway(features, numbers, n_levels);
    case Kind::pair: {
      require(!features.empty() && is_connective(features[0]),
              "A pair predicate needs one of and, or, xor, and not.");
      auto rest = features.subspan(1);
      for (int part = 0; part < 2; ++part) {
        const FlatPart flat = take_part(rest, numbers);
        check_test(flat.kind, flat.features, flat.numbers, n_levels);
      }
      require(rest.empty() && numbers.empty(), "A pair predicate holds more than two parts.");
      return 2;
    }
    case Kind::machine: {
      const std::size_t width = features.size() + 1;
      require(!features.empty() && numbers.size() % width == 0 && numbers.size() / width >= 2,
              "A machine predicate needs a row of weights for each of two branches or more.");
      check_distinct_columns(features, n_levels);
      return static_cast<std::int32_t>(numbers.size() / width);
    }
    case Kind::leaf:
      break;
  }
  throw Error("A predicate is of an unknown kind.");
}

std::vector<std::int32_t> columns_of(const Test& test) {
  switch (test.kind) {
    case Kind::axis:
    case Kind::linear:
    case Kind::machine:
      return test.features;
    case Kind::subset:
    case Kind::multiway:
      return {test.features[0]};
    case Kind::pair: {
      const auto second = 3 + static_cast<std::size_t>(test.features[2]);
      return {test.features[3], test.features[second + 2]};
    }
    case Kind::leaf:
      break;
  }
  return {};
}

Test axis_test(std::int32_t feature, double threshold) {
  return {Kind::axis, {feature}, {threshold}};
}

Test subset_test(std::int32_t feature, std::span<const std::int32_t> left,
                 std::span<const std::int32_t> right) {
  Test test{Kind::subset, {}, {}};
  test.features.reserve(2 + left.size() + right.size());
  test.features.push_back(feature);
  test.features.push_back(static_cast<std::int32_t>(left.size()));
  test.features.insert(test.features.end(), left.begin(), left.end());
  test.features.insert(test.features.end(), right.begin(), right.end());
  return test;
}

Test multiway_test(std::int32_t feature, std::span<const std::int32_t> branch_of_level) {
  Test test{Kind::multiway, {feature}, {}};
  test.features.insert(test.features.end(), branch_of_level.begin(), branch_of_level.end());
  return test;
}

Test linear_test(std::span<const std::int32_t> features, std::span<const double> coefficients,
                 double threshold, std::span<const double> levels) {
  Test test{
      Kind::linear, {features.begin(), features.end()}, {coefficients.begin(), coefficients.end()}};
  test.numbers.insert(test.numbers.end(), levels.begin(), levels.end());
  test.numbers.push_back(threshold);
  return test;
}

Test pair_test(Connective connective, const Test& first, const Test& second) {
  Test test{Kind::pair, {static_cast<std::int32_t>(connective)}, {}};
  for (const Test* part : {&first, &second}) {
    test.features.push_back(static_cast<std::int32_t>(part->kind));
    test.features.push_back(static_cast<std::int32_t>(part->features.size()));
    test.features.insert(test.features.end(), part->features.begin(), part->features.end());
    test.numbers.insert(test.numbers.end(), part->numbers.begin(), part->numbers.end());
  }
  return test;
}

Test machine_test(std::span<const std::int32_t> features, std::span<const double> weights) {
  return {Kind::machine, {features.begin(), features.end()}, {weights.begin(), weights.end()}};
}

}  // namespace treewright
