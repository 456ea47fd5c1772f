"""Rows as points: by class, or coloured by the number to predict."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from treewright.plot.figures.axes import number_axis
from treewright.plot.figures.styles import POINT, SCALE, point_look, style_of
from treewright.plot.panel.panel import Picture
from treewright.plot.panel.spacing import limits

__all__ = ["draw_coloured", "draw_points"]


def draw_points(axes: Any, panel: Picture, *places: NDArray[np.float64]) -> None:
    """Draw the sampled rows by class, or all alike where numbers are predicted.

    `axes` may have two or three dimensions.
    """
    look = _look(axes, panel)
    if panel.classes is None:
        axes.scatter(*places, color=POINT, **look)
        return
    codes = panel.rows.target[panel.sample]
    counts = np.bincount(codes, minlength=len(panel.classes))
    for code in np.argsort(-counts, kind="stable").tolist():  # small classes on top
        if counts[code]:
            style = style_of(code)
            at = (place[codes == code] for place in places)
            axes.scatter(*at, color=style.colour, marker=style.marker, **look)


def draw_coloured(
    axes: Any,
    panel: Picture,
    *places: NDArray[np.float64],
    ends: tuple[float, float] | None = None,
) -> None:
    """Draw the sampled rows by class, or by the number to predict with a scale of colours.

    `ends` are those of the scale; by default those of the numbers.
    """
    if panel.classes is not None or not len(panel.sample):
        draw_points(axes, panel, *places)
        return
    numbers = panel.rows.target[panel.sample]
    low, high = limits(numbers) if ends is None else ends
    look = _look(axes, panel) | {"alpha": 0.9}  # fainter points would have other colours
    points = axes.scatter(*places, c=numbers, cmap=SCALE, vmin=low, vmax=high, **look)
    bar = axes.figure.colorbar(points, ax=axes, shrink=0.9, pad=0.12 if _is_space(axes) else 0.02)
    number_axis(bar.ax.yaxis, panel.target)


def _look(axes: Axes, panel: Picture) -> dict[str, Any]:
    # Paler points in the back of a box would look like another class.
    flat = {"depthshade": False} if _is_space(axes) else {}
    return {**point_look(len(panel.sample)), "edgecolors": "white", "zorder": 3, **flat}


def _is_space(axes: Axes) -> bool:
    return axes.name == "3d"
