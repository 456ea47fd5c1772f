#include "treewright/grow/grow.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include "treewright/base/joining_thread.hpp"
#include "treewright/grow/held_out.hpp"
#include "treewright/grow/leaf_queue.hpp"
#include "treewright/grow/node_work.hpp"
#include "treewright/grow/rules.hpp"
#include "treewright/grow/shared_leaves.hpp"
#include "treewright/tree/builder.hpp"

namespace treewright {

namespace {

// Threads take as long to start as a tree of fewer rows to grow.
constexpr std::size_t least_shared_rows = 1'000;
// So many pieces for each thread keep all of them busy to the end.
constexpr std::size_t pieces_of_thread = 16;

// Of nodes one after another; fewer take no longer than a look at the clock.
constexpr std::size_t rows_between_looks = 64;

// Ends the work of a thread where that of all has ended.
struct Ended {};

class Grower {
 public:
  Grower(const Table& table, const Target& target, Method& method, const GrowOptions& options,
         const Validation* validation, Monitor& monitor, const Ranks* ranks)
      : table_(table),
        target_(target),
        options_(options),
        sorts_at_nodes_(ranks != nullptr),
        growing_(table, target, method, options, monitor, ranks),
        work_(growing_, monitor),
        builder_(target.is_classification(), table.n_levels, target.n_outputs()) {
    if (validation == nullptr) return;
    held_out_.emplace(validation->table, validation->target, options.cost,
                      options.measure.needs_rows(), growing_.fractional, monitor);
  }

  Growth run() {
    OpenLeaf root = plant_root();
    // Columns that are few go to the leaves where they are worth most.
    if (options_.max_leaves > 0 || held_out_ || growing_.order ||
        options_.columns.max_columns > 0) {
      grow_best_first(std::move(root));
    } else if (is_for_threads()) {
      is_shared_ = true;
      grow_on_threads(std::move(root));
    } else {
      grow_depth_first(work_, std::move(root), [](const OpenLeaf&) { return false; });
    }
    std::vector<bool> cut(builder_.size(), false);
    for (std::size_t node = 0; node < cut.size(); ++node) {
      cut[node] = held_out_ && expanded_at_[node] > best_step_;
    }
    growing_.rows.clear();
    Growth growth{builder_.finish(cut).first, growing_.out_of_time};
    growth.tree.cost = options_.cost;
    if (options_.collapse) growth.tree = collapse(growth.tree, useless_nodes(growth.tree)).first;
    return growth;
  }

 private:
  OpenLeaf plant_root() {
    const Rows& rows = growing_.rows;
    std::vector<double> statistics(target_.n_outputs(), 0.0);
    for (const std::uint32_t row : rows.ids(rows.all())) work_.add_row(statistics, row, 1.0);
    OpenLeaf root;
    root.range = rows.all();
    root.count = static_cast<double>(rows.all().size());
    root.path = options_.seed;
    root.mark = rows.mark();
    if (held_out_) root.held_out = held_out_->all();
    root.value = work_.value_of(statistics, root.range, 0.0);
    root.node = builder_.add_node(root.count, statistics, root.value);
    root.statistics = std::move(statistics);
    expanded_at_.push_back(0);
    if (!options_.trends.empty() && growing_.weight_of(root.statistics) > 0) {
      growing_.order.emplace(growing_.problem, rows.ids(rows.all()),
                             answer_of(target_, root.statistics));
    }
    const auto split = work_.split_statistics(root);
    if (options_.origin) {
      growing_.root = options_.origin->root;
      root.depth = options_.origin->depth;
      return root;
    }
    growing_.root = {.is_classification = target_.is_classification(),
                     .rows = root.count,
                     .weight = growing_.weight_of(split),
                     .impurity = work_.impurity_of(root, split),
                     .spread = target_.is_classification() ? 0.0 : split[2]};
    return root;
  }

  // One thread does all where rows are in several nodes, a path has paid for columns, or columns
  // are sorted where they are asked for.
  bool is_for_threads() const {
    return options_.n_threads > 1 && growing_.method.works_on_threads() && !growing_.fractional &&
           !growing_.watch && !sorts_at_nodes_ && growing_.rows.all().size() >= least_shared_rows;
  }

  // Grows what is below a leaf; what hand_over(child) takes is left to others.
  template <class HandOver>
  void grow_depth_first(NodeWork& work, OpenLeaf top, HandOver hand_over) {
    std::vector<OpenLeaf> stack;
    stack.push_back(std::move(top));
    std::vector<OpenLeaf> children;
    std::size_t n_seen = rows_between_looks;  // since the clock was looked at
    while (!stack.empty()) {
      OpenLeaf open = std::move(stack.back());
      stack.pop_back();
      n_seen += open.range.size();
      if (n_seen >= rows_between_looks) {
        if (is_over(work)) return;
        n_seen = 0;
      } else if (growing_.out_of_time) {
        return;
      }
      expand(work, open, children);
      for (auto child = children.rbegin(); child != children.rend(); ++child) {
        if (!hand_over(*child)) stack.push_back(std::move(*child));
      }
    }
  }

