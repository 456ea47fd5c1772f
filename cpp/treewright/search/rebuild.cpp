#include "treewright/search/rebuild.hpp"

#include <algorithm>
#include <stdexcept>

namespace treewright::search {

namespace {

// The state of rows that a plain loop over them needs; slow and simple on purpose.
class Rows {
 public:
  Rows(const Context& context, std::vector<std::int32_t> rows)
      : context_(context), rows_(std::move(rows)) {}

  static Rows all_of(const Context& context) {
    std::vector<std::int32_t> rows(context.task.n_rows());
    for (std::size_t r = 0; r < rows.size(); ++r) rows[r] = static_cast<std::int32_t>(r);
    return {context, std::move(rows)};
  }

  bool passes(std::int32_t row, const Plan::Node& test) const {
    const bool a = bit(row, test.first), b = test.second >= 0 && bit(row, test.second);
    switch (test.function) {
      case Function::single:
        return a;
      case Function::both:
        return a && b;
      case Function::either:
        return a || b;
      case Function::exactly_one:
        return a != b;
      case Function::first_only:
        return a && !b;
    }
    return a;
  }
  std::pair<Rows, Rows> divided(const Plan::Node& test) const {
    std::vector<std::int32_t> passed, failed;
    for (const std::int32_t row : rows_) (passes(row, test) ? passed : failed).push_back(row);
    return {Rows(context_, std::move(passed)), Rows(context_, std::move(failed))};
  }

  std::vector<double> sums() const {
    const Task& task = context_.task;
    std::vector<double> sums(task.n_sums(), 0.0);
    for (const std::int32_t row : rows_) {
      const auto r = static_cast<std::size_t>(row);
      if (task.numeric) {
        sums[0] += static_cast<double>(task.weight[r]);
        sums[1] += static_cast<double>(task.moment[r]);
      } else {
        sums[class_of(row)] += static_cast<double>(task.weight[r]);
      }
    }
    return sums;
  }
  Value base() const {
    Value sum = 0;
    for (const std::int32_t row : rows_) sum += context_.task.base[static_cast<std::size_t>(row)];
    return sum;
  }
  Value leaf() const { return base() - static_cast<Value>(context_.task.reward(sums().data())); }

  bool enough() const {
    Value weight = 0;
    for (const std::int32_t row : rows_)
      weight += context_.task.weight[static_cast<std::size_t>(row)];
    return static_cast<std::int64_t>(rows_.size()) >=
               std::max<std::int64_t>(context_.options.min_rows, 1) &&
           weight >= context_.options.min_weight;
  }

  // The cheapest label; of equal ones that of the heavier class overall, then the first.
  std::int32_t answer() const {
    const Task& task = context_.task;
    if (task.numeric) return -1;
    const std::vector<double> here = sums(), everywhere = all_of(context_).sums();
    std::int32_t best = 0;
    for (std::size_t l = 1; l < task.n_labels(); ++l) {
      const auto b = static_cast<std::size_t>(best);
      const auto worth = [&](std::size_t label) {
        return std::pair(task.label_reward(label, here.data()),
                         task.label_reward(label, everywhere.data()));
      };
      if (worth(l) > worth(b)) best = static_cast<std::int32_t>(l);
    }
    return best;
  }

 private:
  std::size_t class_of(std::int32_t row) const {
    const auto& first = context_.task.first_row;
    return static_cast<std::size_t>(std::ranges::upper_bound(first, row) - first.begin() - 1);
  }
  bool bit(std::int32_t row, std::int32_t test) const {
    const std::size_t n_bytes = (context_.task.n_rows() + 7) / 8;
    const auto r =
        static_cast<std::size_t>(context_.task.original_row[static_cast<std::size_t>(row)]);
    return context_.problem.bits[static_cast<std::size_t>(test) * n_bytes + r / 8] >> (r % 8) & 1;
  }

