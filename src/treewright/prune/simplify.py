"""Dropping splits that earlier ones have decided.

Below ``age <= 30`` the split ``age <= 40`` has one outcome only, and so has a second split on a
level that an earlier one fixed. Growth makes no such splits, but raising a branch and editing by
hand can. The decided branch takes the place of its split.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, isclose
from typing import assert_never

import numpy as np

from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Predicate, Subset
from treewright.tree import Tree
from treewright.tree.nodes import predicate_at

__all__ = ["simplify"]


@dataclass(frozen=True, slots=True)
class _Reachable:
    """Which values of one column can still come: numbers in (low, high], or these levels."""

    levels: frozenset[int]
    low: float = -inf
    high: float = inf


def simplify(tree: Tree) -> Tree:
    """Replace each split that earlier splits on the path decide by its one reachable branch.

    Splits on one column are looked at (axis, subset, multiway); splits on several are left alone.

    Parameters
    ----------
    tree : Tree
        Any tree.

    Returns
    -------
    Tree
        A tree with the same prediction for every row without missing values; its `origin` gives the
        ids in `tree`. Nodes keep their statistics.

    Notes
    -----
    A row whose value is missing was sent on by the missing policy of the dropped split, perhaps to
    a branch that is gone now; its prediction can change. In a tree that divides rows among
    branches, what a branch weighs is its proportion of rows with a level that the split does not
    know; there a split is dropped only if its one branch holds all of its weight.

    Examples
    --------
    >>> from treewright.schema import Column, Schema
    >>> schema = Schema((Column("age", "numeric"),), ("no", "yes"), "buys")
    >>> test = {"gain": 0, "missing": "default", "default_branch": 0}
    >>> tree = Tree.from_json({"task": "classification", "nodes": [
    ...     {"id": 0, "rows": 9, "statistics": [5, 4], "value": 0, "children": [1, 2],
    ...      "test": {"kind": "axis", "column": 0, "threshold": 30}, **test},
    ...     {"id": 1, "rows": 6, "statistics": [5, 1], "value": 0, "children": [3, 4],
    ...      "test": {"kind": "axis", "column": 0, "threshold": 40}, **test},
    ...     {"id": 2, "rows": 3, "statistics": [0, 3], "value": 1},
    ...     {"id": 3, "rows": 6, "statistics": [5, 1], "value": 0},
    ...     {"id": 4, "rows": 0, "statistics": [0, 0], "value": 1}]}, schema)
    >>> for rule in simplify(tree).rules():
    ...     print(rule)
    if age <= 30 then no (83 %, 6 rows)
    if age > 30 then yes (100 %, 3 rows)
    """
    core = tree.core
    first_child = core.first_child.tolist()
    anything = {
        column: _Reachable(frozenset(range(n_levels)))
        for column, n_levels in enumerate(core.n_levels.tolist())
    }
    weights = tree.node_weights.tolist()

    def holds_all(node: int, branch: int) -> bool:
        return isclose(weights[first_child[node] + branch], weights[node], rel_tol=1e-9)

    stand_in = np.arange(tree.n_nodes, dtype=np.int32)
    # Places in the tree, each with what can reach it of the columns tested on the way.
    pending: list[tuple[int, dict[int, _Reachable]]] = [(0, {})]
    while pending:
        place, narrowed = pending.pop()
        node = place
        while first_child[node] >= 0:
            predicate = predicate_at(core, node)
            column = predicate.columns[0]
            reachable = narrowed.get(column, anything[column])
            branch = _decided_branch(predicate, reachable)
            if branch is None or (core.divides_rows and not holds_all(node, branch)):
                pending += [
                    (first_child[node] + number, narrowed | {column: still})
                    for number, still in enumerate(_narrow(predicate, reachable))
                ]
                break
            node = first_child[node] + branch
        stand_in[place] = node
    if np.array_equal(stand_in, np.arange(tree.n_nodes)):
        return tree
    simple = tree.with_core(*core.splice(stand_in))
    if core.divides_rows and not simple.core.divides_rows:  # more splits can be dropped now
        again = simplify(simple)
        if again is not simple:
            return tree.with_core(again.core, simple.origin[again.origin])
    return simple


def _decided_branch(predicate: Predicate, reachable: _Reachable) -> int | None:
    """Give the one branch that can be taken; None if there are several, or nobody can tell."""
    match predicate:
        case Axis(threshold=threshold):
            if reachable.high <= threshold:
                return 0
            return 1 if reachable.low >= threshold else None
        case Subset() | Multiway():
            for branch, levels in enumerate(predicate.levels_of_branch):
                if reachable.levels and reachable.levels.issubset(levels):
                    return branch
            return None
        case Linear() | Pair() | Machine():
            return None
        case _:
            assert_never(predicate)


def _narrow(predicate: Predicate, reachable: _Reachable) -> list[_Reachable]:
    """Give for each branch what can reach it of the first column that the split reads."""
    match predicate:
        case Axis(threshold=threshold):
            return [
                replace(reachable, high=min(reachable.high, threshold)),
                replace(reachable, low=max(reachable.low, threshold)),
            ]
        case Subset() | Multiway():
            groups = predicate.levels_of_branch
            # A level that the test does not know can go anywhere.
            strangers = reachable.levels.difference(*groups)
            return [
                replace(reachable, levels=reachable.levels.intersection(group) | strangers)
                for group in groups
            ]
        case Linear() | Pair() | Machine():
            return [reachable] * predicate.n_branches
        case _:
            assert_never(predicate)
