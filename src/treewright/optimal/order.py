"""Monotonic constraints of the search: in which order the leaves of a tree must stand.

A leaf predicts the proportion of the second class among its rows, or their mean. Where a row of one
leaf may differ from one of another leaf in constrained columns alone, each in the direction of
larger predictions, the first leaf must not predict more. The core compares leaves so
(``search/limited/order.hpp``); here it is told where conditions part the columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from treewright import _core
from treewright.exceptions import brief
from treewright.optimal.dictionary import Dictionary
from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Subset
from treewright.predicates.trends import trend_of
from treewright.words import plural

__all__ = ["order_rules", "trends_in_words"]

_MOST_NAMED = 5  # columns, in a certificate


def order_rules(
    dictionary: Dictionary,
    trends: Sequence[int],
    n_levels: Sequence[int],
    has_missing: Sequence[bool],
    *,
    readable: bool,
) -> _core.SearchOrderRules:
    """Tell the core where conditions part the columns, and which side must predict more.

    Parameters
    ----------
    dictionary : Dictionary
        The conditions; all have a trend.
    trends : sequence of int
        The direction of each column, 0 for either; none for no constraint.
    n_levels : sequence of int
        Levels of each column, 0 for numeric ones.
    has_missing : sequence of bool
        Whether values of each column are missing.
    readable : bool
        Whether thresholds are the shortest ones, as in the tree that will be written.

    Returns
    -------
    treewright._core.SearchOrderRules
        Empty without a constraint.
    """
    rules = _core.SearchOrderRules()
    if not trends:
        return rules
    sides: list[int] = []
    columns: list[int] = []
    thresholds: list[float] = []
    levels: list[list[int]] = []
    others = iter(dictionary.others)
    for test, column in enumerate(dictionary.column.tolist()):
        other = None if column >= 0 else next(others)
        place, threshold = -1, 0.0
        passing: list[int] = []
        if other is None:
            place = column
            threshold = dictionary.threshold(test, readable=readable)
            side = trends[place]
        else:
            side = trend_of(other, trends) or 0
            match other:
                case Axis():
                    place, threshold = other.column, other.threshold
                case Subset():
                    place, passing = other.column, [*other.left]
                case Linear() | Multiway() | Pair() | Machine():
                    pass  # parts no single column
                case _:
                    assert_never(other)
        sides.append(side)
        columns.append(place)
        thresholds.append(threshold)
        levels.append(passing)
    rules.trends = list(trends)
    rules.n_levels = [int(n) for n in n_levels]
    rules.has_missing = [int(is_so) for is_so in has_missing]
    rules.sides, rules.columns = sides, columns
    rules.thresholds, rules.levels = thresholds, levels
    rules.unknown = dictionary.unknown.tolist()
    return rules


def trends_in_words(names: Sequence[str], trends: Sequence[int]) -> str:
    """Say with which columns predictions rise or fall.

    Parameters
    ----------
    names : sequence of str
        Names of all columns.
    trends : sequence of int
        The direction of each, 0 for either.

    Returns
    -------
    str
        Such as "only rise with 'income' and only fall with 'debt'".
    """
    parts = []
    for verb, trend in (("rise", 1), ("fall", -1)):
        columns = [brief(name) for name, own in zip(names, trends, strict=True) if own == trend]
        if len(columns) > _MOST_NAMED:
            parts.append(f"only {verb} with {plural(len(columns), 'column')}")
        elif columns:
            parts.append(f"only {verb} with {', '.join(columns)}")
    return " and ".join(parts)
