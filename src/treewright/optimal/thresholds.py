"""Which thresholds of a numeric column a search is offered.

A column with the distinct values v1 < ... < vk has k - 1 cuts; cut i sends v1..vi one way and the
rest the other. Offering all is exact and, for long columns, slow. What is offered instead:

    quantile   the cuts nearest to equal proportions of the rows
    guess      the cuts a small boosted ensemble of shallow trees uses (McTavish et al. 2022)
    alone      the cuts of a small tree grown on the column alone
    auto       all where that is quick or a column has few, otherwise the three above together

Of a long table both trees and ensemble see some thousand rows, evenly spaced. All of it is
deterministic: nothing here is drawn at random.

References
----------
McTavish, Zhong, Achermann, Karimalis, Chen, Rudin, Seltzer (2022), Fast sparse decision tree
optimization via reference ensembles, *AAAI*.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.optimal.deadline import Deadline
from treewright.optimal.goals import Goal

__all__ = ["ColumnCuts", "column_cuts", "cuts_alone", "guessed_cuts", "quantile_cuts"]

_LEAVES_ALONE = 8  # of the tree on one column
_MOST_TREES = 60  # of the boosted ensemble
_LEARNING_RATE = 0.3
_DEPTH = 2  # of each of its trees

Positions = NDArray[np.intp]


@dataclass(frozen=True)
class ColumnCuts:
    """The cuts of a numeric column, and those that are offered.

    Parameters
    ----------
    column : int
        Position of the column.
    values : ndarray of float64
        Its distinct values, rising.
    below : ndarray of float64
        Weight of the rows that each cut sends to the lower values.
    total : float
        Weight of all rows whose value is known.
    missing : float
        Weight of all other rows.
    offered : ndarray of intp
        Positions of the cuts that are offered, rising.
    """

    column: int
    values: NDArray[np.float64]
    below: NDArray[np.float64]
    total: float
    missing: float
    offered: Positions

    @property
    def n_cuts(self) -> int:
        """Number of all cuts."""
        return len(self.values) - 1

    @property
    def is_whole(self) -> bool:
        """Whether all cuts are offered."""
        return len(self.offered) == self.n_cuts

    def largest_detour(self) -> float:
        """Give the most weight that changes sides when a cut is moved to the nearest offered one.

        A cut may also be moved below or above all rows, which takes the condition away. Rows
        without a value stand on either side of it, below or above all others, and are passed by
        then, too.
        """
        if self.is_whole:
            return 0.0
        ends = {(-self.missing, self.total), (0.0, self.total + self.missing)}
        return max(self._largest_distance(first, last) for first, last in ends)

    def _largest_distance(self, first: float, last: float) -> float:
        """Give the largest distance of a cut to the nearest offered one or end.

        Among the cuts between two stops it is one of those next to their middle.
        """
        stops = np.concatenate([[first], self.below[self.offered], [last]])
        middle = np.searchsorted(self.below, (stops[1:] + stops[:-1]) / 2.0)
        cuts = self.below[np.clip(np.concatenate([middle - 1, middle]), 0, self.n_cuts - 1)]
        after = np.searchsorted(stops, cuts)
        distances = np.minimum(cuts - stops[after - 1], stops[after] - cuts)
        return float(max(distances.max(), 0.0))

    def offering(self, cuts: Positions) -> ColumnCuts:
        """Return the column with these cuts offered."""
        return replace(self, offered=np.unique(cuts))


def column_cuts(
    column: int, numbers: NDArray[np.float64], weights: NDArray[np.float64]
) -> ColumnCuts:
    """Find the cuts of a column, all offered.

    Parameters
    ----------
    column : int
        Position of the column.
    numbers : ndarray of float64
        Its values, NaN where they are missing.
    weights : ndarray of float64
        Weights of the rows.

    Returns
    -------
    ColumnCuts
        The cuts; none if the column has one value or none.
    """
    gaps = np.isnan(numbers)
    missing = 0.0
    if gaps.any():
        missing = float(weights[gaps].sum())
        numbers, weights = numbers[~gaps], weights[~gaps]
    if (weights == weights[:1]).all():  # to sort numbers takes a third of the time of their order
        ranked = np.sort(numbers)
        weight_up_to = weights[:1] * np.arange(1, len(numbers) + 1)
    else:
        order = np.argsort(numbers)
        ranked, weight_up_to = numbers[order], np.cumsum(weights[order])
    is_first = np.ones(len(ranked), dtype=np.bool_)
    is_first[1:] = ranked[1:] != ranked[:-1]
    firsts = np.flatnonzero(is_first)
    below = weight_up_to[firsts[1:] - 1]
    total = float(weights.sum())
    return ColumnCuts(column, ranked[firsts], below, total, missing, np.arange(len(below)))


def quantile_cuts(cuts: ColumnCuts, count: int) -> Positions:
    """Choose the cuts nearest to equal proportions of the weight.

    Parameters
    ----------
    cuts : ColumnCuts
        The column.
    count : int
        How many are wanted; fewer come where several proportions have the same nearest cut.

    Returns
    -------
    ndarray of intp
        Positions of cuts, rising.
    """
    wanted = cuts.total * np.arange(1, count + 1) / (count + 1)
    after = np.clip(np.searchsorted(cuts.below, wanted), 1, max(cuts.n_cuts - 1, 1))
    after = np.minimum(after, cuts.n_cuts - 1)
    before = np.maximum(after - 1, 0)
    is_before = wanted - cuts.below[before] <= cuts.below[after] - wanted
    return np.unique(np.where(is_before, before, after))


def cuts_alone(cuts: ColumnCuts, values: NDArray[np.float64], target: _core.Target) -> Positions:
    """Choose the cuts of a small tree on the column alone."""
    options = _options(target)
    options.max_leaves = _LEAVES_ALONE
    table = _core.Table(np.ascontiguousarray(values)[:, None], np.zeros(1, dtype=np.int32))
    tree, _ = _core.grow(table, target, _axis(), options)
    return _positions(cuts, [threshold for _, threshold in _thresholds(tree)])


def guessed_cuts(
    columns: list[ColumnCuts],
    values: NDArray[np.float64],
    goal: Goal,
    deadline: Deadline | None = None,
) -> dict[int, Positions]:
    """Choose the cuts of a boosted ensemble of shallow trees.

    Boosting here fits what is left of the targets by squared error, one tree a round and target.

    Parameters
    ----------
    columns : list of ColumnCuts
        The columns to choose for.
    values : ndarray of float64
        All columns of the table.
    goal : Goal
        What is to be predicted: the targets are for each class 1 in its rows and 0 elsewhere, or
        the numbers.
    deadline : Deadline or None, default None
        When no further tree is grown; None for never.

    Returns
    -------
    dict of int to ndarray of intp
        For each column the positions of its cuts, rising; none if the ensemble did not use it.
    """
    deadline = Deadline() if deadline is None else deadline
    found: dict[int, list[float]] = {cuts.column: [] for cuts in columns}
    if deadline.is_over:
        return {column: np.empty(0, dtype=np.intp) for column in found}
    targets, weights = goal.indicators(), goal.weights
    table = _core.Table(
        np.asfortranarray(values[:, [cuts.column for cuts in columns]]),
        np.zeros(len(columns), dtype=np.int32),
    )
    residuals = targets - np.average(targets, axis=1, weights=weights)[:, None]
    ranks = _core.Ranks(table, _core.Target.numbers(residuals[0].copy(), weights))
    for _ in range(max(_MOST_TREES // len(targets), 1)):
        for residual in residuals:
            if deadline.is_over:
                break
            target = _core.Target.numbers(np.ascontiguousarray(residual), weights)
            options = _options(target)
            options.max_depth = _DEPTH
            tree, _ = _core.grow(
                table, target, _axis(), options, time_limit=deadline.left, ranks=ranks
            )
            residual -= _LEARNING_RATE * tree.predict_values(table)
            for position, threshold in _thresholds(tree):
                found[columns[position].column].append(threshold)
    return {cuts.column: _positions(cuts, found[cuts.column]) for cuts in columns}


def _axis() -> _core.Method:
    from treewright.splits import Axis

    return Axis().build()


def _options(target: _core.Target) -> _core.GrowOptions:
    options = _core.GrowOptions()
    options.measure = "gini" if len(target.labels) else "squared_error"
    options.readable = False
    return options


def _thresholds(tree: _core.Tree) -> list[tuple[int, float]]:
    """Give column and threshold of every condition of a tree of ``x <= t``."""
    tests = [tree.test(int(node)) for node in np.flatnonzero(tree.n_branches)]
    return [(test[1][0], test[2][0]) for test in tests if test is not None]


def _positions(cuts: ColumnCuts, thresholds: list[float]) -> Positions:
    """Find the cuts that thresholds make."""
    if not thresholds:
        return np.empty(0, dtype=np.intp)
    after = np.searchsorted(cuts.values, np.array(thresholds), side="right") - 1
    return np.unique(np.clip(after, 0, cuts.n_cuts - 1))
