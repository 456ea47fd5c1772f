"""Whole numbers for the search, and back.

The search counts in whole numbers, so that its result is the same on every machine. Weights are
multiplied by one scale, costs and penalties by another, numbers to predict by a third:

    classes   cost in units = sum of w * scale_w * C * scale_c      1 unit = 1 / (scale_w scale_c)
    numbers   cost in units = sum of w * scale_w * (y * scale_y)^2  1 unit = 1 / (scale_w scale_y^2)
    losses    cost in units = sum of w * loss * scale                1 unit = 1 / scale

Where a scale makes everything whole (counts, halves, decimals, weights whose ratios are fractions,
as class weights and priors give) nothing is lost. Otherwise scales are as large as the sums of the
search allow. Weights and costs of classes are then rounded down, so that no tree looks dearer than
it is: what is lost is seen when the tree that comes back is counted with the true ones. Numbers are
rounded to the nearest, weights too small for the scale up to a unit; the bound that comes back is
lowered by the most that this can have made a tree look dearer, which `Units.slack` says.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

__all__ = ["Units", "class_units", "exact_weight_scale", "loss_units", "number_units"]

_LARGEST_SUM = 2.0**51  # of all costs, in units; doubles hold every whole number up to the 4-fold
_LARGEST_SQUARES = 2.0**47  # of all numbers, in units
_LARGEST_WEIGHTS = 2.0**40  # of all rows, in units, where nothing is rounded
_LARGEST_NUMBER = 2.0**20  # of what is predicted, in units
_LARGEST_SCALE = 2.0**400  # its square is a double, too
_MOST_DIGITS = 64  # of the largest weight and the largest product of weight and number together
_LARGEST_WEIGHT = 2.0**24  # of one row beside numbers, in units, where weights are rounded
_LEAST_WEIGHT = 2.0**31  # of one row beside classes, in units, where there is room for it
_FINEST_LOSS = 2.0**38  # of one row on average, in units, where losses are rounded
_PRICES = 16  # of tests, beside the costs of all rows in the largest sum
_ROUNDING = 1e-12  # relative, of products of doubles
_NOISE = 2.0**-50  # relative, of differences of doubles
_MOST_NOISE = 1e-4  # of a unit
_SCALES = (1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6, *(2.0**power for power in range(1, 21)))
_MOST_VALUES = 64  # different ones whose ratios are looked at
_LARGEST_DENOMINATOR = 10**6
_ERRORS = 1.0 - np.eye(2)  # every mistake costs 1: among two classes as among many

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
        Cost of predicting the column's class where the row's is true; no columns where every
        mistake costs 1, no rows for regression.
    unit : float
        What a whole number of cost is worth.
    total_weight : float
        The weight of all rows in units, before it was rounded.
    has_whole_weights : bool
        Whether the weights were whole before.
    slack : callable
        ``slack(objective, n_tests)``: the most by which rounding can have made a tree with so many
        conditions look dearer than it is, where the best known one costs `objective`.
    noise : float, default 0.0
        An objective as small as this is nothing but the rounding of doubles.
    grain : int, default 1
        The most by which rounding can have changed one of the weights.
    losses : ndarray of int64 or None, default None
        What each action costs each row, in place of classes, weights and costs.
    """

    targets: Wholes
    weights: Wholes
    costs: Wholes
    unit: float
    total_weight: float
    has_whole_weights: bool
    slack: Callable[[float, int], float]
    noise: float = 0.0
    grain: int = 1
    losses: Wholes | None = None

    def whole(self, cost: float) -> int:
        """Return a price in units, rounded down."""
        return math.floor(_snapped(cost / self.unit))

    def wholes(self, costs: Numbers) -> Wholes:
        """Return prices in units, rounded down."""
        return np.floor(_all_snapped(costs / self.unit)).astype(np.int64)

    def limit(self, objective: float, n_tests: int) -> int:
        """Return units that trees better than one of this objective stay below."""
        return math.ceil(_snapped((objective + self.slack(objective, n_tests)) / self.unit))

    def least_weight(self, share: float, *, is_strict: bool = False) -> int:
        """Return units that every leaf of so much of all weight has, or only such leaves."""
        asked = _snapped(share * (1.0 - _ROUNDING) * self.total_weight)
        if self.has_whole_weights:
            return math.ceil(asked)
        most_off = len(self.weights) * self.grain
        return math.ceil(asked) + most_off if is_strict else max(math.floor(asked) - most_off, 0)


