"""LossGoal: decisions that cost every row something of its own, as policy trees have them.

A leaf decides for one action, and costs what this action costs its rows. Only differences between
the actions of a row matter, so what is made smallest is

    regret = sum over rows of w (loss of the decision - loss of the row's cheapest action)

which is 0 where every row gets its cheapest action, whatever the signs of the losses are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.optimal.units import Units, loss_units

__all__ = ["LossGoal"]

Rows = NDArray[np.intp]
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class LossGoal:
    """What each action costs each row.

    Parameters
    ----------
    regrets : ndarray of shape (n_rows, n_actions)
        Loss of each action above that of the row's cheapest one.
    weights : ndarray of float64
        Weight of each row; all above 0.
    """

    regrets: Numbers
    weights: Numbers

    @property
    def is_classification(self) -> bool:
        """True: one of several actions is to be chosen."""
        return True

    @property
    def cost(self) -> None:
        """None: costs differ by row."""

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.regrets)

    @cached_property
    def cheapest(self) -> NDArray[np.int32]:
        """The cheapest action of each row, the first of equally cheap ones."""
        return np.asarray(self.regrets.argmin(axis=1), dtype=np.int32)

    @property
    def price_unit(self) -> float:
        """The weight of all rows: a penalty is a loss per unit of weight."""
        return float(self.weights.sum())

    @property
    def largest_loss(self) -> float:
        """The largest regret."""
        return float(self.regrets.max())

    @property
    def effort(self) -> float:
        """That of errors of classes."""
        return 1.0

    @classmethod
    def of(cls, losses: Numbers, weights: Numbers) -> LossGoal:
        """Give the goal of rows with these losses."""
        return cls(losses - losses.min(axis=1, keepdims=True), weights)

    def core(self) -> _core.Target:
        """Give the cheapest actions as the core reads them, by which nodes are counted."""
        return _core.Target.classes(self.cheapest, self.regrets.shape[1], self.weights)

    def part(self, rows: Rows) -> LossGoal:
        """Give the goal of some rows."""
        return replace(self, regrets=self.regrets[rows], weights=self.weights[rows])

    def indicators(self) -> Numbers:
        """Give the regrets of each action; of two, their difference."""
        if self.regrets.shape[1] == 2:
            return self._difference()[None, :]
        return np.ascontiguousarray(self.regrets.T)

    def ranking(self) -> Numbers | None:
        """Give the difference of two actions; None where there are more."""
        return self._difference() if self.regrets.shape[1] == 2 else None

    def _difference(self) -> Numbers:
        return self.regrets[:, 0] - self.regrets[:, 1]

    def units(self, prices: Sequence[float], *, with_least_weight: bool) -> Units:
        """Give the problem in whole numbers."""
        return loss_units(self.regrets * self.weights[:, None], prices)

    def nodes(self, answer: _core.SearchTree, bits: NDArray[np.uint8]) -> dict[str, Any]:
        """Give the nodes of a plan: weights by cheapest action, the best action of each node."""
        return _core.loss_nodes(answer, bits, self.cheapest, self.weights, self.regrets)

    def tree_loss(self, tree: _core.Tree, table: _core.Table) -> float:
        """Give the summed regret of the rows of a table by a tree."""
        said = tree.value[tree.apply(table)].astype(np.intp)
        return float(self.weights @ self.regrets[np.arange(self.n_rows), said])

    def node_sums(self, tree: _core.Tree, table: _core.Table) -> Numbers:
        """Give the summed regret of the rows of each node by each action."""
        at, n_nodes = tree.apply(table), len(tree.value)
        lost = np.stack(
            [np.bincount(at, self.weights * one, n_nodes) for one in self.regrets.T], axis=1
        )
        for node in range(n_nodes - 1, 0, -1):
            lost[tree.parent[node]] += lost[node]
        return np.asarray(lost, dtype=np.float64)

    def node_losses(self, tree: _core.Tree, table: _core.Table) -> Numbers:
        """Give the summed regret of the rows of each node by its decision, were it a leaf."""
        lost = self.node_sums(tree, table)
        return np.asarray(lost[np.arange(len(lost)), tree.value.astype(np.intp)])

    def least_loss(self, groups: NDArray[np.intp]) -> float:
        """Give the regret of the best action of every group."""
        lost = [np.bincount(groups, self.weights * one) for one in self.regrets.T]
        return float(np.min(lost, axis=0).sum())
