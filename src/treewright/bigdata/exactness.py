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

    Notes
    -----
    Proven are thresholds, levels and what is compared by them. The columns and coefficients that
    MUST and FTest take come from means and products, whose last digits depend on the order of the
    rows: they are those of a fit in memory but for rounding, which is not proven.

    Examples
    --------
    >>> Exactness(gaps=(), passes=9, fetched=1046)
    Exactness(gaps=(), passes=9, fetched=1046, out_of_time=False)
    >>> Exactness(gaps=((5, 0.01),), passes=9, fetched=0).is_proven
    False
    """

    gaps: tuple[tuple[int, float], ...]
    passes: int
    fetched: int
    out_of_time: bool = False

    @property
    def is_proven(self) -> bool:
        """Whether every node is."""
        return not self.gaps
