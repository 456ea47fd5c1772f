"""The rows of a table in two parts: a training set and a hold-out set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.tasks import Task, task_name
from treewright.prune import balanced_part
from treewright.schema import (
    Cells,
    Level,
    encode_labels,
    encode_numbers,
    plain_array,
    read_cells,
    take_rows,
)
from treewright.tree.use import label_array

__all__ = ["Part", "divide", "read_rows"]


@dataclass(frozen=True, eq=False)
class Part:
    """Rows of a table and their targets.

    Attributes
    ----------
    table : dict of str to column
        The columns that trees may use.
    strata : ndarray
        Class codes, or the numbers to predict.
    classes : tuple of labels or None
        The classes of the whole table; None if numbers are predicted.
    """

    table: dict[str, Any]
    strata: NDArray[Any]
    classes: tuple[Level, ...] | None

    @property
    def answers(self) -> NDArray[Any]:
        """The labels or numbers, one per row."""
        return self.strata if self.classes is None else label_array(self.classes)[self.strata]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.strata)

    @property
    def is_regression(self) -> bool:
        """Whether numbers are predicted."""
        return self.classes is None

    @property
    def task(self) -> Task:
        """What is predicted."""
        return task_name(is_classification=self.classes is not None)

    def take(self, rows: NDArray[np.intp]) -> Part:
        """Return some of the rows."""
        return replace(self, table=take_rows(self.table, rows), strata=self.strata[rows])

    def sample(self, count: int, seed: int, *, with_every_level: bool = False) -> Part:
        """Return at most so many rows, stratified by class or range of numbers.

        Parameters
        ----------
        count : int
            How many rows.
        seed : int
            Of the choice.
        with_every_level : bool, default False
            Whether to add a row for each class and level that would be absent, so that trees of the
            sample have the columns of trees of all rows.
        """
        if count >= self.n_rows:
            return self
        is_taken = balanced_part(self.strata, count, np.random.RandomState(seed))
        if with_every_level:
            kinds = [_codes(read_cells(column, name)) for name, column in self.table.items()]
            for codes in kinds if self.is_regression else [*kinds, self.strata]:
                levels, firsts = np.unique(codes, return_index=True)
                is_absent = (levels >= 0) & ~np.isin(levels, codes[is_taken])
                is_taken[firsts[is_absent]] = True
        return self.take(np.flatnonzero(is_taken))


def _codes(cells: Cells) -> NDArray[Any]:
    """Give the level of each cell, -1 where it is missing; all numbers are one level."""
    if cells.kind == "numeric":
        return np.where(np.isnan(cells.numbers.astype(np.float64)), -1, 0)
    return cells.codes


def read_rows(table: dict[str, Any], y: Any, *, is_regression: bool) -> Part:
    """Read the targets of a table; its numbers become arrays, of which rows are quick to take."""
    arrays = {name: plain_array(column) for name, column in table.items()}
    table = {name: table[name] if array is None else array for name, array in arrays.items()}
    if is_regression:
        return Part(table, encode_numbers(y), None)
    codes, classes = encode_labels(y)
    return Part(table, codes, classes)


def divide(rows: Part, share: float, seed: int) -> tuple[Part, Part | None]:
    """Divide rows into a training set and a hold-out set.

    The parts are stratified by class; every class has a row at least in the first.

    Parameters
    ----------
    rows : Part
        All rows.
    share : float
        Proportion of the rows in the hold-out set.
    seed : int
        Of the choice.

    Returns
    -------
    training, test : Part, Part or None
        None if there are too few rows to hold any out.
    """
    count = min(max(1, round(share * rows.n_rows)), rows.n_rows - 1)
    is_test = balanced_part(rows.strata, count, np.random.RandomState(seed))
    if rows.classes is not None:
        left = np.bincount(rows.strata[~is_test], minlength=len(rows.classes))
        for code in np.flatnonzero(left == 0).tolist():
            is_test[int(np.argmax(rows.strata == code))] = False
    if not is_test.any():
        return rows, None
    return rows.take(np.flatnonzero(~is_test)), rows.take(np.flatnonzero(is_test))
