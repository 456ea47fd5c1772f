"""Whole numbers for the search, and back.

The search counts in whole numbers, so that its result is the same on every machine. Weights are
multiplied by one scale, costs and penalties by another, numbers to predict by a third, and rounded:

    classes   cost in units = sum of w * scale_w * C * scale_c      1 unit = 1 / (scale_w scale_c)
    numbers   cost in units = sum of w * scale_w * (y * scale_y)^2  1 unit = 1 / (scale_w scale_y^2)

Where a scale makes everything whole (counts, halves, decimals) nothing is lost. Otherwise scales
are as large as the sums allow, and the bound that comes back is lowered by the most that rounding
can have changed, which `Units.slack` says.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Units", "class_units", "number_units"]

_LARGEST_SUM = 2.0**52  # of all costs, in units
_LARGEST_SQUARES = 2.0**47  # of all numbers, in units
_LARGEST_WEIGHT = 2.0**40  # of all rows, in units
_LARGEST_NUMBER = 2.0**20  # of what is predicted, in units
_LARGEST_SCALE = 2.0**400  # its square is a double, too
_TESTS = 1024  # that a tree may have for its prices to stay within the largest sum
_FINEST = 2.0**20  # units that the smallest weight has, where there is room
_ROUNDING = 1e-12  # relative, of products of doubles
_SCALES = (1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6, *(2.0**power for power in range(1, 21)))

Numbers = NDArray[np.float64]
Wholes = NDArray[np.int64]


@dataclass(frozen=True)
class Units:
    """A problem in whole numbers.

    Parameters
    ----------
    targets : ndarray of int64
        Class codes, or numbers.
    weights : ndarray of int64
        Weights of the rows, all above 0.
    costs : ndarray of int64
        Cost of answering the column's class where the row's is true; empty for numbers.
    unit : float
        What a whole number of cost is worth.
    slack : callable
        ``slack(objective, n_tests)``: the most by which rounding can have made a tree with so many
        tests look dearer than it is, where the best known one costs `objective`.
    """

    targets: Wholes
    weights: Wholes
    costs: Wholes
    unit: float
    slack: Callable[[float, int], float]

    def whole(self, cost: float) -> int:
        """Return a penalty in units."""
        return round(cost / self.unit)

    def limit(self, objective: float, n_tests: int) -> int:
        """Return units that trees better than one of this objective stay below."""
        slack = self.slack(objective, n_tests)
        return round(objective / self.unit) + math.ceil(slack / self.unit)

    def wholes(self, costs: Numbers) -> Wholes:
        """Return prices in units."""
        return np.rint(costs / self.unit).astype(np.int64)


def class_units(
    codes: NDArray[np.int32], weights: Numbers, costs: Numbers, prices: Sequence[float]
) -> Units:
    """Turn classes, weights and costs into whole numbers.

    Parameters
    ----------
    codes : ndarray of int32
        Class of each row.
    weights : ndarray of float64
        Weight of each row, above 0.
    costs : ndarray of float64
        Cost matrix, row the true class.
    prices : sequence of float
        Penalties and prices that will be asked for in units.

    Returns
    -------
    Units
        The problem in whole numbers.
    """
    if (
        not any(prices)
        and (weights == 1.0).all()
        and np.array_equal(costs, 1.0 - np.eye(len(costs)))
    ):  # errors are counted, and nothing is lost
        targets, errors = codes.astype(np.int64), costs.astype(np.int64)
        return Units(targets, weights.astype(np.int64), errors, 1.0, lambda objective, n_tests: 0.0)
    weight_scale = _weight_scale(weights)
    whole_weights = _whole_weights(weights, weight_scale)
    whole_prices = np.array(prices) * weight_scale
    largest_sum = float(whole_weights.sum()) * float(costs.max()) + _TESTS * whole_prices.max()
    room = _LARGEST_SUM / largest_sum if largest_sum > 0.0 else _LARGEST_SUM
    cost_scale = _whole_scale([costs, whole_prices], room)
    if cost_scale is None:
        cost_scale = _power_of_two(min(room, _LARGEST_NUMBER / float(costs.max())))
    whole_costs = np.rint(costs * cost_scale)
    unit = 1.0 / (weight_scale * cost_scale)
    by_class = np.bincount(codes, whole_weights, minlength=len(costs)) / weight_scale
    lost_weight = float(np.abs(weights - whole_weights / weight_scale).sum() * costs.max())
    lost_cost = float((by_class * np.abs(costs - whole_costs / cost_scale).max(axis=1)).sum())
    lost_price = _rounding(prices, unit)

    def slack(objective: float, n_tests: int) -> float:
        return lost_weight + lost_cost + n_tests * lost_price

    wrong = whole_costs[~np.eye(len(costs), dtype=np.bool_)]
    if len(wrong) and (wrong == wrong[0]).all():
        # Where all mistakes cost the same that goes into the weights, so that costs are 0 and 1.
        whole_weights, whole_costs = whole_weights * wrong[0], np.sign(whole_costs)
    return Units(
        codes.astype(np.int64),
        whole_weights.astype(np.int64),
        whole_costs.astype(np.int64),
        unit,
        slack,
    )


def number_units(numbers: Numbers, weights: Numbers, prices: Sequence[float]) -> Units:
    """Turn numbers to predict and weights into whole numbers.

    Parameters
    ----------
    numbers : ndarray of float64
        The number of each row.
    weights : ndarray of float64
        Weight of each row, above 0.
    prices : sequence of float
        Penalties and prices that will be asked for in units.

    Returns
    -------
    Units
        The problem in whole numbers; the smallest of the numbers becomes 0.
    """
    weight_scale = _weight_scale(weights)
    whole_weights = _whole_weights(weights, weight_scale)
    smallest = float(numbers.min())
    spread = numbers - smallest
    largest = float(spread.max())
    room = _LARGEST_SCALE
    if largest > 0.0:
        squares = float((whole_weights * (spread / largest) ** 2).sum())
        most = min(_LARGEST_NUMBER, math.sqrt(_LARGEST_SQUARES / squares))
        room = min(most / largest, _LARGEST_SCALE) if largest > 1e-300 else _LARGEST_SCALE
    scale = _whole_scale([numbers], room)
    if scale is None:
        scale = _power_of_two(room)
        whole_numbers = np.rint(spread * scale)
        lost = spread - whole_numbers / scale
    else:
        # Twice as fine is whole, too, and loses less by the rounding of costs in the core.
        finer = _power_of_two(min(room / scale, _LARGEST_NUMBER))
        whole_numbers = (np.rint(numbers * scale) - np.rint(smallest * scale)) * finer
        lost, scale = np.zeros_like(spread), scale * finer
    unit = 1.0 / (weight_scale * scale**2)
    lost_distance = math.sqrt(float((weights * lost**2).sum()))
    lost_share = float(np.abs(whole_weights / (weights * weight_scale) - 1.0).max())
    lost_price = _rounding(prices, unit)

    def slack(objective: float, n_tests: int) -> float:
        # Residuals of y and of its rounding error add up, so the roots of the two sums of squares
        # differ by lost_distance at most; the core cuts off less than a unit a leaf.
        by_numbers = 2.0 * lost_distance * (math.sqrt(objective) + lost_distance)
        return lost_share * objective + by_numbers + n_tests * lost_price + (n_tests + 1) * unit

    return Units(
        whole_numbers.astype(np.int64),
        whole_weights.astype(np.int64),
        np.empty((0, 0), dtype=np.int64),
        unit,
        slack,
    )


def _weight_scale(weights: Numbers) -> float:
    """Return what makes weights whole, or nearly so."""
    if (weights == 1.0).all():
        return 1.0
    total, smallest = float(weights.sum()), float(weights.min())
    room = _LARGEST_WEIGHT / total
    if (weights == smallest).all():
        return 1.0 / smallest
    exact = _whole_scale([weights], room)
    if exact is not None:
        return exact
    return _power_of_two(min(_FINEST / smallest, room))


def _whole_weights(weights: Numbers, scale: float) -> Numbers:
    """Return weights in units, none of them 0."""
    return np.maximum(np.rint(weights * scale), 1.0)


def _whole_scale(parts: Sequence[Numbers], room: float) -> float | None:
    """Return the first scale that makes all numbers whole, or None."""
    for scale in _SCALES:
        if scale <= room and all(_are_whole(part * scale) for part in parts):
            return scale
    return None


def _are_whole(numbers: Numbers) -> bool:
    """Tell whether numbers are whole but for the rounding of doubles."""
    distances = np.abs(numbers - np.rint(numbers))
    return bool((distances <= _ROUNDING * np.abs(numbers)).all())


def _power_of_two(most: float) -> float:
    """Return the largest power of two that is at most so much."""
    return 2.0 ** math.floor(math.log2(most))


def _rounding(prices: Sequence[float], unit: float) -> float:
    """Return the most that one of the prices changes by rounding."""
    return max((abs(price - round(price / unit) * unit) for price in prices), default=0.0)
