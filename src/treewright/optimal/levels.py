"""Tests on categorical columns: which sets of levels a search is offered.

two levels         one test
up to 5 levels     every set of levels, one of each pair of complements
more, and order    every level against the rest, and the sets that the order by class share (two
classes) or by mean (numbers) makes, among which the best cut of the whole
table lies (Breiman et al. 1984, theorem 4.5)
more, and none     every level against the rest
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from treewright.optimal.dictionary import Dictionary, packed
from treewright.predicates import Subset

__all__ = ["MOST_LEVELS_FOR_ALL", "level_tests"]

MOST_LEVELS_FOR_ALL = 5  # 15 sets; each further level doubles them


def level_tests(
    column: int,
    codes: NDArray[np.float64],
    indicators: NDArray[np.float64],
    weights: NDArray[np.float64],
) -> Dictionary:
    """Make the tests on one categorical column.

    Parameters
    ----------
    column : int
        Position of the column.
    codes : ndarray of float64
        Level of each row, NaN where it is missing.
    indicators : ndarray of float64, one row a target
        Class or number of each row; levels are put in order where there is one row.
    weights : ndarray of float64
        Weight of each row.

    Returns
    -------
    Dictionary
        The tests, twice where values are missing: with these rows on branch 0 and on branch 1.
    """
    gaps = np.isnan(codes)
    present, positions = np.unique(codes[~gaps], return_inverse=True)
    if len(present) < 2:
        return Dictionary.joined([], len(codes))
    by_row = np.full(len(codes), len(present))  # the last position stands for missing
    by_row[~gaps] = positions
    sets, chain = _sets(len(present), by_row, indicators, weights)
    levels = present.astype(int)
    predicates = [
        Subset(column, tuple(levels[inside].tolist()), tuple(levels[~inside].tolist()))
        for inside in sets
    ]
    sides = (0, 1) if gaps.any() else (-1,)
    parts = []
    for side in sides:
        of_missing = np.full((len(sets), 1), side == 0)
        passes = np.hstack([sets, of_missing])[:, by_row]
        unknown = np.full(len(sets), side, dtype=np.int8)
        parts.append(Dictionary.of_predicates(packed(passes), predicates, unknown, chain))
    return Dictionary.joined(parts, len(codes))


def _sets(
    n_levels: int,
    by_row: NDArray[np.intp],
    indicators: NDArray[np.float64],
    weights: NDArray[np.float64],
) -> tuple[NDArray[np.bool_], NDArray[np.int32]]:
    """Give sets of levels, and which of them follow one another in a chain."""
    if n_levels <= MOST_LEVELS_FOR_ALL:
        sets = np.array(list(_all_sets(n_levels)))
        return sets, np.full(len(sets), -1, dtype=np.int32)
    singles = np.eye(n_levels, dtype=np.bool_)
    if len(indicators) > 1:
        return singles, np.full(n_levels, -1, dtype=np.int32)
    totals = np.bincount(by_row, weights, n_levels + 1)[:n_levels]
    means = np.bincount(by_row, weights * indicators[0], n_levels + 1)[:n_levels] / totals
    rank = np.empty(n_levels, dtype=np.intp)
    rank[np.argsort(means, kind="stable")] = np.arange(n_levels)
    nested = rank < np.arange(1, n_levels)[:, None]
    chain = np.concatenate([np.zeros(n_levels - 1), np.full(n_levels, -1)]).astype(np.int32)
    return np.vstack([nested, singles]), chain


def _all_sets(n_levels: int) -> Iterator[NDArray[np.bool_]]:
    """Give every set of levels that holds the first one but not all."""
    for number in range(2 ** (n_levels - 1) - 1):
        members = [True, *(bool(number >> bit & 1) for bit in range(n_levels - 1))]
        yield np.array(members)
