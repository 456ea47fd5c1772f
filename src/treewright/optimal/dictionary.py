"""Dictionary: the conditions a tree may use, and which training rows pass each.

The search sees bits only: bit r of condition p is set when row r takes branch 0. Of chains of
conditions it may read ranks instead, see ``passing``. Conditions ``x <= t`` are kept as two
neighbouring values of their column, ``low <= t < high``, since any threshold between them gives the
same bits; the tree gets the shortest one. All other conditions are predicates.

A row whose branch is unknown (a missing value) has no bit of its own, so such a condition stands in
the dictionary twice: once with these rows on branch 0 and once with them on branch 1. The tree
carries that branch as the default branch of the node, which is how it sends these rows the same
way.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, islice
from typing import Self, overload

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.optimal.branching import Branching, find_branching
from treewright.optimal.deadline import Deadline
from treewright.optimal.passing import Bits, Packed, Passing, packed
from treewright.optimal.rounding import round_significant, shortest_between
from treewright.predicates import Axis, Predicate, decode

__all__ = [
    "ANYWHERE",
    "CHAIN_LENGTH",
    "Dictionary",
    "Lazy",
    "predicate_tests",
    "readable_predicate",
    "search_bytes",
    "threshold_between",
]

ANYWHERE = 255  # as last level: a test may stand at any depth
CHAIN_LENGTH = _core.SearchOptions().chain_length  # from where on a search goes along chains
_AT_A_TIME = 64  # conditions whose rows are found without a look at the clock
_FEW_DIGITS = 4  # significant ones, of numbers that are short as they are
# How often the bits of the tests are in memory at most: while they are put together, and then by
# row and by test, of all rows and of those of the root.
_COPIES_OF_BITS = 6
# Ranks are there as given and in the order of the core, and with their rows at the root and in two
# levels below.
_COPIES_OF_RANKS = 8


class Lazy(Sequence[Predicate]):
    """Predicates that are made when they are asked for.

    Parameters
    ----------
    make : callable
        ``make(place)`` gives one of them.
    size : int
        How many there are.
    """

    def __init__(self, make: Callable[[int], Predicate], size: int) -> None:
        self._make = make
        self._places = range(size)

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> Predicate: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Predicate]: ...
    def __getitem__(self, place: int | slice) -> Predicate | Sequence[Predicate]:
        if isinstance(place, slice):
            return [self._make(one) for one in self._places[place]]
        return self._make(self._places[place])

    @classmethod
    def joined(cls, parts: Sequence[Sequence[Predicate]]) -> Self:
        """Put sequences behind one another."""
        ends = [*accumulate(map(len, parts))]

        def make(place: int) -> Predicate:
            part = bisect_right(ends, place)
            return parts[part][place - ends[part]]  # counted from the end of the part

        return cls(make, ends[-1])


@dataclass(frozen=True)
class Dictionary:
    """Conditions with the bits they give.

    Parameters
    ----------
    rows : tuple of Passing
        Which rows pass the conditions, of some of them after the other.
    n_rows : int
        How many training rows there are.
    column : ndarray of int32
        The column of a condition ``x <= t``; -1 for the others.
    low, high : ndarray of float64
        The values between which the threshold of ``x <= t`` lies.
    others : sequence of Predicate
        All other conditions, in their order.
    source : ndarray of int32
        The one column that each condition reads; -1 where it reads several.
    unknown : ndarray of int8
        Branch of the rows whose branch the condition does not know; -1 if it knows all.
    chain : ndarray of int32
        Conditions of one number here pass more and more rows, one after the other; -1 for the
        others.
    price : ndarray of float64
        What using the condition costs, in the unit of `penalty`.
    last_level : ndarray of int32
        Deepest level where the condition may stand; the root is level 0.
    n_two_valued : int
        So many conditions, the first ones, are on columns with two values, where every node has the
        same thresholds.
    branchings : tuple of Branching, default ()
        Columns whose levels may have a branch each. Their splits are numbered after the conditions,
        which are those with two branches.
    """

    rows: tuple[Passing, ...]
    n_rows: int
    column: NDArray[np.int32]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    others: Sequence[Predicate]
    source: NDArray[np.int32]
    unknown: NDArray[np.int8]
    chain: NDArray[np.int32]
    price: NDArray[np.float64]
    last_level: NDArray[np.int32]
    n_two_valued: int = 0
    branchings: tuple[Branching, ...] = ()

    def __len__(self) -> int:
        return len(self.column)

    @cached_property
    def bits(self) -> Bits:
        """One row a condition, eight training rows a byte, the first in the lowest bit."""
        if not self.rows:
            return np.empty((0, (self.n_rows + 7) // 8), dtype=np.uint8)
        bits = [part.bits() for part in self.rows]
        return bits[0] if len(bits) == 1 else np.concatenate(bits)

    @property
    def has_bits(self) -> bool:
        """Whether the bits of all conditions are there already."""
        return "bits" in self.__dict__

    def bits_of(self, tests: Sequence[int]) -> Bits:
        """Give the bits of some conditions."""
        if self.has_bits:
            return np.asarray(self.bits[[*tests]])
        bits = np.empty((len(tests), (self.n_rows + 7) // 8), dtype=np.uint8)
        for place, test in enumerate(tests):
            part = bisect_right(self._ends, test)
            bits[place] = self.rows[part].bits_at(test - self._ends[part] + len(self.rows[part]))
        return bits

    def unknown_rows(
        self, tests: Sequence[int], table: _core.Table
    ) -> tuple[Bits, NDArray[np.int32]]:
        """Give the sets of rows whose branch some conditions do not know, and which is whose.

        As bits, and for each of the conditions the place of its set, or -1.
        """
        places: dict[bytes, int] = {}
        of_columns: dict[int, int] = {}
        found = np.full(len(tests), -1, dtype=np.int32)
        for at, test in enumerate(tests):
            column = int(self.column[test])
            if self.unknown[test] < 0:
                continue
            if column in of_columns:
                found[at] = of_columns[column]
                continue
            if column >= 0:
                rows = packed(np.isnan(table.values[:, column])[None, :])[0]
            else:
                rows = _core.branch_bits([self.predicate(test).encode()], table)[1][0]
            found[at] = places.setdefault(rows.tobytes(), len(places))
            if column >= 0:
                of_columns[column] = int(found[at])
        sets = np.frombuffer(b"".join(places), dtype=np.uint8)
        return sets.reshape(len(places), (self.n_rows + 7) // 8), found

    def ranks(self) -> NDArray[np.int32]:
        """Give for each chain how many of its conditions each row fails.

        A condition in no chain is one of its own.
        """
        chains = np.split(self.chain, self._ends[:-1])
        found = (part.ranks(its, self.n_rows) for part, its in zip(self.rows, chains, strict=True))
        return np.array([*chain.from_iterable(found)])

    @cached_property
    def _ends(self) -> list[int]:
        """Where in the order of conditions each part of the rows ends."""
        return [*accumulate(map(len, self.rows))]

    @classmethod
    def of_cuts(
        cls,
        rows: Passing,
        n_rows: int,
        column: NDArray[np.int32],
        low: NDArray[np.float64],
        high: NDArray[np.float64],
        unknown: int = -1,
        n_two_valued: int = 0,
    ) -> Self:
        """Make the conditions ``low <= t < high``; those of one column stand together and rise."""
        size = len(column)
        return cls(
            (rows,),
            n_rows,
            column,
            low,
            high,
            (),
            column,
            np.full(size, unknown, dtype=np.int8),
            column,
            np.zeros(size),
            np.full(size, ANYWHERE, dtype=np.int32),
            n_two_valued,
        )

    @classmethod
    def of_predicates(
        cls,
        bits: Bits,
        n_rows: int,
        predicates: Sequence[Predicate],
        source: NDArray[np.int32],
        unknown: NDArray[np.int8],
        chain: NDArray[np.int32] | None = None,
        price: NDArray[np.float64] | None = None,
        last_level: NDArray[np.int32] | None = None,
    ) -> Self:
        """Make conditions of predicates."""
        size = len(bits)
        none, nowhere = np.full(size, -1, dtype=np.int32), np.full(size, np.nan)
        return cls(
            (Packed(bits),),
            n_rows,
            none,
            nowhere,
            nowhere,
            predicates,
            source,
            unknown,
            none if chain is None else chain,
            np.zeros(size) if price is None else price,
            np.full(size, ANYWHERE, dtype=np.int32) if last_level is None else last_level,
        )

    @classmethod
    def joined(cls, parts: Sequence[Dictionary], n_rows: int) -> Dictionary:
        """Put dictionaries over the same rows behind one another; chains stay apart."""
        parts = [part for part in parts if len(part)]
        if not parts:
            empty = np.empty((0, (n_rows + 7) // 8), dtype=np.uint8)
            return cls.of_predicates(
                empty, n_rows, (), np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int8)
            )
        if len(parts) == 1:
            return parts[0]
        chains, used = [], 0
        for part in parts:
            chains.append(np.where(part.chain >= 0, part.chain + used, -1).astype(np.int32))
            used = max(used, int(chains[-1].max()) + 1)
        return cls(
            tuple(rows for part in parts for rows in part.rows),
            n_rows,
            np.concatenate([part.column for part in parts]),
            np.concatenate([part.low for part in parts]),
            np.concatenate([part.high for part in parts]),
            Lazy.joined([part.others for part in parts]),
            np.concatenate([part.source for part in parts]),
            np.concatenate([part.unknown for part in parts]),
            np.concatenate(chains),
            np.concatenate([part.price for part in parts]),
            np.concatenate([part.last_level for part in parts]),
            parts[0].n_two_valued,
        )

    def taken(self, is_kept: NDArray[np.bool_]) -> Dictionary:
        """Give some of the conditions, in their order."""
        others, kept = self.others, np.flatnonzero(is_kept[self.column < 0])
        return Dictionary(
            (Packed(self.bits[is_kept]),),
            self.n_rows,
            self.column[is_kept],
            self.low[is_kept],
            self.high[is_kept],
            Lazy(lambda place: others[int(kept[place])], len(kept)),
            self.source[is_kept],
            self.unknown[is_kept],
            self.chain[is_kept],
            self.price[is_kept],
            self.last_level[is_kept],
            int(np.count_nonzero(is_kept[: self.n_two_valued])),
        )

    def columns_read(self) -> list[frozenset[int]]:
        """Give the columns that each condition reads."""
        others = iter(range(len(self.others)))
        read = []
        for column, source in zip(self.column.tolist(), self.source.tolist(), strict=True):
            other = next(others) if column < 0 else -1
            is_one = source >= 0
            read.append(frozenset([source] if is_one else self.others[other].columns))
        return read

    def n_bytes(self, *, along_chains: bool) -> int:
        """Count the bytes that a search takes for rows; it may go along chains or not."""
        chained = self.chain[self.chain >= 0]
        n_chains = len(self) - len(chained) + int(np.count_nonzero(np.bincount(chained)))
        return search_bytes(self.n_rows, len(self), n_chains, along_chains=along_chains)

    def predicate(self, test: int) -> Predicate:
        """Give one of the conditions; a threshold is the shortest number with the same bits."""
        column = int(self.column[test])
        if column >= 0:
            return Axis(column, shortest_between(float(self.low[test]), float(self.high[test])))
        return self.others[int(np.count_nonzero(self.column[:test] < 0))]

    def threshold(self, test: int, *, readable: bool) -> float:
        """Give the threshold of a condition on one number that parts the whole column."""
        low, high = float(self.low[test]), float(self.high[test])
        return threshold_between(low, high, readable=readable)

    def branching(self, test: int) -> tuple[Branching, int]:
        """Give the column of a multiway split, and the level that missing values follow."""
        return find_branching(self.branchings, test - len(self))

    def passes(self, test: int) -> NDArray[np.bool_]:
        """Tell which rows take branch 0."""
        unpacked = np.unpackbits(self.bits_of([test])[0], count=self.n_rows, bitorder="little")
        return unpacked.view(np.bool_)


def search_bytes(n_rows: int, n_tests: int, n_chains: int, *, along_chains: bool) -> int:
    """Count the bytes that a search takes for which rows pass its conditions.

    Parameters
    ----------
    n_rows : int
        Training rows.
    n_tests, n_chains : int
        Conditions, and chains among them; a condition in no chain is one of its own.
    along_chains : bool
        Whether the search may go along chains where they are long.

    Returns
    -------
    int
        All copies together, at most.
    """
    by_ranks = along_chains and n_tests >= n_chains * CHAIN_LENGTH
    if by_ranks:
        return n_chains * n_rows * np.dtype(np.int32).itemsize * _COPIES_OF_RANKS
    return n_tests * (n_rows // 8 + 1) * _COPIES_OF_BITS


def threshold_between(low: float, high: float, *, readable: bool) -> float:
    """Give a threshold that parts two values: the shortest one, or the one halfway."""
    if readable:
        return shortest_between(low, high)
    middle = low / 2 + high / 2  # the sum of both may be beyond all doubles
    return middle if low <= middle < high else low


def readable_predicate(predicate: Predicate, table: _core.Table, deadline: Deadline) -> Predicate:
    """Give the condition with the shortest numbers that send every training row the same way.

    Numbers of four significant digits at most, such as people write, stay as they are; a linear
    condition may have its two branches changed.

    Parameters
    ----------
    predicate : Predicate
        The condition.
    table : treewright._core.Table
        The training rows.
    deadline : Deadline
        When there is no time left.

    Returns
    -------
    Predicate
        The same condition, or one that is shorter.

    Raises
    ------
    OutOfTime
        If there is no time left.
    """
    deadline.check()
    flat = predicate.encode()
    if all(round_significant(number, _FEW_DIGITS) == number for number in flat[2]):
        return predicate
    rows = np.arange(table.n_rows, dtype=np.uint32)
    return decode(_core.readable_test(flat, table, rows, keep_terms=True)[0])


def predicate_tests(
    predicates: Iterable[Predicate],
    table: _core.Table,
    *,
    price: float = 0.0,
    last_level: Callable[[Predicate], int] | None = None,
    deadline: Deadline | None = None,
) -> Dictionary:
    """Make a dictionary of predicates with two branches.

    Parameters
    ----------
    predicates : iterable of Predicate
        The conditions; where the branch of a row is unknown, the condition stands there twice.
    table : treewright._core.Table
        The training rows.
    price : float, default 0.0
        What every column beyond the first in a condition costs.
    last_level : callable or None, default None
        Gives the deepest level where a condition may stand; None for anywhere.
    deadline : Deadline or None, default None
        When there is no time left; None for never.

    Returns
    -------
    Dictionary
        The conditions in their order.

    Raises
    ------
    OutOfTime
        If there is no time left.
    """
    deadline = Deadline() if deadline is None else deadline
    kept: list[Predicate] = []
    bits: list[Bits] = []
    unknown: list[int] = []
    waiting = iter(predicates)
    while some := [*islice(waiting, _AT_A_TIME)]:
        deadline.check()
        encoded = [predicate.encode() for predicate in some]
        for predicate, first, lost in zip(some, *_core.branch_bits(encoded, table), strict=True):
            sides = {0: first | lost, 1: first} if lost.any() else {-1: first}
            kept += [predicate] * len(sides)
            unknown += sides.keys()
            bits += sides.values()
    if not kept:
        return Dictionary.joined([], table.n_rows)
    return Dictionary.of_predicates(
        np.array(bits),
        table.n_rows,
        kept,
        np.array([one.columns[0] if one.n_terms == 1 else -1 for one in kept], dtype=np.int32),
        np.array(unknown, dtype=np.int8),
        price=np.array([price * (predicate.n_terms - 1) for predicate in kept]),
        last_level=None if last_level is None else np.array([*map(last_level, kept)], np.int32),
    )
