"""What an optimal tree learns to predict: classes under costs, or numbers under squared error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.optimal.units import Units, class_units, number_units

__all__ = ["ClassGoal", "Goal", "NumberGoal"]

Rows = NDArray[np.intp]
Numbers = NDArray[np.float64]

_TIE = 1e-12  # relative difference of costs that rounding can make


class Goal(Protocol):
    """What is common to both kinds of goal."""

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

    def core(self) -> _core.Target:
        """Give the target as the core reads it."""

    def part(self, rows: Rows) -> Goal:
        """Give the goal of some rows."""

    def indicators(self) -> Numbers:
        """Give what an ensemble of regression trees can learn, one row a target."""

    def units(self, prices: Sequence[float]) -> Units:
        """Give the problem in whole numbers."""

    def statistics(self, groups: Rows, n_groups: int) -> Numbers:
        """Give the statistics of groups of rows, one row a group; `groups` says which is whose."""

    def joined(self, one: Numbers, other: Numbers) -> Numbers:
        """Give the statistics of a node whose children have these."""

    def answers(
        self, statistics: Numbers, told: Sequence[int], parents: Sequence[int]
    ) -> list[float]:
        """Give the answers of nodes, parents before children: what the search told, if anything."""

    def losses(self, statistics: Numbers, answers: Numbers) -> Numbers:
        """Give what the rows of nodes with these statistics lose by the answers."""

    def impurities(self, statistics: Numbers) -> Numbers:
        """Give what the gains of tests are differences of: weight times impurity of each node."""

    def node_weights(self, statistics: Numbers) -> Numbers:
        """Give the weight of each node."""

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
        """The cost matrix, with ones where none was given."""
        return 1.0 - np.eye(self.n_classes) if self.cost is None else self.cost

    @property
    def price_unit(self) -> float:
        """The weight of all rows."""
        return float(self.weights.sum())

    @property
    def largest_loss(self) -> float:
        """The largest cost."""
        return float(self.costs.max())

    def core(self) -> _core.Target:
        """Give the target as the core reads it."""
        return _core.Target.classes(self.codes, self.n_classes, self.weights)

    def part(self, rows: Rows) -> ClassGoal:
        """Give the goal of some rows."""
        return replace(self, codes=self.codes[rows], weights=self.weights[rows])

    def indicators(self) -> Numbers:
        """Give 1 in the rows of a class and 0 elsewhere, for each class; one row for two."""
        of_interest = np.arange(1 if self.n_classes == 2 else 0, self.n_classes)
        return np.asarray(self.codes == of_interest[:, None], dtype=np.float64)

    def units(self, prices: Sequence[float]) -> Units:
        """Give the problem in whole numbers."""
        return class_units(self.codes, self.weights, self.costs, prices)

    def statistics(self, groups: Rows, n_groups: int) -> Numbers:
        """Give the weight of each class."""
        cells = groups * self.n_classes + self.codes
        weights = np.bincount(cells, self.weights, minlength=n_groups * self.n_classes)
        return np.asarray(weights, dtype=np.float64).reshape(n_groups, self.n_classes)

    def joined(self, one: Numbers, other: Numbers) -> Numbers:
        """Give the sum."""
        return one + other

    def answers(
        self, statistics: Numbers, told: Sequence[int], parents: Sequence[int]
    ) -> list[float]:
        """Give the cheapest class; of equal ones that of the parent, else the first."""
        losses = statistics @ self.costs
        least = losses.min(axis=1)
        is_cheap = (losses <= (least + _TIE * np.abs(least))[:, None]).tolist()
        cheapest = losses.argmin(axis=1).tolist()
        found: list[int] = []
        for node, (label, parent) in enumerate(zip(told, parents, strict=True)):
            before = found[parent] if parent >= 0 else 0
            chosen = before if is_cheap[node][before] else cheapest[node]
            found.append(label if label >= 0 else chosen)
        return [*map(float, found)]

    def losses(self, statistics: Numbers, answers: Numbers) -> Numbers:
        """Give the summed costs."""
        return np.asarray((statistics * self.costs.T[answers.astype(np.intp)]).sum(axis=1))

    def impurities(self, statistics: Numbers) -> Numbers:
        """Give the weight times the Gini index."""
        totals = statistics.sum(axis=1)
        squares = np.square(statistics).sum(axis=1)
        return np.asarray(totals - squares / np.where(totals > 0.0, totals, 1.0))

    def node_weights(self, statistics: Numbers) -> Numbers:
        """Give the weight of each node."""
        return np.asarray(statistics.sum(axis=1))

    def least_loss(self, groups: NDArray[np.intp]) -> float:
        """Give the cost of the cheapest class of every group."""
        n_cells = (int(groups.max()) + 1) * self.n_classes
        cells = np.bincount(groups * self.n_classes + self.codes, self.weights, n_cells)
        return float((cells.reshape(-1, self.n_classes) @ self.costs).min(axis=1).sum())


@dataclass(frozen=True)
class NumberGoal:
    """Numbers of rows, whose squared error is to be small.

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

    @cached_property
    def price_unit(self) -> float:
        """The squared error of one answer for all rows."""
        return float(self.statistics(np.zeros(self.n_rows, dtype=np.intp), 1)[0, 2])

    @property
    def largest_loss(self) -> float:
        """The square of the range of the numbers."""
        return float(np.ptp(self.numbers)) ** 2

    def core(self) -> _core.Target:
        """Give the target as the core reads it."""
        return _core.Target.numbers(self.numbers, self.weights)

    def part(self, rows: Rows) -> NumberGoal:
        """Give the goal of some rows."""
        return replace(self, numbers=self.numbers[rows], weights=self.weights[rows])

    def indicators(self) -> Numbers:
        """Give the numbers themselves, as one row."""
        return self.numbers[None, :].copy()

    def units(self, prices: Sequence[float]) -> Units:
        """Give the problem in whole numbers."""
        return number_units(self.numbers, self.weights, prices)

    def statistics(self, groups: Rows, n_groups: int) -> Numbers:
        """Give weight, mean and sum of squared deviations; zeros for groups without rows."""
        totals = np.bincount(groups, self.weights, minlength=n_groups)
        sums = np.bincount(groups, self.weights * self.numbers, minlength=n_groups)
        means = sums / np.where(totals > 0.0, totals, 1.0)
        deviations = self.weights * np.square(self.numbers - means[groups])
        return np.column_stack([totals, means, np.bincount(groups, deviations, minlength=n_groups)])

    def joined(self, one: Numbers, other: Numbers) -> Numbers:
        """Give the sums, with the squares of the way from both means to the common one."""
        total = one[0] + other[0]
        mean = (one[0] * one[1] + other[0] * other[1]) / total
        between = np.square(one[1] - other[1]) * one[0] * other[0] / total
        return np.array([total, mean, one[2] + other[2] + between])

    def answers(
        self, statistics: Numbers, told: Sequence[int], parents: Sequence[int]
    ) -> list[float]:
        """Give the means."""
        means: list[float] = statistics[:, 1].tolist()
        return means

    def losses(self, statistics: Numbers, answers: Numbers) -> Numbers:
        """Give the summed squared errors."""
        return statistics[:, 2]

    def impurities(self, statistics: Numbers) -> Numbers:
        """Give the summed squared errors."""
        return statistics[:, 2]

    def node_weights(self, statistics: Numbers) -> Numbers:
        """Give the weight of each node."""
        return statistics[:, 0]

    def least_loss(self, groups: NDArray[np.intp]) -> float:
        """Give the summed squared error around the mean of every group."""
        totals = np.bincount(groups, self.weights)
        means = np.bincount(groups, self.weights * self.numbers) / totals
        return float(self.weights @ (self.numbers - means[groups]) ** 2)
