"""Growing trees on the rows of a fit, or on part of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from treewright import _core
from treewright.base.workers import check_interrupt
from treewright.exceptions import DataError
from treewright.schema import Schema
from treewright.tree import Tree

__all__ = ["Grower", "RowsOrAll"]

RowsOrAll: TypeAlias = NDArray[np.intp] | None

_LONGEST_TIME = 1e9  # seconds; more limits nothing


@dataclass
class Grower:
    """Grows trees on all rows of a fit or on some; several threads may do so at once.

    Parameters
    ----------
    schema : Schema
        The columns.
    values : ndarray
        The rows as the core reads them.
    make_target : callable
        ``make_target(rows)`` gives the target of rows to grow on.
    make_method : callable
        Gives a new working split method.
    options : GrowOptions
        How to grow.
    strata : ndarray or None
        What a validation part is balanced by.
    validation_fraction : float or None
        Proportion of the rows by which growth is stopped early.
    time_limit : float or None
        Seconds for all growths together.
    progress : callable or None
        Called with the proportion of all growths that is done.
    n_growths : int
        How many growths there will be.
    """

    schema: Schema
    values: NDArray[np.float64]
    make_target: Callable[[RowsOrAll], _core.Target]
    make_method: Callable[[], _core.Method]
    options: _core.GrowOptions
    strata: NDArray[Any] | None
    validation_fraction: float | None
    time_limit: float | None
    progress: Callable[[float], None] | None
    n_growths: int
    out_of_time: bool = False
    _n_grown: int = 0
    _told: float = 0.0

    def grow(self, rows: RowsOrAll) -> Tree:
        """Grow the tree of these rows, of all if None."""
        validation_table, validation_target = None, None
        if self.validation_fraction is not None:
            rows, held_out = self._hold_out(rows)
            validation_table, validation_target = self.table(held_out), self.make_target(held_out)
        core, out_of_time = _core.grow(
            self.table(rows),
            self.make_target(rows),
            self.make_method(),
            self.options,
            validation_table,
            validation_target,
            time_limit=self._seconds(),
            progress=self._report,
        )
        self.out_of_time = self.out_of_time or out_of_time
        self._n_grown += 1
        return Tree(core, self.schema)

    def table(self, rows: RowsOrAll) -> _core.Table:
        """Return rows as the core reads them."""
        values = self.values if rows is None else self.values[rows]
        return _core.Table(values, self.schema.n_levels)

    def _seconds(self) -> float | None:
        if self.time_limit is None:
            return None
        return min(self.time_limit / self.n_growths, _LONGEST_TIME)

    def _report(self, done: float) -> None:
        """Tell the progress of one growth as that of all; it never goes back."""
        check_interrupt()
        if self.progress is None:
            return
        self._told = max(self._told, (self._n_grown + done) / self.n_growths)
        self.progress(min(self._told, 1.0))

    def _hold_out(self, rows: RowsOrAll) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        assert self.validation_fraction is not None
        rows = np.arange(len(self.values)) if rows is None else rows
        try:
            kept, held_out = train_test_split(
                rows,
                test_size=self.validation_fraction,
                random_state=self.options.seed % 2**32,
                stratify=None if self.strata is None else self.strata[rows],
            )
        except ValueError as error:
            raise DataError(
                f"A validation part of {self.validation_fraction:g} cannot be taken from the data: "
                f"{error}"
            ) from None
        return np.sort(kept), np.sort(held_out)
