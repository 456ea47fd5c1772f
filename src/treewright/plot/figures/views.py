"""The views of a split, drawn by matplotlib; they say what, here is only how."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure, SubFigure
from mpl_toolkits.mplot3d.art3d import Poly3DCollection
from numpy.typing import NDArray

from treewright.plot.figures.axes import (
    CHARACTER,
    FONT,
    name_axis,
    number_axis,
    say_sides,
    set_rulers,
    stack_bars,
)
from treewright.plot.figures.points import draw_points
from treewright.plot.figures.styles import CUT, MEAN, shade
from treewright.plot.panel.marks import (
    AsideView,
    Average,
    Cut,
    Description,
    Flat,
    Line,
    Lines,
    MainView,
    Mark,
    Name,
    Points,
    Region,
    Space,
    Stack,
    Weights,
)

__all__ = ["draw_views"]

_BAR = 0.72
_NO_BRANCH = 0.65  # grey of levels that the test does not know
_ELEVATION = 18.0  # of the eye above the floor of a box of three dimensions, in degrees
_ZOOM = 1.15
_AZIMUTH = -60
_TILT = 0.25  # cosine of the angle between the line of sight and the normal of the plane
_LONGEST_NAME = 24  # characters before the bars of weights


def draw_views(
    figure: Figure | SubFigure, description: Description, width: float
) -> tuple[list[Axes], list[str]]:
    """Draw all views of a split on an empty figure.

    Parameters
    ----------
    figure : Figure or SubFigure
        Where to draw.
    description : Description
        What to draw.
    width : float
        Width in inches of one pair of axes, nearly.

    Returns
    -------
    axes : list of Axes
        What was drawn on.
    notes : list of str
        What is to be said, each once.
    """
    views = description.views
    drawn = [
        figure.add_subplot(1, len(views), place, projection=_projection(view))
        for place, view in enumerate(views, 1)
    ]
    notes = list(description.notes)
    for axes, view in zip(drawn, views, strict=True):
        notes += view.notes
        match view:
            case Flat():
                _draw_flat(axes, view, description, width)
            case Lines():
                _draw_lines(axes, view, width)
                notes += [*view.points.notes, "Upright lines are means."] if view.points else []
            case Space():
                _draw_space(axes, view, width)
            case Weights():
                _draw_weights(axes, view, width)
            case _:
                assert_never(view)
    return drawn, list(dict.fromkeys(notes))


def _projection(view: MainView | AsideView) -> str | None:
    return "3d" if isinstance(view, Space) else None


def _draw_flat(axes: Axes, flat: Flat, description: Description, width: float) -> None:
    _draw_regions(axes, flat)
    for mark in flat.marks:
        _draw_mark(axes, mark, width / (flat.across.ends[1] - flat.across.ends[0]))
    set_rulers(axes, (flat.across, flat.up), width)
    if flat.left is not None:
        say_sides(axes, description.sides, flat.left, width)


def _draw_regions(axes: Axes, flat: Flat) -> None:
    """Shade polygons by branch, without seams between them."""
    regions = [mark for mark in flat.marks if isinstance(mark, Region)]
    greys = [
        shade(region.branch, flat.n_branches) if region.branch >= 0 else _NO_BRANCH
        for region in regions
    ]
    axes.add_collection(
        PolyCollection(
            [region.corners for region in regions],
            facecolors=[f"{grey:.3f}" for grey in greys],
            linewidths=0,
            antialiaseds=False,
            zorder=0,
        )
    )


def _draw_mark(axes: Axes, mark: Mark, inches: float) -> None:
    """Draw a mark; `inches` is how long 1 is across."""
    match mark:
        case Region():
            pass  # all of them are behind all others
        case Cut(corners):
            axes.plot(*corners.T, color=CUT, linewidth=1.6, zorder=4)
        case Stack(places, counts, thickness):
            stack_bars(axes, places, counts, thickness)
        case Points():
            draw_points(axes, mark)
        case Average(start, end, at):
            axes.hlines(at, start, end, color=MEAN, linewidth=2.2, zorder=5)
        case Name(words, (x, y), None):
            name = axes.text(x, y, words, fontsize=FONT, ha="center", va="center", zorder=6)
            name.set_bbox({"facecolor": "white", "alpha": 0.8, "edgecolor": "0.6", "pad": 2.0})
        case Name(words, (x, _), room):
            assert room is not None, "the case above"
            if len(words) * CHARACTER <= room * inches:
                above = axes.get_xaxis_transform()
                axes.text(x, 1.01, words, transform=above, fontsize=FONT, ha="center", va="bottom")
        case _:
            assert_never(mark)


def _draw_space(axes: Any, space: Space, width: float) -> None:
    if space.plane is not None:
        look = {"facecolor": "0.5", "alpha": 0.3, "edgecolor": CUT, "linewidth": 1.2}
        axes.add_collection3d(Poly3DCollection([space.plane], **look))
    draw_points(axes, space.points)
    set_rulers(axes, space.rulers, width)
    _face_the_plane(axes, space.normal)


def _face_the_plane(axes: Any, normal: NDArray[np.float64]) -> None:
    """Turn a box of three dimensions so that the hyperplane is seen almost from its edge."""
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


def _draw_weights(axes: Axes, weights: Weights, width: float) -> None:
    places = -np.arange(len(weights.names), dtype=np.float64)
    colours = ["0.45" if length > 0.0 else "0.75" for length in weights.lengths]
    axes.barh(places, weights.lengths, _BAR, color=colours)
    axes.axvline(0.0, color="black", linewidth=0.8)
    for place, length, words in zip(places, weights.lengths, weights.words, strict=True):
        is_positive = length > 0.0
        axes.annotate(
            words,
            (length, place),
            (3 if is_positive else -3, 0),
            textcoords="offset points",
            horizontalalignment="left" if is_positive else "right",
            verticalalignment="center",
            fontsize=FONT,
        )
    name_axis(axes.yaxis, places, list(weights.names))
    axes.tick_params(axis="y", length=0)
    # Room for the numbers beside the longest bars.
    room = 8 * CHARACTER / max(width - _LONGEST_NAME * CHARACTER, 1.0)
    low, high = weights.ends
    span = max(high - low, 1e-12)
    axes.set_xlim(low - room * span * (low < 0.0), high + room * span)
    number_axis(axes.xaxis, weights.name, 4)
    axes.set_title(weights.title, fontsize=FONT, loc="left")


def _draw_lines(axes: Axes, view: Lines, width: float) -> None:
    """Draw lines of rows from top to bottom."""
    shown: list[tuple[Line, float]] = []
    for place, line in enumerate(view.lines):
        if line.kind != "heading":
            shown.append((line, -float(place)))
            continue
        along = axes.get_yaxis_transform()
        name = axes.text(0.01, -place, line.name, transform=along, fontsize=FONT)
        name.set(verticalalignment="center", fontweight="bold")
        if place:
            axes.axhline(0.5 - place, color="0.7", linewidth=0.8)
    name_axis(axes.yaxis, np.array([at for _, at in shown]), [line.name for line, _ in shown])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(-len(view.lines) + 0.4, 0.6)
    number_axis(axes.xaxis, view.across.name)
    if view.points is None:
        _draw_bars(axes, shown)
        # Room for the words behind the longest bar.
        words = max((len(line.words) for line, _ in shown if line.has_bar), default=0)
        room = min((words + 2) * CHARACTER / max(width - 1.0, 1.0), 0.6)
        axes.set_xlim(0.0, view.across.ends[1] / (1.0 - room))
        return
    for line, at in shown:
        if np.isfinite(line.mean):
            axes.vlines(line.mean, at - 0.4, at + 0.4, color=MEAN, linewidth=2.2, zorder=5)
    draw_points(axes, view.points)
    axes.set_xlim(*view.across.ends)


def _draw_bars(axes: Axes, lines: Sequence[tuple[Line, float]]) -> None:
    """Draw stacked bars with their sums in words; rare levels in words only."""
    bars = [(line.counts, at) for line, at in lines if line.counts is not None]
    if bars:
        counts = np.stack([counts for counts, _ in bars], axis=1)
        stack_bars(axes, np.array([at for _, at in bars]), counts, _BAR, horizontal=True)
    for line, at in lines:
        length = 0.0 if line.counts is None else float(line.counts.sum())
        axes.text(length, at, f" {line.words}", verticalalignment="center", fontsize=FONT)
