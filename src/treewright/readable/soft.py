"""Soft targets: what labels and a teacher say together about every row.

A row has a proportion of each class instead of one class, or a number between its own and that of
the teacher. The search counts in whole numbers, so that its sums are exact: what is learned are
proportions in units of 1/128; numbers are rounded for it to 1/1023 of their range, and weights that
are not whole to 1/16 of their mean.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

__all__ = ["GINI", "SoftClasses", "SoftNumbers", "SoftTarget", "are_whole", "unit_weights"]

Numbers = NDArray[np.float64]

GINI = 0.5  # what the Gini index counts beside the cost of wrong predictions

_UNITS = 128  # of the proportions of a row: one binary digit where it weighs 1
_STEPS = 1023  # of the range of numbers
_SMALLEST = 0.02  # proportion that counts
_FINENESS = 16  # of weights that are not whole: so many units are their mean
_MOST_UNITS = 1 << 16  # of the weight of a row
_ROUNDING = 1e-12  # relative, of sums of doubles


class WholeAmounts(NamedTuple):
    """Amounts in whole numbers, and what costs counted in them are.

    Parameters
    ----------
    amounts : ndarray of uint32
        As the search counts them.
    unit : float
        How many are a weight of 1.
    scale, offset : float
        A cost of the search is ``scale * (cost + offset)``.
    """

    amounts: NDArray[np.uint32]
    unit: float
    scale: float
    offset: float


class SoftTarget(Protocol):
    """What conditions are proposed and trees are searched for."""

    @property
    def is_classification(self) -> bool:
        """Whether classes are predicted."""

    @property
    def weights(self) -> Numbers:
        """Weight of each row."""

    def part(self, rows: NDArray[np.intp]) -> Self:
        """Give the target of some rows."""

    def amounts(self) -> Numbers:
        """Give the weight of each class in each row, or the weight and weighted number."""

    def whole_amounts(self) -> WholeAmounts:
        """Give the amounts as whole numbers."""

    def costs(self) -> Numbers:
        """Give the costs of predicting each class; without columns in regression."""

    @property
    def price_unit(self) -> float:
        """What a price of 1 is: all weight, or the squared error of one prediction."""


@dataclass(frozen=True)
class SoftClasses:
    """Proportions of classes.

    Parameters
    ----------
    proportions : ndarray of shape (n_rows, n_classes)
        Of each class in each row; they add up to 1.
    weights : ndarray of float64
        Weight of each row.
    cost : ndarray of shape (n_classes, n_labels)
        Row the true class, column the predicted one; a last column is what referral costs.
    """

    proportions: Numbers
    weights: Numbers
    cost: Numbers

    @property
    def is_classification(self) -> bool:
        """True."""
        return True

    @classmethod
    def mixed(
        cls,
        codes: NDArray[np.int32],
        taught: Numbers | None,
        label_share: float,
        weights: Numbers,
        cost: Numbers,
    ) -> Self:
        """Mix labels with the probabilities of a teacher, if there is one."""
        own = np.eye(len(cost))[codes]
        if taught is None:
            return cls(own, weights, cost)
        mixed = label_share * own + (1.0 - label_share) * taught
        mixed[mixed <= _SMALLEST] = 0.0
        mixed /= mixed.sum(axis=1, keepdims=True)
        return cls(_in_units(mixed) / _UNITS, weights, cost)

    def part(self, rows: NDArray[np.intp]) -> SoftClasses:
        """Give the target of some rows."""
        return replace(self, proportions=self.proportions[rows], weights=self.weights[rows])

    def amounts(self) -> Numbers:
        """Give the weight of each class in each row."""
        return self.proportions * self.weights[:, None]

    def whole_amounts(self) -> WholeAmounts:
        """Give the amounts as whole numbers."""
        units = np.round(self.proportions * _UNITS)
        whole, unit = _whole_weights(self.weights)
        amounts = (units * whole[:, None]).astype(np.uint32)
        return WholeAmounts(amounts, unit * _UNITS, 1.0 / (unit * _UNITS), 0.0)

    def costs(self) -> Numbers:
        """Give the costs of each label as the search counts them.

        That of referral has in it how mixed a leaf is where a class is expected to cost as much:
        what a leaf is counted for is then the same on either side of that.
        """
        if not self.may_refer:
            return self.cost
        counted = self.cost.copy()
        counted[:, -1] += GINI * self.referred_impurity
        return counted

    @property
    def may_refer(self) -> bool:
        """Whether there is a label of referral."""
        return bool(self.cost.shape[1] > len(self.cost))

    @property
    def referred_impurity(self) -> float:
        """The Gini index of a leaf of two classes whose rarer one weighs what referral costs."""
        rarer = min(float(self.cost[0, -1]), 0.5)
        return 2.0 * rarer * (1.0 - rarer)

    def labels(self, probabilities: Numbers) -> NDArray[np.intp]:
        """Give the cheapest label of leaves; they are referred where every class costs more."""
        n_classes = len(self.cost)
        expected = probabilities @ self.cost
        said: NDArray[np.intp] = expected[:, :n_classes].argmin(axis=1)
        if self.may_refer:
            least = np.take_along_axis(expected, said[:, None], axis=1)[:, 0]
            said = np.where(least > expected[:, -1] * (1.0 + _ROUNDING), n_classes, said)
        return said

    @cached_property
    def price_unit(self) -> float:
        """The weight of all rows."""
        return float(self.weights.sum())


@dataclass(frozen=True)
class SoftNumbers:
    """Numbers.

    Parameters
    ----------
    numbers : ndarray of float64
        The number of each row.
    weights : ndarray of float64
        Weight of each row.
    """

    numbers: Numbers
    weights: Numbers

    @property
    def is_classification(self) -> bool:
        """False."""
        return False

    @classmethod
    def mixed(
        cls, numbers: Numbers, taught: Numbers | None, label_share: float, weights: Numbers
    ) -> Self:
        """Mix numbers with those of a teacher, if there is one."""
        if taught is None:
            return cls(numbers, weights)
        return cls(label_share * numbers + (1.0 - label_share) * taught, weights)

    def part(self, rows: NDArray[np.intp]) -> SoftNumbers:
        """Give the target of some rows."""
        return replace(self, numbers=self.numbers[rows], weights=self.weights[rows])

    def amounts(self) -> Numbers:
        """Give the weight of each row and its product with the number, which is centred."""
        centred = self.numbers - np.average(self.numbers, weights=self.weights)
        spread = float(np.abs(centred).max()) or 1.0
        return np.column_stack([self.weights, self.weights * (centred / spread)])

    def whole_amounts(self) -> WholeAmounts:
        """Give the amounts as whole numbers; with the offset, costs are squared errors."""
        low, high = float(self.numbers.min()), float(self.numbers.max())
        step = ((high - low) or 1.0) / _STEPS
        steps = np.round((self.numbers - low) / step)
        whole, unit = _whole_weights(self.weights)
        amounts = np.column_stack([whole, whole * steps]).astype(np.uint32)
        return WholeAmounts(amounts, unit, step**2 / unit, float(whole @ steps**2))

    def costs(self) -> Numbers:
        """Give no costs."""
        return np.empty((0, 0))

    @cached_property
    def price_unit(self) -> float:
        """The squared error of one prediction for all rows."""
        mean = np.average(self.numbers, weights=self.weights)
        return float(self.weights @ (self.numbers - mean) ** 2)


def _in_units(proportions: Numbers) -> Numbers:
    """Give proportions in whole units, which add up; the largest takes what is left."""
    units = np.floor(proportions * _UNITS)
    rest = _UNITS - units.sum(axis=1)
    units[np.arange(len(units)), proportions.argmax(axis=1)] += rest
    return units


def unit_weights(weights: Numbers) -> Numbers:
    """Give weights as numbers of rows.

    Where all are multiples of the lightest, that is one row, and a row of weight 2 is two rows;
    otherwise rows weigh 1 in the mean.
    """
    multiples = weights / weights.min()
    return np.asarray(multiples if are_whole(multiples) else weights / weights.mean())


def are_whole(multiples: Numbers) -> bool:
    """Tell whether weights are whole numbers that the search can count with."""
    return bool(np.array_equal(np.round(multiples), multiples) and multiples.max() <= _MOST_UNITS)


def _whole_weights(weights: Numbers) -> tuple[Numbers, float]:
    """Give weights as whole numbers, and how many are a weight of 1."""
    if are_whole(weights):
        return weights, 1.0
    return np.clip(np.round(weights * _FINENESS), 1.0, _MOST_UNITS), float(_FINENESS)