  const Context& context_;
  std::vector<std::int32_t> rows_;
};

class Builder {
 public:
  explicit Builder(Worker& worker) : worker_(worker), context_(worker.context()) {}

  Plan plan;

  void add(std::int32_t level, std::int32_t depth, Value cost, const Choice* given) {
    Node& here = worker_.node(level);
    if (here.sample.leaf <= cost) return add_leaf(Rows(context_, here.sample.rows));
    Choice choice;
    if (given != nullptr) {
      choice = *given;
    } else if (depth > 2) {
      optimum(level, depth, cost + 1, choice);
    } else {
      choice.depth_below = static_cast<std::int8_t>(depth);
    }
    if (choice.first < 0) return add_shallow(level, choice.depth_below, cost);
    Candidate candidate = candidate_of(here.sample, choice);
    const Value room = cost - candidate.price - context_.options.penalty;
    // The parts' optima add up to the room, so the first one leaves just enough for the second.
    const auto shared_bits = worker_.bits_of(here.sample, candidate);
    const std::vector<std::uint64_t> bits(shared_bits.begin(), shared_bits.end());
    const auto at = plan.nodes.size();
    plan.nodes.push_back({choice.first, choice.second, choice.function, -1, -1, -1});
    Choice below;
    worker_.descend(level, bits, true);
    const Value ones = optimum(level + 1, choice.depth_below, room + 1, below);
    plan.nodes[at].passed = static_cast<std::int32_t>(plan.nodes.size());
    add(level + 1, choice.depth_below, ones, nullptr);
    worker_.descend(level, bits, false);
    plan.nodes[at].failed = static_cast<std::int32_t>(plan.nodes.size());
    add(level + 1, choice.depth_below, room - ones, nullptr);
  }

 private:
  void add_leaf(const Rows& rows) {
    plan.nodes.emplace_back();
    plan.nodes.back().answer = rows.answer();
  }

  Value optimum(std::int32_t level, std::int32_t depth, Value limit, Choice& choice) {
    if (const auto known = worker_.recall(level, depth); known && known->exact) {
      choice = known->choice;
      return known->bound;
    }
    return worker_.solve(level, depth, limit, choice);
  }

  Candidate candidate_of(const Sample& sample, const Choice& choice) const {
    const auto column_of = [&](std::int32_t test, bool& fails) {
      for (std::int32_t j = 0; j < sample.n_columns(); ++j) {
        const Column& column = sample.columns[static_cast<std::size_t>(j)];
        if (column.test == test || column.opposite == test) {
          fails = column.test != test;
          return j;
        }
      }
      throw std::logic_error("The search chose a test that its node does not have.");
    };
    Candidate candidate;
    candidate.first = choice.first;
    candidate.second = choice.second;
    candidate.joined.function = choice.function;
    candidate.joined.first = column_of(choice.first, candidate.joined.first_fails);
    candidate.price = context_.problem.prices[static_cast<std::size_t>(choice.first)];
    if (choice.second >= 0) {
      candidate.joined.second = column_of(choice.second, candidate.joined.second_fails);
      candidate.price += context_.options.pair_price +
                         context_.problem.prices[static_cast<std::size_t>(choice.second)];
    }
    return candidate;
  }

  // At most two levels of tests, the fewest that reach the cost.
  void add_shallow(std::int32_t level, std::int32_t depth, Value cost) {
    Node& here = worker_.node(level);
    const Rows rows(context_, here.sample.rows);
    here.two = &worker_.two_of(level);
    here.two->begin(here.sample, level, false);
    const Value penalty = context_.options.penalty;
    for (std::size_t k = 1; k <= (depth == 1 ? 1U : 3U); ++k) {
      for (std::int32_t i = 0; i < here.sample.n_columns(); ++i) {
        const Value without = here.two->sizes_below(i)[k];
        if (without + static_cast<Value>(k) * penalty <= cost)
          return add_test(level, i, without, k - 1);
      }
    }
    throw std::logic_error("The search cannot find the tree of depth two again.");
  }

