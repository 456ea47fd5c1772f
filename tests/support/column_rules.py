"""Whether a tree keeps constraints of columns, read off its paths."""

from __future__ import annotations

from treewright.predicates import Linear, Machine
from treewright.tree import Tree
from treewright.tree.column_limits import ColumnLimits


def violations(tree: Tree, limits: ColumnLimits) -> list[str]:
    """Name what a tree violates, by a walk over its paths."""
    found, used = [], set()
    stack = [(0, set())]
    while stack:
        index, path = stack.pop()
        node = tree.node(index)
        if node.predicate is None:
            continue
        own = set(node.predicate.columns)
        together = path | own
        used |= own
        if index == 0 and limits.first_columns and not own <= set(limits.first_columns):
            found.append("first_columns")
        if limits.groups and not any(together <= set(group) for group in limits.groups):
            found.append("interactions")
        if any(set(pair) <= together for pair in limits.forbidden_pairs):
            found.append("forbidden_pairs")
        if limits.max_terms is not None and node.predicate.n_terms > limits.max_terms:
            found.append("max_terms")
        if limits.largest_whole is not None:
            if isinstance(node.predicate, Linear):
                for number in node.predicate.coefficients:
                    if number != int(number) or abs(number) > limits.largest_whole:
                        found.append("whole_coefficients")
            if isinstance(node.predicate, Machine) and len(own) > 1:
                found.append("whole_coefficients")
        stack += [(child, together) for child in node.children]
    if limits.max_columns is not None and len(used) > limits.max_columns:
        found.append("max_columns")
    return found


def price(tree: Tree, costs) -> float:
    """Sum what rows pay for the columns on their path, over the nodes where they end."""
    paid = 0.0
    stack = [(0, set())]
    while stack:
        index, path = stack.pop()
        node = tree.node(index)
        together = path | set(node.predicate.columns if node.predicate else ())
        gone = sum(tree.node(child).weight for child in node.children)
        paid += (node.weight - gone) * sum(costs[column] for column in together)
        stack += [(child, together) for child in node.children]
    return paid / tree.node(0).weight
