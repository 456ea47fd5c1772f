"""AbsoluteGoal: numbers whose absolute error is to be small; leaves predict medians.

A median of the rows of a leaf is one of the values that the target has, so these values are the
actions of the search, and the distances of each row to them its losses:

    loss of a leaf = min over the values v of sum of w abs(y - v)

Where leaves need a least weight the search counts weights of values, which takes longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.optimal.goals import SUMS_EFFORT, NumbersOfRows
from treewright.optimal.units import Units, class_units, loss_units

__all__ = ["AbsoluteGoal"]

Numbers = NDArray[np.float64]

_ROUNDING = 1e-12  # relative, of sums of doubles


@dataclass(frozen=True)
class AbsoluteGoal(NumbersOfRows):
    """Numbers of rows, whose absolute error is to be small."""

    @cached_property
    def _coded(self) -> tuple[Numbers, NDArray[np.int32]]:
        values, codes = np.unique(self.numbers, return_inverse=True)
        return values, codes.astype(np.int32)

    @property
    def values(self) -> Numbers:
        """The values that occur, in rising order."""
        return self._coded[0]

    @property
    def codes(self) -> NDArray[np.int32]:
        """Position of each row's number among the values."""
        return self._coded[1]

    @cached_property
    def price_unit(self) -> float:
        """The absolute error of one prediction for all rows."""
        return self.least_loss(np.zeros(self.n_rows, dtype=np.intp))

    @property
    def largest_loss(self) -> float:
        """The range of the numbers."""
        return float(np.ptp(self.numbers))

    @property
    def effort(self) -> float:
        """More with every value."""
        return SUMS_EFFORT + 2.0 * len(self.values)

    def units(self, prices: Sequence[float], *, with_least_weight: bool) -> Units:
        """Give the problem in whole numbers: losses of rows or, with a least weight, of values."""
        if not with_least_weight:
            distances = np.abs(self.numbers[:, None] - self.values)
            return loss_units(distances * self.weights[:, None], prices)
        return class_units(
            self.codes,
            self.weights,
            np.abs(self.values[:, None] - self.values),
            prices,
            with_least_weight=True,
        )

    def nodes(self, answer: _core.SearchTree, bits: NDArray[np.uint8]) -> dict[str, Any]:
        """Give the nodes of a plan: weights, means and squared deviations; values are medians."""
        nodes = _core.number_nodes(answer, bits, self.numbers, self.weights)
        n_nodes = len(nodes["first_child"])
        weights = self._weights_of_values(nodes["leaf_of_row"], n_nodes)
        for node, child in reversed([*enumerate(nodes["first_child"].tolist())]):
            if child >= 0:
                weights[node] = weights[child] + weights[child + 1]
        nodes["value"] = self._medians(weights)
        return nodes

    def tree_loss(self, tree: _core.Tree, table: _core.Table) -> float:
        """Give the summed absolute errors of the rows of a table by a tree."""
        return float(self.weights @ np.abs(self.numbers - tree.value[tree.apply(table)]))

    def node_losses(self, tree: _core.Tree, table: _core.Table) -> Numbers:
        """Give the summed absolute errors of the rows of each node, were it a leaf."""
        weights = self._weights_of_values(tree.apply(table), len(tree.value))
        for node in range(len(weights) - 1, 0, -1):
            weights[tree.parent[node]] += weights[node]
        return np.asarray((weights * np.abs(self.values - tree.value[:, None])).sum(axis=1))

    def least_loss(self, groups: NDArray[np.intp]) -> float:
        """Give the summed absolute error around the median of every group."""
        _, places = np.unique(groups, return_inverse=True)
        order = np.lexsort((self.numbers, places))
        numbers, weights = self.numbers[order], self.weights[order]
        starts = np.flatnonzero(np.diff(places[order], prepend=-1))
        passed = np.cumsum(weights)
        before = (passed - weights)[starts]
        half = before + np.add.reduceat(weights, starts) / 2.0
        middle = np.maximum(np.searchsorted(passed, half * (1.0 - _ROUNDING)), starts)
        return float(weights @ np.abs(numbers - np.repeat(numbers[middle], np.bincount(places))))

    def _weights_of_values(self, leaf_of_row: NDArray[np.int32], n_nodes: int) -> Numbers:
        """Sum the weights of the rows of each leaf by their numbers."""
        n_values = len(self.values)
        cells = leaf_of_row.astype(np.intp) * n_values + self.codes
        sums = np.bincount(cells, self.weights, n_nodes * n_values)
        return np.asarray(sums, dtype=np.float64).reshape(n_nodes, n_values)

    def _medians(self, weights: Numbers) -> Numbers:
        """Give the median of each row of weights; between two values, their mean."""
        passed = np.cumsum(weights, axis=1)
        half = passed[:, -1:] / 2.0
        low = (passed < half * (1.0 - _ROUNDING)).sum(axis=1)
        high = (passed <= half * (1.0 + _ROUNDING)).sum(axis=1)
        return np.asarray((self.values[low] + self.values[high]) / 2.0)
