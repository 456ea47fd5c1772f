"""A branch for each level of a categorical column: the multiway splits that a search has.

At a node such a split has one branch for each level that the rows there have. Rows without a level
follow the branch of one of them, which makes as many splits as there are levels. A level that no
row of the node has is treated like a missing value: where all rows have one, both follow the branch
with the most weight. Where the rows of a node have two levels only, a set of levels does the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.optimal.passing import Bits, packed
from treewright.predicates import Multiway

__all__ = ["FEWEST_LEVELS", "MOST_LEVELS", "Branching", "find_branching"]

FEWEST_LEVELS = 3
MOST_LEVELS = 32  # of a column whose levels may have a branch each


@dataclass(frozen=True)
class Branching:
    """A column whose levels may have a branch each.

    Parameters
    ----------
    column : int
        Position of the column.
    levels : ndarray of intp
        Positions of the levels that rows have, rising.
    by_row : ndarray of int32
        The place of each row's level among these; -1 where it is missing.
    n_levels : int
        How many levels the column has, with those that no row has.
    """

    column: int
    levels: NDArray[np.intp]
    by_row: NDArray[np.int32]
    n_levels: int

    def bits(self, level: int) -> Bits:
        """Give the rows of each level; those without one go with the level at this place."""
        followed = np.where(self.by_row < 0, level, self.by_row)
        return packed(followed == np.arange(len(self.levels))[:, None])

    def at(self, rows: NDArray[np.intp], level: int, heaviest: int) -> tuple[Multiway, int]:
        """Give the split of a node, and the branch of rows without a level (-1: there are none).

        Parameters
        ----------
        rows : ndarray of intp
            The rows of the node.
        level : int
            The place of the level that rows without one follow.
        heaviest : int
            The branch with the most weight.
        """
        places = self.by_row[rows]
        present = np.unique(places[places >= 0])
        unknown = int(np.searchsorted(present, level)) if (places < 0).any() else -1
        branches = np.full(self.n_levels, heaviest if unknown < 0 else unknown)
        branches[self.levels[present]] = np.arange(len(present))
        return Multiway(self.column, tuple(branches.tolist())), unknown


def find_branching(branchings: Sequence[Branching], number: int) -> tuple[Branching, int]:
    """Give the column of a split, and the place of the level that rows without one follow.

    Splits are numbered column by column, and within a column by that level.
    """
    for branching in branchings:
        if number < len(branching.levels):
            return branching, number
        number -= len(branching.levels)
    raise IndexError(number)
