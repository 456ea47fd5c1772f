"""The terms of conditions: numeric columns, and levels of categorical ones.

A term is a number for every row. A numeric column is one as it stands; the level of a categorical
column is 1 where the row has it and 0 elsewhere. Where the value is missing, the median stands in
for a numeric one while conditions are looked for; how a condition then sends such rows is left to
the search.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from treewright.predicates import Axis, Linear, Predicate, Subset

__all__ = ["Terms"]

_MOST_LEVELS = 20  # of a column, the most frequent ones


@dataclass(frozen=True)
class Terms:
    """What conditions are made of.

    Parameters
    ----------
    columns : ndarray of int
        The column of each term; numeric columns come first.
    levels : ndarray of int
        The level of a categorical column; -1 for a numeric column.
    stand_ins : ndarray of float
        What stands for missing values.
    n_levels : ndarray of int
        Levels of every column of the table; 0 for a numeric one.
    """

    columns: NDArray[np.intp]
    levels: NDArray[np.intp]
    stand_ins: NDArray[np.float64]
    n_levels: NDArray[np.int32]

    @property
    def n_numeric(self) -> int:
        """How many terms, the first ones, are numeric columns."""
        return int((self.levels < 0).sum())

    @classmethod
    def of(
        cls,
        values: NDArray[np.float64],
        n_levels: NDArray[np.int32],
        weights: NDArray[np.float64],
        least: float,
    ) -> Self:
        """Find the terms of a table.

        Parameters
        ----------
        values : ndarray of shape (n_rows, n_columns)
            The rows.
        n_levels : ndarray of int32
            Levels of each column; 0 for a numeric one.
        weights : ndarray of float64
            Weight of each row.
        least : float
            Weight that the rows of a level must have.

        Returns
        -------
        Terms
            Columns that vary, then levels that are frequent enough.
        """
        found: list[tuple[int, int, float]] = []
        numeric = np.flatnonzero(n_levels == 0)
        numbers = np.ascontiguousarray(values[:, numeric].T)
        for column, known in zip(numeric.tolist(), numbers, strict=True):
            if np.isnan(known).any():
                known = known[~np.isnan(known)]
            if len(known) and known.min() < known.max():
                found.append((column, -1, _median(known)))
        for column in np.flatnonzero(n_levels > 0).tolist():
            codes = values[:, column]
            known = ~np.isnan(codes)
            held = np.bincount(
                codes[known].astype(np.intp), weights[known], minlength=int(n_levels[column])
            )
            frequent = np.argsort(-held, kind="stable")[:_MOST_LEVELS]
            frequent = frequent[held[frequent] >= least]
            if np.count_nonzero(held) == 2:  # one says what the other says
                frequent = frequent[-1:]
            if np.count_nonzero(held) > 1:
                found += [(column, level, 0.0) for level in sorted(frequent.tolist())]
        columns, levels, stand_ins = zip(*found, strict=True) if found else ((), (), ())
        return cls(
            np.array(columns, dtype=np.intp),
            np.array(levels, dtype=np.intp),
            np.array(stand_ins, dtype=np.float64),
            n_levels,
        )

    def matrix(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give the terms of rows, one row of the matrix a term."""
        terms = np.ascontiguousarray(values[:, self.columns].T)
        is_level = self.levels >= 0
        terms[is_level] = terms[is_level] == self.levels[is_level, None]
        missing = np.isnan(terms)
        if missing.any():
            terms = np.where(missing, self.stand_ins[:, None], terms)
        return terms

    def within(self, columns: Collection[int]) -> Terms:
        """Give the terms of some columns."""
        return self._taken(np.isin(self.columns, sorted(columns)))

    def leading(
        self, values: NDArray[np.float64], amounts: NDArray[np.float64], most: int
    ) -> Terms:
        """Give the terms that go with the target most closely, if there are too many.

        Parameters
        ----------
        values : ndarray of shape (n_rows, n_columns)
            The rows.
        amounts : ndarray of shape (n_rows, n_outputs)
            Of classes, or of weights and numbers.
        most : int
            How many terms.

        Returns
        -------
        Terms
            So many, in their order, by their largest correlation with an output.
        """
        if len(self.columns) <= most:
            return self
        matrix = self.matrix(values)
        matrix = matrix - matrix.mean(axis=1, keepdims=True)
        spread = np.sqrt((matrix**2).sum(axis=1, keepdims=True))
        outputs = amounts - amounts.mean(axis=0)
        closeness = np.abs(matrix @ outputs / np.where(spread > 0.0, spread, 1.0)).max(axis=1)
        return self._taken(np.sort(np.argsort(-closeness, kind="stable")[:most]))

    def _taken(self, kept: NDArray[np.intp] | NDArray[np.bool_]) -> Terms:
        return replace(
            self,
            columns=self.columns[kept],
            levels=self.levels[kept],
            stand_ins=self.stand_ins[kept],
        )

    def predicate(
        self, terms: Sequence[int], weights: Sequence[float], threshold: float
    ) -> Predicate:
        """Give the condition that a weighted sum of terms is at most a threshold."""
        first = terms[0]
        column, level = int(self.columns[first]), int(self.levels[first])
        if len(terms) > 1:
            columns = tuple(int(self.columns[term]) for term in terms)
            codes = (int(self.levels[term]) for term in terms)
            levels = tuple(None if code < 0 else code for code in codes)
            return Linear(columns, tuple(weights), threshold, levels)
        if level < 0:
            return Axis(column, threshold)
        others = tuple(code for code in range(int(self.n_levels[column])) if code != level)
        return Subset(column, (level,), others)


def _median(numbers: NDArray[np.float64]) -> float:
    """Give the median of numbers without a missing one, sooner than NumPy's, which looks for it."""
    low, high = (len(numbers) - 1) // 2, len(numbers) // 2
    parted = np.partition(numbers, (low, high))
    return float(0.5 * (parted[low] + parted[high]))
