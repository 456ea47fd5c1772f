"""Two tests joined by a connective: rows over two columns, with the regions of the branches."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from treewright.plot.figures.scatter import scatter
from treewright.plot.figures.styles import CUT, shade
from treewright.plot.panel.cells import cell_borders, pair_cells
from treewright.plot.panel.panel import Panel
from treewright.plot.panel.spacing import box_of
from treewright.predicates import Pair

__all__ = ["scatter_pair"]

_NO_BRANCH = 0.65  # grey of levels that the test does not know


def scatter_pair(axes: Axes, panel: Panel, predicate: Pair) -> None:
    """Draw the rows over the columns of two tests; shade where the branch is the second."""
    box = box_of(panel, predicate.columns)
    across, up, grid = pair_cells(panel, predicate, box)
    greys = np.select([grid == 0, grid == 1], [1.0, shade(1, 2)], _NO_BRANCH)
    axes.pcolormesh(across, up, greys.T, cmap="gray", vmin=0.0, vmax=1.0, zorder=0)
    axes.add_collection(
        LineCollection(cell_borders(across, up, grid), colors=CUT, linewidths=1.6, zorder=4)
    )
    scatter(axes, panel, predicate.columns, box)
