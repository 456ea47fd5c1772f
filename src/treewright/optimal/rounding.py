"""The shortest decimals that do the same: what makes printed numbers readable.

Growth with ``readable=True`` uses these rules inside the core: a threshold becomes the shortest
decimal between its two neighbouring values, so that every training row keeps its side.
"""

from __future__ import annotations

import math
from functools import lru_cache

from treewright import _core

__all__ = ["round_significant", "shortest_between"]


@lru_cache(maxsize=1024)
def shortest_between(low: float, high: float) -> float:
    """Return the number with the fewest digits that can part two values.

    Parameters
    ----------
    low, high : float
        Two neighbouring values, ``low < high``, both finite.

    Returns
    -------
    float
        The `t` of fewest significant digits with ``low <= t < high``, so that ``low <= t`` holds
        and ``high <= t`` does not; among several the one nearest the middle.

    Raises
    ------
    ValueError
        If the values are not finite or not in order.

    Examples
    --------
    >>> shortest_between(28.0, 35.0)
    30.0
    >>> shortest_between(0.4137, 0.4182)
    0.416
    """
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise ValueError(
            f"shortest_between needs two finite numbers, the smaller first. Got {low} and {high}."
        )
    return _core.shortest_between(low, high)


def round_significant(value: float, digits: int) -> float:
    """Return a number rounded to some significant decimal digits.

    Parameters
    ----------
    value : float
        A finite number.
    digits : int
        How many digits to keep, from 1 to 17.

    Returns
    -------
    float
        The double nearest to the rounded decimal.

    Raises
    ------
    ValueError
        If the value is not finite or the digits are out of range.

    Examples
    --------
    >>> round_significant(0.0123456, 3)
    0.0123
    >>> round_significant(-98765.0, 2)
    -99000.0
    """
    if not math.isfinite(value) or not 1 <= digits <= 17:
        raise ValueError(
            f"round_significant needs a finite number and 1 to 17 digits. Got {value} and {digits}."
        )
    return _core.round_significant(value, digits)