  void add_test(std::int32_t level, std::int32_t column, Value cost, std::size_t n_below) {
    const Sample& sample = worker_.node(level).sample;
    const Column& upper = sample.columns[static_cast<std::size_t>(column)];
    const Plan::Node test{upper.test, -1, Function::single, -1, -1, -1};
    const auto [passed, failed] = Rows(context_, sample.rows).divided(test);
    const Value room = cost - upper.price;
    const Lower ones = best_lower(sample, passed, level), zeros = best_lower(sample, failed, level);
    bool split_ones = n_below == 2, split_zeros = n_below == 2;
    if (n_below == 1) {
      split_ones = ones.cost + failed.leaf() <= room;
      split_zeros = !split_ones;
    }
    const auto at = plan.nodes.size();
    plan.nodes.push_back(test);
    plan.nodes[at].passed = static_cast<std::int32_t>(plan.nodes.size());
    add_lower(passed, ones, split_ones);
    plan.nodes[at].failed = static_cast<std::int32_t>(plan.nodes.size());
    add_lower(failed, zeros, split_zeros);
  }

  struct Lower {
    Value cost = no_value;
    std::int32_t test = -1;
  };

  Lower best_lower(const Sample& sample, const Rows& rows, std::int32_t level) const {
    Lower best;
    for (const Column& column : sample.columns) {
      if (column.last_level < level + 1) continue;
      const auto [passed, failed] = rows.divided({column.test, -1, Function::single, -1, -1, -1});
      if (!passed.enough() || !failed.enough()) continue;
      const Value cost = passed.leaf() + failed.leaf() + column.price;
      if (cost < best.cost) best = {cost, column.test};
    }
    return best;
  }

  void add_lower(const Rows& rows, const Lower& lower, bool split) {
    if (!split || lower.test < 0) return add_leaf(rows);
    const Plan::Node test{lower.test, -1, Function::single, -1, -1, -1};
    const auto [passed, failed] = rows.divided(test);
    const auto at = plan.nodes.size();
    plan.nodes.push_back(test);
    plan.nodes[at].passed = static_cast<std::int32_t>(plan.nodes.size());
    add_leaf(passed);
    plan.nodes[at].failed = static_cast<std::int32_t>(plan.nodes.size());
    add_leaf(failed);
  }

  Worker& worker_;
  const Context& context_;
};

Value add_up(const Context& context, const Plan& plan, std::int32_t at, const Rows& rows,
             std::int32_t level) {
  const Plan::Node& node = plan.nodes.at(static_cast<std::size_t>(at));
  if (node.first < 0) return rows.leaf();
  const auto [passed, failed] = rows.divided(node);
  const auto price = [&](std::int32_t test) {
    return context.problem.prices[static_cast<std::size_t>(test)];
  };
  const auto last = [&](std::int32_t test) {
    return context.problem.last_levels[static_cast<std::size_t>(test)];
  };
  const Value fixed = context.options.penalty + price(node.first) +
                      (node.second < 0 ? 0 : context.options.pair_price + price(node.second));
  const bool allowed =
      level < context.options.max_depth && level <= last(node.first) &&
      (node.second < 0 || (level <= last(node.second) && level < context.options.alpha));
  if (!allowed || !passed.enough() || !failed.enough()) {
    throw std::logic_error("The search built a tree that breaks a limit.");
  }
  return fixed + add_up(context, plan, node.passed, passed, level + 1) +
         add_up(context, plan, node.failed, failed, level + 1);
}

}  // namespace

Plan rebuild(Worker& worker, std::int32_t level, std::int32_t depth, Value cost,
             const Choice* choice) {
  Builder builder(worker);
  builder.add(level, depth, cost, choice);
  return std::move(builder.plan);
}

Value cost_of(const Context& context, const Plan& plan) {
  return add_up(context, plan, 0, Rows::all_of(context), 0);
}

}  // namespace treewright::search
