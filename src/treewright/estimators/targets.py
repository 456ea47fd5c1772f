"""What trees learn to predict, with the weights of the rows: of all rows, of some, or of a bag."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.estimators.growing import RowsOrAll
from treewright.exceptions import DataError

__all__ = ["ClassTarget", "NumberTarget"]


@dataclass(frozen=True)
class ClassTarget:
    """Classes of rows.

    Parameters
    ----------
    codes : ndarray of int32
        Position of the class of each row.
    n_classes : int
        How many classes there are.
    weights : ndarray of float64
        Weights of the rows, with class weights and priors in them.
    case_weights : ndarray of float64
        Weights of the rows without these.
    altered : ndarray of float64 or None
        What costs multiply the weights of each class by where splits are judged.
    """

    codes: NDArray[np.int32]
    n_classes: int
    weights: NDArray[np.float64]
    case_weights: NDArray[np.float64]
    altered: NDArray[np.float64] | None = None

    def core(self, rows: RowsOrAll = None) -> _core.Target:
        """Return the target of some rows, of all if None, as the core reads it."""
        if rows is not None:
            return self.part(rows).core()
        judged = None if self.altered is None else self.weights * self.altered[self.codes]
        return _core.Target.classes(
            self.codes, self.n_classes, self.weights, judged, self.case_weights
        )

    def part(self, rows: NDArray[np.intp]) -> Self:
        """Return the target of some rows."""
        return replace(
            self,
            codes=self.codes[rows],
            weights=self.weights[rows],
            case_weights=self.case_weights[rows],
        )

    def times(self, counts: NDArray[np.float64]) -> Self:
        """Return the target in which each row stands so many times."""
        return replace(self, weights=self.weights * counts, case_weights=self.case_weights * counts)


@dataclass(frozen=True)
class NumberTarget:
    """Numbers of rows.

    Parameters
    ----------
    numbers : ndarray of float64
        The number of each row.
    weights : ndarray of float64
        Weights of the rows.
    """

    numbers: NDArray[np.float64]
    weights: NDArray[np.float64]

    def check_size(self) -> None:
        """Refuse numbers so large that their spread, which every node holds, is beyond all doubles.

        Raises
        ------
        DataError
            With the largest of them.
        """
        with np.errstate(over="ignore"):
            largest = np.abs(self.numbers).max()
            spread = 4.0 * largest * largest * self.weights.sum()
        if not np.isfinite(spread):
            raise DataError(
                f"The target holds numbers as large as {largest:g}, whose squares a double cannot "
                "hold; divide the target by a constant."
            )

    @property
    def case_weights(self) -> NDArray[np.float64]:
        """The weights of the rows; numbers have no class weights."""
        return self.weights

    def core(self, rows: RowsOrAll = None) -> _core.Target:
        """Return the target of some rows, of all if None, as the core reads it."""
        if rows is not None:
            return self.part(rows).core()
        return _core.Target.numbers(self.numbers, self.weights)

    def part(self, rows: NDArray[np.intp]) -> Self:
        """Return the target of some rows."""
        return replace(self, numbers=self.numbers[rows], weights=self.weights[rows])

    def times(self, counts: NDArray[np.float64]) -> Self:
        """Return the target in which each row stands so many times."""
        return replace(self, weights=self.weights * counts)
