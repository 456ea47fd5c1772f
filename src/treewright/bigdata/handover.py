"""Small nodes, handed over to growth in memory.

Once the rows of open nodes fit into memory there is no need to ask for sums level by level: the
rows are fetched in one pass, growth in memory goes on with each node, and what comes of it is
grafted into the tree. It is the same tree, and deep ones cost no more passes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.bigdata.parts import Rows
from treewright.bigdata.questions import Frame, Open

__all__ = ["VALUES_IN_MEMORY", "Fetch", "grow_node", "next_batch"]

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


def grow_node(
    growth: _core.PartitionedGrowth,
    place: int,
    frame: Frame,
    rows: Rows,
    method: Callable[[], _core.Method],
    time_limit: float | None,
) -> bool:
    """Finish an open node by growth in memory.

    Parameters
    ----------
    growth : treewright._core.PartitionedGrowth
        The growth that hands it over.
    place : int
        Which of its open nodes; those behind move up.
    frame : Frame
        The table.
    rows : Rows
        The rows of the node.
    method : callable
        Gives a new working split method.
    time_limit : float or None
        Seconds.

    Returns
    -------
    bool
        Whether the time was too short.
    """
    table, target = frame.core(rows)
    grown, out_of_time = _core.grow(
        table, target, method(), growth.options_at(place), time_limit=time_limit
    )
    growth.graft(place, grown)
    return out_of_time
