"""Conditions under constraints of columns: where they may be looked for, and as whole points.

What small trees propose may join columns that do not go together. Conditions are looked for among
columns that do, as well: in each group, without one column or the other of a forbidden pair,
among those of the first split, and among those that cost nothing. A linear combination whose
coefficients have to be whole is multiplied by one number and rounded, for the multiple whose sums,
with their best threshold, send the fewest rows another way.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from treewright.estimators import Constraints
from treewright.optimal.rounding import shortest_between
from treewright.predicates import Axis, Linear, Predicate, Subset
from treewright.tree.column_limits import ColumnLimits

__all__ = ["as_constraints", "column_sets", "whole_sum"]

_MOST_SETS = 8  # of columns that do not exclude each other
_MOST_MULTIPLES = 24  # that are tried for one combination


def as_constraints(limits: ColumnLimits) -> Constraints | None:
    """Give limits as growth is told them, with columns by position; None for none."""
    if limits == ColumnLimits():
        return None
    return Constraints(
        column_costs=limits.costs or None,
        max_columns=limits.max_columns,
        interactions=limits.groups or None,
        forbidden_pairs=limits.forbidden_pairs or None,
        first_columns=limits.first_columns or None,
        max_terms=limits.max_terms,
        whole_coefficients=limits.largest_whole,
    )


def column_sets(limits: ColumnLimits, n_columns: int) -> list[frozenset[int]]:
    """Give sets of columns among which conditions are looked for, beside all columns.

    Parameters
    ----------
    limits : ColumnLimits
        The constraints.
    n_columns : int
        Columns of the table.

    Returns
    -------
    list of frozenset of int
        Each once, in an order that depends on the constraints alone.

    Examples
    --------
    >>> limits = ColumnLimits(forbidden_pairs=((0, 1),), first_columns=(2,))
    >>> [sorted(columns) for columns in column_sets(limits, 3)]
    [[0, 2], [1, 2], [2]]
    """
    everything = frozenset(range(n_columns))
    sets = [frozenset(group) for group in limits.groups] or [everything]
    for one, other in limits.forbidden_pairs:
        parted: list[frozenset[int]] = []
        for columns in sets:
            both = one in columns and other in columns
            parted += [columns - {other}, columns - {one}] if both else [columns]
        sets = _largest(parted)[:_MOST_SETS]
    if limits.first_columns:
        sets += [columns & frozenset(limits.first_columns) for columns in sets]
    if limits.costs:
        sets.append(frozenset(column for column in everything if not limits.costs[column]))
    return [one for one in dict.fromkeys(sets) if one and one != everything]


def _largest(sets: Iterable[frozenset[int]]) -> list[frozenset[int]]:
    """Leave out sets that are part of another one."""
    kept = [*dict.fromkeys(sets)]
    return [one for one in kept if not any(one < other for other in kept)]


def whole_sum(
    predicate: Linear,
    values: NDArray[np.float64],
    n_levels: NDArray[np.int32],
    largest: int,
) -> Predicate | None:
    """Give a condition with small whole coefficients that sends rows much as a linear one does.

    Parameters
    ----------
    predicate : Linear
        The linear combination.
    values : ndarray of shape (n_rows, n_columns)
        The rows.
    n_levels : ndarray of int32
        Levels of each column; 0 for a numeric one.
    largest : int
        Largest coefficient.

    Returns
    -------
    Predicate or None
        A condition of one column where the coefficients of others are rounded to 0; None where no
        threshold parts the rows.

    Examples
    --------
    >>> rows = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 2.0], [2.0, 2.0]])
    >>> whole_sum(Linear((0, 1), (0.52, 0.99), 1.7), rows, np.zeros(2, dtype=np.int32), 5)
    Linear(columns=(0, 1), coefficients=(1.0, 2.0), threshold=3.0, levels=())
    """
    factors = predicate.factors(values)
    coefficients = np.array(predicate.coefficients)
    sums = _sums(factors, coefficients)
    known = ~np.isnan(sums)
    is_met = sums[known] <= predicate.threshold
    scaled = coefficients / np.abs(coefficients).max()
    step = max(1, math.ceil(largest / _MOST_MULTIPLES))
    best: tuple[int, Predicate] | None = None
    tried: set[tuple[float, ...]] = set()
    for multiple in range(1, largest + 1, step):
        whole = np.round(scaled * multiple)
        divisor = float(np.gcd.reduce(whole.astype(np.int64)))
        whole /= math.copysign(divisor, float(whole[np.flatnonzero(whole)[0]]))
        if tuple(whole.tolist()) in tried:
            continue
        tried.add(tuple(whole.tolist()))
        cut = _best_cut(_sums(factors, whole)[known], is_met)
        if cut is not None and (best is None or cut[0] < best[0]):
            best = cut[0], _written(predicate, whole, cut[1], n_levels)
    return None if best is None else best[1]


def _sums(factors: NDArray[np.float64], coefficients: NDArray[np.float64]) -> NDArray[np.float64]:
    """Add the terms up that count, one after the other, as the core does."""
    sums = np.zeros(len(factors))
    for place in np.flatnonzero(coefficients):
        sums = sums + coefficients[place] * factors[:, place]
    return sums


def _best_cut(sums: NDArray[np.float64], is_met: NDArray[np.bool_]) -> tuple[int, float] | None:
    """Give the fewest rows on another side than they were, and the threshold for that."""
    order = np.argsort(sums, kind="stable")
    ordered = sums[order]
    ends = np.flatnonzero(ordered[1:] > ordered[:-1])  # last rows of the lower side
    if not len(ends):
        return None
    below = np.cumsum(is_met[order])[ends]  # rows that met the condition, among the lower ones
    strayed = (ends + 1 - below) + (int(is_met.sum()) - below)
    fewest = np.minimum(strayed, len(sums) - strayed)
    best = int(np.argmin(fewest))
    low, high = float(ordered[ends[best]]), float(ordered[ends[best] + 1])
    return int(fewest[best]), shortest_between(low, high)


def _written(
    predicate: Linear,
    whole: NDArray[np.float64],
    threshold: float,
    n_levels: NDArray[np.int32],
) -> Predicate:
    """Give a sum without the terms that do not count."""
    kept = np.flatnonzero(whole).tolist()
    levels = tuple(predicate.levels[place] for place in kept) if predicate.levels else ()
    columns = tuple(predicate.columns[place] for place in kept)
    if len(kept) == 1:
        level = levels[0] if levels else None
        if level is None:
            return Axis(columns[0], threshold)
        others = (code for code in range(int(n_levels[columns[0]])) if code != level)
        return Subset(columns[0], (level,), tuple(others))
    return Linear(columns, tuple(whole[kept].tolist()), threshold, levels)
