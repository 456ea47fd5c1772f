"""Bags: the rows each tree of a forest learns from, drawn with replacement (Breiman 1996).

A row stands in a bag as often as it was drawn; those drawn not at all, about 37 % of the rows, are
out of the bag and can judge the tree. Bags are not stored: all that is random in a tree follows
from (seed of the forest, number of the tree), so that they are drawn again when asked for, and a
forest is the same whatever the number of threads and however its trees were added.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright import _core

__all__ = ["Bags"]

_GROWTH, _BAG, _SHUFFLE = range(3)  # what random numbers are for


@dataclass(frozen=True)
class Bags:
    """The bags of a forest.

    Parameters
    ----------
    seed : int
        Seed of the forest.
    n_rows : int
        Number of rows that can be drawn.
    n_draws : int or None
        How many rows are drawn for each tree; None if every tree learns from all rows.

    Examples
    --------
    >>> bags = Bags(seed=1, n_rows=6, n_draws=6)
    >>> bags.counts(0)
    array([0., 0., 0., 2., 3., 1.])
    >>> bags.out_of_bag(0)
    array([0, 1, 2])
    """

    seed: int
    n_rows: int
    n_draws: int | None

    def counts(self, number: int) -> NDArray[np.float64]:
        """Say how often each row stands in the bag of a tree."""
        if self.n_draws is None:
            return np.ones(self.n_rows)
        return _core.bag_counts(self.seed, number, _BAG, self.n_rows, self.n_draws)

    def out_of_bag(self, number: int) -> NDArray[np.intp]:
        """Give the rows that a tree did not learn from."""
        return np.flatnonzero(self.counts(number) == 0.0)

    def growth_seed(self, number: int) -> int:
        """Give the seed of what is random in the growth of a tree."""
        return _core.seed_for(self.seed, number, _GROWTH)

    def shuffler(self, number: int) -> np.random.RandomState:
        """Give the generator that shuffles columns for the importances of a tree."""
        # The numbers of RandomState stay the same in all releases of NumPy.
        sequence = np.random.SeedSequence(self.seed, spawn_key=(number, _SHUFFLE))
        return np.random.RandomState(np.random.PCG64(sequence))
