// Sets of rows as bits, and what a leaf of them costs. Rows of one class fill words of their own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/search/context.hpp"
#include "treewright/search/limited/limited.hpp"

namespace treewright::search {

// Sums over rows: their number, their weight, and the weight of each class, or of numbers (from
// their mean) the sums of w y and w y^2.
using Sums = std::vector<double>;

struct RowSet {
  std::vector<std::uint64_t> words;
  std::vector<std::uint32_t> filled;  // places of the words that are not 0
  Sums sums;
  double floor = 0.0;  // no tree costs less
  Hash hash;
};

class RowSets {
 public:
  RowSets(const LimitedProblem& problem, const LimitedOptions& options);

  RowSet all() const;
  // The sums of the rows of a set that pass a test.
  void sums_of(const RowSet& set, std::size_t test, Sums& passing) const;
  RowSet part(const RowSet& set, std::size_t test, bool passing) const;

  double rows(const Sums& sums) const { return sums[0]; }
  double weight(const Sums& sums) const { return sums[1]; }
  bool holds_a_leaf(const Sums& sums) const;
  double leaf_cost(const Sums& sums) const;
  std::int32_t label(const Sums& sums) const;  // -1 for numbers

 private:
  std::span<const std::uint64_t> bits_of(std::size_t test) const {
    return std::span(bits_).subspan(test * n_words_, n_words_);
  }
  void add(Sums& to, std::size_t word, std::uint64_t rows) const;
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
  double common_weight_ = 0.0;                            // of every row; 0 if they differ
};

}  // namespace treewright::search
