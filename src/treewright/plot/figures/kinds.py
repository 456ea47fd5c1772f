"""Which picture suits which kind of test."""

from __future__ import annotations

from typing import Any, assert_never

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from numpy.typing import NDArray

from treewright.plot.figures.along import rows_along
from treewright.plot.figures.axes import say_branches
from treewright.plot.figures.coefficients import MOST_COEFFICIENTS, draw_coefficients
from treewright.plot.figures.levels import draw_lines
from treewright.plot.figures.machines import draw_machine
from treewright.plot.figures.pairs import scatter_pair
from treewright.plot.figures.scatter import draw_plane, draw_regions, face_the_plane, scatter
from treewright.plot.geometry import clipped, rectangle
from treewright.plot.panel.level_lines import MOST_LEVELS, level_lines
from treewright.plot.panel.panel import Panel
from treewright.plot.panel.spacing import box_of
from treewright.plot.rows import drawable
from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Predicate, Subset
from treewright.schema import Schema

__all__ = ["draw_test", "n_axes", "n_lines"]


def n_axes(predicate: Predicate) -> int:
    """Tell how many pairs of axes the picture of a test has."""
    match predicate:
        case Linear(columns):
            return 2 if len(columns) > 2 else 1
        case Machine():
            return 2
        case Axis() | Subset() | Multiway() | Pair():
            return 1
        case _:
            assert_never(predicate)


def n_lines(predicate: Predicate, schema: Schema) -> int:
    """Tell how many lines of text one below the other the picture needs."""
    match predicate:
        case Subset(column) | Multiway(column):
            n_levels, n_branches = len(schema.columns[column].levels), predicate.n_branches
            n_headings = 0 if n_levels == n_branches else 2 * min(n_branches, MOST_LEVELS)
            return min(n_levels, MOST_LEVELS) + n_headings
        case Linear(columns):
            return min(len(columns), MOST_COEFFICIENTS)
        case Axis() | Pair() | Machine():
            return 0
        case _:
            assert_never(predicate)


def draw_test(figure: Figure | SubFigure, panel: Panel) -> list[Axes]:
    """Draw the test of a panel with its rows on an empty figure.

    Returns
    -------
    list of Axes
        What was drawn on.
    """
    predicate = panel.predicate
    match predicate:
        case Axis(column, threshold):
            return [_column(figure, panel, column, [threshold])]
        case Linear((column,), (coefficient,), threshold):
            with np.errstate(over="ignore"):
                cuts = (
                    drawable(np.divide([threshold], coefficient)) if coefficient else np.array([])
                )
            return [_column(figure, panel, column, cuts.tolist())]
        case Linear(columns) if len(columns) == 2:
            return [_line(figure, panel, predicate)]
        case Linear():
            return [_plane_or_bars(figure, panel, predicate), _projection(figure, panel, predicate)]
        case Subset(column) | Multiway(column):
            return [_levels(figure, panel, column)]
        case Pair():
            return [_pair(figure, panel, predicate)]
        case Machine():
            return draw_machine(figure, panel, predicate)
        case _:
            assert_never(predicate)


def _column(figure: Figure | SubFigure, panel: Panel, column: int, cuts: list[float]) -> Axes:
    axes = figure.add_subplot()
    values = panel.rows.column(column)
    rows_along(axes, panel, values, cuts, panel.branch_along(column), panel.column(column))
    return axes


def _line(figure: Figure | SubFigure, panel: Panel, predicate: Linear) -> Axes:
    axes = figure.add_subplot()
    box = box_of(panel, predicate.columns)
    coefficients = np.array(predicate.coefficients)
    shaded = clipped(rectangle(box), coefficients, predicate.threshold, box)
    draw_regions(axes, panel, [(shaded, 1)])
    draw_plane(axes, panel, coefficients, predicate.threshold, box)
    scatter(axes, panel, predicate.columns, box)
    say_branches(axes, panel)
    return axes


def _plane_or_bars(figure: Figure | SubFigure, panel: Panel, predicate: Linear) -> Axes:
    if len(predicate.columns) > 3:
        axes = figure.add_subplot(1, 2, 1)
        draw_coefficients(axes, panel, predicate)
        return axes
    space: Any = figure.add_subplot(1, 2, 1, projection="3d")
    box = box_of(panel, predicate.columns)
    coefficients = np.array(predicate.coefficients)
    draw_plane(space, panel, coefficients, predicate.threshold, box)
    scatter(space, panel, predicate.columns, box)
    face_the_plane(space, coefficients, box)
    return space  # type: ignore[no-any-return]


def _projection(figure: Figure | SubFigure, panel: Panel, predicate: Linear) -> Axes:
    axes = figure.add_subplot(1, 2, 2)
    sums = panel.rows.weighted_sum(predicate.columns, predicate.coefficients)

    def branch_of(numbers: NDArray[np.float64]) -> NDArray[np.int32]:
        return (numbers > predicate.threshold).astype(np.int32)

    label = f"weighted sum of the {len(predicate.columns)} columns"
    rows_along(axes, panel, sums, [predicate.threshold], branch_of, label)
    return axes


def _levels(figure: Figure | SubFigure, panel: Panel, column: int) -> Axes:
    axes = figure.add_subplot()
    codes = np.arange(len(panel.column(column).levels), dtype=np.float64)
    draw_lines(axes, panel, level_lines(panel, column, panel.branch_of({column: codes})))
    return axes


def _pair(figure: Figure | SubFigure, panel: Panel, predicate: Pair) -> Axes:
    if len(predicate.columns) == 2:
        axes = figure.add_subplot()
        scatter_pair(axes, panel, predicate)
        say_branches(axes, panel)
        return axes
    match predicate.first, predicate.second:
        case Axis(column, low), Axis(_, high):
            return _column(figure, panel, column, [low, high])
        case first, _:
            return _levels(figure, panel, first.column)
