"""Where to part columns into bins: at first, and again inside of bins that may hold a better cut.

Edges decide nothing but how much has to be asked again: whatever they are, the tree is the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.bigdata.parts import Rows
from treewright.bigdata.questions import Cells, FlatTest, Frame, Open, Sampled

__all__ = [
    "Lines",
    "Resolution",
    "Unsettled",
    "first_cells",
    "limit_cells",
    "wanted_cells",
    "zoomed_cells",
]

Numbers = NDArray[np.float64]
Unsettled: TypeAlias = tuple[NDArray[np.int32], NDArray[np.int32], Numbers]
"""Places, columns, and (lower edge, upper edge, least, largest, rows) of bins."""


@dataclass(frozen=True)
class Lines:
    """Columns, and linear combinations of them, at open nodes.

    Attributes
    ----------
    places, columns : ndarray of int32
        Open node and column of each; the numbers of combinations follow those of the columns.
    combinations : list of flat tests, default []
        The combinations.
    """

    places: NDArray[np.int32]
    columns: NDArray[np.int32]
    combinations: list[FlatTest] = field(default_factory=list)


@dataclass(frozen=True)
class Resolution:
    """How finely columns are looked at; more bins mean larger replies and fewer passes.

    Parameters
    ----------
    sample : int, default 65536
        Rows in the sample from which edges are chosen.
    most_bins : int, default 1024
        Bins of a column at the root; a node with a proportion s of the rows has sqrt(s) times as
        many.
    least_bins : int, default 64
        Bins of a column at small nodes.
    zoom_bins : int, default 2048
        Bins of a column when unsettled bins are divided again, at the root; fewer at small nodes.
    zoom_together : int, default 65536
        Bins of all columns and nodes together that such a pass has at least: where few columns are
        left, they are looked at so closely that seldom another pass is needed.
    max_zooms : int, default 3
        How often they are, before their values are fetched one by one.
    fetched : float, default 0.002
        Proportion of the values (rows times columns) that is fetched without zooming first.
    most_fetched : int, default 20000000
        Values that are fetched at most; nodes for which more would be needed are not proven.
    """

    sample: int = 65_536
    most_bins: int = 1024
    least_bins: int = 64
    zoom_bins: int = 2048
    zoom_together: int = 65_536
    max_zooms: int = 3
    fetched: float = 0.002
    most_fetched: int = 20_000_000

    def bins(self, share: NDArray[np.float64], *, zooming: bool = False) -> NDArray[np.int32]:
        """Return the bins of a column at nodes with these proportions of the rows."""
        most = self.zoom_bins if zooming else self.most_bins
        wanted = np.clip(most * np.sqrt(share), min(self.least_bins, most), most)
        bins: NDArray[np.int32] = np.maximum(wanted, 1).astype(np.int32)
        return bins


def first_cells(
    sample: Sampled,
    frame: Frame,
    asked: Open,
    measure: str,
    n_bins: NDArray[np.int32],
    lines: Lines | None = None,
) -> Cells:
    """Part lines at open nodes by the rows of the sample there; None for every column."""
    n_columns, n_nodes = len(frame.n_levels), len(asked.nodes)
    every = np.arange(n_columns, dtype=np.int32)
    if lines is None:
        places = np.repeat(np.arange(n_nodes, dtype=np.int32), n_columns)
        lines = Lines(places, np.tile(every, n_nodes))
    rows = Rows(0, sample.values, tuple(every.tolist()), sample.target, sample.weights)
    edges = _core.sample_edges(
        asked.tree,
        asked.place_of_node,
        *frame.core(rows),
        measure,
        lines.combinations,
        lines.places,
        lines.columns,
        n_bins,
    )
    return Cells(*edges, lines.combinations)


def limit_cells(lines: Lines, limits: Numbers) -> Cells:
    """Part lines in two, at a limit each."""
    begin = np.arange(len(limits) + 1, dtype=np.int64)
    return Cells(lines.places, lines.columns, begin, limits, lines.combinations)


def zoomed_cells(
    unsettled: Unsettled, n_bins: NDArray[np.int32], together: int, combinations: list[FlatTest]
) -> Cells:
    """Divide unsettled bins evenly; those of a column at place p get `n_bins[p]` bins or more.

    More if all had fewer than so many together.
    """
    places, columns = unsettled[:2]
    wanted = n_bins[places[_starts(places, columns)]].sum()
    return _cells(unsettled, n_bins * max(1.0, together / wanted), combinations)[0]


def wanted_cells(
    unsettled: Unsettled, combinations: list[FlatTest]
) -> tuple[Cells, NDArray[np.uint8]]:
    """Return unsettled bins as cells, and marks of the bins whose values are wanted."""
    return _cells(unsettled, None, combinations)


def _starts(places: NDArray[np.int32], columns: NDArray[np.int32]) -> NDArray[np.intp]:
    """Return where the bins of another place or column begin."""
    changes = (np.diff(places) != 0) | (np.diff(columns) != 0)
    return np.flatnonzero(np.concatenate([[True], changes]))


def _cells(
    unsettled: Unsettled, n_bins: Numbers | None, combinations: list[FlatTest]
) -> tuple[Cells, NDArray[np.uint8]]:
    places, columns, numbers = unsettled
    lower, upper, low, high, rows = numbers.T
    starts = _starts(places, columns)
    edges, wanted = [], []
    for begin, end in zip(starts, [*starts[1:], len(places)], strict=True):
        part = slice(begin, end)
        ends = np.concatenate([lower[part], upper[part]])
        inside = [ends[np.isfinite(ends)]]
        if n_bins is not None:
            shared = n_bins[places[begin]] / rows[part].sum()
            for i in range(begin, end):
                n_inside = int(min(rows[i], max(2.0, shared * rows[i])))
                inside.append(_between(low[i], high[i], n_inside))
        distinct = np.unique(np.concatenate(inside))
        edges.append(distinct)
        # Bins of the cell, and the one of missing values.
        marks = np.zeros(len(distinct) + 2, dtype=np.uint8)
        marks[np.searchsorted(distinct, high[part], side="left")] = 1
        wanted.append(marks)
    cells = Cells(
        places[starts],
        columns[starts],
        np.concatenate([[0], np.cumsum([len(some) for some in edges])]).astype(np.int64),
        np.concatenate(edges),
        combinations,
    )
    return cells, np.concatenate(wanted)


def _between(low: float, high: float, n_bins: int) -> Numbers:
    """Return edges of so many bins of one width, `low` among them and `high` not."""
    share = np.arange(n_bins) / n_bins
    return low * (1.0 - share) + high * share
