"""Sums in fewer words: shorter numbers and fewer terms that send the rows of a node alike."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.optimal.rounding import round_significant, shortest_between
from treewright.predicates import Linear, Predicate, decode

__all__ = ["shortened"]

_DIGITS = 2  # of weights
_ROUND = (1.0, 2.0, 3.0, 4.0, 5.0, 10.0, 20.0, 30.0, 50.0, 100.0, 200.0, 300.0, 500.0, 1000.0)
_FACTOR = 2.0  # by which a round number may differ


def shortened(predicate: Linear, table: _core.Table, rows: NDArray[np.uint32]) -> Predicate:
    """Give the shortest way to write a sum that sends some rows as it does.

    Tried are: the same signs with all weights 1, where the terms are levels; the shortest numbers
    that send the rows the same way, without terms that no row needs; weights in the unit of each of
    them; and round numbers for levels.

    Parameters
    ----------
    predicate : Linear
        The sum against its threshold.
    table : treewright._core.Table
        The table of the rows.
    rows : ndarray of uint32
        Positions of the rows.

    Returns
    -------
    Predicate
        The sum itself where nothing is shorter.
    """
    ways = _core.route(predicate.encode(), table, rows)
    values = table.values[rows]
    best: Predicate = predicate

    def try_one(other: Predicate) -> None:
        nonlocal best
        if isinstance(other, Linear):
            if _length(replace(other, threshold=0.0)) >= _length(best):
                return
            other = _recut(other, values, ways)
        is_same = np.array_equal(_core.route(other.encode(), table, rows), ways)
        if is_same and _length(other) < _length(best):
            best = other

    for other in _shorter(predicate, table, rows):
        try_one(other)
    for _ in range(2):  # a number may be round once another one is
        if not isinstance(best, Linear):
            break
        for other in _in_other_units(best):
            try_one(other)
            for rounder in _with_round_levels(other):
                try_one(rounder)
    return best


def _shorter(
    predicate: Linear, table: _core.Table, rows: NDArray[np.uint32]
) -> Iterator[Predicate]:
    if predicate.levels and None not in predicate.levels:
        yield replace(predicate, coefficients=tuple(np.sign(predicate.coefficients).tolist()))
    short, is_turned = _core.readable_test(predicate.encode(), table, rows, keep_terms=False)
    if not is_turned:
        yield decode(short)


def _in_other_units(predicate: Linear) -> Iterator[Linear]:
    """Make each weight 1 in turn."""
    for unit in {abs(one) for one in predicate.coefficients}:
        numbers = (round_significant(one / unit, _DIGITS) for one in predicate.coefficients)
        yield replace(predicate, coefficients=tuple(numbers))


def _with_round_levels(predicate: Linear) -> Iterator[Linear]:
    """Give one level at a time a round number."""
    for place, (_, coefficient, level) in enumerate(predicate.terms):
        if level is None:
            continue
        for number in _ROUND:
            if not 1.0 / _FACTOR <= number / abs(coefficient) <= _FACTOR:
                continue
            numbers = list(predicate.coefficients)
            numbers[place] = math.copysign(number, coefficient)
            yield replace(predicate, coefficients=tuple(numbers))


def _recut(predicate: Linear, values: NDArray[np.float64], ways: NDArray[np.int32]) -> Linear:
    """Give the shortest threshold between the sums of the two branches, if they are apart."""
    factors = predicate.factors(values)
    sums = np.zeros(len(values))
    for place, coefficient in enumerate(predicate.coefficients):
        sums = sums + coefficient * factors[:, place]
    is_known = ~np.isnan(sums)
    passed, failed = sums[is_known & (ways == 0)], sums[is_known & (ways == 1)]
    if not len(passed) or not len(failed) or not passed.max() < failed.min():
        return predicate
    return replace(predicate, threshold=shortest_between(float(passed.max()), float(failed.min())))


def _length(predicate: Predicate) -> tuple[int, int]:
    """Count terms, then the characters of their numbers."""
    if not isinstance(predicate, Linear):
        return predicate.n_terms, 0
    numbers = (*predicate.coefficients, predicate.threshold)
    return predicate.n_terms, sum(len(f"{abs(one):g}") for one in numbers)
