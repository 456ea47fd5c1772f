"""Which rows reach a node, and which way its split sends them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.predicates import Predicate
from treewright.predicates.linear import term_factors
from treewright.schema import encode_numbers
from treewright.tree import Tree, table_of
from treewright.tree.use import class_codes, weights_of

__all__ = ["NodeRows", "Router", "drawable", "route_points"]

_LARGEST = 1e100  # larger numbers are drawn here: matplotlib computes with their squares


@dataclass(frozen=True, slots=True)
class NodeRows:
    """The rows at one node.

    Parameters
    ----------
    table : ndarray of float64
        All rows as the core reads them.
    ids : ndarray of int64
        Which of them are at the node.
    target : ndarray
        Class codes or numbers of these.
    shares : ndarray of float64
        The part of each row that comes here; less than 1 where rows were divided among branches.
    weights : ndarray of float64
        The weight of that part.
    branches : ndarray of int32
        The branch each takes; -1 where a value is missing.
    """

    table: NDArray[np.float64]
    ids: NDArray[np.int64]
    target: NDArray[Any]
    shares: NDArray[np.float64]
    weights: NDArray[np.float64]
    branches: NDArray[np.int32]

    @property
    def count(self) -> float:
        """Number of rows, parts of rows added up."""
        return float(self.shares.sum())

    def column(self, position: int) -> NDArray[np.float64]:
        """Return the values of a column; NaN where missing."""
        return drawable(self.table[self.ids, position])

    def factor(self, position: int, level: int | None) -> NDArray[np.float64]:
        """Return the values of a column; of one with a level, 1 where rows have it and else 0."""
        values = self.table[self.ids, position][:, np.newaxis]
        return drawable(term_factors(values, [0], [level])[:, 0])

    def weighted_sum(
        self,
        columns: Sequence[int],
        coefficients: Sequence[float],
        start: float = 0.0,
        levels: Sequence[int | None] = (),
    ) -> NDArray[np.float64]:
        """Add up columns in stored order, as the core does, as far as sums can be drawn."""
        total = np.full(len(self.ids), start)
        for position, coefficient, level in zip_longest(columns, coefficients, levels):
            with np.errstate(over="ignore"):
                product = coefficient * self.factor(position, level)
            total = drawable(total + drawable(product))
        return total

    def take(self, which: NDArray[Any]) -> NodeRows:
        """Return some of the rows, by a mask or by positions."""
        return replace(
            self,
            ids=self.ids[which],
            target=self.target[which],
            shares=self.shares[which],
            weights=self.weights[which],
            branches=self.branches[which],
        )


class Router:
    """Rows of data on their way through a tree.

    Parameters
    ----------
    tree : Tree
        The tree.
    X, y, sample_weight
        The rows, what is known of them, and their weights.
    """

    def __init__(self, tree: Tree, X: Any, y: Any, sample_weight: Any = None) -> None:
        self._tree = tree
        self._table = table_of(X, tree.schema, tree.columns_read)
        n_rows, classes = self._table.n_rows, tree.schema.classes
        self._target: NDArray[Any] = (
            drawable(encode_numbers(y, n_rows=n_rows, estimator_name="The tree"))
            if classes is None
            else class_codes(y, classes, n_rows)
        )
        self._weights = weights_of(sample_weight, n_rows)
        self._ends = tree.leaf_shares(self._table).tocsc()

    def at(self, node: int) -> NodeRows:
        """Give the rows that reach an inner node."""
        predicate = self._tree.node(node).predicate
        assert predicate is not None, "a leaf has no split"
        below = np.zeros(self._tree.n_nodes, dtype=np.bool_)
        below[node] = True
        for child, parent in enumerate(self._tree.core.parent.tolist()):
            below[child] |= parent >= 0 and below[parent]
        shares = np.asarray(self._ends[:, np.flatnonzero(below)].sum(axis=1)).ravel()
        ids = np.flatnonzero(shares > 0.0)
        return NodeRows(
            table=self._table.values,
            ids=ids,
            target=self._target[ids],
            shares=shares[ids],
            weights=self._weights[ids] * shares[ids],
            branches=_core.route(predicate.encode(), self._table)[ids],
        )


def drawable(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bring numbers that matplotlib could not place to the largest it can; NaN stays."""
    return np.clip(values, -_LARGEST, _LARGEST)


def route_points(
    predicate: Predicate, n_levels: NDArray[np.int32], points: dict[int, NDArray[np.float64]]
) -> NDArray[np.int32]:
    """Find the branches of points of a picture, given by the positions of their columns."""
    (n_points,) = {len(values) for values in points.values()}
    table = np.full((n_points, len(n_levels)), np.nan, order="F")
    for position, values in points.items():
        table[:, position] = values
    return _core.route(predicate.encode(), _core.Table(table, n_levels))
