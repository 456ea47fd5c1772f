// Trees whose leaves stand in an order: placed leaf by leaf below a test with a trend.
#include <algorithm>
#include <cmath>
#include <optional>

#include "treewright/search/limited/search.hpp"

namespace treewright::search {

// All trees with one test on top are gone through, a leaf or a test for one part of the rows at a
// time. What is placed, and what every part that is still open costs at least, must stay below the
// limit; each leaf must fit those that are placed, and no open part may answer, over all its rows,
// what none of its leaves could make good.
class LimitedSearch::Placing {
 public:
  Placing(LimitedSearch& search, double limit) : search_(search), limit_(limit) {}

  // Trees of a set of rows with this test on top.
  KnownTree best(const RowSet& set, std::int32_t depth, const Columns& columns,
                 const Candidate& candidate, double passing, double failing) {
    is_root_ = depth == search_.pass_;
    const Columns below = joined(columns, search_.problem_.columns[candidate.test]);
    Part one = part_of(search_.sets_.part(set, candidate.test, true), depth - 1, below);
    Part other = part_of(search_.sets_.part(set, candidate.test, false), depth - 1, below);
    one.least = passing;
    other.least = failing;
    place_test(candidate, one, other, search_.steps_, candidate.fixed);
    if (!found_) return {limit_, false, nullptr};
    return {limit_, true, *found_};
  }

 private:
  struct Way;
  // Rows for which a tree of some depth is to be placed.
  struct Part {
    std::unique_ptr<RowSet> set;
    std::int32_t depth = 0;
    Columns columns;     // read above
    double least = 0.0;  // no tree costs less
    double leaf = 0.0;
    double answer = 0.0;
    bool is_pure = false;
    std::vector<Way> ways;  // that cost less than `listed_below`
    double listed_below = -1.0;
  };
  struct Way {
    Candidate candidate;
    double least;
    Part passed, failed;
  };
  struct Open {
    Part* part;
    OrderPath path;
    std::size_t place;  // in `nodes_`, where it hangs
    bool passed;
  };
  struct Node {
    std::int32_t test, last;
    std::int32_t passed = -1, failed = -1;  // -1: a leaf
  };

  Part part_of(RowSet set, std::int32_t depth, const Columns& columns) const {
    const RowSets& sets = search_.sets_;
    Part part;
    part.depth = depth;
    part.columns = columns;
    part.leaf = sets.leaf_cost(set.sums);
    part.answer = sets.answer(set);
    part.is_pure = sets.is_pure(set.sums);
    part.set = std::make_unique<RowSet>(std::move(set));
    return part;
  }

  double open_least() const {
    double least = 0.0;
    for (const Open& open : open_) least += open.part->least;
    return least;
  }

  // Lists the ways of a part that cost less than `room`.
  void list(Part& part, const OrderPath& path, double room) {
    if (part.depth == 0 || part.is_pure || part.listed_below >= room) return;
    part.ways.clear();
    part.listed_below = room;
    RowSet& set = *part.set;
    for (const Candidate& candidate : search_.candidates_of(set, part.depth, part.columns)) {
      if (candidate.fixed + set.floor >= room) continue;
      const Columns below = joined(part.columns, search_.problem_.columns[candidate.test]);
      Part one = part_of(search_.sets_.part(set, candidate.test, true), part.depth - 1, below);
      Part other = part_of(search_.sets_.part(set, candidate.test, false), part.depth - 1, below);
      one.least = least_of(one, path, candidate, true, room - candidate.fixed - other.set->floor);
      double least = candidate.fixed + one.least;
      if (least + other.set->floor >= room) continue;
      other.least = least_of(other, path, candidate, false, room - least);
      least += other.least;
      if (least >= room) continue;
      part.ways.push_back({candidate, least, std::move(one), std::move(other)});
    }
    std::ranges::stable_sort(part.ways, {}, &Way::least);
  }

  double least_of(Part& part, const OrderPath& path, const Candidate& candidate, bool passed,
                  double limit) {
    OrderPath steps = extended(path, -1, candidate, passed);
    for (PathStep& step : steps) step.node = -1;
    std::swap(search_.steps_, steps);
    const KnownTree known = search_.solve(*part.set, part.depth, part.columns, limit);
    std::swap(search_.steps_, steps);
    part.set->ordered = {};  // large, and soon made again
    return known.bound;
  }

  static OrderPath extended(const OrderPath& path, std::int32_t node, const Candidate& candidate,
                            bool passed) {
    OrderPath longer = path;
    longer.push_back({node, static_cast<std::int32_t>(candidate.test),
                      static_cast<std::int32_t>(candidate.last), passed});
    return longer;
  }

