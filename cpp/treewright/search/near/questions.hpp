// The tests of a problem as bits in the order of the task, and which of them are one question for
// the rows of a node.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/search/context.hpp"
#include "treewright/tree/column_rules.hpp"

namespace treewright::search {

// Names a set of rows.
Hash hash_of_bits(std::span<const std::uint64_t> bits);

class Questions {
 public:
  Questions(const Context& context, std::span<const Columns> columns);

  std::size_t n_tests() const { return kind_of_.size(); }
  std::size_t n_words() const { return n_words_; }
  std::span<const std::uint64_t> bits(std::size_t test) const {
    return std::span(bits_).subspan(test * n_words_, n_words_);
  }
  std::vector<std::uint64_t> all_rows() const;

  // Tests that read the same columns are of one kind.
  std::size_t n_kinds() const { return kinds_.size(); }
  std::size_t kind_of(std::size_t test) const { return kind_of_[test]; }
  const Columns& columns_of_kind(std::size_t kind) const { return kinds_[kind]; }
  const Columns& columns_of(std::size_t test) const { return kinds_[kind_of_[test]]; }
  // Whether some kind has several tests.
  bool has_rivals() const { return kinds_.size() < kind_of_.size(); }
  // Whether two tests are of one kind and divide the rows alike, or with branches changed.
  bool are_one(std::size_t test, std::size_t other, std::span<const std::uint64_t> rows) const;

 private:
  std::size_t n_rows_;
  std::size_t n_words_;
  std::vector<std::uint64_t> bits_;  // [test][word]
  std::vector<Columns> kinds_;
  std::vector<std::size_t> kind_of_;
};

// How the questions divide a set of rows: those of one place alike, or with branches changed.
class Divisions {
 public:
  // Takes the tests that part the rows and may stand at a level; of those of one kind that part
  // them alike, the first.
  void read(const Context& context, const Questions& questions, std::span<const std::uint64_t> rows,
            std::int32_t level);

  std::size_t size() const { return begins_.size() - 1; }
  std::span<const std::int32_t> tests(std::size_t place) const {
    return std::span(tests_).subspan(begins_[place], begins_[place + 1] - begins_[place]);
  }
  // The place of a test that parts the rows.
  std::size_t place_of(std::int32_t test) const {
    return place_of_[static_cast<std::size_t>(test)];
  }
  // Tests of one place that differ in this have their branches changed.
  bool is_turned(std::int32_t test) const { return is_turned_[static_cast<std::size_t>(test)]; }

 private:
  struct Named {
    Hash rows;
    std::int32_t test;
  };
  std::vector<Named> named_;
  std::vector<std::int32_t> tests_;
  std::vector<std::size_t> begins_, place_of_;
  std::vector<bool> is_turned_;
};

}  // namespace treewright::search
