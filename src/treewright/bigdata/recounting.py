"""What finished trees ask of every partition: where thresholds lose least, and how rows divide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.bigdata.parts import Rows
from treewright.bigdata.questions import Frame, row_keys, weights_of
from treewright.optimal.goals import ClassGoal, NumberGoal
from treewright.readable.recut import SplitLosses
from treewright.tree import Tree
from treewright.tree.summaries import columns_read

__all__ = ["Counts", "Losses", "Place", "losses_of"]

Numbers = NDArray[np.float64]
Place: TypeAlias = tuple[int, int]  # which tree, and which of its nodes


def _columns(trees: Sequence[Tree]) -> tuple[int, ...]:
    return tuple(sorted({column for tree in trees for column in columns_read(tree.core)}))


def losses_of(
    tree: Tree, frame: Frame, rows: Rows, cost: NDArray[np.float64] | None
) -> SplitLosses:
    """Say what rows lose on either side of the splits of a tree.

    Parameters
    ----------
    tree : Tree
        The tree.
    frame : Frame
        The table.
    rows : Rows
        Some of its rows, with the columns that the tree reads.
    cost : ndarray of float64 or None
        What mistakes cost.

    Returns
    -------
    SplitLosses
        The losses.
    """
    goal: ClassGoal | NumberGoal = NumberGoal(rows.target, weights_of(rows))
    if frame.n_classes:
        goal = ClassGoal(rows.target, weights_of(rows), frame.n_classes, cost)
    values = frame.widened(rows).values
    return SplitLosses(tree, values, _core.Table(values, frame.n_levels), goal)


@dataclass(frozen=True)
class Losses:
    """Asks what rows lose by the sides of splits, in bins along their sums.

    Attributes
    ----------
    frame : Frame
        The table.
    trees : tuple of Tree
        The trees.
    places : tuple of pairs of int
        Splits of these.
    edges : tuple of ndarray
        The edges of the bins of each place, ascending.
    cost : ndarray of float64 or None
        What mistakes cost.
    """

    frame: Frame
    trees: tuple[Tree, ...]
    places: tuple[Place, ...]
    edges: tuple[Numbers, ...]
    cost: NDArray[np.float64] | None

    @property
    def columns(self) -> tuple[int, ...]:
        """Columns that the trees read."""
        return _columns([self.trees[number] for number, _ in self.places])

    def answer(self, rows: Rows) -> list[Numbers]:
        """Add up what the rows of one partition lose.

        For each place a line a bin: what is lost more on the first side than on the second, of all
        rows and of those that take the first side now; the least and the largest value.
        """
        known: dict[int, SplitLosses] = {}
        replies = []
        for (number, node), edges in zip(self.places, self.edges, strict=True):
            if number not in known:
                known[number] = losses_of(self.trees[number], self.frame, rows, self.cost)
            sums, extra, is_first = known[number].along(node)
            bins = np.searchsorted(edges, sums)
            lines = np.zeros((len(edges) + 1, 4))
            lines[:, 0] = np.bincount(bins, extra, minlength=len(lines))
            lines[:, 1] = np.bincount(bins, extra * is_first, minlength=len(lines))
            lines[:, 2:] = np.inf, -np.inf
            np.minimum.at(lines[:, 2], bins, sums)
            np.maximum.at(lines[:, 3], bins, sums)
            replies.append(lines)
        return replies

    def merge(self, first: list[Numbers], second: list[Numbers]) -> list[Numbers]:
        """Add two replies."""
        return [
            np.column_stack(
                [
                    one[:, :2] + other[:, :2],
                    np.minimum(one[:, 2], other[:, 2]),
                    np.maximum(one[:, 3], other[:, 3]),
                ]
            )
            for one, other in zip(first, second, strict=True)
        ]


@dataclass(frozen=True)
class Counts:
    """Asks how many rows stand in each node of some trees, and what their targets are.

    Attributes
    ----------
    frame : Frame
        The table.
    trees : tuple of Tree
        The trees.
    beyond : int or None, default None
        Only rows with a larger key than this: those that no sample up to it has.
    """

    frame: Frame
    trees: tuple[Tree, ...]
    beyond: int | None = None

    @property
    def columns(self) -> tuple[int, ...]:
        """Columns that the trees read."""
        return _columns(self.trees)

    def answer(self, rows: Rows) -> list[tuple[Numbers, Numbers]]:
        """Count one partition: for each tree rows and statistics of its nodes."""
        if self.beyond is not None:
            other = np.flatnonzero(row_keys(rows.part, len(rows.target)) > np.uint64(self.beyond))
            rows = Rows(
                rows.part,
                np.asfortranarray(rows.values[other]),
                rows.columns,
                rows.target[other],
                None if rows.weights is None else rows.weights[other],
            )
        if not len(rows.target):
            return [
                (np.zeros(tree.n_nodes), np.zeros_like(tree.core.statistics)) for tree in self.trees
            ]
        table, target = self.frame.core(rows)
        counted = [_core.refit(tree.core, table, target) for tree in self.trees]
        return [(np.asarray(core.rows), np.asarray(core.statistics)) for core in counted]

    def merge(
        self, first: list[tuple[Numbers, Numbers]], second: list[tuple[Numbers, Numbers]]
    ) -> list[tuple[Numbers, Numbers]]:
        """Add two counts."""
        return [
            (rows + others, self.frame.together(statistics, further))
            for (rows, statistics), (others, further) in zip(first, second, strict=True)
        ]
