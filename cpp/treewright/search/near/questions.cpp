#include "treewright/search/near/questions.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "treewright/base/error.hpp"

namespace treewright::search {

namespace {

void mix(Hash& hash, std::uint64_t word) {
  hash.high = (hash.high ^ word) * 0xBF58476D1CE4E5B9ULL;
  hash.high ^= hash.high >> 32;
  hash.low = (hash.low + word) * 0x94D049BB133111EBULL;
  hash.low ^= hash.low >> 29;
}

constexpr Hash seed{0x9E3779B97F4A7C15ULL, 0xD1B54A32D192ED03ULL};

}  // namespace

Hash hash_of_bits(std::span<const std::uint64_t> bits) {
  Hash hash = seed;
  for (const std::uint64_t word : bits) mix(hash, word);
  return hash;
}

Questions::Questions(const Context& context, std::span<const Columns> columns)
    : n_rows_(context.task.n_rows()), n_words_((n_rows_ + 63) / 64) {
  const Problem& problem = context.problem;
  require(columns.size() == problem.n_tests, "There must be columns for each condition.");
  const std::size_t n_bytes = (n_rows_ + 7) / 8;
  bits_.assign(problem.n_tests * n_words_, 0);
  for (std::size_t t = 0; t < problem.n_tests; ++t) {
    const std::uint8_t* bytes = problem.bits.data() + t * n_bytes;
    std::uint64_t* words = bits_.data() + t * n_words_;
    for (std::size_t k = 0; k < n_rows_; ++k) {
      const auto row = static_cast<std::size_t>(context.task.original_row[k]);
      words[k / 64] |= static_cast<std::uint64_t>(bytes[row / 8] >> (row % 8) & 1) << (k % 64);
    }
  }
  std::map<Columns, std::size_t> places;
  for (const Columns& read : columns) {
    const auto [place, is_new] = places.try_emplace(read, kinds_.size());
    if (is_new) kinds_.push_back(read);
    kind_of_.push_back(place->second);
  }
}

std::vector<std::uint64_t> Questions::all_rows() const {
  std::vector<std::uint64_t> rows(n_words_, ~std::uint64_t{0});
  if (n_rows_ % 64 != 0) rows.back() = (std::uint64_t{1} << (n_rows_ % 64)) - 1;
  return rows;
}

bool Questions::are_one(std::size_t test, std::size_t other,
                        std::span<const std::uint64_t> rows) const {
  if (kind_of_[test] != kind_of_[other]) return false;
  std::uint64_t differ = 0, agree = 0;
  for (std::size_t w = 0; w < n_words_; ++w) {
    const std::uint64_t change = bits(test)[w] ^ bits(other)[w];
    differ |= change & rows[w];
    agree |= ~change & rows[w];
  }
  return differ == 0 || agree == 0;
}

void Divisions::read(const Context& context, const Questions& questions,
                     std::span<const std::uint64_t> rows, std::int32_t level) {
  const auto n_tests = questions.n_tests();
  std::size_t first_word = 0;
  while (rows[first_word] == 0) ++first_word;
  const std::uint64_t first_row = rows[first_word] & (~rows[first_word] + 1);
  named_.clear();
  is_turned_.resize(n_tests);
  for (std::size_t t = 0; t < n_tests; ++t) {
    if (context.problem.last_levels[t] < level) continue;
    const auto bits = questions.bits(t);
    // The side without the first row names the division.
    const std::uint64_t turn = (bits[first_word] & first_row) != 0 ? ~std::uint64_t{0} : 0;
    is_turned_[t] = turn != 0;
    Hash hash = seed;
    std::uint64_t any = 0;
    for (std::size_t w = first_word; w < rows.size(); ++w) {
      const std::uint64_t word = (bits[w] ^ turn) & rows[w];
      any |= word;
      mix(hash, word);
    }
    if (any != 0) named_.push_back({hash, static_cast<std::int32_t>(t)});
  }
  std::ranges::stable_sort(named_, {},
                           [](const Named& one) { return std::pair(one.rows.high, one.rows.low); });
  tests_.clear();
  begins_.assign(1, 0);
  place_of_.resize(n_tests);
  for (std::size_t i = 0; i < named_.size(); ++i) {
    if (i > 0 && named_[i].rows != named_[i - 1].rows) begins_.push_back(tests_.size());
    const std::int32_t test = named_[i].test;
    place_of_[static_cast<std::size_t>(test)] = begins_.size() - 1;
    const auto kind = [&](std::int32_t other) {
      return questions.kind_of(static_cast<std::size_t>(other));
    };
    const auto alike = std::span(tests_).subspan(begins_.back());
    const bool is_known =
        questions.has_rivals() &&
        std::ranges::any_of(alike, [&](std::int32_t other) { return kind(other) == kind(test); });
    if (!is_known) tests_.push_back(test);
  }
  if (!tests_.empty()) begins_.push_back(tests_.size());
}

}  // namespace treewright::search
