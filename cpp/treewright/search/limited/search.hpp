// The search of limited.hpp: from the root down, with what is known of sets of rows below paths.
//
// Where leaves have to stand in an order (order.hpp), what is known of a set of rows is its best
// tree whose own leaves are in order. The two sides of a test without a trend are never compared,
// so that its best tree joins the best ones of both. Below a test with a trend these may not fit
// each other; then trees of the two sides are placed leaf by leaf (ordered.cpp), and what is known
// of their parts bounds what is still to be placed. Before that, each set of rows is searched as if
// no order was asked for: what that finds is soon known, bounds trees in order, and may be one.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "treewright/search/limited/order.hpp"
#include "treewright/search/limited/parts.hpp"
#include "treewright/search/watch.hpp"

namespace treewright::search {

// A tree that was found; none for a leaf. Its test may be any from `test` to `last`.
struct Branch;
using Subtree = std::shared_ptr<const Branch>;
struct Branch {
  std::int32_t test, last;
  std::vector<Subtree> below;  // of each part in their order; none: leaves

  Subtree part(std::size_t place) const { return below.empty() ? nullptr : below[place]; }
};

// The optimum with its tree, or a bound that no tree goes below.
struct KnownTree {
  double bound = 0.0;
  bool is_optimum = false;
  Subtree tree;
};

class LimitedSearch {
 public:
  LimitedSearch(const LimitedProblem& problem, const LimitedOptions& options, const Report& report);
  LimitedResult run();

 private:
  // Tests that read the same columns are allowed together, at the same price.
  struct Permit {
    bool is_allowed = false;
    double price = 0.0;  // of a unit of weight
  };
  struct Candidate {
    std::size_t test, last;  // any of these
    double fixed;            // what it costs by itself
    double shallow;          // with leaves below it
    double passing;          // weight of the rows that pass it
    double n_passing;
  };
  // A branch for each level of a column; rows without one go with a level.
  struct LevelTest {
    std::size_t column;
    std::int32_t level;
  };
  struct HashOfKey {
    std::size_t operator()(const Hash& key) const { return static_cast<std::size_t>(key.low); }
  };
  class Neighbours;
  class Placing;

  void name_kinds();
  // The most that a tree can cost more for rows that come to it from another test of a chain.
  void set_rates();
  bool is_of_levels(std::size_t test) const { return test >= problem_.n_tests; }
  const LevelTest& level_test(std::size_t test) const {
    return level_tests_[test - problem_.n_tests];
  }
  Columns columns_read(std::size_t test) const;
  // The parts of a set, in the order of branches.
  std::vector<RowSet> parts_of(const RowSet& set, std::size_t test) const;
  std::vector<Permit> permits_below(const Columns& path, bool is_root) const;
  std::vector<Candidate> candidates_of(RowSet& set, std::int32_t depth, const Columns& path);
  // The tests with a branch for each level of a column, of which `first` is the first.
  void add_level_tests(const RowSet& set, std::size_t first, double price,
                       std::vector<Candidate>& candidates) const;
  template <class Told>
  KnownTree try_all(RowSet& set, std::int32_t depth, const Columns& path, KnownTree best,
                    double limit, Told told);
  void search_root(RowSet& root);
  void tell(std::size_t n_closed, std::size_t n_total);
  // Takes a tree of all rows if it is the best one so far.
  void take(double cost, const Subtree& tree);
  // Whether leaves must be in order in what is searched at present.
  bool asks_order() const { return order_.is_asked_for() && !is_relaxed_; }
  // What a search finds as if no order was asked for.
  template <class Ask>
  KnownTree relaxed(Ask ask) {
    is_relaxed_ = true;
    KnownTree known = ask();
    is_relaxed_ = false;
    return known;
  }
  Hash key_of(const RowSet& set, std::int32_t depth, const Columns& path) const;
  KnownTree solve(RowSet& set, std::int32_t depth, const Columns& path, double limit);
  KnownTree with_test(const RowSet& set, std::int32_t depth, const Columns& path,
                      const Candidate& candidate, double limit);

  // Whether the leaves of a tree below the present path can be in order.
  bool is_in_order(const Subtree& tree, const RowSet& set) const;
  bool are_leaves_in_order(const RowSet& set, const Candidate& candidate) const;
  void list_leaves(const Subtree& tree, const RowSet& set, OrderPath& path, std::int32_t& n_nodes,
                   std::vector<OrderedLeaf>& leaves) const;
  // Takes the tree of the problem's hint, if it is in order.
  void take_hint(const RowSet& root);
  Subtree read_hint(const RowSet& set, std::int32_t place) const;

  void write(Plan& plan, const RowSet& root) const;
  std::int32_t write(Plan& plan, const Subtree& tree, const RowSet& set,
                     const std::vector<std::int32_t>& tests, std::size_t& node) const;

  const LimitedProblem& problem_;
  const LimitedOptions& options_;
  ColumnWatch columns_;
  LeafOrder order_;
  RowSets sets_;
  Watch watch_;
  std::size_t most_entries_;
  std::vector<LevelTest> level_tests_;
  std::vector<Columns> kinds_;
  std::vector<std::size_t> kind_of_;  // of each test
  std::vector<Hash> column_hash_, level_hash_;
  bool has_levels_ = false;
  std::unordered_map<Hash, KnownTree, HashOfKey> known_, known_relaxed_;
  bool is_relaxed_ = false;
  OrderPath steps_;        // to the node that is searched, if there is an order
  std::int32_t pass_ = 0;  // depth of the trees that are searched
  double slack_ = 0.0;
  double rate_ = 0.0;          // what a unit of weight can cost on another path
  double rate_of_rows_ = 0.0;  // and what each row can cost more by a leaf of its own
  double further_ = 0.0;       // of a unit of weight, beyond what is needed
  double best_ = std::numeric_limits<double>::infinity(), bound_ = 0.0;
  Subtree tree_;
  std::int64_t n_nodes_ = 0;
};

}  // namespace treewright::search
