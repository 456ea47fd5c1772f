// Sets of rows as bits, and what a leaf of them costs. Rows of one class fill words of their own.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "treewright/search/context.hpp"
#include "treewright/search/limited/limited.hpp"

namespace treewright::search {

// Sums over rows: their number, their weight, and the weight of each class, or of numbers (from
// their mean) the sums of w y and w y^2.
using Sums = std::vector<double>;

// A part of another set, which outlives it.
struct RowSet {
  const RowSet* whole = nullptr;
  std::vector<std::uint64_t> words;
  std::vector<std::uint32_t> filled;  // places of the words that are not 0
  // Of each chain, the rows in the order in which they pass its tests; none until they are asked.
  std::vector<std::vector<std::uint32_t>> ordered;
  Sums sums;
  double floor = 0.0;  // no tree costs less
  Hash hash;
};

// Tests that stand side by side, each passed by all rows that pass the one before it.
struct Chain {
  std::size_t first = 0;
  std::size_t size = 0;
  std::vector<std::uint32_t> rank;  // of each bit: the first of the tests that it passes
};

// The rows of a set by the level of a column: their sums, and those of the rows without a level.
struct LevelSums {
  std::vector<Sums> levels;
  Sums without;
};

class RowSets {
 public:
  RowSets(const LimitedProblem& problem, const LimitedOptions& options);

  RowSet all() const;
  // Calls `visit(test, last, passing)` with the sums of the rows that pass, for tests that part the
  // rows; of those of a chain that part them alike, for the first, with the last of them.
  template <class Visit>
  void for_each_test(RowSet& set, Visit visit) const;
  // Where a test stands: the number of its chain, other ones for tests in none.
  std::size_t chain_of(std::size_t test) const { return chain_of_[test]; }
  RowSet part(const RowSet& set, std::size_t test, bool passing) const;
  LevelSums sums_of_levels(const RowSet& set, std::size_t column) const;
  // The rows that have a level of a column; with those that have none, if asked for.
  RowSet part_of_level(const RowSet& set, std::size_t column, std::int32_t level,
                       bool with_others) const;
  // The first and the last test of a chain that part the rows as this one does.
  std::pair<std::size_t, std::size_t> alike(const RowSet& set, std::size_t test) const;

  double rows(const Sums& sums) const { return sums[0]; }
  double weight(const Sums& sums) const { return sums[1]; }
  bool holds_a_leaf(const Sums& sums) const;
  double leaf_cost(const Sums& sums) const;
  // The most that a unit of weight can cost.
  double largest_loss() const { return largest_loss_; }
  std::int32_t label(const Sums& sums) const;  // -1 for numbers
  // The share of the second class, or the mean, as trees state it to the last digit.
  double answer(const RowSet& set) const;
  bool is_pure(const Sums& sums) const;  // of one class

 private:
  std::span<const std::uint64_t> bits_of(std::size_t test) const {
    return std::span(bits_).subspan(test * n_words_, n_words_);
  }
  void find_chains();
  void take_levels();
  template <class Choose>
  RowSet chosen_part(const RowSet& set, Choose rows_of_word) const;
  void order(RowSet& set) const;
  void sums_of(const RowSet& set, std::size_t test, Sums& passing) const;
  void add(Sums& to, std::size_t word, std::uint64_t rows) const;
  void add_one(Sums& to, std::size_t bit) const;
  void find_floors();
  double label_cost(const Sums& sums, std::size_t label) const;
  std::size_t n_labels() const { return problem_.n_labels > 0 ? problem_.n_labels : n_classes_; }

  const LimitedProblem& problem_;
  const LimitedOptions& options_;
  std::size_t n_classes_;
  std::size_t n_words_ = 0;
  std::vector<std::int32_t> row_at_;  // of each bit; -1 where a word is not full
  std::vector<std::int32_t> class_of_word_;
  std::vector<std::uint64_t> bits_;                       // [test][word]
  std::vector<double> weight_, moment_, square_, floor_;  // of each bit
  std::vector<Hash> hash_;                                // of each bit
  // Of each column with levels: the level of each bit, -1 if none.
  std::vector<std::vector<std::int32_t>> level_;
  std::vector<Chain> chains_;
  std::vector<std::size_t> alone_;     // tests in no chain
  std::vector<std::size_t> chain_of_;  // of each test
  double largest_loss_ = 0.0;
  double common_weight_ = 0.0;  // of every row; 0 if they differ
};

template <class Visit>
void RowSets::for_each_test(RowSet& set, Visit visit) const {
  if (set.ordered.empty()) order(set);
  Sums passing;
  for (std::size_t c = 0; c < chains_.size(); ++c) {
    const Chain& chain = chains_[c];
    const std::vector<std::uint32_t>& rows = set.ordered[c];
    passing.assign(set.sums.size(), 0.0);
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
      add_one(passing, rows[i]);
      const std::uint32_t rank = chain.rank[rows[i]];
      if (rank == chain.size) break;
      const std::uint32_t next = chain.rank[rows[i + 1]];
      if (rank != next) visit(chain.first + rank, chain.first + next - 1, passing);
    }
  }
  for (const std::size_t test : alone_) {
    sums_of(set, test, passing);
    visit(test, test, passing);
  }
}

}  // namespace treewright::search
