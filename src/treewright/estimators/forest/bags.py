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
        # Scaling is faster than `randint`; the bias is below n_rows / 2^53.
        drawn = self._generator(number, _BAG).random_sample(self.n_draws) * self.n_rows
        return np.bincount(drawn.astype(np.intp), minlength=self.n_rows).astype(np.float64)

    def out_of_bag(self, number: int) -> NDArray[np.intp]:
        """Give the rows that a tree did not learn from."""
        return np.flatnonzero(self.counts(number) == 0.0)

    def growth_seed(self, number: int) -> int:
        """Give the seed of what is random in the growth of a tree."""
        return int(self._sequence(number, _GROWTH).generate_state(1, np.uint64)[0])

    def shuffler(self, number: int) -> np.random.RandomState:
        """Give the generator that shuffles columns for the importances of a tree."""
        return self._generator(number, _SHUFFLE)

    def _sequence(self, number: int, purpose: int) -> np.random.SeedSequence:
        return np.random.SeedSequence(self.seed, spawn_key=(number, purpose))

    def _generator(self, number: int, purpose: int) -> np.random.RandomState:
        # The numbers of RandomState stay the same in all releases of NumPy.
        return np.random.RandomState(np.random.PCG64(self._sequence(number, purpose)))
