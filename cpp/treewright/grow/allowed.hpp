// Choosing among the candidates of a node that the rules of columns allow.
//
// A method is asked with all columns that the node may read. Where it proposes a test that joins
// what may not be together, it is asked again with fewer columns: those of the proposal that spread
// its scores most, as long as they fit, and all others that fit with these. Where columns have
// prices, it is asked again without those as dear as the dearest that was chosen, until no cheaper
// test can be better: tests on one column are so compared by decrease less price, whatever the
// method compares.
#pragma once

#include <optional>
#include <vector>

#include "treewright/grow/choose.hpp"
#include "treewright/tree/column_rules.hpp"

namespace treewright {

class AllowedChoice {
 public:
  // For a node below a path that reads these columns.
  AllowedChoice(Method& method, const ColumnWatch& watch, const Columns& path, Rng& rng)
      : method_(method), watch_(watch), path_(path), rng_(rng) {}

  // The best test on the columns of the node, with its price.
  std::optional<Candidate> best(const Node& node);
  bool out_of_time() const { return out_of_time_; }

 private:
  std::optional<Candidate> best_of(const Node& node);
  void ask(const Node& node);
  // Columns for another try in place of a proposal; none if there is nothing to try.
  Columns narrowed(const Node& node, const Test& proposal) const;

  Method& method_;
  const ColumnWatch& watch_;
  const Columns& path_;
  Rng& rng_;
  std::vector<Candidate> found_;
  std::vector<Columns> asked_;
  bool was_narrowed_ = false;
  bool out_of_time_ = false;
};

}  // namespace treewright
