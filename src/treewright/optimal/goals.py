"""What an optimal tree learns to predict: classes under costs, or numbers under squared error.

Decisions whose losses differ by row are in ``losses``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.optimal.units import Units, class_units, number_units

__all__ = ["SUMS_EFFORT", "ClassGoal", "Goal", "NumberGoal", "NumbersOfRows"]

SUMS_EFFORT = 8.0
"""How many times as long as for errors a search takes that sums up numbers, as measured."""

Rows = NDArray[np.intp]
Numbers = NDArray[np.float64]


class Goal(Protocol):
    """What is common to all kinds of goal."""

    @property
    def is_classification(self) -> bool:
        """Whether classes are to be predicted; otherwise numbers."""

    @property
    def weights(self) -> Numbers:
        """Weight of each row."""

    @property
    def cost(self) -> Numbers | None:
        """The cost matrix, if one was given."""

    @property
    def n_rows(self) -> int:
        """Number of rows."""

    @property
    def price_unit(self) -> float:
        """What a penalty of 1 stands for."""

    @property
    def largest_loss(self) -> float:
        """The most that one unit of weight can cost."""

    @property
    def effort(self) -> float:
        """How many times as long as for errors of classes a search takes, as measured."""

    def core(self) -> _core.Target:
        """Give the target as the core reads it."""

    def part(self, rows: Rows) -> Goal:
        """Give the goal of some rows."""

    def indicators(self) -> Numbers:
        """Give what an ensemble of regression trees can learn, one row a target."""

    def ranking(self) -> Numbers | None:
        """Give what levels can be ordered by, one number per row; None where nothing can be."""

    def units(self, prices: Sequence[float], *, with_least_weight: bool) -> Units:
        """Give the problem in whole numbers, for leaves of any weight or of a least one."""

    def nodes(self, answer: _core.SearchTree, bits: NDArray[np.uint8]) -> dict[str, Any]:
        """Give the nodes of a plan in the order of a tree, with statistics, values and gains."""

    def tree_loss(self, tree: _core.Tree, table: _core.Table) -> float:
        """Give what the training rows, which are those of the table, lose by a tree."""

    def least_loss(self, groups: NDArray[np.intp]) -> float:
        """Give what is lost even if every group of rows had a leaf of its own."""


@dataclass(frozen=True)
class ClassGoal:
    """Classes of rows, with what mistakes cost.

    Parameters
    ----------
    codes : ndarray of int32
        Class of each row.
    weights : ndarray of float64
        Weight of each row, class weights and priors included; all above 0.
    n_classes : int
        Number of classes.
    cost : ndarray of float64 or None
        Cost matrix, row the true class; None if every mistake costs 1.
    """

    codes: NDArray[np.int32]
    weights: Numbers
    n_classes: int
    cost: Numbers | None = None

    @property
    def is_classification(self) -> bool:
        """True: classes are to be predicted."""
        return True

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.codes)

    @cached_property
    def costs(self) -> Numbers:
        """The cost matrix; without columns where every mistake costs 1."""
        return np.empty((self.n_classes, 0)) if self.cost is None else self.cost

    @property
    def price_unit(self) -> float:
        """The weight of all rows."""
        return float(self.weights.sum())

    @property
    def largest_loss(self) -> float:
        """The largest cost."""
        return float(self.n_classes > 1) if self.cost is None else float(self.cost.max())

    @property
    def effort(self) -> float:
        """More with costs."""
        return 1.0 if self.cost is None else SUMS_EFFORT

    def core(self) -> _core.Target:
        """Give the target as the core reads it."""
        return _core.Target.classes(self.codes, self.n_classes, self.weights)

    def part(self, rows: Rows) -> ClassGoal:
        """Give the goal of some rows."""
        return replace(self, codes=self.codes[rows], weights=self.weights[rows])

    def indicators(self) -> Numbers:
        """Give 1 in the rows of a class and 0 elsewhere, for each that occurs; one row for two."""
        present = np.flatnonzero(np.bincount(self.codes))
        of_interest = present[1:] if len(present) == 2 else present
        return np.asarray(self.codes == of_interest[:, None], dtype=np.float64)

    def ranking(self) -> Numbers | None:
        """Give 1 in the rows of the second of two classes that occur; None where there are more."""
        n_present = np.count_nonzero(np.bincount(self.codes))
        return self.indicators()[0] if n_present == 2 else None

    def units(self, prices: Sequence[float], *, with_least_weight: bool) -> Units:
        """Give the problem in whole numbers, for leaves of any weight or of a least one."""
        return class_units(
            self.codes,
            self.weights,
            self.costs,
            prices,
            with_least_weight=with_least_weight,
        )

    def nodes(self, answer: _core.SearchTree, bits: NDArray[np.uint8]) -> dict[str, Any]:
        """Give the nodes of a plan: class weights, cheapest classes, gains by the Gini index."""
        return _core.class_nodes(answer, bits, self.codes, self.weights, self.costs)

    def tree_loss(self, tree: _core.Tree, table: _core.Table) -> float:
        """Give the summed costs, from the statistics of the leaves."""
        if self.cost is None:
            return tree.wrong_weight
        leaves = tree.n_branches == 0
        statistics, labels = tree.statistics[leaves], tree.value[leaves].astype(np.intp)
        return float((statistics * self.cost.T[labels]).sum(axis=1).sum())

    def least_loss(self, groups: NDArray[np.intp]) -> float:
        """Give the cost of the cheapest class of every group."""
        if self.cost is not None:
            n_cells = (int(groups.max()) + 1) * self.n_classes
            cells = np.bincount(groups * self.n_classes + self.codes, self.weights, n_cells)
            return float((cells.reshape(-1, self.n_classes) @ self.cost).min(axis=1).sum())
        present, places = np.unique(groups * self.n_classes + self.codes, return_inverse=True)
        weights, group = np.bincount(places, self.weights), present // self.n_classes
        lightest_first = np.lexsort((weights, group))
        is_wrong = np.diff(group[lightest_first], append=-1) == 0  # all but the last of a group
        return float(weights[lightest_first][is_wrong].sum())


@dataclass(frozen=True)
class NumbersOfRows:
    """Numbers of rows that are to be predicted, whatever an error costs.

    Parameters
    ----------
    numbers : ndarray of float64
        The number of each row.
    weights : ndarray of float64
        Weight of each row.
    """

    numbers: Numbers
    weights: Numbers

    @property
    def is_classification(self) -> bool:
        """False: numbers are to be predicted."""
        return False

    @property
    def cost(self) -> None:
        """None: mistakes have no names here."""

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.numbers)

    def core(self) -> _core.Target:
        """Give the target as the core reads it."""
        return _core.Target.numbers(self.numbers, self.weights)

    def part(self, rows: Rows) -> Self:
        """Give the goal of some rows."""
        return replace(self, numbers=self.numbers[rows], weights=self.weights[rows])

    def indicators(self) -> Numbers:
        """Give the numbers themselves, as one row."""
        return self.numbers[None, :].copy()

    def ranking(self) -> Numbers:
        """Give the numbers themselves."""
        return self.numbers


@dataclass(frozen=True)
class NumberGoal(NumbersOfRows):
    """Numbers of rows, whose squared error is to be small."""

    @cached_property
    def price_unit(self) -> float:
        """The squared error of one prediction for all rows."""
        mean = np.average(self.numbers, weights=self.weights)
        return float(self.weights @ np.square(self.numbers - mean))

    @property
    def largest_loss(self) -> float:
        """The square of the range of the numbers."""
        return float(np.ptp(self.numbers)) ** 2

    @property
    def effort(self) -> float:
        """That of sums."""
        return SUMS_EFFORT

    def units(self, prices: Sequence[float], *, with_least_weight: bool) -> Units:
        """Give the problem in whole numbers."""
        return number_units(self.numbers, self.weights, prices)

    def nodes(self, answer: _core.SearchTree, bits: NDArray[np.uint8]) -> dict[str, Any]:
        """Give the nodes of a plan: weights, means and sums of squared deviations."""
        return _core.number_nodes(answer, bits, self.numbers, self.weights)

    def tree_loss(self, tree: _core.Tree, table: _core.Table) -> float:
        """Give the summed squared errors, from the statistics of the leaves."""
        return float(tree.statistics[tree.n_branches == 0, 2].sum())

    def least_loss(self, groups: NDArray[np.intp]) -> float:
        """Give the summed squared error around the mean of every group."""
        totals = np.bincount(groups, self.weights)
        means = np.bincount(groups, self.weights * self.numbers) / totals
        return float(self.weights @ (self.numbers - means[groups]) ** 2)
