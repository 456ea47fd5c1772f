// Sums over the rows of a node by key, where a key stands for a value of a column, or a level.
//
// What a row adds to the sums is the same for every column: for nodes that are not large it is put
// aside once, and all columns read it from there in the order of the rows.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "treewright/split/method.hpp"

namespace treewright {

struct NumberSums {
  double count = 0.0;
  double weight = 0.0;
  double sum = 0.0;      // of w (y - m) around the mean m of the node
  double squares = 0.0;  // of w (y - m)^2
  NumberSums& operator+=(const NumberSums& other) {
    count += other.count;
    weight += other.weight;
    sum += other.sum;
    squares += other.squares;
    return *this;
  }
};

inline NumberSums sums_of_row(const Node& node, std::uint32_t row) {
  const double weight = node.weights[row];
  const double off = node.problem.target.numbers[row] - node.statistics[1];
  return {node.count_of(row), weight, weight * off, weight * off * off};
}

// Rows of larger nodes are close together in memory: to look them up again costs no more than to
// read what was put aside.
constexpr std::size_t most_put_aside = 4096;

// Puts of(node, row) aside for each row of a node that is not large; nothing for a large one.
template <class Sum, class Of>
void put_rows_aside(const Node& node, std::vector<Sum>& aside, Of of) {
  aside.clear();
  const auto ids = node.ids();
  if (ids.size() > most_put_aside) return;
  for (const std::uint32_t row : ids) aside.push_back(of(node, row));
}

// Adds to by_key[key_of(row)] what of(node, row) gives, or what was put aside.
template <class Sum, class KeyOf, class Of>
void add_by_key(const Node& node, const std::vector<Sum>& aside, std::vector<Sum>& by_key,
                KeyOf key_of, Of of) {
  const auto ids = node.ids();
  if (aside.size() == ids.size()) {
    for (std::size_t i = 0; i < ids.size(); ++i) by_key[key_of(ids[i])] += aside[i];
  } else {
    for (const std::uint32_t row : ids) by_key[key_of(row)] += of(node, row);
  }
}

}  // namespace treewright