  // Nodes are made in any order, and put in that of the tree when it is finished.
  void grow_on_threads(OpenLeaf root) {
    Rows& rows = growing_.rows;
    const std::size_t n_rows = rows.all().size(), n_threads = options_.n_threads;
    // A node of more rows than that is looked at by all threads together, if its columns can be
    // divided among them.
    rows.keep_to_one_thread(n_rows / n_threads);
    const std::size_t piece = n_rows / (pieces_of_thread * n_threads);
    SharedLeaves leaves;
    grow_depth_first(work_, std::move(root), [&](OpenLeaf& child) {
      if (rows.is_for_threads(child.range)) return false;
      leaves.put(std::move(child));
      return true;
    });
    const auto hand_over = [&](OpenLeaf& child) {
      if (child.range.size() < piece) return false;
      leaves.put(std::move(child));
      return true;
    };
    const auto work_on = [&](NodeWork& work) {
      while (auto open = leaves.take([&] { is_over(work); })) {
        grow_depth_first(work, std::move(*open), hand_over);
        if (growing_.out_of_time) leaves.end();
        leaves.done();
      }
    };
    const auto help = [&] {
      try {
        Monitor monitor(work_.monitor().seconds_left(), [&](double) {
          if (leaves.has_ended()) throw Ended{};
        });
        NodeWork work(growing_, monitor);
        work_on(work);
      } catch (const Ended&) {
      } catch (...) {
        leaves.fail(std::current_exception());
      }
    };
    {
      std::vector<JoiningThread> others;
      try {
        for (std::size_t i = 1; i < n_threads; ++i) others.emplace_back(help);
      } catch (const std::system_error&) {  // those that there are do it
      }
      try {
        work_on(work_);
      } catch (...) {
        leaves.fail(std::current_exception());
      }
    }
    leaves.rethrow();
  }

  void grow_best_first(OpenLeaf root) {
    LeafQueue queue;
    std::int64_t leaves = 1, step = 0;
    const auto offer = [&](OpenLeaf open) {
      open.step = step;
      open.chosen = work_.find_split(open);
      if (!open.chosen) {
        if (growing_.order) queue.wait(std::move(open));
        return;
      }
      open.worth = open.chosen->net() * growing_.weight_of(work_.split_statistics(open));
      queue.push(std::move(open));
    };
    offer(std::move(root));
    double loss = held_out_ ? held_out_->loss(held_out_->all(), builder_.value(0)) : 0.0;
    double best_loss = loss;
    std::vector<OpenLeaf> children;
    const double limit = options_.max_leaves > 0 ? options_.max_leaves : growing_.root.rows;
    while (!queue.empty()) {
      if (work_.monitor().out_of_time(static_cast<double>(leaves) / limit)) {
        growing_.out_of_time = true;
      }
      if (growing_.out_of_time && step > 0) return;
      OpenLeaf open = queue.pop();
      if (open.step != step && (growing_.order || !is_still_allowed(open))) {
        offer(std::move(open));
        continue;
      }
      const auto n_branches = check_test(open.chosen->test, table_.n_levels);
      if (options_.max_leaves > 0 && leaves + n_branches - 1 > options_.max_leaves) continue;
      leaves += n_branches - 1;
      expanded_at_[static_cast<std::size_t>(open.node)] = ++step;
      divide(work_, open, children);
      if (held_out_) {
        loss += loss_change_;
        if (loss < best_loss - 1e-9 * best_loss) {
          best_loss = loss;
          best_step_ = step;
        } else if (step - best_step_ >= options_.patience) {
          return;
        }
      }
      if (growing_.out_of_time) return;
      for (OpenLeaf& child : children) offer(std::move(child));
      if (growing_.order && (options_.max_leaves > 0 || queue.empty())) {
        for (OpenLeaf& again : queue.take_waiting()) {
          if (growing_.order->has_rivals(again.node)) offer(std::move(again));
        }
      }
    }
  }

  // Other leaves may have used up the columns of the tree.
  bool is_still_allowed(const OpenLeaf& open) const {
    return !growing_.watch || growing_.watch->allows(open.columns_read, open.chosen->test);
  }

  // None where one thread grows the tree: a lock takes a part of the time of a small node.
  std::unique_lock<std::mutex> lock_tree() {
    return is_shared_ ? std::unique_lock(guards_tree_) : std::unique_lock<std::mutex>();
  }

