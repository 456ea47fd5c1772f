// Predicate: the test at a node. A closed set of six kinds, told apart by how they route a row.
//
//   axis      x <= t                          branch 0 when true
//   linear    c1 x1 + ... + ck xk <= t        branch 0 when true; x is the value of a column, or
//                                             1 where a column has one level and 0 at another
//   subset    level in S                      branch 0 in `left`, 1 in `right`
//   multiway  the branch of the level
//   pair      a and b, a or b, a xor b,       branch 0 when true; a and b are axis or subset
//             a and not b
//   machine   the branch with the largest linear score, the lowest one on ties
//
// A Test owns its numbers in a flat form (kind, features, numbers), which is also how trees, files
// and Python carry it; a Predicate is the same thing seen through spans, ready to route:
//
//   axis      features f                            numbers t
//   linear    features f1..fk                       numbers c1..ck, t; where some are levels:
//                                                   c1..ck, level of each (-1: none).., t
//   subset    features f, n_left, left.., right..   numbers -
//   multiway  features f, branch of each level..    numbers -
//   pair      features op, (kind, n, features..) of a, then of b     numbers of a, of b
//   machine   features f1..fk                       numbers c1..ck, intercept for each branch
//
// Every kind has one `branch(get)`, where get(column) gives the row's value. It is the only place
// that decides a branch; `unknown` means that a value it needs is missing, or that the level was
// not there when the test was made.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "treewright/data/table.hpp"

namespace treewright {

inline constexpr std::int32_t unknown = -1;

enum class Kind : std::int8_t { leaf = -1, axis, linear, subset, multiway, pair, machine };
enum class Connective : std::int32_t { both, either, exactly_one, only_first };

// What readers ask of a kind. Each is written out for all of them, so that whoever adds a kind is
// asked too.
constexpr bool is_axis(Kind kind) {
  switch (kind) {
    case Kind::axis:
      return true;
    case Kind::leaf:
    case Kind::linear:
    case Kind::subset:
    case Kind::multiway:
    case Kind::pair:
    case Kind::machine:
      return false;
  }
  return false;
}
constexpr bool is_linear(Kind kind) {
  switch (kind) {
    case Kind::linear:
      return true;
    case Kind::leaf:
    case Kind::axis:
    case Kind::subset:
    case Kind::multiway:
    case Kind::pair:
    case Kind::machine:
      return false;
  }
  return false;
}
// May be a part of a pair, or a surrogate.
constexpr bool is_literal(Kind kind) {
  switch (kind) {
    case Kind::axis:
    case Kind::subset:
      return true;
    case Kind::leaf:
    case Kind::linear:
    case Kind::multiway:
    case Kind::pair:
    case Kind::machine:
      return false;
  }
  return false;
}
// The number, which may come from a file or from Python, stands for a test.
constexpr bool is_kind_of_test(std::int32_t number) {
  if (number != static_cast<std::int8_t>(number)) return false;
  switch (static_cast<Kind>(number)) {
    case Kind::axis:
    case Kind::linear:
    case Kind::subset:
    case Kind::multiway:
    case Kind::pair:
    case Kind::machine:
      return true;
    case Kind::leaf:
      return false;
  }
  return false;
}
constexpr bool is_connective(std::int32_t number) {
  switch (static_cast<Connective>(number)) {
    case Connective::both:
    case Connective::either:
    case Connective::exactly_one:
    case Connective::only_first:
      return true;
  }
  return false;
}

struct Test {
  Kind kind = Kind::leaf;
  std::vector<std::int32_t> features;
  std::vector<double> numbers;
  bool is_leaf() const { return kind == Kind::leaf; }
  bool operator==(const Test&) const = default;
};

struct Axis {
  std::int32_t feature;
  double threshold;

  template <class Get>
  std::int32_t branch(const Get& get) const {
    const double x = get(feature);
    return x <= threshold ? 0 : std::isnan(x) ? unknown : 1;
  }
};

struct Linear {
  std::span<const std::int32_t> features;
  std::span<const double> coefficients;
  std::span<const double> levels;  // none, or one a feature
  double threshold;

  bool is_level(std::size_t term) const { return !levels.empty() && levels[term] >= 0; }
  // What a coefficient is multiplied by where its column has this value. Missing stays missing.
  double factor(std::size_t term, double value) const {
    return is_level(term) ? indicator(levels[term], value) : value;
  }
  static double indicator(double level, double value) {
    return value == level ? 1.0 : value - value;
  }

  template <class Get>
  double score(const Get& get) const {
    double sum = 0.0;
    if (levels.empty()) {
      for (std::size_t i = 0; i < features.size(); ++i) sum += coefficients[i] * get(features[i]);
    } else {
      for (std::size_t i = 0; i < features.size(); ++i) {
        sum += coefficients[i] * factor(i, get(features[i]));
      }
    }
    return sum;
  }
  template <class Get>
  std::int32_t branch(const Get& get) const {
    return branch_of(score(get));
  }
  std::int32_t branch_of(double sum) const {
    return sum <= threshold ? 0 : std::isnan(sum) ? unknown : 1;
  }
};

struct Subset {
  std::int32_t feature;
  std::span<const std::int32_t> left;   // ascending
  std::span<const std::int32_t> right;  // ascending

  template <class Get>
  std::int32_t branch(const Get& get) const {
    const double code = get(feature);
    if (std::isnan(code)) return unknown;
    const auto level = static_cast<std::int32_t>(code);
    if (std::ranges::binary_search(left, level)) return 0;
    return std::ranges::binary_search(right, level) ? 1 : unknown;
  }
};

struct Multiway {
  std::int32_t feature;
  std::span<const std::int32_t> branch_of_level;

