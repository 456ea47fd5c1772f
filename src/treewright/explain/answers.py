"""What a tree says to one row and to changed copies of it, and what a change of it costs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.explain.scales import Scales
from treewright.tree import Tree

__all__ = ["Question"]


@dataclass(frozen=True, eq=False)
class Question:
    """A tree, a row, and which of its values may change.

    Parameters
    ----------
    tree : Tree
        The tree.
    values : ndarray of float64
        The row as the core sees it; NaN where missing. Missing values are never changed.
    scales : Scales
        What counts as a small change.
    fixed : frozenset of int
        Columns that must stay as they are.
    """

    tree: Tree
    values: NDArray[np.float64]
    scales: Scales
    fixed: frozenset[int] = frozenset()

    def answers(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give the prediction for each row: the code of a class, or a number."""
        core = self.tree.core
        table = _core.Table(np.ascontiguousarray(rows), self.tree.schema.n_levels)
        if self.tree.is_classification:
            return core.predict_classes(table).astype(np.float64)
        return core.predict_values(table)

    @cached_property
    def answer(self) -> float:
        """The prediction for the row itself."""
        return float(self.answers(self.values[np.newaxis])[0])

    def changed(self, changes: Mapping[int, float]) -> NDArray[np.float64]:
        """Give a copy of the row with other values in some columns."""
        row = self.values.copy()
        row[list(changes)] = list(changes.values())
        return row

    def flips(self, changes: Mapping[int, float]) -> bool:
        """Tell whether a change gives another prediction."""
        return float(self.answers(self.changed(changes)[np.newaxis])[0]) != self.answer

    def may_change(self, column: int) -> bool:
        """Tell whether a column has a value that may change."""
        return column not in self.fixed and not math.isnan(self.values[column])

    def cost(self, column: int, value: float) -> float:
        """Say how large a change of one column is, in sizes of the column."""
        kind = self.tree.schema.columns[column].kind
        distance = abs(value - float(self.values[column]))
        if kind == "numeric":
            return distance / self.scales.sizes[column]
        if kind == "ordinal":
            return distance / max(1, len(self.tree.schema.columns[column].levels) - 1)
        return 1.0 if distance else 0.0

    def total_cost(self, changes: Iterable[tuple[int, float]]) -> float:
        """Add up the changes of several columns."""
        return math.fsum(self.cost(column, value) for column, value in changes)

    def total_rarity(self, changes: Iterable[tuple[int, float]]) -> float:
        """Say how rare the levels are that a change asks for; it decides between equal costs."""
        return math.fsum(self.scales.rarity(column, value) for column, value in changes)

    def n_levels(self, column: int) -> int:
        """Count the levels of a column, ordered or not; 0 where it holds numbers."""
        return len(self.tree.schema.columns[column].levels)
