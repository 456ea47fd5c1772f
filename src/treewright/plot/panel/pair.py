"""Two conditions joined by a connective: the cells they divide a box into, and branches."""

from __future__ import annotations

from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from treewright.plot.geometry import rectangle
from treewright.plot.panel.along import column_along
from treewright.plot.panel.levels import lines_by_level
from treewright.plot.panel.marks import Cut, Description, Flat, Mark, Region
from treewright.plot.panel.over import rows_over
from treewright.plot.panel.panel import Panel
from treewright.plot.panel.spacing import box_of
from treewright.predicates import Axis, Pair, Simple, Subset

__all__ = ["describe_pair"]


def describe_pair(panel: Panel, predicate: Pair) -> Description:
    """Show the rows over the columns of two conditions, or along their only column."""
    if len(predicate.columns) == 2:
        return panel.described(_cells(panel, predicate), is_shaded=True)
    match predicate.first, predicate.second:
        case Axis(column, low), Axis(_, high):
            return panel.described(column_along(panel, column, [low, high]), is_shaded=True)
        case first, _:
            return panel.described(lines_by_level(panel, first.column))


def _cells(panel: Panel, predicate: Pair) -> Flat:
    """Divide a box by two joined conditions; rows of a level unknown to one take no branch."""
    first, second = predicate.first, predicate.second
    box = box_of(panel, predicate.columns)
    across = _ends(panel, first, box[0][0], box[1][0])
    up = _ends(panel, second, box[0][1], box[1][1])
    probes = np.meshgrid(_inside(panel, first, across), _inside(panel, second, up), indexing="ij")
    branches = panel.branch_of({first.column: probes[0].ravel(), second.column: probes[1].ravel()})
    grid = branches.reshape(probes[0].shape)
    lows = np.stack(np.meshgrid(across[:-1], up[:-1], indexing="ij"), axis=-1)
    highs = np.stack(np.meshgrid(across[1:], up[1:], indexing="ij"), axis=-1)
    marks: list[Mark] = [
        Region(rectangle((lows[cell], highs[cell])), int(grid[cell]))
        for cell in np.ndindex(grid.shape)
    ]
    marks += [Cut(border) for border in _borders(across, up, grid)]
    notes = ["Rows in dark regions take no branch."] if np.any(grid < 0) else []
    return rows_over(panel, predicate.columns, box, marks, notes=notes)


def _ends(panel: Panel, part: Simple, low: float, high: float) -> NDArray[np.float64]:
    """Return where the cells of one part of the pair begin and end."""
    has_levels = bool(panel.column(part.column).levels)
    match part:
        case Subset(column):
            return np.arange(len(panel.column(column).levels) + 1, dtype=np.float64) - 0.5
        case Axis(_, threshold):
            cut = np.floor(threshold) + 0.5 if has_levels else threshold
            return np.array([low, *([cut] if low < cut < high else []), high])
        case _:
            assert_never(part)


def _inside(panel: Panel, part: Simple, ends: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a value in each cell of one part of the pair."""
    if panel.column(part.column).levels:
        return np.floor(ends[:-1]) + 1.0
    return 0.5 * ends[:-1] + 0.5 * ends[1:]


def _borders(
    across: NDArray[np.float64], up: NDArray[np.float64], grid: NDArray[np.int32]
) -> list[NDArray[np.float64]]:
    """Return the lines between neighbouring cells of different branches."""
    upright = [
        np.array([[across[i + 1], up[j]], [across[i + 1], up[j + 1]]])
        for i, j in np.argwhere(grid[1:] != grid[:-1]).tolist()
    ]
    level = [
        np.array([[across[i], up[j + 1]], [across[i + 1], up[j + 1]]])
        for i, j in np.argwhere(grid[:, 1:] != grid[:, :-1]).tolist()
    ]
    return upright + level
