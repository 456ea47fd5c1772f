"""Thresholds of a finished tree, chosen again on more rows than it was found on.

With all other splits and the predictions of the leaves as they are, each row of a node loses
something on either side; along the sum of the split the threshold is put where the rows lose least
together. Nodes are taken from the deepest on. Then all rows are counted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.optimal.dictionary import predicate_tests
from treewright.optimal.goals import ClassGoal, NumberGoal
from treewright.optimal.rounding import shortest_between
from treewright.predicates import Axis, Linear
from treewright.readable.pool import GINI
from treewright.tree import Tree

__all__ = ["recut"]

Numbers = NDArray[np.float64]
Rows = NDArray[np.intp]


def recut(tree: Tree, values: Numbers, table: _core.Table, goal: ClassGoal | NumberGoal) -> Tree:
    """Choose thresholds again, and count.

    Parameters
    ----------
    tree : Tree
        The tree.
    values : ndarray of shape (n_rows, n_columns)
        All rows.
    table : treewright._core.Table
        The same rows.
    goal : ClassGoal or NumberGoal
        Their classes or numbers.

    Returns
    -------
    Tree
        The same splits with other thresholds, and the statistics of these rows.
    """
    core = _Recut(tree, values, table, goal).run()
    return tree.with_core(_core.refit(core, table, goal.core()))


class _Recut:
    def __init__(
        self, tree: Tree, values: Numbers, table: _core.Table, goal: ClassGoal | NumberGoal
    ) -> None:
        self._tree, self._values, self._table, self._goal = tree, values, table, goal
        self._core = tree.core
        self._first_child = tree.core.first_child.tolist()
        self._sums: dict[int, Numbers] = {}
        self._is_first: dict[int, NDArray[np.bool_]] = {}  # rows that take branch 0 of a node
        self._weights = goal.weights

    def run(self) -> _core.Tree:
        state = self._core.state()
        splits = [node for node, child in enumerate(self._first_child) if child >= 0]
        for node in splits:
            self._route(node)
        rows_of = self._rows_of_nodes(splits)
        for node in reversed(splits):
            threshold = self._best_threshold(node, rows_of[node])
            if threshold is not None:
                state["numbers"][state["number_end"][node] - 1] = threshold
                known = ~np.isnan(self._sums[node])
                self._is_first[node][known] = self._sums[node][known] <= threshold
        return _core.Tree.from_state(state)

    def _route(self, node: int) -> None:
        """Say which rows take branch 0."""
        predicate = self._tree.node(node).predicate
        default = int(self._core.default_branch[node]) == 0
        if isinstance(predicate, Axis):
            self._sums[node] = self._values[:, predicate.column]
        elif isinstance(predicate, Linear):
            self._sums[node] = _sums(predicate, self._values)
        else:
            assert predicate is not None
            tests = predicate_tests([predicate], self._table)
            place = int(default is False) if len(tests) > 1 else 0
            self._is_first[node] = tests.passes(place, self._table.n_rows).copy()
            return
        sums, threshold = self._sums[node], predicate.threshold
        self._is_first[node] = np.where(np.isnan(sums), default, sums <= threshold)

    def _rows_of_nodes(self, splits: list[int]) -> dict[int, Rows]:
        rows = {0: np.arange(self._table.n_rows)}
        for node in splits:  # parents come before their children
            here, is_first = rows[node], self._is_first[node][rows[node]]
            child = self._first_child[node]
            rows[child], rows[child + 1] = here[is_first], here[~is_first]
        return rows

    def _best_threshold(self, node: int, rows: Rows) -> float | None:
        """Give the threshold where rows lose least; None where none is better than today's."""
        if node not in self._sums:
            return None
        sums = self._sums[node][rows]
        rows, sums = rows[~np.isnan(sums)], sums[~np.isnan(sums)]
        if not len(rows):
            return None
        child = self._first_child[node]
        order = np.argsort(sums, kind="stable")
        rows, sums = rows[order], sums[order]
        extra = self._weights[rows] * (self._losses(child, rows) - self._losses(child + 1, rows))
        ends = np.flatnonzero(sums[1:] > sums[:-1])  # last rows of the first side
        if not len(ends):
            return None
        lost = np.cumsum(extra)[ends]
        now = float(extra[self._is_first[node][rows]].sum())
        best = int(np.argmin(lost))
        if not lost[best] < now - 1e-9 * abs(now):
            return None
        return shortest_between(float(sums[ends[best]]), float(sums[ends[best] + 1]))

    def _losses(self, node: int, rows: Rows) -> Numbers:
        """Give what rows lose in the leaves they would reach below a node."""
        leaves = np.full(len(rows), node)
        pending = [(node, np.arange(len(rows)))]
        while pending:
            here, places = pending.pop()
            child = self._first_child[here]
            if child < 0:
                leaves[places] = here
                continue
            is_first = self._is_first[here][rows[places]]
            pending += [(child, places[is_first]), (child + 1, places[~is_first])]
        match self._goal:
            case ClassGoal(codes=codes, n_classes=n_classes, cost=cost):
                costs = 1.0 - np.eye(n_classes) if cost is None else cost
                held = self._core.statistics / self._core.statistics.sum(axis=1, keepdims=True)
                said = self._core.value.astype(np.intp)
                of_class = [
                    costs[k, said] + GINI * ((held - np.eye(n_classes)[k]) ** 2).sum(axis=1)
                    for k in range(n_classes)
                ]
                return np.asarray(np.array(of_class)[codes[rows], leaves])
            case NumberGoal(numbers=numbers):
                return np.asarray((self._core.value[leaves] - numbers[rows]) ** 2)


def _sums(predicate: Linear, values: Numbers) -> Numbers:
    """Add terms up one after the other, as the core does."""
    factors = predicate.factors(values)
    sums = np.zeros(len(values))
    for place, coefficient in enumerate(predicate.coefficients):
        sums = sums + coefficient * factors[:, place]
    return sums