  // Whether no leaf that is placed forbids all trees of an open part: the answer of its rows is the
  // mean of those of its leaves.
  bool may_fit(const OrderedLeaf& leaf, const Open& open) const {
    const std::int32_t over = search_.order_.rules_over(leaf, open.path);
    if (over == 0) return true;
    constexpr double of_sums = 1e-9;
    const double answer = open.part->answer;
    const double near = of_sums * (std::abs(answer) + std::abs(leaf.answer));
    return over > 0 ? answer >= leaf.answer - near : answer <= leaf.answer + near;
  }

  void place_test(const Candidate& candidate, Part& one, Part& other, const OrderPath& path,
                  double spent) {
    const auto node = static_cast<std::int32_t>(nodes_.size());
    nodes_.push_back(
        {static_cast<std::int32_t>(candidate.test), static_cast<std::int32_t>(candidate.last)});
    const auto at = static_cast<std::size_t>(node);
    open_.push_back({&other, extended(path, node, candidate, false), at, false});
    open_.push_back({&one, extended(path, node, candidate, true), at, true});
    const bool may = std::ranges::all_of(leaves_, [&](const OrderedLeaf& leaf) {
      return may_fit(leaf, open_.back()) && may_fit(leaf, open_[open_.size() - 2]);
    });
    if (may) go_on(spent);
    open_.pop_back();
    open_.pop_back();
    nodes_.pop_back();
  }

  void go_on(double spent) {
    search_.watch_.poll(true);
    if (open_.empty()) {
      if (spent < limit_ - search_.slack_) take(spent);
      return;
    }
    const double most = limit_ - spent - open_least() + open_.back().part->least;
    if (open_.back().part->least >= most - search_.slack_) return;
    Open open = std::move(open_.back());
    open_.pop_back();
    Part& part = *open.part;
    list(part, open.path, most);
    bool was_leaf = false;
    const auto room = [&] { return limit_ - spent - open_least() - search_.slack_; };
    for (Way& way : part.ways) {
      if (!was_leaf && part.leaf <= way.least) {
        was_leaf = true;
        place_leaf(open, spent, room());
      }
      if (way.least >= room()) break;
      Node& above = nodes_[open.place];
      (open.passed ? above.passed : above.failed) = static_cast<std::int32_t>(nodes_.size());
      place_test(way.candidate, way.passed, way.failed, open.path, spent + way.candidate.fixed);
      Node& again = nodes_[open.place];
      (open.passed ? again.passed : again.failed) = -1;
    }
    if (!was_leaf) place_leaf(open, spent, room());
    open_.push_back(std::move(open));
  }

  void place_leaf(const Open& open, double spent, double room) {
    const Part& part = *open.part;
    if (part.leaf >= room) return;
    OrderedLeaf leaf{part.answer, open.path};
    if (!search_.order_.fits(leaves_, leaf)) return;
    for (const Open& other : open_) {
      if (!may_fit(leaf, other)) return;
    }
    leaves_.push_back(std::move(leaf));
    go_on(spent + part.leaf);
    leaves_.pop_back();
  }

  Subtree tree_at(std::int32_t place) const {
    if (place < 0) return nullptr;
    const Node& node = nodes_[static_cast<std::size_t>(place)];
    return std::make_shared<Branch>(
        Branch{node.test, node.last, {tree_at(node.passed), tree_at(node.failed)}});
  }

  void take(double cost) {
    limit_ = cost;
    found_ = tree_at(0);
    if (is_root_) search_.take(cost, *found_);
  }

  LimitedSearch& search_;
  double limit_;
  bool is_root_ = false;
  std::vector<Open> open_;
  std::vector<Node> nodes_;
  std::vector<OrderedLeaf> leaves_;
  std::optional<Subtree> found_;
};

// The best tree with this test on top, or a bound if none is below the limit.
KnownTree LimitedSearch::with_test(const RowSet& set, std::int32_t depth, const Columns& path,
                                   const Candidate& candidate, double limit) {
  const Columns below = joined(path, columns_read(candidate.test));
  const auto test = static_cast<std::int32_t>(candidate.test);
  const auto last = static_cast<std::int32_t>(candidate.last);
  std::vector<RowSet> parts = parts_of(set, candidate.test);
  std::vector<double> floor_after(parts.size() + 1, 0.0);  // of the parts from here on
  for (std::size_t p = parts.size(); p-- > 0;) floor_after[p] = floor_after[p + 1] + parts[p].floor;
  const auto tree = std::make_shared<Branch>(Branch{test, last, {}});
  std::vector<double> least;      // of the parts that are solved
  double cost = candidate.fixed;  // with them
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const double rest = floor_after[p + 1];
    steps_.push_back({-1, test, last, p == 0});
    const KnownTree found = solve(parts[p], depth - 1, below, limit - cost - rest);
    steps_.pop_back();
    cost += found.bound;
    if (!found.is_optimum || cost + rest >= limit) return {cost + rest, false, nullptr};
    least.push_back(found.bound);
    tree->below.push_back(found.tree);
  }
  const bool is_free = !asks_order() || order_.side_of(test) == 0;
  if (is_free || is_in_order(tree, set)) return {cost, true, tree};
  return Placing(*this, limit).best(set, depth, path, candidate, least[0], least[1]);
}

