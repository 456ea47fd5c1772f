#include "treewright/tree/apply.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace treewright {

namespace {

// The one branch of a row at an inner node, by the node's policy for unknown rows; `unknown` when
// the row ends here.
template <class Get>
std::int32_t settled_branch(const Tree& tree, std::size_t node, const Get& get,
                            std::vector<double>& shares) {
  const auto branch_of = [&](const Predicate& predicate) {
    return std::visit([&](const auto& test) { return test.branch(get); }, predicate);
  };
  const std::int32_t branch = branch_of(tree.tests.view(node));
  if (branch != unknown) return branch;
  switch (static_cast<Missing>(tree.missing[node])) {
    case Missing::default_branch:
    case Missing::stop:
      break;
    case Missing::fraction:
      tree.branch_shares(node, shares);
      return static_cast<std::int32_t>(std::ranges::max_element(shares) - shares.begin());
    case Missing::surrogate:
    case Missing::surrogate_or_stop: {
      const auto [begin, end] = tree.surrogate_range(node);
      for (std::size_t i = begin; i < end; ++i) {
        const std::int32_t back_up = branch_of(tree.surrogates.view(i));
        if (back_up != unknown) return tree.surrogate_swapped[i] ? 1 - back_up : back_up;
      }
      break;
    }
  }
  return may_stop(static_cast<Missing>(tree.missing[node])) ? unknown : tree.default_branch[node];
}

// Calls visit(node, share, ends) for every node the row passes, parents before children; `ends`
// where it goes no further: at a leaf, or where its policy makes it stop.
template <class Visit>
void walk(const Tree& tree, const Table& table, std::size_t row, std::vector<double>& shares,
          Visit visit) {
  const auto get = [&](std::int32_t column) { return table.at(row, column); };
  std::vector<std::pair<std::size_t, double>> stack{{0, 1.0}};
  while (!stack.empty()) {
    const auto [node, share] = stack.back();
    stack.pop_back();
    if (tree.is_leaf(node)) {
      visit(node, share, true);
      continue;
    }
    const auto first = static_cast<std::size_t>(tree.first_child[node]);
    if (static_cast<Missing>(tree.missing[node]) == Missing::fraction &&
        std::visit([&](const auto& test) { return test.branch(get); }, tree.tests.view(node)) ==
            unknown) {
      visit(node, share, false);
      tree.branch_shares(node, shares);
      for (std::size_t b = shares.size(); b-- > 0;) {
        if (shares[b] > 0) stack.emplace_back(first + b, share * shares[b]);
      }
      continue;
    }
    const auto branch = settled_branch(tree, node, get, shares);
    visit(node, share, branch == unknown);
    if (branch != unknown) stack.emplace_back(first + static_cast<std::size_t>(branch), share);
  }
}

std::int32_t leaf_of(const Tree& tree, const Table& table, std::size_t row,
                     std::vector<double>& shares) {
  const auto get = [&](std::int32_t column) { return table.at(row, column); };
  std::size_t node = 0;
  while (!tree.is_leaf(node)) {
    const std::int32_t branch = settled_branch(tree, node, get, shares);
    if (branch == unknown) break;
    node = static_cast<std::size_t>(tree.first_child[node] + branch);
  }
  return static_cast<std::int32_t>(node);
}

// A node of a tree whose tests are all axis tests, small enough to stay in cache. A leaf sends
// every row back to itself, so that steps need no branch; it looks at its parent's column, which
// cannot show a missing value that was not seen before.
struct Step {
  double threshold;
  std::int32_t feature;
  std::int32_t child;
};

// Whether there are enough rows to prepare every node for them.
bool pays_to_see_all_nodes(const Tree& tree, const Table& table) {
  return 8 * table.n_rows > tree.n_nodes();
}

bool has_only_axis_tests(const Tree& tree) {
  return std::ranges::all_of(tree.tests.kind, [](std::int8_t kind) {
    return static_cast<Kind>(kind) == Kind::axis || static_cast<Kind>(kind) == Kind::leaf;
  });
}

std::vector<Step> steps_of(const Tree& tree) {
  std::vector<Step> steps(tree.n_nodes());
  const std::vector<std::int32_t> parent = tree.parents();
  for (std::size_t node = 0; node < tree.n_nodes(); ++node) {
    steps[node] = tree.is_leaf(node)
                      ? Step{std::numeric_limits<double>::infinity(),
                             steps[static_cast<std::size_t>(parent[node])].feature,
                             static_cast<std::int32_t>(node)}
                      : Step{tree.tests.numbers_of(node)[0], tree.tests.features_of(node)[0],
                             tree.first_child[node]};
  }
  return steps;
}

constexpr std::int32_t doubles_in_a_line = 8;  // of cache

// Several rows go down together, so that their memory accesses overlap; rows of a narrow row-major
// table are fetched before their turn, since which part of them will be read is anyone's guess.
// Rows that showed a missing value are sent again by the general way.
void apply_axis(const Tree& tree, const std::vector<Step>& steps, const Table& table,
                std::span<std::int32_t> leaves) {
  constexpr std::size_t width = 16;
  constexpr int steps_between_looks = 3;
  const auto width_stride = static_cast<std::ptrdiff_t>(width) * table.row_stride;
  const bool narrow = table.column_stride == 1 && table.row_stride <= 64;
  const auto fetch_ahead = [&](const double* first_row) {
    for (std::ptrdiff_t i = 0; i < width_stride; i += doubles_in_a_line) {
      __builtin_prefetch(first_row + i);
    }
  };
  std::vector<double> shares;
  for (std::size_t start = 0; start < table.n_rows; start += width) {
    const std::size_t count = std::min(width, table.n_rows - start);
    std::array<std::int32_t, width> at{};
    std::array<const double*, width> row{};
    std::array<double, width> saw_missing{};  // NaN when a value was
    for (std::size_t i = 0; i < width; ++i) {
      const std::size_t r = start + std::min(i, count - 1);
      row[i] = table.values + static_cast<std::ptrdiff_t>(r) * table.row_stride;
    }
    if (narrow && start + 3 * width <= table.n_rows) fetch_ahead(row[0] + 2 * width_stride);
    for (bool moving = true; moving;) {
      for (int step = 0; step < steps_between_looks; ++step) {
        for (std::size_t i = 0; i < width; ++i) {
          const Step& here = steps[static_cast<std::size_t>(at[i])];
          const double x = row[i][static_cast<std::ptrdiff_t>(here.feature) * table.column_stride];
          saw_missing[i] += x - x;
          at[i] = here.child + static_cast<std::int32_t>(x > here.threshold);
        }
      }
      moving = false;
      for (const std::int32_t node : at) {
        moving = moving || steps[static_cast<std::size_t>(node)].child != node;
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      leaves[start + i] = saw_missing[i] == 0.0 ? at[i] : leaf_of(tree, table, start + i, shares);
    }
  }
}

}  // namespace

std::int32_t settled_branch(const Tree& tree, std::size_t node, const Table& table,
                            std::size_t row) {
  std::vector<double> shares;
  return settled_branch(
      tree, node, [&](std::int32_t column) { return table.at(row, column); }, shares);
}

void apply(const Tree& tree, const Table& table, std::span<std::int32_t> leaves) {
  if (tree.is_leaf(0)) {
    std::ranges::fill(leaves, 0);
    return;
  }
  if (pays_to_see_all_nodes(tree, table) && has_only_axis_tests(tree)) {
    return apply_axis(tree, steps_of(tree), table, leaves);
  }
  std::vector<double> shares;
  for (std::size_t row = 0; row < table.n_rows; ++row) {
    leaves[row] = leaf_of(tree, table, row, shares);
  }
}

Sparse leaf_shares(const Tree& tree, const Table& table) {
  Sparse result;
  std::vector<double> buffer;
  for (std::size_t row = 0; row < table.n_rows; ++row) {
    walk(tree, table, row, buffer, [&](std::size_t node, double share, bool ends) {
      if (!ends) return;
      result.nodes.push_back(static_cast<std::int32_t>(node));
      result.shares.push_back(share);
    });
    result.begin.push_back(static_cast<std::int64_t>(result.nodes.size()));
  }
  return result;
}

Sparse decision_paths(const Tree& tree, const Table& table) {
  Sparse result;
  std::vector<double> buffer;
  for (std::size_t row = 0; row < table.n_rows; ++row) {
    walk(tree, table, row, buffer, [&](std::size_t node, double share, bool) {
      result.nodes.push_back(static_cast<std::int32_t>(node));
      result.shares.push_back(share);
    });
    result.begin.push_back(static_cast<std::int64_t>(result.nodes.size()));
  }
  return result;
}

namespace {

// The answer of one node into `answer`: class shares, all for its class when it is empty.
void write_answer(const Tree& tree, std::size_t node, std::span<double> answer) {
  if (!tree.is_classification) {
    answer[0] = tree.value[node];
    return;
  }
  const auto statistics = tree.statistics_of(node);
  const double weight = tree.weight(node);
  for (std::size_t c = 0; c < answer.size(); ++c) {
    answer[c] = weight > 0 ? statistics[c] / weight
                           : (static_cast<double>(c) == tree.value[node] ? 1.0 : 0.0);
  }
}

}  // namespace

bool divides_rows(const Tree& tree) {
  return std::ranges::find(tree.missing, static_cast<std::int8_t>(Missing::fraction)) !=
         tree.missing.end();
}

void predict_classes(const Tree& tree, const Table& table, std::span<std::int64_t> classes) {
  if (!divides_rows(tree)) {
    std::vector<std::int32_t> leaves(table.n_rows);
    apply(tree, table, leaves);
    for (std::size_t row = 0; row < table.n_rows; ++row) {
      classes[row] = static_cast<std::int64_t>(tree.value[static_cast<std::size_t>(leaves[row])]);
    }
    return;
  }
  const std::size_t k = tree.n_outputs();
  std::vector<double> buffer, answer(k), mixed(k);
  for (std::size_t row = 0; row < table.n_rows; ++row) {
    std::size_t n_ends = 0, end = 0;
    std::ranges::fill(mixed, 0.0);
    walk(tree, table, row, buffer, [&](std::size_t node, double share, bool ends) {
      if (!ends) return;
      ++n_ends;
      end = node;
      write_answer(tree, node, answer);
      for (std::size_t c = 0; c < k; ++c) mixed[c] += share * answer[c];
    });
    classes[row] = n_ends == 1 ? static_cast<std::int64_t>(tree.value[end])
                               : static_cast<std::int64_t>(cheapest_class(mixed, tree.cost));
  }
}

void predict(const Tree& tree, const Table& table, std::span<double> answers) {
  const std::size_t k = tree.is_classification ? tree.n_outputs() : 1;
  if (!divides_rows(tree)) {
    std::vector<std::int32_t> leaves(table.n_rows);
    apply(tree, table, leaves);
    if (!pays_to_see_all_nodes(tree, table)) {
      for (std::size_t row = 0; row < table.n_rows; ++row) {
        write_answer(tree, static_cast<std::size_t>(leaves[row]), answers.subspan(row * k, k));
      }
      return;
    }
    std::vector<double> of_node(tree.n_nodes() * k);
    for (std::size_t node = 0; node < tree.n_nodes(); ++node) {
      write_answer(tree, node, std::span(of_node).subspan(node * k, k));
    }
    for (std::size_t row = 0; row < table.n_rows; ++row) {
      std::ranges::copy(std::span(of_node).subspan(static_cast<std::size_t>(leaves[row]) * k, k),
                        answers.begin() + static_cast<std::ptrdiff_t>(row * k));
    }
    return;
  }
  std::ranges::fill(answers, 0.0);
  std::vector<double> buffer, answer(k);
  for (std::size_t row = 0; row < table.n_rows; ++row) {
    walk(tree, table, row, buffer, [&](std::size_t node, double share, bool ends) {
      if (!ends) return;
      write_answer(tree, node, answer);
      for (std::size_t c = 0; c < k; ++c) answers[row * k + c] += share * answer[c];
    });
  }
}

}  // namespace treewright
