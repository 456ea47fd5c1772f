"""Rows as points: by class, or coloured by the number to predict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from treewright.plot.axes import limits, number_axis
from treewright.plot.panel import Panel, Picture
from treewright.plot.styles import POINT, SCALE, point_look, style_of

__all__ = [
    "MOST_VALUES",
    "draw_coloured",
    "draw_points",
    "jittered",
    "moved_apart",
    "value_gap",
]

MOST_VALUES = 15  # that are few enough to be told apart on an axis

_SEED = 1
_CROWDED = 3  # rows that share a value, on average, before they are moved apart
_SHIFT = 0.25  # of the distance of two values
_TRIES = 6


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
    bar = panel.figure.colorbar(points, ax=axes, shrink=0.9, pad=0.12 if _is_space(axes) else 0.02)
    number_axis(bar.ax.yaxis, panel.target)


def _look(axes: Axes, panel: Picture) -> dict[str, Any]:
    # Paler points in the back of a box would look like another class.
    flat = {"depthshade": False} if _is_space(axes) else {}
    return {**point_look(len(panel.sample)), "edgecolors": "white", "zorder": 3, **flat}


def _is_space(axes: Axes) -> bool:
    return axes.name == "3d"


def jittered(values: NDArray[np.float64], most: float) -> NDArray[np.float64]:
    """Move values a little, always by the same amounts, so that equal ones can be told apart."""
    return values + np.random.default_rng(_SEED).uniform(-most, most, len(values))


def value_gap(values: NDArray[np.float64]) -> float | None:
    """Return the least distance of different values, if they are few and shared by many rows."""
    found = np.unique(values)
    if not 1 < len(found) <= MOST_VALUES or len(values) < _CROWDED * len(found):
        return None
    return float(np.diff(found).min())


def moved_apart(
    panel: Panel,
    places: Sequence[NDArray[np.float64]],
    gaps: Sequence[float | None],
    branch_of: Callable[[Sequence[NDArray[np.float64]]], NDArray[np.int32]],
) -> list[NDArray[np.float64]]:
    """Move the sampled rows apart along axes of few values, but none over a cut.

    Parameters
    ----------
    panel : Panel
        The test and its rows.
    places : sequence of ndarray of float64
        The values of the sampled rows, one array an axis.
    gaps : sequence of float or None
        The distance of neighbouring values of each axis; None to leave an axis as it is.
    branch_of : callable
        The branches at some places.

    Returns
    -------
    list of ndarray of float64
        Where to draw them.
    """
    if all(gap is None for gap in gaps):
        return list(places)
    shifts = np.array(
        [
            np.random.default_rng(_SEED + axis).uniform(-_SHIFT, _SHIFT, len(panel.sample))
            * (gap or 0.0)
            for axis, gap in enumerate(gaps)
        ]
    )
    own = panel.rows.branches[panel.sample]
    for _ in range(_TRIES):
        moved = [values + shift for values, shift in zip(places, shifts, strict=True)]
        strays = branch_of(moved) != own
        if not strays.any():
            break
        shifts[:, strays] *= 0.5
    else:
        shifts[:, strays] = 0.0
    panel.notes.append("Points of equal values are moved a little apart.")
    return [values + shift for values, shift in zip(places, shifts, strict=True)]
