#include "treewright/search/limited/parts.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <numeric>

#include "treewright/base/popcount.hpp"
#include "treewright/base/rng.hpp"

namespace treewright::search {

namespace {

constexpr std::size_t word_size = 64;
constexpr std::size_t n_common_sums = 2;  // rows and weight
constexpr double slack = 1e-9;            // relative, of least weights

}  // namespace

RowSets::RowSets(const LimitedProblem& problem, const LimitedOptions& options)
    : problem_(problem),
      options_(options),
      n_classes_(std::max<std::size_t>(problem.n_classes, 1)) {
  const bool is_numeric = problem.codes.empty();
  for (std::size_t c = 0; c < n_classes_; ++c) {
    std::size_t filled = 0;
    for (std::size_t row = 0; row < problem.n_rows; ++row) {
      if (!is_numeric && problem.codes[row] != static_cast<std::int32_t>(c)) continue;
      row_at_.push_back(static_cast<std::int32_t>(row));
      ++filled;
    }
    if (filled == 0) continue;
    while (row_at_.size() % word_size != 0) row_at_.push_back(-1);
    class_of_word_.resize(row_at_.size() / word_size, static_cast<std::int32_t>(c));
  }
  n_words_ = class_of_word_.size();
  bits_.assign(problem.n_tests * n_words_, 0);
  const std::size_t n_bytes = (problem.n_rows + 7) / 8;
  double mean = 0.0, total = 0.0;
  for (std::size_t row = 0; is_numeric && row < problem.n_rows; ++row) {
    total += problem.weights[row];
    mean += problem.weights[row] * problem.numbers[row];
  }
  if (total > 0) mean /= total;
  const double first = problem.weights.empty() ? 0.0 : problem.weights[0];
  const bool is_common = std::ranges::all_of(problem.weights, [&](double w) { return w == first; });
  common_weight_ = is_common ? first : 0.0;
  Rng rng(0);
  for (std::size_t bit = 0; bit < row_at_.size(); ++bit) {
    const bool is_row = row_at_[bit] >= 0;
    const auto row = static_cast<std::size_t>(std::max(row_at_[bit], 0));
    const double weight = is_row ? problem.weights[row] : 0.0;
    const double off = is_row && is_numeric ? problem.numbers[row] - mean : 0.0;
    weight_.push_back(weight);
    moment_.push_back(weight * off);
    square_.push_back(weight * off * off);
    hash_.push_back({rng.next(), rng.next()});
    if (!is_row) continue;
    for (std::size_t test = 0; test < problem.n_tests; ++test) {
      const bool passes = (problem.bits[test * n_bytes + row / 8] >> (row % 8)) & 1;
      if (passes) bits_[test * n_words_ + bit / word_size] |= std::uint64_t{1} << (bit % word_size);
    }
  }
  if (is_numeric && problem.n_rows > 0) {
    const auto [least, most] = std::ranges::minmax(problem.numbers);
    largest_loss_ = (most - least) * (most - least);
  } else {
    largest_loss_ = 1.0;
    for (const double cost : problem.costs) largest_loss_ = std::max(largest_loss_, cost);
  }
  take_levels();
  find_chains();
  find_floors();
}

void RowSets::take_levels() {
  for (const LevelColumn& column : problem_.level_columns) {
    std::vector<std::int32_t>& levels = level_.emplace_back();
    for (const std::int32_t row : row_at_)
      levels.push_back(row < 0 ? -1 : column.levels[static_cast<std::size_t>(row)]);
  }
}

// A chain that is none, or whose tests differ in more than their threshold, is parted.
void RowSets::find_chains() {
  const LeafOrder order(problem_.order);
  const auto follows = [&](std::size_t test) {
    if (order.is_asked_for() && !(order.has_choice(test - 1) && order.has_choice(test)))
      return false;
    const auto before = bits_of(test - 1), here = bits_of(test);
    for (std::size_t word = 0; word < n_words_; ++word) {
      if ((before[word] & ~here[word]) != 0) return false;
    }
    return problem_.chains[test] >= 0 && problem_.chains[test] == problem_.chains[test - 1] &&
           problem_.columns[test] == problem_.columns[test - 1] &&
           problem_.prices[test] == problem_.prices[test - 1] &&
           problem_.last_levels[test] == problem_.last_levels[test - 1];
  };
  for (std::size_t first = 0; first < problem_.n_tests;) {
    std::size_t end = first + 1;
    while (end < problem_.n_tests && follows(end)) ++end;
    if (end == first + 1) {
      alone_.push_back(first);
      chain_of_.push_back(problem_.n_tests + first);
    } else {
      chain_of_.resize(end, chains_.size());
      Chain chain{first, end - first, {}};
      chain.rank.assign(row_at_.size(), static_cast<std::uint32_t>(chain.size));
      for (std::size_t test = end; test-- > first;) {
        const auto bits = bits_of(test);
        for (std::size_t bit = 0; bit < row_at_.size(); ++bit) {
          const bool passes = (bits[bit / word_size] >> (bit % word_size)) & 1;
          if (passes) chain.rank[bit] = static_cast<std::uint32_t>(test - first);
        }
      }
      chains_.push_back(std::move(chain));
    }
    first = end;
  }
}

void RowSets::order(RowSet& set) const {
  for (std::size_t c = 0; c < chains_.size(); ++c) {
    std::vector<std::uint32_t>& rows = set.ordered.emplace_back();
    const auto is_here = [&](std::uint32_t bit) {
      return (set.words[bit / word_size] >> (bit % word_size)) & 1;
    };
    if (set.whole != nullptr && !set.whole->ordered.empty()) {
      std::ranges::copy_if(set.whole->ordered[c], std::back_inserter(rows), is_here);
      continue;
    }
    for (std::uint32_t bit = 0; bit < row_at_.size(); ++bit) {
      if (is_here(bit)) rows.push_back(bit);
    }
    std::ranges::stable_sort(rows, {}, [&](std::uint32_t bit) { return chains_[c].rank[bit]; });
  }
}

void RowSets::add_one(Sums& to, std::size_t bit) const {
  const double weight = weight_[bit];
  to[0] += 1.0;
  to[1] += weight;
  if (problem_.codes.empty()) {
    to[n_common_sums] += moment_[bit];
    to[n_common_sums + 1] += square_[bit];
  } else {
    to[n_common_sums + static_cast<std::size_t>(class_of_word_[bit / word_size])] += weight;
  }
}

// Rows that agree in every test end in one leaf: what such a leaf costs is noted at the first.
void RowSets::find_floors() {
  floor_.assign(row_at_.size(), 0.0);
  using Key = std::pair<std::vector<bool>, std::vector<std::int32_t>>;
  std::map<Key, std::pair<std::size_t, Sums>> groups;
  for (std::size_t bit = 0; bit < row_at_.size(); ++bit) {
    if (row_at_[bit] < 0) continue;
    std::vector<bool> passes(problem_.n_tests);
    const std::size_t word = bit / word_size;
    for (std::size_t test = 0; test < problem_.n_tests; ++test) {
      passes[test] = (bits_[test * n_words_ + word] >> (bit % word_size)) & 1;
    }
    std::vector<std::int32_t> levels;
    for (const auto& column : level_) levels.push_back(column[bit]);
    auto& [first, sums] = groups[{std::move(passes), std::move(levels)}];
    if (sums.empty()) {
      first = bit;
      sums.assign(n_common_sums + std::max<std::size_t>(n_classes_, 2), 0.0);
    }
    add(sums, word, std::uint64_t{1} << (bit % word_size));
  }
  for (const auto& [key, group] : groups) floor_[group.first] = leaf_cost(group.second);
}

RowSet RowSets::all() const {
  RowSet set;
  set.words.assign(n_words_, 0);
  for (std::size_t bit = 0; bit < row_at_.size(); ++bit) {
    if (row_at_[bit] < 0) continue;
    set.words[bit / word_size] |= std::uint64_t{1} << (bit % word_size);
    set.hash ^= hash_[bit];
    set.floor += floor_[bit];
  }
  set.sums.assign(n_common_sums + std::max<std::size_t>(n_classes_, 2), 0.0);
  for (std::size_t word = 0; word < n_words_; ++word) {
    set.filled.push_back(static_cast<std::uint32_t>(word));
    add(set.sums, word, set.words[word]);
  }
  return set;
}

void RowSets::add(Sums& to, std::size_t word, std::uint64_t rows) const {
  const auto count = static_cast<double>(popcount(rows));
  to[0] += count;
  const bool is_numeric = problem_.codes.empty();
  if (!is_numeric && common_weight_ > 0) {
    to[1] += count * common_weight_;
    to[n_common_sums + static_cast<std::size_t>(class_of_word_[word])] += count * common_weight_;
    return;
  }
  double weight = 0.0;
  for (; rows != 0; rows &= rows - 1) {
    const std::size_t bit = word * word_size + static_cast<std::size_t>(std::countr_zero(rows));
    weight += weight_[bit];
    if (!is_numeric) continue;
    to[n_common_sums] += moment_[bit];
    to[n_common_sums + 1] += square_[bit];
  }
  to[1] += weight;
  if (!is_numeric) {
    to[n_common_sums + static_cast<std::size_t>(class_of_word_[word])] += weight;
  }
}

void RowSets::sums_of(const RowSet& set, std::size_t test, Sums& passing) const {
  passing.assign(set.sums.size(), 0.0);
  const auto bits = bits_of(test);
  for (const std::uint32_t word : set.filled) {
    if (const std::uint64_t rows = set.words[word] & bits[word]) add(passing, word, rows);
  }
}

// `rows_of_word(word)` gives those of a word's rows that are wanted.
template <class Choose>
RowSet RowSets::chosen_part(const RowSet& set, Choose rows_of_word) const {
  RowSet part;
  part.whole = &set;
  part.words.assign(n_words_, 0);
  part.sums.assign(set.sums.size(), 0.0);
  for (const std::uint32_t word : set.filled) {
    const std::uint64_t rows = rows_of_word(word);
    if (rows == 0) continue;
    part.words[word] = rows;
    part.filled.push_back(word);
    add(part.sums, word, rows);
    for (std::uint64_t left = rows; left != 0; left &= left - 1) {
      const std::size_t bit = word * word_size + static_cast<std::size_t>(std::countr_zero(left));
      part.hash ^= hash_[bit];
      part.floor += floor_[bit];
    }
  }
  return part;
}

RowSet RowSets::part(const RowSet& set, std::size_t test, bool passing) const {
  const auto bits = bits_of(test);
  return chosen_part(set, [&](std::uint32_t word) {
    return set.words[word] & (passing ? bits[word] : ~bits[word]);
  });
}

RowSet RowSets::part_of_level(const RowSet& set, std::size_t column, std::int32_t level,
                              bool with_others) const {
  const std::vector<std::int32_t>& levels = level_[column];
  return chosen_part(set, [&](std::uint32_t word) {
    std::uint64_t chosen = 0;
    for (std::uint64_t left = set.words[word]; left != 0; left &= left - 1) {
      const std::size_t bit = word * word_size + static_cast<std::size_t>(std::countr_zero(left));
      if (levels[bit] == level || (with_others && levels[bit] < 0)) chosen |= left & -left;
    }
    return chosen;
  });
}

LevelSums RowSets::sums_of_levels(const RowSet& set, std::size_t column) const {
  const Sums none(set.sums.size(), 0.0);
  const auto n_levels = static_cast<std::size_t>(problem_.level_columns[column].n_levels);
  LevelSums sums{std::vector<Sums>(n_levels, none), none};
  for (const std::uint32_t word : set.filled) {
    for (std::uint64_t left = set.words[word]; left != 0; left &= left - 1) {
      const std::size_t bit = word * word_size + static_cast<std::size_t>(std::countr_zero(left));
      const std::int32_t level = level_[column][bit];
      add_one(level < 0 ? sums.without : sums.levels[static_cast<std::size_t>(level)], bit);
    }
  }
  return sums;
}

bool RowSets::holds_a_leaf(const Sums& sums) const {
  return rows(sums) >= std::max(options_.min_rows, 1.0) &&
         weight(sums) >= options_.min_weight * (1.0 - slack);
}

double RowSets::label_cost(const Sums& sums, std::size_t label) const {
  double cost = 0.0;
  for (std::size_t c = 0; c < n_classes_; ++c) {
    const double rate = problem_.n_labels > 0 ? problem_.costs[c * problem_.n_labels + label]
                                              : (c == label ? 0.0 : 1.0);
    cost += rate * sums[n_common_sums + c];
  }
  return cost;
}

double RowSets::leaf_cost(const Sums& sums) const {
  if (problem_.codes.empty()) {
    const double moment = sums[n_common_sums], square = sums[n_common_sums + 1];
    return weight(sums) > 0 ? std::max(0.0, square - moment * moment / weight(sums)) : 0.0;
  }
  if (problem_.n_labels == 0) {
    double most = 0.0, total = 0.0;
    for (std::size_t c = 0; c < n_classes_; ++c) {
      most = std::max(most, sums[n_common_sums + c]);
      total += sums[n_common_sums + c];
    }
    return total - most;
  }
  double least = label_cost(sums, 0);
  for (std::size_t label = 1; label < n_labels(); ++label) {
    least = std::min(least, label_cost(sums, label));
  }
  return least;
}

std::pair<std::size_t, std::size_t> RowSets::alike(const RowSet& set, std::size_t test) const {
  if (chain_of_[test] >= chains_.size()) return {test, test};
  const Chain& chain = chains_[chain_of_[test]];
  Sums sums;
  const auto n_passing = [&](std::size_t other) {
    sums_of(set, other, sums);
    return rows(sums);
  };
  const double here = n_passing(test);
  std::size_t first = test, last = test;
  while (first > chain.first && n_passing(first - 1) == here) --first;
  while (last + 1 < chain.first + chain.size && n_passing(last + 1) == here) ++last;
  return {first, last};
}

// Weights are added in the order of the rows, as for the nodes of a tree (nodes.cpp).
double RowSets::answer(const RowSet& set) const {
  const bool is_numeric = problem_.codes.empty();
  double upper = 0.0;  // weight of the second class, or numbers by weight
  double lower = 0.0;  // weight of the first one, or of all rows
  for (const std::uint32_t word : set.filled) {
    for (std::uint64_t rows = set.words[word]; rows != 0; rows &= rows - 1) {
      const std::size_t bit = word * word_size + static_cast<std::size_t>(std::countr_zero(rows));
      const auto row = static_cast<std::size_t>(row_at_[bit]);
      const double weight = problem_.weights[row];
      if (is_numeric) {
        upper += weight * problem_.numbers[row];
        lower += weight;
      } else {
        (problem_.codes[row] == 1 ? upper : lower) += weight;
      }
    }
  }
  return is_numeric ? upper / lower : upper / (lower + upper);
}

bool RowSets::is_pure(const Sums& sums) const {
  if (problem_.codes.empty()) return false;
  return std::ranges::count_if(sums.begin() + n_common_sums, sums.end(),
                               [](double weight) { return weight > 0.0; }) <= 1;
}

std::int32_t RowSets::label(const Sums& sums) const {
  if (problem_.codes.empty()) return -1;
  std::size_t best = 0;
  for (std::size_t label = 1; label < n_labels(); ++label) {
    if (label_cost(sums, label) < label_cost(sums, best)) best = label;
  }
  return static_cast<std::int32_t>(best);
}

}  // namespace treewright::search
