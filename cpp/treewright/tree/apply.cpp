#include "treewright/tree/apply.hpp"

#include <algorithm>

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
    if (divides_rows(static_cast<Missing>(tree.missing[node])) &&
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

}  // namespace

std::int32_t settled_branch(const Tree& tree, std::size_t node, const Table& table,
                            std::size_t row) {
  std::vector<double> shares;
  return settled_branch(
      tree, node, [&](std::int32_t column) { return table.at(row, column); }, shares);
}

bool pays_to_see_all_nodes(const Tree& tree, const Table& table) {
  return 8 * table.n_rows > tree.n_nodes();
}

void apply(const Tree& tree, const Table& table, std::span<std::int32_t> leaves) {
  if (tree.is_leaf(0)) {
    std::ranges::fill(leaves, 0);
    return;
  }
  if (pays_to_see_all_nodes(tree, table) && has_steps(tree)) {
    return apply(tree, steps_of(tree), table, Values::any, leaves);
  }
  std::vector<double> shares;
  for (std::size_t row = 0; row < table.n_rows; ++row) {
    leaves[row] = leaf_of(tree, table, row, shares);
  }
}

void apply(const Tree& tree, const Steps& steps, const Table& table, Values values,
           std::span<std::int32_t> leaves) {
  follow(steps, table, values, leaves);
  if (steps.settle(values)) return;
  std::vector<double> shares;
  for (std::size_t row = 0; row < table.n_rows; ++row) {
    if (leaves[row] == unknown) leaves[row] = leaf_of(tree, table, row, shares);
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

void write_answer(const Tree& tree, std::size_t node, std::span<double> answer) {
  if (!tree.is_classification) {
    answer[0] = tree.value[node];
    return;
  }
  if (!tree.probabilities.empty()) {
    std::ranges::copy(tree.probabilities_of(node), answer.begin());
    return;
  }
  const auto statistics = tree.statistics_of(node);
  const double weight = tree.weight(node);
  for (std::size_t c = 0; c < answer.size(); ++c) {
    answer[c] = weight > 0 ? statistics[c] / weight
                           : (static_cast<double>(c) == tree.value[node] ? 1.0 : 0.0);
  }
}

std::vector<double> answers_of_nodes(const Tree& tree) {
  const std::size_t k = tree.n_answers();
  std::vector<double> answers(tree.n_nodes() * k);
  for (std::size_t node = 0; node < tree.n_nodes(); ++node) {
    write_answer(tree, node, std::span(answers).subspan(node * k, k));
  }
  return answers;
}

bool divides_rows(const Tree& tree) {
  return std::ranges::any_of(
      tree.missing, [](std::int8_t policy) { return divides_rows(static_cast<Missing>(policy)); });
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
  const std::size_t k = tree.n_answers();
  if (!divides_rows(tree)) {
    std::vector<std::int32_t> leaves(table.n_rows);
    apply(tree, table, leaves);
    if (!pays_to_see_all_nodes(tree, table)) {
      for (std::size_t row = 0; row < table.n_rows; ++row) {
        write_answer(tree, static_cast<std::size_t>(leaves[row]), answers.subspan(row * k, k));
      }
      return;
    }
    const std::vector<double> of_node = answers_of_nodes(tree);
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
