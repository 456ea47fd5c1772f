"""The nearest number with few digits: what a person would say instead of 2.4500000000000006."""

from __future__ import annotations

import math
from decimal import ROUND_FLOOR, Decimal

from treewright import _core

__all__ = ["at_most", "just_above", "just_below", "step_above"]

# How much further than needed a change may go for the sake of few digits, as a share of it.
_OVERSHOOT = 0.05


def at_most(bound: float, decimals: int) -> float:
    """Give the largest number of so many decimals that is not above a bound.

    Examples
    --------
    >>> at_most(2.45, 2), at_most(2.45, 1), at_most(-0.5, 0)
    (2.45, 2.4, -1.0)
    """
    if not _has_grid(bound, decimals):
        return bound
    unit = Decimal(1).scaleb(-decimals)
    return float(Decimal(repr(bound)).quantize(unit, rounding=ROUND_FLOOR))


def step_above(number: float, decimals: int, steps: int = 1) -> float:
    """Go some steps of the last decimal up, without leaving the grid.

    Where neighbouring numbers are further apart than that, go from neighbour to neighbour.

    Examples
    --------
    >>> step_above(2.45, 2), step_above(0.3, 1, -2)
    (2.46, 0.1)
    >>> step_above(90071992547409.9, 2)
    90071992547409.92
    """
    if not _has_grid(number, decimals):
        for _ in range(abs(steps)):
            number = math.nextafter(number, math.copysign(math.inf, steps))
        return number
    return float(Decimal(repr(number)) + steps * Decimal(1).scaleb(-decimals))


def _has_grid(number: float, decimals: int) -> bool:
    """Tell whether a step of the last decimal is no less than what lies between neighbours."""
    return math.ulp(number) <= 10.0**-decimals


def just_above(bound: float, limit: float, start: float, decimals: int | None) -> float | None:
    """Give the nearest number above a bound and not above a limit, coming from below.

    Parameters
    ----------
    bound, limit : float
        What it must exceed, and the largest it may be.
    start : float
        Where the change begins; the further away, the coarser the number may be.
    decimals : int or None
        Digits behind the point; None for any number, then one with few digits is chosen.

    Returns
    -------
    float or None
        None if there is no such number.

    Examples
    --------
    >>> just_above(55.0, 100.0, 42.0, 0), just_above(5.1834, 9.0, 5.0, None)
    (56.0, 5.19)
    >>> just_above(55.0, 55.5, 42.0, 0)
    """
    if decimals is not None:
        found = step_above(at_most(bound, decimals), decimals)
        return found if bound < found <= limit else None
    low = math.nextafter(bound, math.inf)
    allowance = _OVERSHOOT * abs(bound - start) or 1e-3 * abs(bound) or 1e-3
    high = min(bound + allowance, math.nextafter(limit, math.inf))
    if not low < high:
        return low if low <= limit else None
    return _core.shortest_between(low, min(high, 1.7e308))


def just_below(bound: float, limit: float, start: float, decimals: int | None) -> float | None:
    """Give the nearest number not above a bound and above a limit, coming from above.

    Examples
    --------
    >>> just_below(55.0, 0.0, 60.0, 0), just_below(5.1834, 0.0, 5.5, None)
    (55.0, 5.18)
    """
    if decimals is not None:
        found = at_most(bound, decimals)
        return found if limit < found <= bound else None
    high = math.nextafter(bound, math.inf)
    allowance = _OVERSHOOT * abs(bound - start) or 1e-3 * abs(bound) or 1e-3
    low = max(bound - allowance, math.nextafter(limit, math.inf))
    if not low < high:
        return None
    return _core.shortest_between(max(low, -1.7e308), high)
