"""The cells into which two tests of different columns divide the plane, and their branches."""

from __future__ import annotations

from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from treewright.plot.geometry import Box
from treewright.plot.panel.panel import Panel
from treewright.predicates import Axis, Pair, Simple, Subset

__all__ = ["cell_borders", "pair_cells"]


def pair_cells(
    panel: Panel, predicate: Pair, box: Box
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int32]]:
    """Divide a box by two joined tests.

    Returns
    -------
    across, up : ndarray of float64
        Where cells begin and end.
    grid : ndarray of int32
        The branch of each cell, across times up; -1 where rows take none.
    """
    first, second = predicate.first, predicate.second
    across = _ends(panel, first, box[0][0], box[1][0])
    up = _ends(panel, second, box[0][1], box[1][1])
    probes = np.meshgrid(_inside(panel, first, across), _inside(panel, second, up), indexing="ij")
    branches = panel.branch_of({first.column: probes[0].ravel(), second.column: probes[1].ravel()})
    grid = branches.reshape(probes[0].shape)
    if np.any(grid < 0):
        panel.notes.append("Rows in dark regions take no branch.")
    return across, up, grid


def _ends(panel: Panel, part: Simple, low: float, high: float) -> NDArray[np.float64]:
    """Return where the cells of one part of the test begin and end."""
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
    """Return a value in each cell of one part of the test."""
    if panel.column(part.column).levels:
        return np.floor(ends[:-1]) + 1.0
    return 0.5 * ends[:-1] + 0.5 * ends[1:]


def cell_borders(
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
