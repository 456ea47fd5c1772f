// Good trees, soon, and then better ones: effort is spread over the whole tree instead of proving
// one test at the root after the other.
//
//   grow     first quickly, at each node the test that leaves the least entropy; then with care,
//   the
//            test with the best greedy trees below (Lookahead); the last two or three levels are
//            optimal
//   polish   subtrees with some levels left are searched exactly, each with so much work
//   replace  from the root down, the next best tests of each node are tried on top of grown trees
//
// These alternate, with more work and more tests each time, until nothing is left to try. Work is
// counted, not timed, and nothing is shared with who proves: the trees found are always the same.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "treewright/search/cache.hpp"
#include "treewright/search/lookahead.hpp"
#include "treewright/search/worker.hpp"

namespace treewright::search {

class Improver {
 public:
  // Told the trees, each better than the one before.
  using Take = std::function<void(Value, Plan)>;

  // Trees have at most `depth` levels.
  Improver(const Context& context, Watch& watch, const Sample& root, std::int32_t depth);
  ~Improver();

  // Finds first trees and polishes the best of them.
  void begin();
  // Improves it until nothing is left to try.
  void go_on();

  // Called often while it works.
  void set_poll(std::function<void()> poll);
  void set_take(Take take) { take_ = std::move(take); }

 private:
  struct Branch;
  using Tree = std::unique_ptr<Branch>;

  enum class Manner : std::int8_t { quick, careful };
  Tree grow(std::int32_t level, Manner manner);
  // A tree with a column of the node's sample on top; null if it costs too much to be of use.
  Tree grow_below(std::int32_t level, std::int32_t column, Manner manner, Value enough);
  Tree leaf(std::int32_t level, bool is_exact);
  Tree solved(std::int32_t level, Value cost, const Choice& choice);
  void polish(std::int32_t level, Tree& tree, std::int32_t n_levels, double work);
  void search_exactly(std::int32_t level, Tree& tree, double work);
  void replace(std::int32_t level, Tree& tree, std::size_t n_tests);
  // Does something with the subtrees of a tree at the nodes of the next level.
  void visit_parts(std::int32_t level, Tree& tree,
                   const std::function<void(std::int32_t, Tree&)>& visit);

  std::int32_t levels_left(std::int32_t level) const { return depth_ - level; }
  std::vector<std::uint64_t> passing(std::int32_t level, const Plan::Node& test);
  Value cost_of(const Branch& tree) const;
  static void write(const Branch& tree, Plan& plan);
  // Tells of the tree if it has become better.
  void publish();

  const Context& context_;
  const std::int32_t depth_;
  Cache cache_;
  Worker worker_;
  Lookahead lookahead_;
  Take take_;
  Tree root_;
  Value told_ = no_value;
};

}  // namespace treewright::search