def class_units(
    codes: NDArray[np.int32],
    weights: Numbers,
    costs: Numbers,
    prices: Sequence[float],
    *,
    with_least_weight: bool = False,
) -> Units:
    """Turn classes, weights and costs into whole numbers.

    Parameters
    ----------
    codes : ndarray of int32
        Class of each row.
    weights : ndarray of float64
        Weight of each row, above 0.
    costs : ndarray of float64
        Cost of each action, the columns, where the row's class is true; without columns where the
        actions are the classes and every mistake costs 1.
    prices : sequence of float
        Penalties and prices that will be asked for in units.
    with_least_weight : bool, default False
        Whether leaves need a least weight, which is one without costs.

    Returns
    -------
    Units
        The problem in whole numbers.
    """
    are_errors, no_costs = costs.shape[1] == 0, np.empty((len(costs), 0), dtype=np.int64)
    if are_errors and not any(prices) and (weights == 1.0).all():  # nothing is lost
        targets, ones = codes.astype(np.int64), len(weights)
        return Units(targets, weights.astype(np.int64), no_costs, 1.0, ones, True, lambda *_: 0.0)
    if are_errors:
        costs = _ERRORS
    wrong = None if are_errors else _costs_of_mistakes(costs)
    if wrong is not None and (not with_least_weight or (wrong == wrong[0]).all()):
        # What every mistake in a class costs becomes part of the weights.
        weights, costs = weights * wrong[codes], 1.0 - np.eye(len(costs))
    total = float(weights.sum())
    dearest = total * float(costs.max()) + _PRICES * max(prices)
    exact_costs = _whole_scale([costs], math.inf)
    weight_scale = exact_weight_scale(weights, _LARGEST_WEIGHTS / total)
    has_whole_weights = weight_scale is not None
    if weight_scale is None:
        smallest = min([float(weights.min()), *(price for price in prices if price > 0.0)])
        room = _LARGEST_SUM / (max(dearest, total) * (exact_costs or 1.0))
        if exact_costs is None:  # weights and costs get as many digits
            lightest = float(weights.min())
            span = float(costs.max() / costs[costs > 0.0].min()) * max(dearest, total) / lightest
            room = min(room, math.sqrt(_LARGEST_SUM / span) / lightest)
        weight_scale = _power_of_two(min(_LEAST_WEIGHT / smallest, room))
    whole_weights = _whole_weights(weights, weight_scale)
    room = _LARGEST_SUM / (dearest * weight_scale) if dearest > 0.0 else 1.0
    scaled_prices = np.array(prices) * weight_scale
    cost_scale = _whole_scale([costs, scaled_prices], room)
    if cost_scale is None:
        cost_scale = _power_of_two(room / (exact_costs or 1.0)) * (exact_costs or 1.0)
    whole_costs = np.floor(_all_snapped(costs * cost_scale))
    heavier = whole_weights / weight_scale - weights
    heavier[heavier <= _ROUNDING * weights] = 0.0
    lost = float((heavier * (1.0 if are_errors else costs.max(axis=1)[codes])).sum())
    factor = 1.0
    if whole_costs.shape == (len(costs), len(costs)):
        off_diagonal = whole_costs[~np.eye(len(costs), dtype=np.bool_)]
        if len(off_diagonal) and off_diagonal[0] > 0.0 and (off_diagonal == off_diagonal[0]).all():
            # Costs are 0 and 1.
            factor = float(off_diagonal[0])
            whole_costs = np.sign(whole_costs)
    return Units(
        codes.astype(np.int64),
        (whole_weights * factor).astype(np.int64),
        no_costs if are_errors else whole_costs.astype(np.int64),
        1.0 / (weight_scale * cost_scale),
        total * weight_scale * factor,
        has_whole_weights,
        lambda *_: lost,
        grain=int(factor),
    )


