"""Goals whose leaves state a probability: the Brier score and the log loss of two classes.

With the weights a of the first class and b of the second in a leaf that states p for the second:

    Brier score   a p^2 + b (1 - p)^2, least at p = b / (a + b), where it is a b / (a + b)
    log loss      -a ln(1 - p) - b ln p, least among the probabilities p = k / n, 0 < k < n

The first is the squared error of a number that is 0 or 1, so the search for these is exact. The
second is a cost of two classes and n - 1 actions; that no leaf states 0 or 1 keeps the log loss of
new rows finite.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.optimal.goals import SUMS_EFFORT
from treewright.optimal.units import Units, class_units, number_units

__all__ = ["BrierGoal", "LogLossGoal", "ProbabilityGoal"]

Rows = NDArray[np.intp]
Numbers = NDArray[np.float64]

_NO_COSTS = np.empty((2, 0))


@dataclass(frozen=True)
class ProbabilityGoal:
    """Two classes, whose probabilities are to be stated.

    Parameters
    ----------
    codes : ndarray of int32
        Class of each row, 0 or 1.
    weights : ndarray of float64
        Weight of each row.
    """

    codes: NDArray[np.int32]
    weights: Numbers

    @abstractmethod
    def lost(self, class_weights: Numbers) -> Numbers:
        """Give what leaves lose whose classes have these weights, in rows."""

    @property
    def is_classification(self) -> bool:
        """True: classes are to be predicted."""
        return True

    @property
    def cost(self) -> None:
        """None: mistakes have no costs here."""

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.codes)

    @property
    def price_unit(self) -> float:
        """The weight of all rows: a penalty is a score per unit of weight."""
        return float(self.weights.sum())

    def core(self) -> _core.Target:
        """Give the target as the core reads it."""
        return _core.Target.classes(self.codes, 2, self.weights)

    def part(self, rows: Rows) -> Self:
        """Give the goal of some rows."""
        return replace(self, codes=self.codes[rows], weights=self.weights[rows])

    def indicators(self) -> Numbers:
        """Give 1 in the rows of the second class, as one row."""
        return self.ranking()[None, :]

    def ranking(self) -> Numbers:
        """Give 1 in the rows of the second class."""
        return self.codes.astype(np.float64)

    def nodes(self, answer: _core.SearchTree, bits: NDArray[np.uint8]) -> dict[str, Any]:
        """Give the nodes of a plan: class weights, most frequent classes, gains by Gini index."""
        return _core.class_nodes(answer, bits, self.codes, self.weights, _NO_COSTS)

    def node_losses(self, tree: _core.Tree) -> Numbers:
        """Give what the rows of each node lose, were it a leaf."""
        return self.lost(tree.statistics)

    def tree_loss(self, tree: _core.Tree, table: _core.Table) -> float:
        """Give the summed losses, from the statistics of the leaves."""
        return float(self.lost(tree.statistics[tree.n_branches == 0]).sum())

    def least_loss(self, groups: NDArray[np.intp]) -> float:
        """Give what is lost where every group of rows has a leaf of its own."""
        n_cells = 2 * (int(groups.max()) + 1)
        sums = np.bincount(2 * groups + self.codes, self.weights, n_cells)
        cells = np.asarray(sums, dtype=np.float64).reshape(-1, 2)
        return float(self.lost(cells[cells.any(axis=1)]).sum())


@dataclass(frozen=True)
class BrierGoal(ProbabilityGoal):
    """Probabilities whose Brier score is to be small; leaves state their proportions."""

    @property
    def largest_loss(self) -> float:
        """The most that a row can lose: 1, by the other class's certainty."""
        return 1.0

    @property
    def effort(self) -> float:
        """That of sums."""
        return SUMS_EFFORT

    def lost(self, class_weights: Numbers) -> Numbers:
        """Give what leaves lose whose classes have these weights, in rows."""
        first, second = class_weights.T
        return np.asarray(first * second / (first + second))

    def units(self, prices: Sequence[float], *, with_least_weight: bool) -> Units:
        """Give the problem in whole numbers: numbers that are 0 or 1."""
        return number_units(self.ranking(), self.weights, prices)


@dataclass(frozen=True)
class LogLossGoal(ProbabilityGoal):
    """Probabilities in steps whose log loss is to be small.

    Parameters
    ----------
    codes, weights : ndarray
        As above.
    n_steps : int, default 20
        Probabilities are multiples of one over this, without 0 and 1.
    """

    n_steps: int = 20

    @cached_property
    def steps(self) -> Numbers:
        """The probabilities of both classes that a leaf may state, one row each."""
        second = np.arange(1, self.n_steps) / self.n_steps
        return np.stack([second[::-1], second], axis=1)

    @cached_property
    def costs(self) -> Numbers:
        """What each probability costs a row of each class, which has one row each."""
        return np.ascontiguousarray(-np.log(self.steps.T))

    @property
    def largest_loss(self) -> float:
        """The cost of the smallest probability."""
        return float(self.costs.max())

    @property
    def effort(self) -> float:
        """More with every probability."""
        return 2.0 * self.n_steps

    def lost(self, class_weights: Numbers) -> Numbers:
        """Give what leaves lose whose classes have these weights, in rows."""
        return np.asarray((class_weights @ self.costs).min(axis=1))

    def units(self, prices: Sequence[float], *, with_least_weight: bool) -> Units:
        """Give the problem in whole numbers: a cost of each class and probability."""
        return class_units(
            self.codes, self.weights, self.costs, prices, with_least_weight=with_least_weight
        )

    def nodes(self, answer: _core.SearchTree, bits: NDArray[np.uint8]) -> dict[str, Any]:
        """Give the nodes of a plan, with the probabilities that they state."""
        nodes = super().nodes(answer, bits)
        statistics = nodes["statistics"]
        stated = (statistics @ self.costs).argmin(axis=1)
        nodes["value"] = statistics.argmax(axis=1).astype(np.float64)
        nodes["probabilities"] = self.steps[stated].ravel()
        return nodes
