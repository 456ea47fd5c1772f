"""Small nodes, handed over to growth in memory.

Once the rows of open nodes fit into memory there is no need to ask for sums level by level: the
rows are fetched in one pass, growth in memory goes on with each node (on one worker each, where
there are some), and what comes of it is grafted into the tree. It is the same tree, and deep ones
cost no more passes.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.bigdata.parts import Rows
from treewright.bigdata.questions import Frame, Open
from treewright.estimators.class_weighting import ClassWeighting
from treewright.estimators.options import GrowthOptions
from treewright.schema import Schema
from treewright.splits import Axis

__all__ = ["VALUES_IN_MEMORY", "Beginning", "Branch", "Fetch", "next_batch"]

#: Values (rows times columns) that are fetched at a time unless asked for otherwise.
VALUES_IN_MEMORY = 2**22

_MOST_BATCHES = 8  # passes in which open nodes are fetched
_PASSES_PER_LEVEL = 3  # about what growth by sums takes


@dataclass(frozen=True)
class Fetch:
    """Asks for the rows that stand in open nodes.

    Attributes
    ----------
    frame : Frame
        The table.
    asked : Open
        The tree so far, and the nodes.
    """

    frame: Frame
    asked: Open

    @property
    def columns(self) -> tuple[int, ...]:
        """All columns."""
        return tuple(range(len(self.frame.n_levels)))

    def answer(self, rows: Rows) -> list[tuple[NDArray[np.int32], Rows]]:
        """Pick the rows of one partition, with the place of each."""
        place = self.asked.place_of_node[self.asked.tree.apply(self.frame.core(rows)[0])]
        if rows.weights is not None:
            place = np.where(rows.weights > 0.0, place, np.int32(-1))
        chosen = np.flatnonzero(place >= 0)
        picked = Rows(
            rows.part,
            np.asfortranarray(rows.values[chosen]),
            rows.columns,
            rows.target[chosen],
            None if rows.weights is None else rows.weights[chosen],
        )
        return [(place[chosen], picked)]

    def merge(
        self,
        first: list[tuple[NDArray[np.int32], Rows]],
        second: list[tuple[NDArray[np.int32], Rows]],
    ) -> list[tuple[NDArray[np.int32], Rows]]:
        """Put what partitions gave one behind the other."""
        return first + second

    def by_place(self, reply: list[tuple[NDArray[np.int32], Rows]]) -> Iterator[Rows]:
        """Give the rows of one node after the other."""
        for place in range(len(self.asked.nodes)):
            there = [(part, np.flatnonzero(places == place)) for places, part in reply]
            ends = np.cumsum([0, *(len(some) for _, some in there)])
            values = np.empty((int(ends[-1]), len(self.columns)), order="F")
            for (part, some), start in zip(there, ends[:-1].tolist(), strict=True):
                values[start : start + len(some)] = part.values[some]
            targets = [part.target[some] for part, some in there]
            weights = [part.weights[some] for part, some in there if part.weights is not None]
            yield Rows(
                0,
                values,
                self.columns,
                np.concatenate(targets),
                np.concatenate(weights) if weights else None,
            )


def next_batch(
    rows: NDArray[np.float64], limit: int, levels_left: float
) -> NDArray[np.intp] | None:
    """Choose the open nodes whose rows are fetched in the next pass.

    A pass reads all columns of all rows, so that it has to spare others: nodes are handed over when
    all that are open are small, in no more passes than growth by sums would take; or when one pass
    is enough.

    Parameters
    ----------
    rows : ndarray of float64
        Of each open node.
    limit : int
        Rows to fetch at a time.
    levels_left : float
        How much deeper the tree may become.

    Returns
    -------
    ndarray of intp or None
        Places of the nodes; None if growth goes on by sums.
    """
    small = np.flatnonzero(rows <= limit)
    n_batches = math.ceil(float(rows[small].sum()) / max(limit, 1))
    if len(small) == len(rows):
        allowed = min(_MOST_BATCHES, _PASSES_PER_LEVEL * levels_left)
    else:
        allowed = 1 if levels_left > 1 else 0
    if not len(small) or n_batches > allowed:
        return None
    batch, n_rows = [], 0.0
    for place in small[np.argsort(-rows[small], kind="stable")].tolist():  # the largest first
        if n_rows + rows[place] <= limit:
            batch.append(place)
            n_rows += rows[place]
    return np.sort(np.array(batch, dtype=np.intp))


@dataclass(frozen=True)
class Beginning:
    """What a growth over partitions begins with; it pickles, so that it can begin elsewhere, too.

    Attributes
    ----------
    frame : Frame
        What is known of the table.
    schema : Schema
        Its columns and classes.
    options : GrowthOptions
        How to grow.
    weighting : ClassWeighting or None
        What errors cost.
    n_all, weight_of_all : float
        Rows and weight of the whole table, by which limits that are proportions are counted.
    n_rows : int
        Rows of this tree.
    statistics : ndarray of float64
        Of these rows.
    unit_weights : bool
        Whether each of them weighs 1.
    """

    frame: Frame
    schema: Schema
    options: GrowthOptions
    weighting: ClassWeighting | None
    n_all: int
    weight_of_all: float
    n_rows: int
    statistics: NDArray[np.float64]
    unit_weights: bool

    def method(self) -> _core.Method:
        """Return a new working split method."""
        return self.options.method(self.schema)

    def growth(self) -> _core.PartitionedGrowth:
        """Return a new growth that has a root and nothing else."""
        core = self.options.core(self.n_all, self.weight_of_all, self.schema.n_columns)
        if self.weighting is not None:
            self.weighting.put_costs(core)
        growth = _core.PartitionedGrowth(
            self.schema.n_levels,
            self.frame.n_classes,
            core,
            self.options.categorical,
            self.n_rows,
            self.unit_weights,
            None if isinstance(self.options.split, Axis) else self.method(),
        )
        growth.plant(self.statistics)
        return growth


@dataclass(frozen=True)
class Branch:
    """A node with its rows: called, it grows on in memory. It pickles.

    Attributes
    ----------
    beginning : Beginning
        What the whole tree began with.
    depth : int
        Of the node.
    rows : Rows
        The rows there.
    until : float or None
        When the time is over, in seconds since the epoch, which all machines count alike.
    """

    beginning: Beginning
    depth: int
    rows: Rows
    until: float | None

    def __call__(self) -> tuple[_core.Tree, bool]:
        """Return the branch, and whether the time was too short for it."""
        table, target = self.beginning.frame.core(self.rows)
        seconds = None if self.until is None else max(0.0, self.until - time.time())
        options = self.beginning.growth().options_at(self.depth)
        return _core.grow(table, target, self.beginning.method(), options, time_limit=seconds)
