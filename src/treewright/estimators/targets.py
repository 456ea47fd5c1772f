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

_SMALLEST_SPREAD = 1e-280  # fourth powers of differences a thousandth as large keep their digits


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
    proportions : ndarray of shape (n_rows, n_classes) or None
        Where a row is some of several classes, how much of each.
    """

    codes: NDArray[np.int32]
    n_classes: int
    weights: NDArray[np.float64]
    case_weights: NDArray[np.float64]
    altered: NDArray[np.float64] | None = None
    proportions: NDArray[np.float64] | None = None

    def core(self, rows: RowsOrAll = None) -> _core.Target:
        """Return the target of some rows, of all if None, as the core reads it."""
        if rows is not None:
            return self.part(rows).core()
        judged = None if self.altered is None else self.weights * self.altered[self.codes]
        return _core.Target.classes(
            self.codes, self.n_classes, self.weights, judged, self.case_weights, self.proportions
        )

    def part(self, rows: NDArray[np.intp]) -> Self:
        """Return the target of some rows."""
        return replace(
            self,
            codes=self.codes[rows],
            weights=self.weights[rows],
            case_weights=self.case_weights[rows],
            proportions=None if self.proportions is None else self.proportions[rows],
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
        """Refuse numbers whose spread is beyond doubles, or below them.

        Every node holds squared deviations, and what is held out is judged by the variance of
        squared errors: fourth powers of differences must be doubles with all their digits.

        Raises
        ------
        DataError
            With the largest number, or the largest difference.
        """
        smallest, largest = float(self.numbers.min()), float(self.numbers.max())
        size = max(abs(smallest), abs(largest))
        weight = float(self.weights.sum())  # only what makes large powers larger, or small smaller
        with np.errstate(over="ignore"):
            spread = np.square(np.square(2.0 * size)) * max(weight, 1.0)
        if not np.isfinite(spread):
            raise DataError(
                f"The target holds numbers as large as {size:g}; a double cannot hold the variance "
                "of their squared errors. Divide the target by a constant."
            )
        apart = largest - smallest
        if apart > 0.0 and np.square(np.square(apart)) * min(weight, 1.0) < _SMALLEST_SPREAD:
            raise DataError(
                f"The numbers of the target differ by {apart:g} at most; a double cannot hold the "
                "variance of their squared errors. Multiply the target by a constant."
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
