"""Which training rows pass conditions: a bit for each, or one number for a whole chain of them.

Each condition of a chain is passed by all rows that pass the one before it, as ``x <= t`` is for
rising t. The rank of a row, how many conditions of the chain it fails, then says all. A search that
goes along chains reads ranks; bits of so many conditions would take far more room.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["Bits", "Packed", "Passing", "Ranked", "packed"]

_BLOCK = 512  # conditions whose bits are made at once, of so many rows
_BLOCK_ROWS = 1 << 16

Bits = NDArray[np.uint8]


class Passing(Protocol):
    """Which rows pass some conditions."""

    def __len__(self) -> int:
        """How many conditions these are."""

    def bits(self) -> Bits:
        """Give one row a condition, eight training rows a byte, the first in the lowest bit."""

    def bits_at(self, place: int) -> Bits:
        """Give the bits of one condition."""

    def ranks(self, chain: NDArray[np.int32], n_rows: int) -> Iterator[NDArray[np.int32]]:
        """Give the ranks of rows in each chain; a condition in no chain (-1) is one of its own."""


@dataclass(frozen=True)
class Packed:
    """Rows as bits.

    Parameters
    ----------
    packed : ndarray of uint8, one row a condition
        Eight training rows a byte, the first in the lowest bit.
    """

    packed: Bits

    def __len__(self) -> int:
        return len(self.packed)

    def bits(self) -> Bits:
        """Give them as they are."""
        return self.packed

    def bits_at(self, place: int) -> Bits:
        """Give the bits of one condition."""
        return np.asarray(self.packed[place])

    def ranks(self, chain: NDArray[np.int32], n_rows: int) -> Iterator[NDArray[np.int32]]:
        """Count for each chain the conditions that rows fail."""
        begins = np.flatnonzero((chain < 0) | (np.diff(chain, prepend=-2) != 0))
        for begin, end in zip(begins, [*begins[1:], len(chain)], strict=True):
            failed = np.full(n_rows, end - begin, dtype=np.int32)
            for one in self.packed[begin:end]:
                failed -= np.unpackbits(one, count=n_rows, bitorder="little")
            yield failed


@dataclass(frozen=True)
class Ranked:
    """Rows of one chain as ranks.

    Parameters
    ----------
    of_row : ndarray of int32
        How many conditions each row fails.
    n_tests : int
        How many there are.
    """

    of_row: NDArray[np.int32]
    n_tests: int

    def __len__(self) -> int:
        return self.n_tests

    def bits(self) -> Bits:
        """Make the bits, of some conditions and rows at a time."""
        n_rows = len(self.of_row)
        bits = np.empty((self.n_tests, (n_rows + 7) // 8), dtype=np.uint8)
        places = np.arange(self.n_tests, dtype=np.int32)[:, None]
        for row in range(0, n_rows, _BLOCK_ROWS):
            part = self.of_row[row : row + _BLOCK_ROWS]
            bytes_of_part = slice(row // 8, (row + _BLOCK_ROWS) // 8)
            for at in range(0, self.n_tests, _BLOCK):
                block = slice(at, at + _BLOCK)
                bits[block, bytes_of_part] = packed(part <= places[block])
        return bits

    def bits_at(self, place: int) -> Bits:
        """Give the bits of one condition."""
        return np.asarray(packed((self.of_row <= place)[None, :])[0])

    def ranks(self, chain: NDArray[np.int32], n_rows: int) -> Iterator[NDArray[np.int32]]:
        """Give those of the one chain."""
        assert len(chain) == self.n_tests
        assert n_rows == len(self.of_row)
        yield self.of_row


def packed(passes: NDArray[np.bool_]) -> Bits:
    """Pack booleans, one row per condition, as the core reads them."""
    return np.packbits(passes, axis=1, bitorder="little")