  template <class Get>
  std::int32_t branch(const Get& get) const {
    const double code = get(feature);
    if (!(code >= 0 && code < static_cast<double>(branch_of_level.size()))) return unknown;
    return branch_of_level[static_cast<std::size_t>(code)];
  }
};

using Literal = std::variant<Axis, Subset>;

struct Pair {
  Connective connective;
  Literal first;
  Literal second;

  // Kleene's three-valued logic: a part that settles the answer alone needs no other part.
  template <class Get>
  std::int32_t branch(const Get& get) const {
    const auto truth = [&](const Literal& part) {
      return std::visit([&](const auto& test) { return test.branch(get); }, part);
    };
    const std::int32_t a = truth(first), b = truth(second);
    const bool are_known = a != unknown && b != unknown;
    switch (connective) {
      case Connective::both:
        if (a == 1 || b == 1) return 1;
        return are_known ? 0 : unknown;
      case Connective::either:
        if (a == 0 || b == 0) return 0;
        return are_known ? 1 : unknown;
      case Connective::exactly_one:
        return are_known ? (a != b ? 0 : 1) : unknown;
      case Connective::only_first:
        if (a == 1 || b == 0) return 1;
        return are_known ? 0 : unknown;
    }
    return unknown;  // there is no other connective
  }
};

struct Machine {
  std::span<const std::int32_t> features;
  std::span<const double> weights;  // per branch: one a feature, then the intercept

  std::size_t n_branches() const { return weights.size() / (features.size() + 1); }

  template <class Get>
  std::int32_t branch(const Get& get) const {
    const std::size_t width = features.size() + 1;
    std::int32_t best = unknown;
    double best_score = 0.0;
    for (std::size_t b = 0; b * width < weights.size(); ++b) {
      const auto row = weights.subspan(b * width, width);
      double score = row[width - 1];
      for (std::size_t i = 0; i + 1 < width; ++i) score += row[i] * get(features[i]);
      if (std::isnan(score)) return unknown;
      if (best == unknown || score > best_score) {
        best = static_cast<std::int32_t>(b);
        best_score = score;
      }
    }
    return best;
  }
};

using Predicate = std::variant<Axis, Linear, Subset, Multiway, Pair, Machine>;

// The flat form read as a predicate. The spans must outlive it; the content must have been
// checked.
Predicate view(Kind kind, std::span<const std::int32_t> features, std::span<const double> numbers);
inline Predicate view(const Test& test) { return view(test.kind, test.features, test.numbers); }

// The number of branches of a well-formed flat test over these columns; an Error otherwise.
std::int32_t check_test(Kind kind, std::span<const std::int32_t> features,
                        std::span<const double> numbers, std::span<const std::int32_t> n_levels);
inline std::int32_t check_test(const Test& test, std::span<const std::int32_t> n_levels) {
  return check_test(test.kind, test.features, test.numbers, n_levels);
}

// The columns a well-formed test reads, in the order it names them; one may come several times.
std::vector<std::int32_t> columns_of(const Test& test);

// use(rows, scores) for the rows, some hundred at a time, until it returns false. Columns are read
// the way the table lies; the scores are those of Linear::score to the last digit.
template <class Use>
void for_each_scores(const Linear& linear, const Table& table, std::span<const std::uint32_t> rows,
                     Use use) {
  std::array<double, 256> scores;
  for (std::size_t begin = 0; begin < rows.size(); begin += scores.size()) {
    const auto part = rows.subspan(begin, std::min(scores.size(), rows.size() - begin));
    if (table.is_row_major()) {
      for (std::size_t i = 0; i < part.size(); ++i) {
        scores[i] = linear.score([&](std::int32_t column) { return table.at(part[i], column); });
      }
    } else {
      scores.fill(0.0);
      for (std::size_t j = 0; j < linear.features.size(); ++j) {
        const Column column = table.column(linear.features[j]);
        const double coefficient = linear.coefficients[j];
        if (linear.is_level(j)) {
          const double level = linear.levels[j];
          for (std::size_t i = 0; i < part.size(); ++i) {
            scores[i] += coefficient * Linear::indicator(level, column[part[i]]);
          }
        } else {
          for (std::size_t i = 0; i < part.size(); ++i) scores[i] += coefficient * column[part[i]];
        }
      }
    }
    if (!use(part, std::span<const double>(scores).first(part.size()))) return;
  }
}

// The branch of each of `rows` through `put(row, branch)`; one dispatch, then a plain loop.
template <class Put>
void route(const Predicate& predicate, const Table& table, std::span<const std::uint32_t> rows,
           Put put) {
  std::visit(
      [&]<class Kind>(const Kind& test) {
        if constexpr (std::is_same_v<Kind, Linear>) {
          for_each_scores(test, table, rows, [&](auto part, auto scores) {
            for (std::size_t i = 0; i < part.size(); ++i) put(part[i], test.branch_of(scores[i]));
            return true;
          });
        } else {
          for (const std::uint32_t row : rows) {
            put(row, test.branch([&](std::int32_t column) { return table.at(row, column); }));
          }
        }
      },
      predicate);
}

Test axis_test(std::int32_t feature, double threshold);
Test subset_test(std::int32_t feature, std::span<const std::int32_t> left,
                 std::span<const std::int32_t> right);
Test multiway_test(std::int32_t feature, std::span<const std::int32_t> branch_of_level);
// `levels` is empty, or has the level of each term with -1 for a numeric column.
Test linear_test(std::span<const std::int32_t> features, std::span<const double> coefficients,
                 double threshold, std::span<const double> levels = {});
// `first` and `second` are axis or subset tests.
Test pair_test(Connective connective, const Test& first, const Test& second);
// One row of weights a branch: a number a feature, then the intercept.
Test machine_test(std::span<const std::int32_t> features, std::span<const double> weights);

}  // namespace treewright
