"""How close a row is to the other side of a split."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.explain.cell_words import cell_text, near_text, unit_text
from treewright.explain.cuts import crossings
from treewright.explain.explanation import Crossing
from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Predicate, Subset
from treewright.schema import Column, Schema
from treewright.words import name_text, number_text, plural

__all__ = ["crossings_of", "margin_of", "sum_of"]


def sum_of(predicate: Linear, values: NDArray[np.float64]) -> float:
    """Add up a linear combination for a row in stored order, as the core does."""
    total = 0.0
    factors = predicate.factors(values).tolist()
    for coefficient, factor in zip(predicate.coefficients, factors, strict=True):
        total += coefficient * factor
    return total


def margin_of(
    predicate: Predicate, values: NDArray[np.float64], schema: Schema
) -> tuple[float | None, str]:
    """Measure how far a row is from the cut of a split, and say it.

    Returns
    -------
    margin : float or None
        Distance from the threshold; of competing scores the lead of the largest; None for splits on
        levels, for pairs, and where it cannot be told.
    words : str
        Empty where the margin is None.
    """
    match predicate:
        case Axis():
            return _axis_margin(predicate, float(values[predicate.column]), schema)
        case Linear():
            total = sum_of(predicate, values)
            margin = abs(total - predicate.threshold)
            side = _side(total, predicate.threshold)
            text = f"the sum is {near_text(total, margin)}, {near_text(margin, margin)} {side}"
            return margin, text if margin else "the sum is exactly on the cut"
        case Machine():
            scores = sorted(_scores(predicate, values))
            margin = scores[-1] - scores[-2]
            if math.isnan(margin):  # both are beyond all doubles
                return None, ""
            return margin, f"ahead of the next by {near_text(margin, margin)}"
        case Subset() | Multiway() | Pair():
            return None, ""
        case _:
            assert_never(predicate)


def _axis_margin(predicate: Axis, value: float, schema: Schema) -> tuple[float, str]:
    column = schema.columns[predicate.column]
    if column.kind == "ordinal":
        steps = abs(value - math.floor(predicate.threshold) - (value > predicate.threshold))
        return steps, f"{plural(steps, 'level')} from the cut" if steps else "next to the cut"
    margin = _exact_distance(value, predicate.threshold)
    side = _side(value, predicate.threshold)
    text = f"{number_text(margin)}{unit_text(column)} {side}"
    return margin, text if margin else "exactly on the cut"


def _side(value: float, threshold: float) -> str:
    return "below the cut" if value < threshold else "above the cut"


def _exact_distance(value: float, threshold: float) -> float:
    """Subtract as on paper: 2.5 - 2.45 is 0.05."""
    if not (math.isfinite(value) and math.isfinite(threshold)):
        return abs(value - threshold)
    return float(abs(Decimal(repr(value)) - Decimal(repr(threshold))))


def _scores(machine: Machine, values: NDArray[np.float64]) -> Iterator[float]:
    for row, intercept in zip(machine.coefficients, machine.intercepts, strict=True):
        yield intercept + sum(
            coefficient * float(values[column])
            for column, coefficient in zip(machine.columns, row, strict=True)
        )


def crossings_of(
    predicate: Predicate, values: NDArray[np.float64], schema: Schema
) -> tuple[Crossing, ...]:
    """Find for each column of numbers the change that alone turns a split, smallest first.

    Parameters
    ----------
    predicate : Predicate
        A split whose branch is known for the row.
    values : ndarray of float64
        The row, as the core sees it.
    schema : Schema
        The columns.

    Returns
    -------
    tuple of Crossing
        One per column at most; columns that cannot turn it alone are left out.
    """
    found: dict[int, Crossing] = {}
    cuts = sorted(crossings(predicate, values), key=lambda cut: abs(cut[1] - float(values[cut[0]])))
    for column, at in cuts:
        if column in found or math.isnan(values[column]):
            continue
        beyond = _turns(predicate, values, column, at, schema)
        if beyond is not None:
            is_exact = not _is_of_sums(predicate)
            change = at - float(values[column])
            words = _crossing_words(schema.columns[column], at, change, beyond, is_exact=is_exact)
            if words:
                name = schema.columns[column].name
                found[column] = Crossing(name, at, change, words)
    return tuple(found.values())


def _turns(
    predicate: Predicate, values: NDArray[np.float64], column: int, at: float, schema: Schema
) -> float | None:
    """Give a value at or right behind a cut that turns the split; None if none does."""
    start = float(values[column])
    up = at > start or (at == start and _is_left_at_once(predicate))
    behind = math.nextafter(at, math.inf if up else -math.inf)
    slack = 1e-9 * max(abs(at), abs(start), abs(at - start))  # sums turn a hair beside
    tries = [at, behind, at + slack if up else at - slack]
    if at == start:
        tries += [math.nextafter(at, -math.inf), at + slack, at - slack]
    rows = np.tile(values, (1 + len(tries), 1))
    rows[1:, column] = tries
    branches = _core.route(predicate.encode(), _core.Table(rows, schema.n_levels))
    turned = [value for value, b in zip(tries, branches[1:], strict=True) if b != branches[0]]
    return turned[0] if turned else None


def _is_of_sums(predicate: Predicate) -> bool:
    """Tell whether a split turns at a number that is computed, not written in the tree."""
    match predicate:
        case Linear() | Machine():
            return True
        case Axis() | Subset() | Multiway() | Pair():
            return False
        case _:
            assert_never(predicate)


def _is_left_at_once(predicate: Predicate) -> bool:
    """Tell whether a value on the cut is on its lower side, so that only larger ones turn it."""
    match predicate:
        case Axis():
            return True
        case Linear() | Subset() | Multiway() | Pair() | Machine():
            return False
        case _:
            assert_never(predicate)


def _crossing_words(
    column: Column, at: float, change: float, beyond: float, *, is_exact: bool
) -> str:
    name = name_text(column.name)
    up = beyond > at - change
    if column.kind == "ordinal":
        level = math.ceil(beyond) if up else math.floor(beyond)
        if not 0 <= level < len(column.levels):
            return ""
        return f"{name} at {'least' if up else 'most'} {cell_text(column, level)}"
    number = number_text(at) if is_exact else f"about {near_text(at, change)}"
    relation = ("at least" if up else "at most") if beyond == at else ("above" if up else "below")
    return f"{name} {relation} {number}{unit_text(column)}"
