"""The smallest change of some columns into a region bounded by linear inequalities.

With x0 the row, d the change and s the sizes of the columns, a linear program:

    minimise   sum over j of |dj| / sj
    such that  low < x0 + d <= high  and  a (x0 + d) <= b  for every half-space

Columns of whole numbers make it a mixed integer one. The solution lies on the border, where the
last digit decides; it is then rounded away from the row, with as few digits as give another
prediction.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import partial

import numpy as np
from numpy.typing import NDArray

from treewright.base.workers import run_in_thread
from treewright.explain.answers import Question
from treewright.explain.regions import Region

__all__ = ["is_reachable", "smallest_move"]

_TIGHTER = 1e-6  # how far inside of a border to stay, relatively: more than the solver is off
_MOST_DIGITS = 15


def smallest_move(
    question: Question, region: Region, columns: Sequence[int], forced: dict[int, float]
) -> dict[int, float] | None:
    """Find the smallest change of some columns that leads into a region.

    Parameters
    ----------
    question : Question
        Tree, row and scales.
    region : Region
        Where to go.
    columns : sequence of int
        Columns of numbers that may change.
    forced : dict of int to float
        Levels that must change, with their new codes.

    Returns
    -------
    dict of int to float or None
        New values that give another prediction; None if there is no such change.
    """
    start = question.changed(forced)
    whole = [_is_whole(question, column) for column in columns]
    found = _solve(question, region, columns, start, whole)
    if found is None:
        return None
    found = {column: value for column, value in found.items() if value != start[column]}
    for digits in range(_MOST_DIGITS + 1):
        rounded = {
            column: _away(value, float(start[column]), _decimals(question, column, digits))
            for column, value in found.items()
        }
        if all(_is_close(rounded[c], found[c], float(start[c])) for c in _free(question, found)):
            changes = {**forced, **rounded}
            if question.flips(changes):
                return changes
    return None


def is_reachable(question: Question, region: Region, columns: Sequence[int]) -> bool:
    """Tell whether some values of some columns lie in a region; the others stay."""
    start = question.values.copy()
    start[list(columns)] = 0.0
    for column, codes in region.levels.items():
        if math.isnan(start[column]):
            start[column] = min(codes)
    whole = [question.tree.schema.columns[column].kind == "ordinal" for column in columns]
    return _solve(question, region, columns, start, whole) is not None


def _solve(
    question: Question,
    region: Region,
    columns: Sequence[int],
    start: NDArray[np.float64],
    are_whole: Sequence[bool],
) -> dict[int, float] | None:
    """Find the point of a region nearest to the start by moving some columns."""
    sizes = np.array([question.scales.sizes[column] for column in columns])
    whole = np.array(are_whole, dtype=bool)
    units = np.where(whole, 1.0, sizes)  # a whole number must be counted in ones
    with np.errstate(over="ignore", invalid="ignore"):
        matrix, limits = _half_spaces(region, columns, start, units)
        low, high = _box(question, region, columns, start)
        low, high = low / units, high / units
    if not np.all(np.isfinite(matrix)) or np.any(np.isnan(limits)) or np.any(low > high):
        return None
    is_empty = ~matrix.any(axis=1)
    if np.any(limits[is_empty] < 0.0):
        return None
    if len(columns) == 0:
        return {}
    from scipy.optimize import Bounds, LinearConstraint, milp

    # The change is up - down, both 0 or more; only their sum is paid for.
    identity = np.eye(len(columns))
    sums = np.hstack([matrix, -matrix])[~is_empty]
    program = partial(
        milp,
        np.tile(units / sizes, 2),
        integrality=np.tile(whole.astype(int), 2),
        bounds=Bounds(0.0, np.inf),
        constraints=[
            LinearConstraint(np.hstack([identity, -identity]), low, high),
            LinearConstraint(sums, -np.inf, limits[~is_empty]),
        ],
    )
    result = run_in_thread(program)
    if not result.success:
        return None
    moves = (result.x[: len(columns)] - result.x[len(columns) :]) * units
    return {column: float(start[column] + moves[index]) for index, column in enumerate(columns)}


def _half_spaces(
    region: Region, columns: Sequence[int], start: NDArray[np.float64], units: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Write the half-spaces of a region as ``matrix @ change <= limits``, one per row."""
    place = {column: index for index, column in enumerate(columns)}
    matrix = np.zeros((len(region.half_spaces), len(columns)))
    limits = np.zeros(len(region.half_spaces))
    for row, space in enumerate(region.half_spaces):
        products = np.array(space.products(start))
        if not any(column in place for column in space.moving):
            limits[row] = 1.0 if space.holds(start) else -1.0
            continue
        magnitude = abs(space.bound) + np.abs(products).sum()
        limits[row] = space.bound - products.sum() - _TIGHTER * magnitude
        for column, coefficient in zip(space.columns, space.coefficients, strict=True):
            if column in place:
                matrix[row, place[column]] = coefficient * units[place[column]]
        largest = np.abs(matrix[row]).max(initial=0.0)
        if largest > 0.0:
            matrix[row], limits[row] = matrix[row] / largest, limits[row] / largest
    return matrix, limits


def _box(
    question: Question, region: Region, columns: Sequence[int], start: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Write the bounds of a region on some columns as the least and the largest change."""
    low, high = np.full(len(columns), -np.inf), np.full(len(columns), np.inf)
    for place, column in enumerate(columns):
        least, most = region.bounds.get(column, (-math.inf, math.inf))
        inside = least + _TIGHTER * max(1.0, abs(least)) if math.isfinite(least) else least
        lowest, highest = question.scales.ranges[column]
        if question.n_levels(column):  # an ordinal one
            lowest, highest = 0.0, question.n_levels(column) - 1.0
        low[place] = max(inside, min(lowest, start[column])) - start[column]
        high[place] = min(most, max(highest, start[column])) - start[column]
    return low, high


def _is_whole(question: Question, column: int) -> bool:
    is_ordinal = question.tree.schema.columns[column].kind == "ordinal"
    return is_ordinal or question.scales.decimals[column] == 0


def _free(question: Question, columns: Iterable[int]) -> list[int]:
    """Give the columns whose numbers may have any digits."""
    is_known = [_is_whole(question, c) or question.scales.decimals[c] is not None for c in columns]
    return [column for column, known in zip(columns, is_known, strict=True) if not known]


def _decimals(question: Question, column: int, digits: int) -> int:
    """Choose the digits behind the point: those of the column, or so many that count."""
    if _is_whole(question, column):
        return 0
    known = question.scales.decimals[column]
    if known is not None:
        return known
    return digits - math.floor(math.log10(question.scales.sizes[column]))


def _away(value: float, start: float, decimals: int) -> float:
    """Round a number away from where it started; whole ones to the next, for the solver's sake."""
    exact = Decimal(repr(value))
    if exact.is_zero() or exact.adjusted() + decimals > _MOST_DIGITS:
        return value  # there are no digits left to drop
    rounding = ROUND_CEILING if value > start else ROUND_FLOOR
    return float(exact.quantize(Decimal(1).scaleb(-decimals), rounding=rounding))


def _is_close(rounded: float, found: float, start: float) -> bool:
    """Tell whether rounding made a change larger by a twentieth at most."""
    return abs(rounded - start) <= 1.05 * abs(found - start)
