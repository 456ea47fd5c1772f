#include "treewright/search/improve.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "treewright/search/rebuild.hpp"

namespace treewright::search {

namespace {

constexpr std::int32_t exact_levels = 3;     // of trees that are grown with care
constexpr std::int32_t quick_levels = 2;     // of others
constexpr std::int32_t polished_levels = 4;  // of subtrees that are soon searched exactly
constexpr std::int32_t replaced_levels = 5;  // of the smallest subtrees whose top is replaced
constexpr double first_work = 4e9;           // of one exact search: pairs of columns times rows
constexpr std::size_t first_tests = 4;       // that are tried on top
constexpr std::size_t more = 4;              // times as many, and as much work, in each round
constexpr double most_work = 1e15;
// A grown tree that costs so many times as much as a polished one may become better by polishing.
constexpr double hopeful = 1.15;

}  // namespace

// A tree whose top is a test and whose parts can be changed; or one that is written down as a
// whole.
struct Improver::Branch {
  Plan::Node test;
  Tree passed, failed;
  Plan whole;  // if there are no parts
  Value cost = 0;
  bool is_exact = false;    // no tree with the levels left is better
  double work = 0.0;        // that an exact search had and that was not enough
  std::size_t n_tests = 1;  // that were tried on top
};

Improver::Improver(const Context& context, Watch& watch, const Sample& root, std::int32_t depth)
    : context_(context),
      depth_(depth),
      cache_(context.options, Cache::share_of_improvement, false),
      worker_(context, cache_, watch, false),
      lookahead_(context) {
  worker_.node(0).sample = root;
  lookahead_.poll = [this] { worker_.poll(); };
}

Improver::~Improver() = default;

void Improver::set_poll(std::function<void()> poll) { worker_.also_poll = std::move(poll); }

void Improver::begin() {
  root_ = grow(0, Manner::quick);
  publish();
  Tree careful = grow(0, Manner::careful);
  if (careful->cost <= root_->cost) root_ = std::move(careful);
  publish();
  // Of shallow trees the proof is as soon there.
  if (depth_ > replaced_levels) polish(0, root_, polished_levels, first_work);
}

void Improver::go_on() {
  const auto n_columns = static_cast<std::size_t>(worker_.node(0).sample.n_columns());
  std::size_t n_tests = first_tests;
  double work = first_work;
  while (!root_->is_exact) {
    const Value before = told_;
    replace(0, root_, std::min(n_tests, n_columns));
    for (std::int32_t levels = polished_levels; levels < depth_; ++levels)
      polish(0, root_, levels, work);
    const bool is_all = n_tests >= n_columns && work >= most_work;
    if (is_all && told_ == before) return;
    n_tests = std::min(n_tests * more, n_columns);
    work = std::min(work * static_cast<double>(more), most_work);
  }
}

Value Improver::cost_of(const Branch& tree) const {
  if (!tree.passed) return tree.cost;
  return context_.price_of(tree.test.first, tree.test.second) + context_.options.penalty +
         cost_of(*tree.passed) + cost_of(*tree.failed);
}

void Improver::publish() {
  const Value cost = cost_of(*root_);
  if (cost >= told_) return;
  told_ = cost;
  Plan plan;
  write(*root_, plan);
  take_(told_, std::move(plan));
}

void Improver::write(const Branch& tree, Plan& plan) {
  const std::size_t at = plan.nodes.size();
  if (!tree.passed) {
    for (Plan::Node node : tree.whole.nodes) {
      if (node.passed >= 0) node.passed += static_cast<std::int32_t>(at);
      if (node.failed >= 0) node.failed += static_cast<std::int32_t>(at);
      plan.nodes.push_back(node);
    }
    return;
  }
  plan.nodes.push_back(tree.test);
  plan.nodes[at].passed = static_cast<std::int32_t>(plan.nodes.size());
  write(*tree.passed, plan);
  plan.nodes[at].failed = static_cast<std::int32_t>(plan.nodes.size());
  write(*tree.failed, plan);
}

Improver::Tree Improver::leaf(std::int32_t level, bool is_exact) {
  const Sample& sample = worker_.node(level).sample;
  Writer writer(worker_);
  writer.add_leaf(Members(context_, sample.rows));
  auto tree = std::make_unique<Branch>();
  tree->whole = std::move(writer.plan);
  tree->cost = sample.leaf;
  tree->is_exact = is_exact;
  return tree;
}

Improver::Tree Improver::solved(std::int32_t level, Value cost, const Choice& choice) {
  worker_.work_left = no_limit;
  Writer writer(worker_);
  writer.add(level, levels_left(level), cost, &choice);
  if (writer.is_cut_short) throw Stopped{};
  auto tree = std::make_unique<Branch>();
  tree->whole = std::move(writer.plan);
  tree->cost = cost;
  tree->is_exact = true;
  return tree;
}

Improver::Tree Improver::grow(std::int32_t level, Manner manner) {
  const bool is_quick = manner == Manner::quick;
  const Sample& sample = worker_.node(level).sample;
  const std::int32_t depth = levels_left(level);
  if (worker_.prepare(level, depth, no_value)) return leaf(level, true);
  if (depth <= (is_quick ? quick_levels : exact_levels)) {
    Choice choice;
    worker_.work_left = no_limit;
    const Value cost = worker_.solve(level, depth, no_value, choice);
    return cost < sample.leaf ? solved(level, cost, choice) : leaf(level, true);
  }
  if (is_quick) {
    const std::int32_t column = lookahead_.purest_column(sample, level);
    return column < 0 ? leaf(level, false) : grow_below(level, column, manner, no_value);
  }
  const std::vector<Value>& values = lookahead_.values(sample, level, depth);
  const auto best = std::ranges::min_element(values);
  if (*best >= sample.leaf) return leaf(level, false);
  return grow_below(level, static_cast<std::int32_t>(best - values.begin()), manner, no_value);
}

Improver::Tree Improver::grow_below(std::int32_t level, std::int32_t column, Manner manner,
                                    Value enough) {
  const Sample& sample = worker_.node(level).sample;
  const auto shared_bits = sample.bits(column);
  const std::vector<std::uint64_t> bits(shared_bits.begin(), shared_bits.end());
  auto tree = std::make_unique<Branch>();
  const Column& top = sample.columns[static_cast<std::size_t>(column)];
  tree->test.first = top.test;
  tree->cost = top.price + context_.options.penalty;
  worker_.descend(level, bits, true);
  tree->passed = grow(level + 1, manner);
  tree->cost += tree->passed->cost;
  if (tree->cost >= enough) return nullptr;
  worker_.descend(level, bits, false);
  tree->failed = grow(level + 1, manner);
  tree->cost += tree->failed->cost;
  return tree->cost < enough ? std::move(tree) : nullptr;
}

std::vector<std::uint64_t> Improver::passing(std::int32_t level, const Plan::Node& test) {
  const Sample& sample = worker_.node(level).sample;
  const Members rows(context_, sample.rows);
  std::vector<std::uint64_t> bits(sample.n_words, 0);
  for (std::size_t k = 0; k < sample.rows.size(); ++k) {
    if (rows.passes(sample.rows[k], test)) bits[k / 64] |= std::uint64_t{1} << (k % 64);
  }
  return bits;
}

void Improver::visit_parts(std::int32_t level, Tree& tree,
                           const std::function<void(std::int32_t, Tree&)>& visit) {
  if (!tree->passed) return;
  const std::vector<std::uint64_t> bits = passing(level, tree->test);
  for (const bool ones : {true, false}) {
    Tree& part = ones ? tree->passed : tree->failed;
    if (part->is_exact) continue;
    worker_.descend(level, bits, ones);
    const Value before = part->cost;
    visit(level + 1, part);
    tree->cost += part->cost - before;
  }
}

void Improver::polish(std::int32_t level, Tree& tree, std::int32_t n_levels, double work) {
  if (tree->is_exact) return;
  if (levels_left(level) <= n_levels) {
    search_exactly(level, tree, work);
  } else {
    visit_parts(level, tree,
                [&](std::int32_t below, Tree& part) { polish(below, part, n_levels, work); });
  }
  publish();
}

void Improver::search_exactly(std::int32_t level, Tree& tree, double work) {
  if (tree->work >= work) return;
  tree->work = work;
  Choice choice;
  Value cost = no_value;
  bool is_exact = true;
  worker_.work_left = work;
  try {
    cost = worker_.solve(level, levels_left(level), tree->cost, choice);
  } catch (const Exhausted&) {
    cost = worker_.node(level).best;
    choice = worker_.node(level).choice;
    is_exact = false;
  }
  if (cost < tree->cost && worker_.node(level).sample.leaf > cost) {
    tree = solved(level, cost, choice);
    tree->work = work;
  }
  tree->is_exact = is_exact;
}

void Improver::replace(std::int32_t level, Tree& tree, std::size_t n_tests) {
  if (tree->is_exact || levels_left(level) < replaced_levels) return;
  if (tree->n_tests < n_tests) {
    const Sample& sample = worker_.node(level).sample;
    const std::vector<Value> values = lookahead_.values(sample, level, levels_left(level));
    std::vector<std::int32_t> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {},
                             [&](std::int32_t j) { return values[static_cast<std::size_t>(j)]; });
    for (std::size_t k = tree->n_tests; k < std::min(n_tests, order.size()); ++k) {
      if (values[static_cast<std::size_t>(order[k])] == no_value) break;
      const auto enough = static_cast<Value>(hopeful * static_cast<double>(tree->cost)) + 1;
      Tree other = grow_below(level, order[k], Manner::careful, enough);
      if (!other) continue;
      polish(level, other, polished_levels, first_work);
      if (other->cost >= tree->cost) continue;
      other->n_tests = tree->n_tests;
      tree = std::move(other);
      publish();
    }
    tree->n_tests = n_tests;
  }
  visit_parts(level, tree, [&](std::int32_t below, Tree& part) { replace(below, part, n_tests); });
}

}  // namespace treewright::search
