"""Whether the splits of a tree are proven to be those that growth in memory would choose."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Exactness", "FoundOnSample"]


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

    Notes
    -----
    Proven are thresholds, levels and what is compared by them. The columns and coefficients that
    MUST and FTest take come from means and products, whose last digits depend on the order of the
    rows: they are those of a fit in memory but for rounding, which is not proven.

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


@dataclass(frozen=True)
class FoundOnSample:
    """What is known of a tree that was searched for on a sample of the rows.

    Its thresholds, counts and predictions are those of all rows.

    Parameters
    ----------
    rows : int
        Rows of the table whose weight is not 0.
    sampled : int
        Rows of the sample.
    score : float or None
        Accuracy, or R², of the tree as the sample gave it on all other rows; None if there are
        none.
    passes : int
        How often all partitions were read.

    Examples
    --------
    >>> print(FoundOnSample(rows=10_000_000, sampled=100_000, score=0.8123, passes=7))
    Found on a sample of 100,000 of 10,000,000 rows; thresholds and counts are those of all rows.
    On the 9,900,000 rows outside the sample it has a score of 0.812.
    """

    rows: int
    sampled: int
    score: float | None
    passes: int

    @property
    def is_proven(self) -> bool:
        """Whether it is the tree of a fit in memory: only if the sample has all rows."""
        return self.rows == self.sampled

    def __str__(self) -> str:
        if self.is_proven:
            return "Found on all rows, in memory."
        others = self.rows - self.sampled
        return (
            f"Found on a sample of {self.sampled:,} of {self.rows:,} rows; thresholds and counts "
            "are those of all rows.\n"
            f"On the {others:,} rows outside the sample it has a score of {self.score:.3f}."
        )
