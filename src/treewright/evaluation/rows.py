"""Rows with their true targets, read once, on which many trees are evaluated."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.evaluation.groups import Grouped, grouped_by
from treewright.page import Sample
from treewright.prune import balanced_part
from treewright.schema import Schema, encode_numbers
from treewright.tree.use import class_codes, label_array

__all__ = ["JudgedRows"]

_MOST_ROWS_SHOWN = 2000


@dataclass(frozen=True, eq=False)
class JudgedRows:
    """Rows of a table as the core reads them, with what is true of each.

    Attributes
    ----------
    schema : Schema
        The columns and classes.
    table : treewright._core.Table
        The rows.
    values : ndarray of float64
        The same as an array: numbers, level codes, NaN where missing.
    truth : ndarray
        Position of the true class, or the true number.
    costs : ndarray of float64 or None
        What predicting the class of the column costs where that of the row is true.
    positive : int or None
        Position of the class that readers look for.
    """

    schema: Schema
    table: _core.Table
    values: NDArray[np.float64]
    truth: NDArray[Any]
    costs: NDArray[np.float64] | None = None
    positive: int | None = None

    @classmethod
    def read(
        cls,
        X: Any,
        y: Any,
        schema: Schema,
        *,
        costs: NDArray[np.float64] | None = None,
        positive: int | None = None,
    ) -> JudgedRows:
        """Read rows and their targets by the schema of the trees that predict them.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            The rows.
        y : array-like or series
            Their classes, of those the schema knows, or numbers.
        schema : Schema
            The schema of the trees.
        costs : ndarray of float64 or None, default None
            The cost matrix.
        positive : int or None, default None
            Position of the class that readers look for.

        Returns
        -------
        JudgedRows
            The rows.

        Raises
        ------
        DataError
            If the rows do not fit the schema, or a label is none of its classes.
        """
        values = schema.encode(X)
        table = _core.Table(values, schema.n_levels)
        if schema.classes is None:
            return cls(schema, table, values, encode_numbers(y, n_rows=len(values)))
        truth = class_codes(y, schema.classes, len(values))
        return cls(schema, table, values, truth, costs, positive)

    def sample(self, seed: int) -> Sample:
        """Take some rows for readers to try.

        Parameters
        ----------
        seed : int
            Which of the rows are taken.

        Returns
        -------
        Sample
            Values and true classes or numbers.
        """
        some = self.part(_MOST_ROWS_SHOWN, seed)
        return Sample(some.values, some.truth.tolist())

    def part(self, count: int, seed: int) -> JudgedRows:
        """Take at most so many rows, stratified by class or range of numbers.

        Parameters
        ----------
        count : int
            The most rows to take.
        seed : int
            Which of the rows are taken.

        Returns
        -------
        JudgedRows
            Some of the rows; all of them if they are no more.
        """
        if count >= self.n_rows:
            return self
        some = balanced_part(self.truth, count, np.random.RandomState(seed))
        values = np.ascontiguousarray(self.values[some])
        table = _core.Table(values, self.schema.n_levels)
        return replace(self, table=table, values=values, truth=self.truth[some])

    @property
    def answers(self) -> NDArray[Any]:
        """The true labels or numbers, one per row."""
        classes = self.schema.classes
        return self.truth if classes is None else label_array(classes)[self.truth]

    @cached_property
    def grouped(self) -> tuple[Grouped, ...]:
        """The rows in groups by each column that makes some."""
        columns = enumerate(zip(self.schema.columns, self.values.T, strict=True))
        found = (grouped_by(place, *column) for place, column in columns)
        return tuple(one for one in found if one is not None)

    @property
    def stated(self) -> int | None:
        """The class whose probability is looked at: the positive one, or the second of two."""
        return 1 if self.positive is None and self.n_classes == 2 else self.positive

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.truth)

    @property
    def n_classes(self) -> int:
        """Number of classes; 0 in regression."""
        return len(self.schema.classes or ())