def loss_units(losses: Numbers, prices: Sequence[float]) -> Units:
    """Turn what actions cost the rows into whole numbers.

    Losses that are whole on one of a few grids of decimals or powers of two are counted exactly.
    Others are rounded down to a grid of a power of two so fine that the rounding of all rows
    together is less than 2^-37 of what the dearest actions cost.

    Parameters
    ----------
    losses : ndarray of shape (n_rows, n_actions)
        What each action costs each row, weights included; 0 or more.
    prices : sequence of float
        Penalties and prices that will be asked for in units.

    Returns
    -------
    Units
        The problem in whole numbers.
    """
    n_rows = len(losses)
    dearest = float(losses.max(axis=1).sum()) + _PRICES * max(prices)
    scale = 1.0
    if dearest > 0.0:
        exact = _whole_scale([losses, np.array(prices)], _LARGEST_SUM / dearest)
        rounded = _power_of_two(min(_LARGEST_SUM, n_rows * _FINEST_LOSS) / dearest)
        scale = rounded if exact is None else exact
    ones = np.ones(n_rows, dtype=np.int64)
    return Units(
        np.zeros(n_rows, dtype=np.int64),
        ones,
        np.empty((1, 0), dtype=np.int64),
        1.0 / scale,
        float(n_rows),
        True,
        lambda *_: 0.0,
        losses=np.ascontiguousarray(np.floor(_all_snapped(losses * scale)).astype(np.int64)),
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
    heavier = counted_weights - weights
    heavier[heavier <= _ROUNDING * weights] = 0.0
    farthest = np.maximum(spread, largest - spread)
    by_weights = _lost_by_weights(heavier / weights, heavier * farthest**2)

    def slack(objective: float, n_tests: int) -> float:
        # Residuals of y and of its rounding error add up, so the roots of the two sums of squares
        # differ by lost_distance at most; the core cuts off less than a unit a leaf.
        heaviest = objective + by_weights(objective)
        by_numbers = lost_distance * (2.0 * math.sqrt(heaviest) + lost_distance)
        return heaviest - objective + by_numbers + (n_tests + 1) * unit

    total = float(weights.sum())
    return Units(
        whole_numbers.astype(np.int64),
        whole_weights.astype(np.int64),
        np.empty((0, 0), dtype=np.int64),
        unit,
        total * weight_scale,
        bool(np.abs(counted_weights - weights).max() <= _ROUNDING * weights.min()),
        slack,
        total * noise**2,
    )


def _number_scales(spread: Numbers, weights: Numbers, noise: float) -> tuple[float, float]:
    """Return what weights and numbers are multiplied by, to be whole or nearly so.

    The sum of w y^2 has room for some 47 binary digits, which weights and numbers divide between
    them: what is exact takes the few it needs, and otherwise both get as many.
    """
    largest, heaviest = float(spread.max()), float(weights.max())
    if largest == 0.0:
        return 1.0 / heaviest, 1.0
    total = float((weights / heaviest).sum())
    balance = (_LARGEST_SQUARES / total) ** (1.0 / 3.0)
    weight_scale = exact_weight_scale(weights, 16.0 * balance / heaviest)
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

    A row whose weight grew by the fraction s adds s times its squared error, and that is at most
    the square of its distance to the farthest number. For the rows of small s the first counts, for
    all others the second, whichever division gives the least.
    """
    if not squares.any():
        return lambda objective: 0.0
    order = np.argsort(shares)
    most_shares = np.concatenate([[0.0], shares[order]])
    rest = np.concatenate([np.cumsum(squares[order][::-1])[::-1], [0.0]])
    return lambda objective: float((most_shares * objective + rest).min())


def _costs_of_mistakes(costs: Numbers) -> Numbers | None:
    """Return what a mistake in each class costs; None where that differs or is nothing."""
    if len(costs) < 2 or costs.shape[1] != len(costs):
        return None
    by_class = costs[~np.eye(len(costs), dtype=np.bool_)].reshape(len(costs), -1)
    is_plain = (by_class == by_class[:, :1]).all() and (by_class > 0.0).all()
    return by_class[:, 0] if is_plain and not costs.diagonal().any() else None


def exact_weight_scale(weights: Numbers, room: float) -> float | None:
    """Return what makes weights whole, if it is at most so much, or None.

    Parameters
    ----------
    weights : ndarray of float64
        Numbers above 0.
    room : float
        The largest scale that is of use.

    Returns
    -------
    float or None
        The scale.
    """
    smallest = float(weights.min())
    if (weights == smallest).all():
        return 1.0 / smallest
    return _whole_scale([weights], room) or _scale_by_ratios(weights, room)


def _scale_by_ratios(numbers: Numbers, room: float) -> float | None:
    """Return what makes numbers above 0 whole whose ratios are fractions, or None."""
    if len(numbers) > _MOST_VALUES and len(np.unique(numbers[:_MOST_VALUES])) == _MOST_VALUES:
        return None
    values = np.unique(numbers).tolist()
    common = 1
    for value in values[:_MOST_VALUES]:
        ratio = Fraction(value / values[0]).limit_denominator(_LARGEST_DENOMINATOR)
        common = math.lcm(common, ratio.denominator)
        if common > room * values[0]:
            return None
    scale = common / values[0]
    return scale if _are_whole(np.array(values) * scale, 0.0) else None


def _whole_weights(weights: Numbers, scale: float) -> Numbers:
    """Return weights in units, rounded down but none of them to 0."""
    return np.maximum(np.floor(_all_snapped(weights * scale)), 1.0)


def _whole_scale(parts: Sequence[Numbers], room: float, noise: float = 0.0) -> float | None:
    """Return the first scale that makes all numbers whole, or None."""
    few = [part.ravel()[:_MOST_VALUES] for part in parts]  # enough for most scales to fail
    for scale in _SCALES:
        if scale <= room and all(
            _are_whole(part * scale, noise * scale) for part in (*few, *parts)
        ):
            return scale
    return None


def _are_whole(numbers: Numbers, noise: float) -> bool:
    """Tell whether numbers are whole but for the rounding of doubles, and some noise."""
    distances = np.abs(numbers - np.rint(numbers))
    return bool((distances <= _ROUNDING * np.abs(numbers) + min(noise, _MOST_NOISE)).all())


def _is_near(number: float, other: float) -> bool:
    """Tell whether two numbers are the same but for the rounding of doubles."""
    return abs(number - other) <= _ROUNDING * abs(other)


def _snapped(number: float) -> float:
    """Return the whole number that a number is but for the rounding of doubles, or itself."""
    whole = float(round(number))
    return whole if _is_near(number, whole) else number


def _all_snapped(numbers: Numbers) -> Numbers:
    """Do so for each of some numbers."""
    wholes = np.rint(numbers)
    return np.where(np.abs(numbers - wholes) <= _ROUNDING * wholes, wholes, numbers)


def _power_of_two(most: float) -> float:
    """Return the largest power of two that is at most so much."""
    return 2.0 ** math.floor(math.log2(most))
