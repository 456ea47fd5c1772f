"""Conditions on categorical columns: which sets of levels a search is offered.

two levels         one condition
up to 5 levels     every set of levels, one of each pair of complements
more, and order    each level against the rest, and the sets that the order by class proportion (two
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
from treewright.optimal.dictionary import Dictionary, Lazy
from treewright.optimal.passing import packed
from treewright.predicates import Predicate, Subset

__all__ = ["MOST_LEVELS_FOR_ALL", "LevelTests", "level_tests"]

MOST_LEVELS_FOR_ALL = 5  # 15 sets; each further level doubles them

_BLOCK_BYTES = 1 << 20  # of bits that are made at once

Truths = NDArray[np.bool_]


def level_tests(
    column: int,
    codes: NDArray[np.float64],
    ranking: NDArray[np.float64] | None,
    weights: NDArray[np.float64],
) -> LevelTests:
    """Find the conditions on one categorical column; their bits are made later.

    Parameters
    ----------
    column : int
        Position of the column.
    codes : ndarray of float64
        Level of each row, NaN where it is missing.
    ranking : ndarray of float64 or None
        What levels are put in order by, one number per row; None if they are not.
    weights : ndarray of float64
        Weight of each row.

    Returns
    -------
    LevelTests
        The conditions, twice where values are missing: with these rows on branch 0 and on branch 1.
    """
    gaps = np.isnan(codes)
    present, positions = np.unique(codes[~gaps], return_inverse=True)
    by_row = np.full(len(codes), len(present))  # the last position stands for missing
    by_row[~gaps] = positions
    sets = _sets(column, present.astype(np.intp), by_row, ranking, weights)
    return LevelTests(sets, by_row, has_gaps=bool(gaps.any()))


@dataclass(frozen=True)
class LevelTests:
    """The conditions on one categorical column.

    Parameters
    ----------
    sets : sets of levels
        One for each condition, or for each two where values are missing.
    by_row : ndarray of intp
        Position of each row's level among those of the sets; one more where it is missing.
    has_gaps : bool
        Whether values are missing.
    """

    sets: _Sets
    by_row: NDArray[np.intp]
    has_gaps: bool

    def __len__(self) -> int:
        return len(self.sets) * (2 if self.has_gaps else 1)

    @property
    def n_sets(self) -> int:
        """Number of different sets of levels."""
        # The first set of a chain is one level against the rest, too.
        return len(self.sets) - int(self.sets.n_nested > 0)

    @property
    def n_chains(self) -> int:
        """Number of chains, among them each condition that is in none."""
        n_sides = 2 if self.has_gaps else 1
        return len(self) - n_sides * max(self.sets.n_nested - 1, 0)

    def dictionary(self, deadline: Deadline | None = None) -> Dictionary:
        """Make the conditions.

        Parameters
        ----------
        deadline : Deadline or None, default None
            When there is no time left; None for never.

        Returns
        -------
        Dictionary
            The conditions with their bits.

        Raises
        ------
        OutOfTime
            If there is no time left.
        """
        deadline = Deadline() if deadline is None else deadline
        n_rows, n_tests = len(self.by_row), len(self.sets)
        bits = np.zeros((len(self), self._n_bytes_of_test), dtype=np.uint8)
        if not n_tests:
            return Dictionary.joined([], n_rows)
        self._write(bits[:n_tests], deadline)
        unknown = np.full(len(self), -1, dtype=np.int8)
        if self.has_gaps:
            of_missing = packed((self.by_row == len(self.sets.levels))[None, :])
            unknown[:n_tests], unknown[n_tests:] = 0, 1
            for part in _parts(n_tests, self._n_bytes_of_test):
                deadline.check()
                bits[n_tests:][part] = bits[part]
                bits[part] |= of_missing
        nested = np.where(np.arange(n_tests) < self.sets.n_nested, 0, -1)
        chains = [np.where(nested >= 0, side, -1) for side in range(len(self) // n_tests)]
        return Dictionary.of_predicates(
            bits,
            n_rows,
            Lazy(lambda place: self.sets.predicate(place % n_tests), len(self)),
            np.full(len(self), self.sets.column, dtype=np.int32),
            unknown,
            np.concatenate(chains).astype(np.int32),
        )

    @property
    def _n_bytes_of_test(self) -> int:
        return (len(self.by_row) + 7) // 8

    def _write(self, bits: NDArray[np.uint8], deadline: Deadline) -> None:
        """Write the bits of all sets, with missing values outside of each.

        Those of single levels are the bits of their rows; a set holds what the one before it in the
        chain does and one level more.
        """
        sets, n_levels = self.sets, len(self.sets.levels)
        if sets.listed is not None:
            is_member = np.column_stack([sets.listed, np.zeros(len(bits), dtype=np.bool_)])
            for place, members in enumerate(is_member):
                deadline.check()
                bits[place] = packed(members[self.by_row][None, :])[0]
            return
        single = bits[sets.n_nested :]
        for bit in range(8):  # of each byte one row at a time
            deadline.check()
            levels = self.by_row[bit::8]
            known = np.flatnonzero(levels < n_levels)
            single[levels[known], known] |= np.uint8(1 << bit)
        if sets.rank is None:
            return
        in_order = np.argsort(sets.rank)[:-1]
        before = np.zeros((1, bits.shape[1]), dtype=np.uint8)
        for part in _parts(sets.n_nested, bits.shape[1]):
            deadline.check()
            nested = np.concatenate([before, single[in_order[part]]])
            bits[: sets.n_nested][part] = np.bitwise_or.accumulate(nested)[1:]
            before = bits[: sets.n_nested][part][-1:]


def _parts(n_tests: int, n_bytes_of_test: int) -> Iterator[slice]:
    """Give conditions in parts whose bits are made in a few milliseconds."""
    step = max(_BLOCK_BYTES // n_bytes_of_test, 1)
    return (slice(at, min(at + step, n_tests)) for at in range(0, n_tests, step))


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
    if n_levels < 2:
        return _Sets(column, levels, listed=np.empty((0, n_levels), dtype=np.bool_))
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
