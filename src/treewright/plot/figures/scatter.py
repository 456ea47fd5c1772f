"""Rows as points over two or three columns, with the cut of a test between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from mpl_toolkits.mplot3d.art3d import Poly3DCollection
from numpy.typing import NDArray

from treewright.plot.figures.axes import set_column
from treewright.plot.figures.points import draw_coloured
from treewright.plot.figures.styles import CUT, shade
from treewright.plot.geometry import Box, cut_in_box, unit_cut
from treewright.plot.panel.panel import Panel
from treewright.plot.panel.spacing import places_over

__all__ = ["Region", "draw_plane", "draw_regions", "face_the_plane", "scatter"]

Region = tuple[NDArray[np.float64], int]  # corners in order, branch

_ELEVATION = 18.0  # of the eye above the floor of a box of three dimensions, in degrees
_ZOOM = 1.15
_AZIMUTH = -60
_TILT = 0.25  # cosine of the angle between the line of sight and the normal of the plane


def scatter(axes: Any, panel: Panel, columns: Sequence[int], box: Box) -> None:
    """Draw the rows over two or three columns."""
    places, gaps = places_over(panel, columns)
    if len(panel.sample):
        draw_coloured(axes, panel, *places)
    n_ticks = 5 if len(columns) == 2 else 4
    for name, column, low, high, gap in zip("xyz", columns, *box, gaps, strict=False):
        getattr(axes, f"set_{name}lim")(low, high)
        room = panel.width if name == "x" else len(panel.column(column).levels) * 1.2
        axis = getattr(axes, f"{name}axis")
        is_whole = gap is not None and gap.is_integer()
        set_column(axis, panel.column(column), room, n_ticks, is_whole=is_whole)


def draw_regions(axes: Axes, panel: Panel, regions: Iterable[Region]) -> None:
    """Shade polygons by branch."""
    for corners, branch in regions:
        if len(corners) and branch >= 0:
            grey = shade(branch, panel.predicate.n_branches)
            axes.fill(*corners.T, color=f"{grey:.3f}", linewidth=0, zorder=0)


def draw_plane(
    axes: Any, panel: Panel, coefficients: NDArray[np.float64], threshold: float, box: Box
) -> None:
    """Draw the line or the plane of a test, or say that it is elsewhere."""
    cut = cut_in_box(coefficients, threshold, box)
    if cut is None:
        panel.notes.append("The cut lies outside of these rows.")
    elif len(coefficients) == 2:
        axes.plot(*cut.T, color=CUT, linewidth=1.6, zorder=4)
    else:
        axes.add_collection3d(
            Poly3DCollection([cut], facecolor="0.5", alpha=0.3, edgecolor=CUT, linewidth=1.2)
        )


def face_the_plane(axes: Any, coefficients: NDArray[np.float64], box: Box) -> None:
    """Turn a box of three dimensions so that the plane is seen almost from its edge."""
    normal, _ = unit_cut(coefficients, 0.0, box)
    length = np.linalg.norm(normal)
    azimuths = np.arange(-180, 180)
    # Seen along an axis of the floor, its numbers would lie on top of each other.
    azimuths = azimuths[np.abs(azimuths % 90 - 45) <= 20]
    if length > 0.0:
        up, around = np.radians(_ELEVATION), np.radians(azimuths)
        sight = np.stack([np.cos(up) * np.cos(around), np.cos(up) * np.sin(around)])
        cosines = (normal[:2] @ sight + normal[2] * np.sin(up)) / length
        # Of views that are equally good the one nearest to matplotlib's own is taken.
        turn = np.abs((azimuths - _AZIMUTH + 180) % 360 - 180) / 360.0
        azimuth = int(azimuths[np.argmin(np.abs(np.abs(cosines) - _TILT) + 0.1 * turn)])
    else:
        azimuth = _AZIMUTH
    axes.view_init(elev=_ELEVATION, azim=azimuth)
    axes.set_box_aspect(None, zoom=_ZOOM)
