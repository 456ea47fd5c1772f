"""Rows as points: by class, or coloured by the number to predict."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from treewright.plot.figures.axes import number_axis
from treewright.plot.figures.styles import POINT, SCALE, point_look, style_of
from treewright.plot.panel.marks import Points
from treewright.plot.panel.spacing import limits

__all__ = ["draw_points"]


def draw_points(axes: Any, points: Points, *, ends: tuple[float, float] | None = None) -> None:
    """Draw points by class, by a scale of colours for their numbers, or all alike.

    `axes` may have two or three dimensions; `ends` are those of the scale, by default those of the
    numbers.
    """
    if not len(points):
        return
    look = _look(axes, len(points))
    if points.codes is not None:
        counts = np.bincount(points.codes)
        for code in np.argsort(-counts, kind="stable").tolist():  # small classes on top
            if counts[code]:
                style = style_of(code)
                at = (place[points.codes == code] for place in points.places)
                axes.scatter(*at, color=style.colour, marker=style.marker, **look)
    elif points.colours is not None:
        numbers = points.colours.numbers
        low, high = limits(numbers) if ends is None else ends
        look["alpha"] = 0.9  # fainter points would have other colours
        made = axes.scatter(*points.places, c=numbers, cmap=SCALE, vmin=low, vmax=high, **look)
        pad = 0.12 if _is_space(axes) else 0.02
        bar = axes.figure.colorbar(made, ax=axes, shrink=0.9, pad=pad)
        number_axis(bar.ax.yaxis, points.colours.name)
    else:
        axes.scatter(*points.places, color=POINT, **look)


def _look(axes: Axes, n_points: int) -> dict[str, Any]:
    # Paler points in the back of a box would look like another class.
    flat = {"depthshade": False} if _is_space(axes) else {}
    return {**point_look(n_points), "edgecolors": "white", "zorder": 3, **flat}


def _is_space(axes: Axes) -> bool:
    return axes.name == "3d"
