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
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.optimal.deadline import Deadline
from treewright.optimal.dictionary import Dictionary, Lazy, packed
from treewright.predicates import Predicate, Subset

__all__ = ["MOST_LEVELS_FOR_ALL", "level_tests", "n_sets"]

MOST_LEVELS_FOR_ALL = 5  # 15 sets; each further level doubles them

_BLOCK_BYTES = 1 << 22  # of truth values that bits are made of at once

Truths = NDArray[np.bool_]


def level_tests(
    column: int,
    codes: NDArray[np.float64],
    ranking: NDArray[np.float64] | None,
    weights: NDArray[np.float64],
    deadline: Deadline | None = None,
) -> Dictionary:
    """Make the tests on one categorical column.

    Parameters
    ----------
    column : int
        Position of the column.
    codes : ndarray of float64
        Level of each row, NaN where it is missing.
    ranking : ndarray of float64 or None
        What levels are put in order by, one number a row; None if they are not.
    weights : ndarray of float64
        Weight of each row.
    deadline : Deadline or None, default None
        When there is no time left; None for never.

    Returns
    -------
    Dictionary
        The tests, twice where values are missing: with these rows on branch 0 and on branch 1.

    Raises
    ------
    OutOfTime
        If there is no time left.
    """
    deadline = Deadline() if deadline is None else deadline
    gaps = np.isnan(codes)
    present, positions = np.unique(codes[~gaps], return_inverse=True)
    if len(present) < 2:
        return Dictionary.joined([], len(codes))
    by_row = np.full(len(codes), len(present))  # the last position stands for missing
    by_row[~gaps] = positions
    sets = _sets(column, present.astype(np.intp), by_row, ranking, weights)
    chain = np.where(np.arange(len(sets)) < sets.n_nested, 0, -1).astype(np.int32)
    sides = (0, 1) if gaps.any() else (-1,)
    parts = []
    for side in sides:
        bits = np.empty((len(sets), (len(codes) + 7) // 8), dtype=np.uint8)
        step = max(_BLOCK_BYTES // len(codes), 1)
        for at in range(0, len(sets), step):
            deadline.check()
            inside = sets.members(np.arange(at, min(at + step, len(sets))))
            of_missing = np.full((len(inside), 1), side == 0)
            bits[at : at + step] = packed(np.hstack([inside, of_missing])[:, by_row])
        predicates = Lazy(sets.predicate, len(sets))
        source = np.full(len(sets), column, dtype=np.int32)
        unknown = np.full(len(sets), side, dtype=np.int8)
        parts.append(Dictionary.of_predicates(bits, predicates, source, unknown, chain))
    return Dictionary.joined(parts, len(codes))


def n_sets(tests: Dictionary) -> int:
    """Count the sets of levels that the tests of one column are about."""
    n_tests = len(tests) // 2 if (tests.unknown >= 0).any() else len(tests)
    # The first set of a chain is one level against the rest, too.
    return n_tests - int((tests.chain >= 0).any())


@dataclass(frozen=True)
class _Sets:
    """Sets of levels: those that an order makes, then each level alone; or all there are.

    They are made when they are asked for: with thousands of levels all together would take more
    memory than the search.
    """

    column: int
    levels: NDArray[np.intp]
    rank: NDArray[np.intp] | None = None
    listed: Truths | None = None

    @property
    def n_nested(self) -> int:
        return 0 if self.rank is None else len(self.levels) - 1

    def __len__(self) -> int:
        return len(self.levels) + self.n_nested if self.listed is None else len(self.listed)

    def members(self, places: NDArray[np.intp]) -> Truths:
        """Tell which levels some of the sets hold."""
        if self.listed is not None:
            return self.listed[places]
        inside: Truths = np.arange(len(self.levels)) == (places - self.n_nested)[:, None]
        if self.rank is not None:
            nested = places < self.n_nested
            inside[nested] = self.rank <= places[nested, None]
        return inside

    def predicate(self, place: int) -> Predicate:
        inside = self.members(np.array([place]))[0]
        left, right = self.levels[inside].tolist(), self.levels[~inside].tolist()
        return Subset(self.column, tuple(left), tuple(right))


def _sets(
    column: int,
    levels: NDArray[np.intp],
    by_row: NDArray[np.intp],
    ranking: NDArray[np.float64] | None,
    weights: NDArray[np.float64],
) -> _Sets:
    """Choose sets of levels."""
    n_levels = len(levels)
    if n_levels <= MOST_LEVELS_FOR_ALL:
        return _Sets(column, levels, listed=np.array(list(_all_sets(n_levels))))
    if ranking is None:
        return _Sets(column, levels)
    totals = np.bincount(by_row, weights, n_levels + 1)[:n_levels]
    means = np.bincount(by_row, weights * ranking, n_levels + 1)[:n_levels] / totals
    rank = np.empty(n_levels, dtype=np.intp)
    rank[np.argsort(means, kind="stable")] = np.arange(n_levels)
    return _Sets(column, levels, rank)


def _all_sets(n_levels: int) -> Iterator[Truths]:
    """Give every set of levels that holds the first one but not all."""
    for number in range(2 ** (n_levels - 1) - 1):
        members = [True, *(bool(number >> bit & 1) for bit in range(n_levels - 1))]
        yield np.array(members)
