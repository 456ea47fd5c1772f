#include "treewright/search/lookahead.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "treewright/base/popcount.hpp"

namespace treewright::search {

namespace {

constexpr std::int32_t most_groups = 2047;  // that a 16-bit count of rows can hold
constexpr std::size_t sparse = 4;           // a tile with so many times the rows is copied
constexpr double worth_nothing = -0x1p60;

}  // namespace

Lookahead::Lookahead(const Context& context)
    : context_(context),
      n_sums_(static_cast<std::size_t>(context.n_sums)),
      ones_(n_sums_),
      zeros_(n_sums_) {
  if (context.task.numeric || context.task.common_weight == 0) return;
  rows_of_weight_ = 1.0 / static_cast<double>(context.task.common_weight);
  entropy_terms_.resize(context.task.n_rows() + 1, 0.0);
  for (std::size_t n = 1; n < entropy_terms_.size(); ++n) {
    const auto rows = static_cast<double>(n);
    entropy_terms_[n] = rows * std::log(rows);
  }
}

Lookahead::Step& Lookahead::step_at(std::int32_t level) {
  while (steps_.size() <= static_cast<std::size_t>(level))
    steps_.push_back(std::make_unique<Step>());
  return *steps_[static_cast<std::size_t>(level)];
}

Lookahead::Step& Lookahead::begin(const Sample& sample, std::int32_t level) {
  sample_ = &sample;
  n_padded_ = static_cast<std::size_t>(sample.n_blocks) * block_columns;
  Step& step = step_at(level);
  step.listed.resize(sample.rows.size());
  for (std::int32_t k = 0; k < sample.n_rows(); ++k) step.listed[static_cast<std::size_t>(k)] = k;
  step.tile.fill(*context_.kernel, sample, step.listed, true);
  take_all(step.tile, step.rows);
  count(step.tile, step.rows, step);
  return step;
}

std::int32_t Lookahead::purest_column(const Sample& sample, std::int32_t level) {
  poll();
  return purest(begin(sample, level), level);
}

const std::vector<Value>& Lookahead::values(const Sample& sample, std::int32_t level,
                                            std::int32_t depth) {
  Step& step = begin(sample, level);
  values_.assign(sample.columns.size(), no_value);
  for (std::int32_t j = 0; j < sample.n_columns(); ++j) {
    poll();
    if (!divide_sums(step, j, level)) continue;
    divide_rows(step.tile, step.rows, j, step);
    const double earned = worth(step.tile, step.ones, level + 1, depth - 1) +
                          worth(step.tile, step.zeros, level + 1, depth - 1) - fixed(j);
    values_[static_cast<std::size_t>(j)] = sample.base - static_cast<Value>(earned);
  }
  return values_;
}

double Lookahead::worth(const Tile& tile, std::span<const std::uint16_t> rows, std::int32_t level,
                        std::int32_t depth) {
  Step& step = step_at(level);
  std::size_t n_rows = 0;
  for (const std::uint16_t word : rows) n_rows += static_cast<std::size_t>(popcount(word));
  const Tile* used = &tile;
  if (n_rows * sparse <= tile.padded.size() && depth > 0) {
    step.listed.clear();
    for (std::size_t g = 0; g < rows.size(); ++g) {
      for (unsigned rest = rows[g]; rest != 0; rest &= rest - 1) {
        const auto place = g * group_rows + static_cast<std::size_t>(std::countr_zero(rest));
        step.listed.push_back(tile.padded[place]);
      }
    }
    step.tile.fill(*context_.kernel, *sample_, step.listed, true);
    take_all(step.tile, step.rows);
    used = &step.tile;
    rows = step.rows;
  }
  count(*used, rows, step);
  const Task& task = context_.task;
  const double leaf = task.reward(step.totals.data());
  const auto penalty = static_cast<double>(context_.options.penalty);
  const bool is_pure = task.plain && weight_of(step.totals) - leaf <= penalty;
  if (depth == 0 || is_pure) return leaf;
  if (depth == 1) return worth_of_stump(step, level, leaf);
  const std::int32_t column = purest(step, level);
  if (column < 0) return leaf;
  divide_rows(*used, rows, column, step);
  const double parts = worth(*used, step.ones, level + 1, depth - 1) +
                       worth(*used, step.zeros, level + 1, depth - 1);
  return std::max(leaf, parts - fixed(column));
}

double Lookahead::worth_of_stump(const Step& step, std::int32_t level, double leaf) {
  const Task& task = context_.task;
  const bool by_weight = task.plain && !context_.sized;
  double best = leaf;
  for (std::int32_t j = 0; j < sample_->n_columns(); ++j) {
    if (by_weight) {
      const auto at = static_cast<std::size_t>(j);
      if (sample_->columns[at].last_level >= level)
        best = std::max(best, heaviest_behind(step, at) - fixed(j));
    } else if (divide_sums(step, j, level)) {
      best = std::max(best, task.reward(ones_.data()) + task.reward(zeros_.data()) - fixed(j));
    }
  }
  return best;
}

// The reward of both parts of a column where errors cost the weight of the row.
double Lookahead::heaviest_behind(const Step& step, std::size_t column) const {
  const double* const passed = step.passed.data() + column;
  double ones = 0.0, zeros = 0.0;
  for (std::size_t s = 0, n = context_.task.n_sums(); s < n; ++s) {
    const double in_ones = passed[s * n_padded_];
    ones = std::max(ones, in_ones);
    zeros = std::max(zeros, step.totals[s] - in_ones);
  }
  return ones + zeros;
}

std::int32_t Lookahead::purest(const Step& step, std::int32_t level) {
  double least = -worth_nothing;
  std::int32_t best = -1;
  const bool by_table = !entropy_terms_.empty() && !context_.sized;
  for (std::int32_t j = 0; j < sample_->n_columns(); ++j) {
    double left;
    if (by_table) {
      left = entropy_behind(step, j, level);
    } else {
      if (!divide_sums(step, j, level)) continue;
      left = impurity(ones_) + impurity(zeros_);
    }
    if (left >= least) continue;
    least = left;
    best = j;
  }
  return best;
}

// The impurity of both parts of a column, as `impurity` has it, where all rows weigh alike;
// -worth_nothing if it may not divide the rows.
double Lookahead::entropy_behind(const Step& step, std::int32_t column, std::int32_t level) const {
  const auto at = static_cast<std::size_t>(column);
  if (sample_->columns[at].last_level < level) return -worth_nothing;
  const double* const passed = step.passed.data() + at;
  double ones = 0.0, zeros = 0.0, terms = 0.0;
  for (std::size_t s = 0, n = context_.task.n_sums(); s < n; ++s) {
    const double in_ones = passed[s * n_padded_], in_zeros = step.totals[s] - in_ones;
    ones += in_ones;
    zeros += in_zeros;
    terms += entropy_term(in_ones) + entropy_term(in_zeros);
  }
  if (!(ones > 0.0 && zeros > 0.0)) return -worth_nothing;
  return entropy_term(ones) + entropy_term(zeros) - terms;
}

void Lookahead::count(const Tile& tile, std::span<const std::uint16_t> rows, Step& step) {
  step.passed.assign(n_sums_ * n_padded_, 0.0);
  step.totals.assign(n_sums_, 0.0);
  masked_.resize(rows.size());
  alignas(64) std::int16_t counts[block_columns];
  for (const Term& term : context_.terms) {
    const auto c = static_cast<std::size_t>(term.row_class);
    const std::uint16_t* masked = rows.data();
    if (term.plane >= 0) {
      const std::uint16_t* plane =
          tile.block(sample_->n_blocks + term.plane / block_columns) + term.plane % block_columns;
      for (std::size_t g = 0; g < rows.size(); ++g) masked_[g] = rows[g] & plane[g * block_columns];
      masked = masked_.data();
    }
    std::int64_t total = 0;
    for (auto g = static_cast<std::size_t>(tile.first_group[c]);
         g < static_cast<std::size_t>(tile.first_group[c + 1]); ++g)
      total += popcount(masked[g]);
    const auto sum = static_cast<std::size_t>(term.sum);
    step.totals[sum] += term.factor * static_cast<double>(total);
    double* passed = step.passed.data() + sum * n_padded_;
    for (std::int32_t first = tile.first_group[c]; first < tile.first_group[c + 1];
         first += most_groups) {
      const std::int32_t n = std::min(most_groups, tile.first_group[c + 1] - first);
      for (std::int32_t b = 0; b < sample_->n_blocks; ++b) {
        context_.kernel->count(masked + first,
                               tile.block(b) + static_cast<std::size_t>(first) * block_columns, n,
                               counts);
        for (std::size_t lane = 0; lane < block_columns; ++lane)
          passed[static_cast<std::size_t>(b) * block_columns + lane] += term.factor * counts[lane];
      }
    }
  }
}

bool Lookahead::divide_sums(const Step& step, std::int32_t column, std::int32_t level) {
  const auto at = static_cast<std::size_t>(column);
  if (sample_->columns[at].last_level < level) return false;
  const double* const passed = step.passed.data() + at;
  const double* const totals = step.totals.data();
  double* const ones = ones_.data();
  double* const zeros = zeros_.data();
  for (std::size_t s = 0; s < n_sums_; ++s) {
    ones[s] = passed[s * n_padded_];
    zeros[s] = totals[s] - ones[s];
  }
  if (context_.sized) return context_.enough(ones_.data()) && context_.enough(zeros_.data());
  return weight_of(ones_) > 0.0 && weight_of(zeros_) > 0.0;
}

void Lookahead::divide_rows(const Tile& tile, std::span<const std::uint16_t> rows,
                            std::int32_t column, Step& step) {
  const std::uint16_t* bits = tile.block(column / block_columns) + column % block_columns;
  step.ones.resize(rows.size());
  step.zeros.resize(rows.size());
  for (std::size_t g = 0; g < rows.size(); ++g) {
    step.ones[g] = rows[g] & bits[g * block_columns];
    step.zeros[g] = static_cast<std::uint16_t>(rows[g] & ~bits[g * block_columns]);
  }
}

void Lookahead::take_all(const Tile& tile, std::vector<std::uint16_t>& rows) const {
  rows.assign(static_cast<std::size_t>(tile.n_groups), 0xFFFF);
  // Places without a row stand at the end of the last group of a class.
  for (std::size_t c = 0; c + 1 < tile.first_group.size(); ++c) {
    const std::int32_t end = tile.first_group[c + 1];
    if (end == tile.first_group[c]) continue;
    int n_empty = 0;
    while (tile.padded[static_cast<std::size_t>(end * group_rows - 1 - n_empty)] ==
           sample_->n_rows()) {
      ++n_empty;
    }
    rows[static_cast<std::size_t>(end - 1)] = static_cast<std::uint16_t>(0xFFFFU >> n_empty);
  }
}

double Lookahead::fixed(std::int32_t column) const {
  const Value price = sample_->columns[static_cast<std::size_t>(column)].price;
  return static_cast<double>(price + context_.options.penalty);
}

double Lookahead::weight_of(const std::vector<double>& sums) const {
  double weight = 0.0;
  for (std::size_t s = 0; s < (context_.task.numeric ? 1 : context_.task.n_sums()); ++s)
    weight += sums[s];
  return weight;
}

// Less what does not depend on the test: sum over parts and classes of w log (W / w), or of
// squares.
double Lookahead::impurity(const std::vector<double>& sums) const {
  if (context_.task.numeric) return -sums[1] * sums[1] / sums[0];
  double impurity = entropy_term(weight_of(sums));
  for (std::size_t s = 0; s < context_.task.n_sums(); ++s) impurity -= entropy_term(sums[s]);
  return impurity;
}

}  // namespace treewright::search
