#include "treewright/tree/forest.hpp"

#include <algorithm>
#include <vector>

#include "treewright/base/parallel.hpp"
#include "treewright/tree/apply.hpp"

namespace treewright {

namespace {

// Of the table, to stay in cache; narrow rows are fetched ahead (steps.cpp), and then it is better
// to ask more of them at a time, so that the trees are read less often.
constexpr std::size_t block_bytes = 1u << 18, narrow_block_bytes = 1u << 21;
constexpr std::size_t most_ready_answers = 8;       // of a node; more are found when asked for
constexpr std::size_t most_ready_bytes = 1u << 26;  // of trees laid out at the same time

// A tree laid out for many rows. Trees with tests of several columns, or that divide rows, are
// asked as they are.
struct Ready {
  const Tree& tree;
  Steps steps;
  std::vector<double> answers;  // class shares of each node; empty where they are not needed

  Ready(const Tree& t, const Table& table, Voting voting) : tree(t) {
    const bool is_asked_as_it_is = tree.is_leaf(0) || !has_steps(tree) || divides_rows(tree) ||
                                   !pays_to_see_all_nodes(tree, table);
    if (is_asked_as_it_is) return;
    steps = steps_of(tree);
    const bool has_shares = voting == Voting::soft && tree.is_classification;
    if (has_shares && tree.n_answers() <= most_ready_answers) answers = answers_of_nodes(tree);
  }
  std::size_t bytes() const { return steps.bytes() + answers.size() * sizeof(double); }
};

// Space of one thread.
struct Scratch {
  std::vector<double> values;
  std::vector<std::int32_t> leaves;
  std::vector<std::int64_t> classes;
  std::vector<double> answers;
  std::vector<std::size_t> asked;  // rows of a block
  std::vector<double> asked_values, asked_sums;
};

// Some rows of a table, one after another.
struct Block {
  Table table;
  Values values;
};

Block block_of(const Table& table, std::size_t begin, std::size_t end, Scratch& scratch) {
  Table part = table;
  part.values += static_cast<std::ptrdiff_t>(begin) * table.row_stride;
  part.n_rows = end - begin;
  Table block = by_rows(part, scratch.values);
  double gaps = 0.0;  // not a number where there is one, or an infinite value
  for (const double x : scratch.values) gaps += x - x;
  return {std::move(block), gaps == 0.0 ? Values::plain : Values::any};
}

void add(const Ready& ready, const Block& block, Voting voting, Scratch& scratch,
         std::span<double> sums) {
  const Tree& tree = ready.tree;
  const std::size_t k = tree.n_answers(), n_rows = block.table.n_rows;
  if (!ready.steps.empty()) {
    scratch.leaves.resize(n_rows);
    apply(tree, ready.steps, block.table, block.values, scratch.leaves);
    const auto leaf_of = [&](std::size_t row) {
      return static_cast<std::size_t>(scratch.leaves[row]);
    };
    if (!ready.answers.empty()) {
      for (std::size_t row = 0; row < n_rows; ++row) {
        const double* answer = &ready.answers[leaf_of(row) * k];
        for (std::size_t c = 0; c < k; ++c) sums[row * k + c] += answer[c];
      }
    } else if (!tree.is_classification) {
      for (std::size_t row = 0; row < n_rows; ++row) sums[row] += tree.value[leaf_of(row)];
    } else if (voting == Voting::hard) {
      for (std::size_t row = 0; row < n_rows; ++row) {
        sums[row * k + static_cast<std::size_t>(tree.value[leaf_of(row)])] += 1.0;
      }
    } else {
      scratch.answers.resize(k);
      for (std::size_t row = 0; row < n_rows; ++row) {
        write_answer(tree, leaf_of(row), scratch.answers);
        for (std::size_t c = 0; c < k; ++c) sums[row * k + c] += scratch.answers[c];
      }
    }
  } else if (voting == Voting::hard && tree.is_classification) {
    scratch.classes.resize(n_rows);
    predict_classes(tree, block.table, scratch.classes);
    for (std::size_t row = 0; row < n_rows; ++row) {
      sums[row * k + static_cast<std::size_t>(scratch.classes[row])] += 1.0;
    }
  } else {
    scratch.answers.resize(n_rows * k);
    predict(tree, block.table, scratch.answers);
    for (std::size_t i = 0; i < n_rows * k; ++i) sums[i] += scratch.answers[i];
  }
}

// The same for some rows of the block.
void add_asked(const Ready& ready, const Block& block, std::span<const std::uint8_t> is_asked,
               Voting voting, Scratch& scratch, std::span<double> sums) {
  const std::size_t k = ready.tree.n_answers(), n_columns = block.table.n_levels.size();
  scratch.asked.clear();
  scratch.asked_values.clear();
  for (std::size_t row = 0; row < is_asked.size(); ++row) {
    if (is_asked[row] == 0) continue;
    const double* values = block.table.values + row * n_columns;
    scratch.asked.push_back(row);
    scratch.asked_values.insert(scratch.asked_values.end(), values, values + n_columns);
  }
  Block asked = block;
  asked.table.values = scratch.asked_values.data();
  asked.table.n_rows = scratch.asked.size();
  scratch.asked_sums.assign(scratch.asked.size() * k, 0.0);
  add(ready, asked, voting, scratch, scratch.asked_sums);
  for (std::size_t i = 0; i < scratch.asked.size(); ++i) {
    for (std::size_t c = 0; c < k; ++c)
      sums[scratch.asked[i] * k + c] += scratch.asked_sums[i * k + c];
  }
}

}  // namespace

void sum_answers(std::span<const Tree* const> trees, const Table& table, Voting voting,
                 std::size_t n_threads, Monitor& monitor, std::span<double> sums,
                 std::span<const std::uint8_t> is_asked) {
  std::ranges::fill(sums, 0.0);
  if (trees.empty() || table.n_rows == 0) return;
  const std::size_t k = trees[0]->n_answers();
  const std::size_t row_bytes = std::max<std::size_t>(1, table.n_levels.size()) * sizeof(double);
  const bool is_narrow = table.n_levels.size() <= most_columns_fetched;
  const std::size_t n_parts = 2 * std::clamp<std::size_t>(n_threads, 1, table.n_rows);
  const std::size_t fair = (table.n_rows + n_parts - 1) / n_parts;
  const std::size_t height = std::clamp<std::size_t>(
      std::min(fair, (is_narrow ? narrow_block_bytes : block_bytes) / row_bytes), 64, 16384);
  const std::size_t n_blocks = (table.n_rows + height - 1) / height;
  for (std::size_t first = 0; first < trees.size();) {
    std::vector<Ready> group;
    const std::size_t first_of_group = first;
    for (std::size_t bytes = 0; first < trees.size() && bytes < most_ready_bytes; ++first) {
      bytes += group.emplace_back(*trees[first], table, voting).bytes();
    }
    const auto answer_block = [&](std::size_t i) {
      static thread_local Scratch scratch;
      const std::size_t begin = i * height, end = std::min(begin + height, table.n_rows);
      const Block block = block_of(table, begin, end, scratch);
      const std::span<double> own = sums.subspan(begin * k, (end - begin) * k);
      for (std::size_t place = 0; place < group.size(); ++place) {
        if (is_asked.empty()) {
          add(group[place], block, voting, scratch, own);
        } else {
          const std::size_t line = (first_of_group + place) * table.n_rows;
          add_asked(group[place], block, is_asked.subspan(line + begin, end - begin), voting,
                    scratch, own);
        }
      }
    };
    in_parallel(n_blocks, n_threads, answer_block, [&] { monitor.poll(); });
  }
}

}  // namespace treewright
