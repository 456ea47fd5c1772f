"""Whether the splits of a tree are proven to be those that growth in memory would choose."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Exactness"]


@dataclass(frozen=True)
class Exactness:
    """What is proven of a tree that was grown from sums over partitions.

    Parameters
    ----------
    gaps : mapping of int to float, as a tuple of pairs
        Nodes whose split is not proven the best, with what a better cut could add to its gain at
        most, relative to it. Nodes that are not named are proven.
    passes : int
        How often all partitions were asked.
    fetched : int
        Values that were looked at one by one, over all nodes and columns.
    out_of_time : bool
        Whether the time limit ended growth while nodes were still open.
    folds_proven : bool
        Whether the trees by which a pruned one was chosen are proven, too.
    finished_in_memory : int
        Rows of nodes that were few enough to be fetched, and grown on in memory.

    Examples
    --------
    >>> Exactness(gaps=(), passes=9, fetched=1046).is_proven
    True
    >>> Exactness(gaps=((5, 0.01),), passes=9, fetched=0).is_proven
    False
    """

    gaps: tuple[tuple[int, float], ...]
    passes: int
    fetched: int
    out_of_time: bool = False
    folds_proven: bool = True
    finished_in_memory: int = 0

    @property
    def is_proven(self) -> bool:
        """Whether every node is, also of the trees that it was chosen by."""
        return not self.gaps and self.folds_proven
