// What experts ask of the columns that a tree reads, and of its linear tests.
//
// Whatever is allowed to a test is allowed to a test on fewer of its columns: a proposal that joins
// too much can be narrowed until it fits.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "treewright/tree/predicate.hpp"

namespace treewright {

using Columns = std::vector<std::int32_t>;  // ascending, each once

struct ColumnRules {
  // What the decrease of impurity must pay, of each row, where a path first reads a column.
  std::vector<double> costs;
  std::int32_t max_columns = 0;                                // of the whole tree; 0: any number
  std::vector<Columns> groups;                                 // a path stays within one of these
  std::vector<std::pair<std::int32_t, std::int32_t>> enemies;  // never on one path
  Columns first;                                               // that the root may read; none: any
  std::int32_t max_terms = 0;                                  // of a test; 0: any number
  std::int32_t largest_whole = 0;  // coefficients are whole and no larger; 0: whatever

  bool is_empty() const;
  // Throws if there is no such column.
  void check(std::int32_t n_columns) const;
};

// The columns that a test reads.
Columns distinct_columns(const Test& test);
// Columns of either.
Columns joined(const Columns& some, const Columns& others);

// The rules while a tree grows.
class ColumnWatch {
 public:
  ColumnWatch(const ColumnRules& rules, std::int32_t n_columns);

  const ColumnRules& rules() const { return rules_; }
  // The columns that a node may read, one by one, below a path that reads these.
  Columns offered(const Columns& path, bool is_root) const;
  // Whether all these may be read by one test below the path.
  bool allows(const Columns& path, const Columns& columns) const;
  // The same of a test, whose terms and coefficients count too.
  bool allows(const Columns& path, const Test& test) const;
  // What a row pays for a column below the path.
  double price_of(const Columns& path, std::int32_t column) const;
  double price_of(const Columns& path, const Columns& columns) const;
  // The tree reads these from now on.
  void take(const Columns& columns) { of_tree_ = joined(of_tree_, columns); }

 private:
  bool in_one_group(const Columns& columns) const;
  bool are_at_peace(const Columns& columns) const;

  const ColumnRules& rules_;
  std::int32_t n_columns_;
  std::vector<Columns> enemies_;  // of each column; none: no column has any
  Columns of_tree_;
};

}  // namespace treewright
