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

__all__ = ["SplitLosses", "best_threshold", "recut", "with_thresholds"]

_ROUNDING = 1e-12  # of the largest sum

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
    losses = SplitLosses(tree, values, table, goal)
    thresholds = {}
    for node in reversed(losses.splits):
        sums, extra, is_first = losses.along(node)
        gap = _ROUNDING * float(np.abs(sums).max(initial=0.0))
        now = float(extra.sum(where=is_first))
        threshold = best_threshold(*_core.cheap_cuts(sums, extra, gap), now)
        if threshold is not None:
            thresholds[node] = threshold
            losses.move(node, threshold)
    moved = with_thresholds(tree, thresholds)
    return tree.with_core(_core.refit(moved.core, table, goal.core()))


def best_threshold(lost: Numbers, low: Numbers, high: Numbers, now: float) -> float | None:
    """Give the threshold where rows lose least; None where none is better than today's.

    Parameters
    ----------
    lost : ndarray of float64
        What rows lose more on the first side than on the second, for the first side ending at each
        of several places.
    low, high : ndarray of float64
        The values of rows next to these places.
    now : float
        What they lose more today.

    Returns
    -------
    float or None
        The shortest number between two values.
    """
    if not len(lost):
        return None
    # Sums of the same decimals may differ in their last digits, and are one value.
    is_gap = high - low > _ROUNDING * np.maximum(np.abs(low), np.abs(high)).max()
    lost, low, high = lost[is_gap], low[is_gap], high[is_gap]
    if not len(lost):
        return None
    best = int(np.argmin(lost))
    if not lost[best] < now - 1e-9 * abs(now):
        return None
    return shortest_between(float(low[best]), float(high[best]))


def with_thresholds(tree: Tree, thresholds: dict[int, float]) -> Tree:
    """Give a tree with other thresholds of some nodes, and the statistics it had."""
    state = tree.core.state()
    for node, threshold in thresholds.items():
        state["numbers"][state["number_end"][node] - 1] = threshold
    return tree.with_core(_core.Tree.from_state(state))


class SplitLosses:
    """What rows lose on either side of the splits of a tree.

    Parameters
    ----------
    tree : Tree
        The tree; its leaves predict what they do.
    values : ndarray of shape (n_rows, n_columns)
        Rows.
    table : treewright._core.Table
        The same rows.
    goal : ClassGoal or NumberGoal
        Their classes or numbers.
    """

    def __init__(
        self, tree: Tree, values: Numbers, table: _core.Table, goal: ClassGoal | NumberGoal
    ) -> None:
        self._tree, self._values, self._table, self._goal = tree, values, table, goal
        self._core = tree.core
        self._first_child = tree.core.first_child.tolist()
        self._sums: dict[int, Numbers] = {}
        self._is_first: dict[int, NDArray[np.bool_]] = {}  # rows that take branch 0 of a node
        inner = [node for node, child in enumerate(self._first_child) if child >= 0]
        for node in inner:
            self._route(node)
        self._rows = self._rows_of_nodes(inner)

    @property
    def splits(self) -> list[int]:
        """Nodes that have a threshold, parents before their children."""
        return sorted(self._sums)

    def along(self, node: int) -> tuple[Numbers, Numbers, NDArray[np.bool_]]:
        """Say where rows stand along the sum of a split, and what they lose by a side.

        Parameters
        ----------
        node : int
            One with a threshold.

        Returns
        -------
        sums : ndarray of float64
            Of the rows of the node for which the sum is known.
        extra : ndarray of float64
            What each of them loses more on the first side than on the second.
        is_first : ndarray of bool
            Whether it takes the first side now.
        """
        rows = self._rows[node]
        rows = rows[~np.isnan(self._sums[node][rows])]
        child = self._first_child[node]
        losses = self._losses(child, rows) - self._losses(child + 1, rows)
        return self._sums[node][rows], self._goal.weights[rows] * losses, self._is_first[node][rows]

    def move(self, node: int, threshold: float) -> None:
        """Move a threshold, for the nodes above."""
        known = ~np.isnan(self._sums[node])
        self._is_first[node][known] = self._sums[node][known] <= threshold

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
            self._is_first[node] = tests.passes(place).copy()
            return
        sums, threshold = self._sums[node], predicate.threshold
        self._is_first[node] = np.where(np.isnan(sums), default, sums <= threshold)

    def _rows_of_nodes(self, inner: list[int]) -> dict[int, Rows]:
        rows = {0: np.arange(self._table.n_rows)}
        for node in inner:  # parents come before their children
            here, is_first = rows[node], self._is_first[node][rows[node]]
            child = self._first_child[node]
            rows[child], rows[child + 1] = here[is_first], here[~is_first]
        return rows

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
