// TestPool: the tests of many nodes in flat form, as trees and files carry them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "treewright/tree/predicate.hpp"

namespace treewright {

// A list of flat tests in pools; `end` arrays hold the running end of each test's slice.
struct TestPool {
  std::vector<std::int8_t> kind;
  std::vector<std::int64_t> feature_end;
  std::vector<std::int32_t> features;
  std::vector<std::int64_t> number_end;
  std::vector<double> numbers;

  std::size_t size() const { return kind.size(); }
  std::span<const std::int32_t> features_of(std::size_t i) const;
  std::span<const double> numbers_of(std::size_t i) const;
  Predicate view(std::size_t i) const;
  Test test(std::size_t i) const;
  // Room for so many tests, with all that these others hold.
  void reserve(std::size_t n_tests, const TestPool& others);
  void append(const Test& test);
  void append(const TestPool& from, std::size_t i);
  void append_leaf();
  void check_shape(const char* name) const;
  bool operator==(const TestPool&) const = default;

 private:
  void append(std::int8_t new_kind, std::span<const std::int32_t> new_features,
              std::span<const double> new_numbers);
};

// Throws an Error unless there are `count` running ends, which rise to `total`.
void check_ends(const std::vector<std::int64_t>& ends, std::size_t count, std::size_t total,
                const std::string& name);

}  // namespace treewright
