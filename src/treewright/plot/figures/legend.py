"""The legend of classes, beside the axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure, SubFigure
from matplotlib.legend import Legend
from matplotlib.legend_handler import HandlerTuple
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from treewright.plot.figures.axes import CHARACTER, FONT
from treewright.plot.figures.styles import style_of
from treewright.schema.shortening import shortened
from treewright.words import display_width, plural

__all__ = ["draw_legend", "legend_height", "legend_width"]

_MOST_IN_A_COLUMN = 14
_MOST_COLUMNS = 2
_LONGEST_TITLE = 24
_LINE = 0.2  # inches


def legend_width(names: Sequence[str]) -> float:
    """Return the inches that a legend of these names takes."""
    if not names:
        return 0.0
    longest = max(map(display_width, names))
    return _n_columns(len(names)) * (longest * CHARACTER + 0.55) + 0.25


def legend_height(names: Sequence[str]) -> float:
    """Return the inches that a legend of these names takes, with its title."""
    if not names:
        return 0.0
    lines = -(-len(names) // _n_columns(len(names)))
    return (min(lines, _MOST_IN_A_COLUMN + 1) + 1) * _LINE + 0.2


def draw_legend(
    figure: Figure | SubFigure,
    axes: Sequence[Axes],
    classes: dict[int, str],
    title: str,
) -> Legend:
    """Draw how each class looks in these axes: as bars, as points, or both.

    Parameters
    ----------
    figure : Figure or SubFigure
        Where to draw.
    axes : sequence of Axes
        What the legend explains.
    classes : dict of int to str
        The names of the classes that occur, by code.
    title : str
        What is predicted.

    Returns
    -------
    Legend
        Outside of all axes, on the right.
    """
    has_bars = any(pair.containers for pair in axes)
    has_points = any(isinstance(made, PathCollection) for pair in axes for made in pair.collections)
    shown = list(classes.items())[: _MOST_COLUMNS * _MOST_IN_A_COLUMN]
    handles: list[Any] = [_handle(code, has_bars, has_points) for code, _ in shown]
    labels = [name for _, name in shown]
    if len(shown) < len(classes):
        handles.append(Patch(alpha=0.0))
        labels.append(plural(len(classes) - len(shown), "more class"))
    return figure.legend(
        handles,
        labels,
        loc="outside right upper",
        title=shortened(title, _LONGEST_TITLE),
        fontsize=FONT,
        title_fontsize=FONT,
        ncols=_n_columns(len(classes)),
        frameon=False,
        alignment="left",
        handler_map={tuple: HandlerTuple(ndivide=None)},
    )


def _n_columns(n_classes: int) -> int:
    return 1 if n_classes <= _MOST_IN_A_COLUMN else _MOST_COLUMNS


def _handle(code: int, has_bars: bool, has_points: bool) -> Any:
    style = style_of(code)
    bar = Patch(facecolor=style.colour, hatch=style.hatch, edgecolor="white")
    point = Line2D([], [], color=style.colour, marker=style.marker, linestyle="none", markersize=6)
    return (bar, point) if has_bars and has_points else point if has_points else bar
