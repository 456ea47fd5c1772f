#include "treewright/prune/node_losses.hpp"

#include <algorithm>
#include <cmath>

#include "treewright/measure/class_loss.hpp"
#include "treewright/tree/apply.hpp"

namespace treewright {

namespace {

double loss_of(const Tree& tree, std::size_t node, const Target& target, std::size_t row,
               bool absolute_error) {
  const double answer = tree.value[node];
  if (!target.is_classification()) {
    const double off = target.numbers[row] - answer;
    return absolute_error ? std::abs(off) : off * off;
  }
  return class_loss(target, row, static_cast<std::size_t>(answer), tree.cost);
}

}  // namespace

NodeLosses node_losses(const Tree& tree, const Table& table, const Target& target,
                       bool absolute_error) {
  constexpr std::size_t rows_at_once = 4096;
  const std::size_t n = tree.n_nodes();
  NodeLosses losses{std::vector(n, 0.0), std::vector(n, 0.0), std::vector(n, 0.0),
                    std::vector(n, 0.0)};
  for (std::size_t start = 0; start < table.n_rows; start += rows_at_once) {
    Table part = table;
    part.values += static_cast<std::ptrdiff_t>(start) * table.row_stride;
    part.n_rows = std::min(rows_at_once, table.n_rows - start);
    const Sparse passed = decision_paths(tree, part);
    for (std::size_t i = 0; i < part.n_rows; ++i) {
      const std::size_t row = start + i;
      const auto end = static_cast<std::size_t>(passed.begin[i + 1]);
      for (auto at = static_cast<std::size_t>(passed.begin[i]); at < end; ++at) {
        const auto node = static_cast<std::size_t>(passed.nodes[at]);
        const double loss = loss_of(tree, node, target, row, absolute_error);
        const double weighted = target.weights[row] * passed.shares[at] * loss;
        const double square = weighted * loss * (target.weights[row] / target.case_weights[row]);
        losses.loss[node] += weighted;
        losses.squares[node] += square;
        // A child, if there is one, comes right behind its parent.
        const std::int32_t first = tree.first_child[node];
        const bool goes_on = at + 1 < end && first >= 0 && passed.nodes[at + 1] >= first &&
                             passed.nodes[at + 1] < first + tree.n_branches[node];
        if (!goes_on) {
          losses.stopped_loss[node] += weighted;
          losses.stopped_squares[node] += square;
        }
      }
    }
  }
  return losses;
}

}  // namespace treewright
