// Growth: greedy, from the root, depth-first or best-first.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "treewright/base/monitor.hpp"
#include "treewright/split/method.hpp"
#include "treewright/tree/column_rules.hpp"

namespace treewright {

// What limits are relative to.
struct Root {
  bool is_classification = true;
  double rows = 0.0;
  double weight = 0.0;    // by split weights, as the rest
  double impurity = 0.0;  // per weight
  double spread = 0.0;    // squared deviations of numbers
};

// A node of a larger tree, whose growth goes on with the rows of that node alone.
struct Origin {
  Root root;  // of the larger tree, as the rest but the depth
  std::size_t n_rows = 0;
  bool unit_weights = false;
  std::int32_t depth = 0;
};

struct GrowOptions {
  Measure measure;
  Gain gain = Gain::plain;
  Missing missing = Missing::default_branch;
  std::int32_t max_depth = -1;       // -1: no limit
  std::int32_t max_leaves = -1;      // -1: no limit; otherwise best-first
  std::int32_t max_features = 0;     // columns offered at a node, drawn at random; 0: all
  std::int32_t max_surrogates = 5;   // where the policy uses them
  double min_samples_split = 2;      // rows
  double min_samples_leaf = 1;       // rows, in two branches at least
  double min_leaf_weight = 0;        // split weight, likewise
  double min_gain = 0;               // W * decrease / W_root must exceed it
  double min_impurity_fraction = 0;  // W * impurity below this share of the root's: leaf
  bool zero_gain = false;            // a decrease equal to min_gain is enough
  bool readable = true;              // shortest numbers that send every row the same way
  bool collapse = false;             // inner nodes that mend no training error become leaves
  std::vector<double> cost;          // K x K, row = truth; leaves choose the cheapest class
  std::int32_t patience = 10;        // expansions without a better validation loss
  std::uint64_t seed = 0;
  std::size_t n_threads = 1;  // for the columns of large nodes; the tree is the same for any number
  std::vector<std::int8_t> trends;  // of columns (split/trend.hpp); none: whatever
  ColumnRules columns;
  std::optional<Origin> origin;  // none: the rows are all there are
};

// Held-out rows for early stopping: growth is best-first, and the tree with the smallest loss on
// these rows is returned, the smallest such tree on ties.
struct Validation {
  const Table& table;
  const Target& target;
};

struct Growth {
  Tree tree;
  bool out_of_time = false;
};

// Ranks of the table spare growths that look at few columns of a node the sorting of all.
Growth grow(const Table& table, const Target& target, Method& method, const GrowOptions& options,
            const Validation* validation, Monitor& monitor, const Ranks* ranks = nullptr);

// Marks the inner nodes that mend no training error (classes: to 0.001 of a row, as C4.5 does), or
// save no cost where errors differ in cost.
std::vector<bool> useless_nodes(const Tree& tree);

}  // namespace treewright
