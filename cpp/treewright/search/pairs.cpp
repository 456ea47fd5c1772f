// Two tests joined to one: which of them divide the rows of a node in ways that no other does.
#include <unordered_map>

#include "treewright/base/popcount.hpp"
#include "treewright/search/worker.hpp"

namespace treewright::search {

namespace {

std::uint64_t hash_of_bits(std::span<const std::uint64_t> bits, std::uint64_t flip,
                           std::uint64_t last_mask) {
  std::uint64_t hash = 0x2545F4914F6CDD1DULL;
  for (std::size_t w = 0; w < bits.size(); ++w) {
    std::uint64_t word = bits[w] ^ flip;
    if (w + 1 == bits.size()) word &= last_mask;
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 31;
  }
  return hash;
}

// The ways of joining two columns, in order of preference. A column stands for its test and, if
// there is one, for the test that is passed by just the other rows.
//
// What the two are together is true, false or unknown (Kleene), and at a node all rows for which it
// is unknown go one way. So do tests joined that send their rows of unknown branch the same way:
// both and either are unknown as true where both tests take unknown for true. Exactly one of them,
// where one is unknown, is that way by definition (bits_of), and the first only takes the second
// for false where it takes the first for true.
void list_joins(const Context& context, const Sample& sample, std::int32_t a, std::int32_t b,
                std::vector<Candidate>& out) {
  const Column& first = sample.columns[static_cast<std::size_t>(a)];
  const Column& second = sample.columns[static_cast<std::size_t>(b)];
  const auto is_open = [&](const Column& column) {
    return sample.leaves_open(context.unknown_set(column.test));
  };
  const bool are_open = is_open(first) && is_open(second);
  const bool are_alike =
      are_open && context.passes_unknown(first.test) == context.passes_unknown(second.test);
  const auto add = [&](Function function, bool first_fails, bool second_fails) {
    const std::int32_t left = first_fails ? first.opposite : first.test;
    const std::int32_t right = second_fails ? second.opposite : second.test;
    if (left < 0 || right < 0) return;
    Candidate candidate;
    candidate.joined = {a, b, function, first_fails, second_fails};
    candidate.first = left;
    candidate.second = right;
    out.push_back(candidate);
  };
  if (!are_open || are_alike) {
    for (const Function function : {Function::both, Function::either}) {
      for (const bool first_fails : {false, true}) {
        for (const bool second_fails : {false, true}) add(function, first_fails, second_fails);
      }
    }
    add(Function::exactly_one, false, false);
  }
  if (context.options.pair_functions == 5 && !are_alike) {
    add(Function::first_only, false, false);
    Candidate swapped;
    swapped.joined = {b, a, Function::first_only, false, false};
    swapped.first = second.test;
    swapped.second = first.test;
    out.push_back(swapped);
  }
}

}  // namespace

void Worker::add_pairs(std::int32_t level) {
  Node& here = node(level);
  const Sample& sample = here.sample;
  const auto last = static_cast<std::size_t>(sample.n_rows()) % 64;
  const std::uint64_t last_mask = last == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << last) - 1;
  const std::int64_t least = std::max<std::int64_t>(context_.options.min_rows, 1);
  // Tests by the way they divide the rows; the cheapest of those that divide them alike is kept.
  std::unordered_multimap<std::uint64_t, std::size_t> seen;
  std::vector<std::uint64_t> theirs;
  const auto admit = [&](const Candidate& candidate, bool single) {
    const auto bits = bits_of(sample, candidate);
    std::int64_t n_ones = 0;
    for (const std::uint64_t word : bits) n_ones += popcount(word);
    if (!single && (n_ones < least || sample.n_rows() - n_ones < least)) return;
    const std::uint64_t flip = (bits[0] & 1) != 0 ? ~std::uint64_t{0} : 0;
    const std::uint64_t hash = hash_of_bits(bits, flip, last_mask);
    if (!single) {
      const auto [begin, end] = seen.equal_range(hash);
      for (auto known = begin; known != end; ++known) {
        Candidate& other = here.candidates[known->second];
        theirs.assign(bits.begin(), bits.end());
        const auto other_bits = bits_of(sample, other);
        const std::uint64_t turned = ((theirs[0] ^ other_bits[0]) & 1) != 0 ? ~std::uint64_t{0} : 0;
        bool equal = true;
        for (std::size_t w = 0; equal && w < theirs.size(); ++w) {
          const std::uint64_t mask = w + 1 == theirs.size() ? last_mask : ~std::uint64_t{0};
          equal = ((theirs[w] ^ other_bits[w] ^ turned) & mask) == 0;
        }
        if (!equal) continue;
        if (candidate.price < other.price) {
          const Value key = other.key;
          other = candidate;
          other.key = key;
        }
        return;
      }
    }
    if (!single) here.candidates.push_back(candidate);
    seen.emplace(hash, single ? static_cast<std::size_t>(&candidate - here.candidates.data())
                              : here.candidates.size() - 1);
  };
  const std::size_t n_singles = here.candidates.size();
  for (std::size_t i = 0; i < n_singles; ++i) admit(here.candidates[i], true);
  // Exactly one of a test and itself, or one that divides the rows alike, holds for no row, and is
  // unknown where the test is: these rows can be set apart.
  for (std::int32_t b = 0; b < sample.n_columns(); ++b) {
    const std::int32_t test = sample.columns[static_cast<std::size_t>(b)].test;
    if (!sample.leaves_open(context_.unknown_set(test)) || !context_.passes_unknown(test)) continue;
    Candidate candidate;
    candidate.joined = {b, b, Function::exactly_one, false, false};
    candidate.first = candidate.second = test;
    candidate.price = context_.price_of(test, test);
    admit(candidate, false);
  }
  std::vector<Candidate> joins;
  for (std::int32_t b = 1; b < sample.n_columns(); ++b) {
    poll();
    for (std::int32_t a = 0; a < b; ++a) {
      joins.clear();
      list_joins(context_, sample, a, b, joins);
      // Where parts have depth two, to look ahead costs more than it saves: such tests come first.
      for (Candidate& candidate : joins) {
        candidate.price = context_.price_of(candidate.first, candidate.second);
        admit(candidate, false);
      }
    }
  }
}

}  // namespace treewright::search