  bool is_over(NodeWork& work) {
    const double done = [&] {
      const auto lock = lock_tree();
      return closed_ / growing_.root.rows;
    }();
    if (work.monitor().out_of_time(done)) growing_.out_of_time = true;
    return growing_.out_of_time;
  }

  // Splits a leaf, if it can be; gives the children that may be split further.
  void expand(NodeWork& work, OpenLeaf& open, std::vector<OpenLeaf>& children) {
    if (growing_.fractional) growing_.rows.release(open.mark);
    open.chosen = work.find_split(open);
    children.clear();
    double still_open = 0.0;
    if (open.chosen) {
      divide(work, open, children);
      for (const OpenLeaf& child : children) still_open += child.count;
    }
    const auto lock = lock_tree();
    closed_ += open.count - still_open;
  }

  // Splits the node by its chosen candidate; gives the children that may be split further.
  void divide(NodeWork& work, const OpenLeaf& open, std::vector<OpenLeaf>& children) {
    Division& division = work.divide(open);
    const std::size_t n = division.n_branches, k = target_.n_outputs();
    const auto statistics_of = [&](std::size_t b) {
      return std::span<const double>(division.statistics).subspan(b * k, k);
    };
    division.kept.resize(n);
    for (std::size_t b = 0; b < n; ++b) {
      division.kept[b] =
          may_split(options_, growing_.root, open.depth + 1, division.counts[b], statistics_of(b));
    }
    const double gain = open.chosen->decrease * growing_.weight_of(work.split_statistics(open));
    work.move_rows(open, division);
    division.values.resize(n);
    for (std::size_t b = 0; b < n; ++b)
      division.values[b] = work.value_of(open, division, b, division.ranges[b]);
    std::vector<Range> held_out;
    if (held_out_) {
      held_out = held_out_->divide(open.held_out, view(division.test), division.surrogates,
                                   work.otherwise(division), division.part);
      const Range stays{growing_.fractional ? open.held_out.end : held_out.back().end,
                        open.held_out.end};
      loss_change_ =
          held_out_->loss(stays, open.value) - held_out_->loss(open.held_out, open.value);
      for (std::size_t b = 0; b < n; ++b)
        loss_change_ += held_out_->loss(held_out[b], division.values[b]);
    }
    Columns columns_read;
    if (growing_.watch) {
      columns_read = joined(open.columns_read, distinct_columns(division.test));
      growing_.watch->take(columns_read);
    }
    if (growing_.order) {
      std::vector<double> answers;
      for (std::size_t b = 0; b < n; ++b) answers.push_back(answer_of(target_, statistics_of(b)));
      growing_.order->divide(open.node, division.test, work.otherwise(division), answers);
    }

    const auto lock = lock_tree();
    children.clear();
    const auto first_child = static_cast<std::int32_t>(builder_.size());
    for (std::size_t b = 0; b < n; ++b) {
      const auto statistics = statistics_of(b);
      const auto id = builder_.add_node(division.counts[b], statistics, division.values[b]);
      expanded_at_.push_back(0);
      if (!division.kept[b]) continue;
      children.push_back({.node = id,
                          .depth = open.depth + 1,
                          .path = Rng::child(open.path, static_cast<std::uint32_t>(b)),
                          .range = division.ranges[b],
                          .held_out = held_out_ ? held_out[b] : Range{},
                          .mark = growing_.rows.mark(),
                          .count = division.counts[b],
                          .value = division.values[b],
                          .statistics = {statistics.begin(), statistics.end()},
                          .chosen = std::nullopt,
                          .columns_read = columns_read});
    }
    builder_.set_test(open.node, division.test, first_child, static_cast<std::int32_t>(n), gain,
                      options_.missing, division.default_branch, division.surrogates);
  }

  const Table& table_;
  const Target& target_;
  const GrowOptions& options_;
  const bool sorts_at_nodes_;
  Growing growing_;
  NodeWork work_;  // of the calling thread

  bool is_shared_ = false;  // several threads grow the tree
  std::mutex guards_tree_;
  TreeBuilder builder_;
  double closed_ = 0.0;                    // rows in leaves that stay leaves
  std::vector<std::int64_t> expanded_at_;  // step at which a node was split; 0: never

  std::optional<HeldOut> held_out_;
  double loss_change_ = 0.0;  // by the last division
  std::int64_t best_step_ = 0;
};

}  // namespace

Growth grow(const Table& table, const Target& target, Method& method, const GrowOptions& options,
            const Validation* validation, Monitor& monitor, const Ranks* ranks) {
  return Grower(table, target, method, options, validation, monitor, ranks).run();
}

}  // namespace treewright
