"""Whole numbers for the search, and back.

The search counts in whole numbers, so that its result is the same on every machine. Weights are
multiplied by one scale, costs and penalties by another, numbers to predict by a third, and rounded:

    classes   cost in units = sum of w * scale_w * C * scale_c      1 unit = 1 / (scale_w scale_c)
    numbers   cost in units = sum of w * scale_w * (y * scale_y)^2  1 unit = 1 / (scale_w scale_y^2)

Where a scale makes everything whole (counts, halves, decimals) nothing is lost. Otherwise scales
are as large as the sums and the time of the search allow, and the bound that comes back is lowered
by the most that rounding can have made a tree look dearer, which `Units.slack` says.
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
_LARGEST_WEIGHTS = 2.0**40  # of all rows, in units
_LARGEST_NUMBER = 2.0**20  # of what is predicted, in units
_LARGEST_SCALE = 2.0**400  # its square is a double, too
_MOST_DIGITS = 64  # of the largest weight and the largest product of weight and number together
_LARGEST_WEIGHT = 2.0**24  # of one row, in units, where weights are rounded; the search takes time
_MEAN_WEIGHT = 2.0**20  # for every binary digit
_TESTS = 1024  # that a tree may have for its prices to stay within the largest sum
_PRICES_OF_TEST = 4  # the penalty, the price of either test of a pair, and that of joining them
_ROUNDING = 1e-12  # relative, of products of doubles
_NOISE = 2.0**-50  # relative, of differences of doubles
_MOST_NOISE = 1e-4  # of a unit
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
    codes: NDArray[np.int32],
    weights: Numbers,
    costs: Numbers,
    prices: Sequence[float],
    are_errors: bool = False,
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
    are_errors : bool, default False
        Whether every mistake is known to cost 1.

    Returns
    -------
    Units
        The problem in whole numbers.
    """
    if are_errors and not any(prices) and (weights == 1.0).all():  # nothing is lost
        targets, errors = codes.astype(np.int64), costs.astype(np.int64)
        return Units(targets, weights.astype(np.int64), errors, 1.0, lambda objective, n_tests: 0.0)
    room = _LARGEST_WEIGHTS / float(weights.sum())
    weight_scale = _exact_weight_scale(weights, room)
    if weight_scale is None:
        finest = min(_MEAN_WEIGHT / float(weights.mean()), room)
        weight_scale = _power_of_two(min(finest, _LARGEST_WEIGHT / float(weights.max())))
    whole_weights = _whole_weights(weights, weight_scale)
    whole_prices = np.array(prices) * weight_scale
    largest_sum = float(whole_weights.sum()) * float(costs.max()) + _TESTS * whole_prices.max()
    room = _LARGEST_SUM / largest_sum if largest_sum > 0.0 else _LARGEST_SUM
    cost_scale = _whole_scale([costs, whole_prices], room)
    is_wrong = ~np.eye(len(costs), dtype=np.bool_)
    if cost_scale is None:
        # What every mistake in a class costs becomes part of the weights, and so takes digits.
        by_class = costs[is_wrong].reshape(len(costs), -1)
        is_plain = bool((by_class == by_class[:, :1]).all())
        cost_scale = _power_of_two(
            min(room, _MEAN_WEIGHT / float(costs.max())) if is_plain else room
        )
    whole_costs = np.rint(costs * cost_scale)
    unit = 1.0 / (weight_scale * cost_scale)
    dearer = np.maximum(whole_costs / cost_scale - costs, 0.0).max(axis=1)
    heavier = np.maximum(whole_weights / weight_scale - weights, 0.0)
    lost = float((whole_weights / weight_scale * dearer[codes]).sum())
    lost += float((heavier * costs.max(axis=1)[codes]).sum())
    lost_price = _rounding(prices, unit)

    def slack(objective: float, n_tests: int) -> float:
        return lost + n_tests * lost_price

    wrong = whole_costs[is_wrong]
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
    spread = numbers - float(numbers.min())
    largest = float(spread.max())
    noise = _NOISE * float(np.abs(numbers).max())
    weight_scale, scale = _number_scales(spread, weights, noise)
    whole_weights, whole_numbers = _whole_weights(weights, weight_scale), np.rint(spread * scale)
    unit = 1.0 / (weight_scale * scale**2)
    counted_weights = whole_weights / weight_scale
    lost = spread - whole_numbers / scale
    lost[np.abs(lost) <= noise] = 0.0  # the doubles themselves know no better
    lost_distance = math.sqrt(float((counted_weights * lost**2).sum()))
    heavier = np.maximum(counted_weights - weights, 0.0)
    farthest = np.maximum(spread, largest - spread)
    by_weights = _lost_by_weights(heavier / weights, heavier * farthest**2)
    lost_price = _rounding(prices, unit)

    def slack(objective: float, n_tests: int) -> float:
        # Residuals of y and of its rounding error add up, so the roots of the two sums of squares
        # differ by lost_distance at most; the core cuts off less than a unit a leaf.
        heaviest = objective + by_weights(objective)
        by_numbers = lost_distance * (2.0 * math.sqrt(heaviest) + lost_distance)
        return heaviest - objective + by_numbers + n_tests * lost_price + (n_tests + 1) * unit

    return Units(
        whole_numbers.astype(np.int64),
        whole_weights.astype(np.int64),
        np.empty((0, 0), dtype=np.int64),
        unit,
        slack,
    )