bool LimitedSearch::is_in_order(const Subtree& tree, const RowSet& set) const {
  std::vector<OrderedLeaf> leaves;
  std::int32_t n_nodes = 0;
  OrderPath path = steps_;
  list_leaves(tree, set, path, n_nodes, leaves);
  return n_nodes == 0 || !order_.choice(leaves, static_cast<std::size_t>(n_nodes)).empty();
}

bool LimitedSearch::are_leaves_in_order(const RowSet& set, const Candidate& candidate) const {
  if (!asks_order()) return true;
  const auto test = static_cast<std::int32_t>(candidate.test);
  if (order_.side_of(test) == 0) return true;
  const auto last = static_cast<std::int32_t>(candidate.last);
  return is_in_order(std::make_shared<Branch>(Branch{test, last, {}}), set);
}

void LimitedSearch::list_leaves(const Subtree& tree, const RowSet& set, OrderPath& path,
                                std::int32_t& n_nodes, std::vector<OrderedLeaf>& leaves) const {
  if (!tree) {
    leaves.push_back({sets_.answer(set), path});
    return;
  }
  const std::int32_t node = n_nodes++;
  for (const bool passed : {true, false}) {
    path.push_back({node, tree->test, tree->last, passed});
    list_leaves(tree->part(passed ? 0 : 1),
                sets_.part(set, static_cast<std::size_t>(tree->test), passed), path, n_nodes,
                leaves);
    path.pop_back();
  }
}

Subtree LimitedSearch::read_hint(const RowSet& set, std::int32_t place) const {
  const Plan::Node& node = problem_.hint.nodes[static_cast<std::size_t>(place)];
  if (node.first < 0) return nullptr;
  const auto test = static_cast<std::size_t>(node.first);
  const auto [first, last] = sets_.alike(set, test);
  return std::make_shared<Branch>(Branch{static_cast<std::int32_t>(first),
                                         static_cast<std::int32_t>(last),
                                         {read_hint(sets_.part(set, test, true), node.passed),
                                          read_hint(sets_.part(set, test, false), node.failed)}});
}

void LimitedSearch::take_hint(const RowSet& root) {
  if (problem_.hint.nodes.empty()) return;
  const Subtree tree = read_hint(root, 0);
  if (is_in_order(tree, root)) take(options_.hint_cost, tree);
}

void LimitedSearch::write(Plan& plan, const RowSet& root) const {
  std::vector<std::int32_t> tests;
  if (order_.is_asked_for() && tree_) {
    std::vector<OrderedLeaf> leaves;
    std::int32_t n_nodes = 0;
    OrderPath path;
    list_leaves(tree_, root, path, n_nodes, leaves);
    tests = order_.choice(leaves, static_cast<std::size_t>(n_nodes));
  }
  std::size_t node = 0;
  write(plan, tree_, root, tests, node);
}

std::int32_t LimitedSearch::write(Plan& plan, const Subtree& tree, const RowSet& set,
                                  const std::vector<std::int32_t>& tests, std::size_t& node) const {
  const std::size_t place = plan.nodes.size();
  plan.nodes.emplace_back();
  if (!tree) {
    plan.nodes[place].answer = sets_.label(set.sums);
    return static_cast<std::int32_t>(place);
  }
  const auto test = static_cast<std::size_t>(tree->test);
  plan.nodes[place].first = tests.empty() ? tree->test : tests[node];
  ++node;
  const std::vector<RowSet> parts = parts_of(set, test);
  std::vector<std::int32_t> children;
  for (std::size_t p = 0; p < parts.size(); ++p)
    children.push_back(write(plan, tree->part(p), parts[p], tests, node));
  Plan::Node& written = plan.nodes[place];
  if (!is_of_levels(test)) {
    written.passed = children[0];
    written.failed = children[1];
    return static_cast<std::int32_t>(place);
  }
  std::size_t next = 0;
  for (const Sums& level : sets_.sums_of_levels(set, level_test(test).column).levels)
    written.levels.push_back(sets_.rows(level) > 0 ? children[next++] : -1);
  return static_cast<std::int32_t>(place);
}

}  // namespace treewright::search
