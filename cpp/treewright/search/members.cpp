#include "treewright/search/members.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace treewright::search {

Members Members::all_of(const Context& context) {
  std::vector<std::int32_t> rows(context.task.n_rows());
  std::iota(rows.begin(), rows.end(), 0);
  return {context, std::move(rows)};
}

bool Members::bit(std::int32_t row, std::int32_t test) const {
  const std::int32_t original = context_->task.original_row[static_cast<std::size_t>(row)];
  return context_->passes(test, static_cast<std::size_t>(original));
}

bool Members::is_unknown(std::int32_t row, std::int32_t test) const {
  const std::int32_t set = context_->unknown_set(test);
  const std::int32_t original = context_->task.original_row[static_cast<std::size_t>(row)];
  return set >= 0 && context_->is_unknown(set, static_cast<std::size_t>(original));
}

bool Members::passes(std::int32_t row, const Plan::Node& test) const {
  const bool a = bit(row, test.first), b = test.second >= 0 && bit(row, test.second);
  switch (test.function) {
    case Function::single:
      return a;
    case Function::both:
      return a && b;
    case Function::either:
      return a || b;
    case Function::exactly_one:
      return is_unknown(row, test.first) ? a : is_unknown(row, test.second) ? b : a != b;
    case Function::first_only:
      return a && !b;
  }
  return a;
}

std::pair<Members, Members> Members::divided(const Plan::Node& test) const {
  std::vector<std::int32_t> passed, failed;
  for (const std::int32_t row : rows_) (passes(row, test) ? passed : failed).push_back(row);
  return {Members(*context_, std::move(passed)), Members(*context_, std::move(failed))};
}

std::vector<double> Members::sums() const {
  const Task& task = context_->task;
  std::vector<double> sums(task.n_sums(), 0.0);
  std::size_t c = 0;
  for (const std::int32_t row : rows_) {
    while (row >= task.first_row[c + 1]) ++c;
    task.add(static_cast<std::size_t>(row), c, 1.0, sums.data());
  }
  return sums;
}

Value Members::leaf() const {
  Value base = 0;
  for (const std::int32_t row : rows_) base += context_->task.base[static_cast<std::size_t>(row)];
  return base - static_cast<Value>(context_->task.reward(sums().data()));
}

bool Members::enough() const {
  Value weight = 0;
  for (const std::int32_t row : rows_)
    weight += context_->task.weight[static_cast<std::size_t>(row)];
  const Options& options = context_->options;
  return static_cast<std::int64_t>(rows_.size()) >= std::max<std::int64_t>(options.min_rows, 1) &&
         weight >= options.min_weight;
}

std::int32_t Members::answer() const {
  return context_->task.numeric ? -1 : context_->cheapest_label(sums());
}

namespace {

Value add_up(const Context& context, const Plan& plan, std::int32_t at, const Members& rows,
             std::int32_t level) {
  const Plan::Node& node = plan.nodes.at(static_cast<std::size_t>(at));
  if (node.first < 0) return rows.leaf();
  const auto last = [&](std::int32_t test) {
    return context.problem.last_levels[static_cast<std::size_t>(test)];
  };
  const auto [passed, failed] = rows.divided(node);
  const Options& options = context.options;
  const bool joined = node.second >= 0;
  const bool allowed = level < options.max_depth && level <= last(node.first) &&
                       (!joined || (level <= last(node.second) && level < options.pair_levels));
  if (!allowed || !passed.enough() || !failed.enough()) {
    throw std::logic_error("The search built a tree that breaks a limit.");
  }
  return options.penalty + context.price_of(node.first, node.second) +
         add_up(context, plan, node.passed, passed, level + 1) +
         add_up(context, plan, node.failed, failed, level + 1);
}

}  // namespace

Plan leaf_plan(const Context& context) {
  Plan plan;
  plan.nodes.emplace_back();
  plan.nodes.back().answer = Members::all_of(context).answer();
  return plan;
}

Value cost_of(const Context& context, const Plan& plan) {
  return add_up(context, plan, 0, Members::all_of(context), 0);
}

}  // namespace treewright::search