def _number_scales(spread: Numbers, weights: Numbers, noise: float) -> tuple[float, float]:
    """Return what weights and numbers are multiplied by, to be whole or nearly so.

    The sum of w y^2 has room for some 47 binary digits, which weights and numbers share: what is
    exact takes the few it needs, and otherwise both get as many.
    """
    largest, heaviest = float(spread.max()), float(weights.max())
    if largest == 0.0:
        return 1.0 / heaviest, 1.0
    total = float((weights / heaviest).sum())
    balance = (_LARGEST_SQUARES / total) ** (1.0 / 3.0)
    weight_scale = _exact_weight_scale(weights, 16.0 * balance / heaviest)
    number_scale = _whole_scale([spread], min(_LARGEST_NUMBER / largest, _LARGEST_SCALE), noise)
    if weight_scale is None:
        finest = max(balance, 1.0)
        if number_scale is not None:
            squares = float((weights / heaviest * (spread * number_scale) ** 2).sum())
            in_digits = 2.0 ** ((_MOST_DIGITS - 3.0 - math.log2(largest * number_scale)) / 2.0)
            finest = max(finest, min(_LARGEST_SQUARES / max(squares, total), in_digits))
        weight_scale = math.floor(min(finest, _LARGEST_WEIGHT)) / heaviest
    whole_weights = _whole_weights(weights, weight_scale)
    squares = float((whole_weights * (spread / largest) ** 2).sum())
    digits = _MOST_DIGITS - 2.0 * math.log2(float(whole_weights.max()))
    most = min(_LARGEST_NUMBER, math.sqrt(_LARGEST_SQUARES / squares), 2.0 ** (digits - 2.0))
    room = min(most / largest, _LARGEST_SCALE) if largest > 1e-300 else _LARGEST_SCALE
    if number_scale is None or number_scale > room:
        return weight_scale, room
    # Twice as fine is whole, too, and loses less by the rounding of costs in the core.
    return weight_scale, number_scale * _power_of_two(min(room / number_scale, _LARGEST_NUMBER))


def _lost_by_weights(shares: Numbers, squares: Numbers) -> Callable[[float], float]:
    """Return how much dearer a tree of some squared error can look by the rounding of weights.

    A row whose weight grew by the share s adds s times its squared error, and that is at most the
    square of its distance to the farthest number. For the rows of small s the first counts, for all
    others the second, whichever division gives the least.
    """
    if not squares.any():
        return lambda objective: 0.0
    order = np.argsort(shares)
    most_shares = np.concatenate([[0.0], shares[order]])
    rest = np.concatenate([np.cumsum(squares[order][::-1])[::-1], [0.0]])
    return lambda objective: float((most_shares * objective + rest).min())


def _exact_weight_scale(weights: Numbers, room: float) -> float | None:
    """Return what makes weights whole, if it is at most so much, or None."""
    smallest = float(weights.min())
    if (weights == smallest).all():
        return 1.0 / smallest
    return _whole_scale([weights], room)


def _whole_weights(weights: Numbers, scale: float) -> Numbers:
    """Return weights in units, none of them 0."""
    return np.maximum(np.rint(weights * scale), 1.0)


def _whole_scale(parts: Sequence[Numbers], room: float, noise: float = 0.0) -> float | None:
    """Return the first scale that makes all numbers whole, or None."""
    for scale in _SCALES:
        if scale <= room and all(_are_whole(part * scale, noise * scale) for part in parts):
            return scale
    return None


def _are_whole(numbers: Numbers, noise: float) -> bool:
    """Tell whether numbers are whole but for the rounding of doubles, and some noise."""
    distances = np.abs(numbers - np.rint(numbers))
    return bool((distances <= _ROUNDING * np.abs(numbers) + min(noise, _MOST_NOISE)).all())


def _power_of_two(most: float) -> float:
    """Return the largest power of two that is at most so much."""
    return 2.0 ** math.floor(math.log2(most))


def _rounding(prices: Sequence[float], unit: float) -> float:
    """Return the most that the prices of a test grow by rounding."""
    growth = (round(price / unit) * unit - price for price in prices)
    return _PRICES_OF_TEST * max(0.0, *growth)
