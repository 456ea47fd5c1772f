#include "treewright/tree/test_pool.hpp"

#include <utility>

namespace treewright {

namespace {

template <class T>
std::span<const T> part(const std::vector<T>& pool, const std::vector<std::int64_t>& ends,
                        std::size_t i) {
  const std::size_t begin = i == 0 ? 0 : static_cast<std::size_t>(ends[i - 1]);
  return std::span(pool).subspan(begin, static_cast<std::size_t>(ends[i]) - begin);
}

}  // namespace

std::span<const std::int32_t> TestPool::features_of(std::size_t i) const {
  return part(features, feature_end, i);
}

std::span<const double> TestPool::numbers_of(std::size_t i) const {
  return part(numbers, number_end, i);
}

Predicate TestPool::view(std::size_t i) const {
  return treewright::view(static_cast<Kind>(kind[i]), features_of(i), numbers_of(i));
}

Test TestPool::test(std::size_t i) const {
  const auto f = features_of(i);
  const auto n = numbers_of(i);
  return {static_cast<Kind>(kind[i]), {f.begin(), f.end()}, {n.begin(), n.end()}};
}

void TestPool::reserve(std::size_t n_tests, const TestPool& others) {
  kind.reserve(n_tests);
  feature_end.reserve(n_tests);
  number_end.reserve(n_tests);
  features.reserve(others.features.size());
  numbers.reserve(others.numbers.size());
}

// Most tests have one feature and one number: a loop is faster than to insert a range.
void TestPool::append(std::int8_t new_kind, std::span<const std::int32_t> new_features,
                      std::span<const double> new_numbers) {
  kind.push_back(new_kind);
  for (const std::int32_t feature : new_features) features.push_back(feature);
  for (const double number : new_numbers) numbers.push_back(number);
  feature_end.push_back(static_cast<std::int64_t>(features.size()));
  number_end.push_back(static_cast<std::int64_t>(numbers.size()));
}

void TestPool::append(const Test& test) {
  append(static_cast<std::int8_t>(test.kind), test.features, test.numbers);
}

void TestPool::append(const TestPool& from, std::size_t i) {
  append(from.kind[i], from.features_of(i), from.numbers_of(i));
}

void TestPool::append_leaf() { append(static_cast<std::int8_t>(Kind::leaf), {}, {}); }

void TestPool::check_shape(const char* name) const {
  check_ends(feature_end, size(), features.size(), std::string("the features of ") + name);
  check_ends(number_end, size(), numbers.size(), std::string("the numbers of ") + name);
}

void check_ends(const std::vector<std::int64_t>& ends, std::size_t count, std::size_t total,
                const std::string& name) {
  require(ends.size() == count, "The offsets of " + name + " have the wrong length.");
  std::int64_t previous = 0;
  for (const std::int64_t end : ends) {
    require(end >= previous, "The offsets of " + name + " must not fall.");
    previous = end;
  }
  require(static_cast<std::size_t>(previous) == total,
          "The offsets of " + name + " do not cover its pool.");
}

}  // namespace treewright
