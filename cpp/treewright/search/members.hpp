// Plain sets of rows, for writing trees down and for checking them: slow and simple on purpose.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "treewright/search/context.hpp"

namespace treewright::search {

class Members {
 public:
  Members(const Context& context, std::vector<std::int32_t> rows)
      : context_(&context), rows_(std::move(rows)) {}
  static Members all_of(const Context& context);

  bool passes(std::int32_t row, const Plan::Node& test) const;
  // Those that pass the test, and the others.
  std::pair<Members, Members> divided(const Plan::Node& test) const;

  std::vector<double> sums() const;
  Value leaf() const;   // cost
  bool enough() const;  // for a leaf
  // The cheapest label; -1 for numbers.
  std::int32_t answer() const;
  const std::vector<std::int32_t>& rows() const { return rows_; }

 private:
  bool bit(std::int32_t row, std::int32_t test) const;
  bool is_unknown(std::int32_t row, std::int32_t test) const;

  const Context* context_;
  std::vector<std::int32_t> rows_;  // in the order of the task
};

// The tree without a test.
Plan leaf_plan(const Context& context);

// What a tree costs, penalty included, from the rows as they were given; throws if it breaks a
// limit of the search.
Value cost_of(const Context& context, const Plan& plan);

}  // namespace treewright::search
