"""The rows of a test and its cut as SVG: along one number, over two columns, or by level.

Each function draws from a height down and tells where it ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from treewright.plot.geometry import Box, clipped, cut_in_box, rectangle
from treewright.plot.panel.bins import Bars, bars_along
from treewright.plot.panel.cells import cell_borders, pair_cells
from treewright.plot.panel.level_lines import LevelLine, in_words
from treewright.plot.panel.panel import Panel
from treewright.plot.panel.scale import BranchOf, Stretch, scale_of
from treewright.plot.panel.spacing import box_of, limits, moved_apart, places_over, value_gap
from treewright.plot.svg.frame import Frame, column_ticks, number_ticks, text
from treewright.plot.svg.paint import Paint
from treewright.plot.svg.text import number
from treewright.plot.tree.contents import SMALL
from treewright.plot.tree.lettering import fitted, text_width
from treewright.plot.tree.style import N_COLOURS, N_TINTS
from treewright.plot.words import column_words
from treewright.predicates import Linear, Pair
from treewright.schema import Column
from treewright.tree.tree_text import value_text
from treewright.words import count_text

__all__ = ["WIDTH", "Drawn", "draw_along", "draw_lines", "draw_over"]

WIDTH = 350.0  # so that one fits on the screen of a telephone
Drawn = tuple[str, float]  # elements, and the height where they end

_HEIGHT = 160.0
_RIGHT = 14.0
_AXIS = 44.0  # room below the axis
_LINE = 21.0
_BAR = 14.0
_LONGEST_NAME = 112.0
_HEADROOM = 1.06
_NO_BRANCH = -1


def draw_along(
    panel: Panel,
    paint: Paint,
    top: float,
    values: NDArray[np.float64],
    cuts: Sequence[float],
    branch_of: BranchOf,
    label: str | Column,
) -> Drawn:
    """Draw rows along one number, with the cuts of the test; see `along.rows_along`."""
    column = label if isinstance(label, Column) else None
    scale = scale_of(values, column, cuts, branch_of)
    if len(scale.stretches) == 1:
        panel.notes.append("The cut lies outside of these rows.")
    ends = scale.ends
    if panel.classes is None:
        up = limits(panel.rows.target)
        ticks = number_ticks(*up, 4)
    else:
        bars, ends = bars_along(panel, values, scale)
        tallest = float(bars[1].sum(axis=0).max(initial=0.0)) or 1.0
        up = 0.0, _HEADROOM * tallest
        ticks = number_ticks(*up, 4, is_whole=not panel.is_weighted and tallest >= 1.0)
        ticks[-1] = (ticks[-1][0], f"{ticks[-1][1]} {panel.amount}")
    frame = _frame(top, ends, up, [words for _, words in ticks])
    parts = [_shaded(panel, frame, scale.stretches), frame.left_axis(ticks)]
    if panel.classes is None:
        (places,) = moved_apart(
            panel,
            [values[panel.sample]],
            [value_gap(values)],
            lambda moved: branch_of(moved[0]),
        )
        parts += [_points(panel, frame, places, panel.rows.target[panel.sample])]
        parts += _means(panel, frame, scale.stretches)
    else:
        parts += _stacked(paint, frame, bars)
    parts += [
        f'<path class="cut" d="M{number(frame.x(cut))},{number(top)}V{number(frame.bottom)}"/>'
        for cut, _, _ in scale.stretches[1:]
    ]
    if column is None:
        below, name = number_ticks(*ends, 6), str(label)
    else:
        below = column_ticks(column, *ends, 6, frame.width, is_whole=scale.is_whole)
        name = column_words(column)
    return "".join([*parts, frame.bottom_axis(below, name)]), frame.bottom + _AXIS


def draw_over(panel: Panel, top: float, predicate: Linear | Pair) -> Drawn:
    """Draw rows over the two columns of a test, with the line or the regions of the test."""
    box = box_of(panel, predicate.columns)
    places, gaps = places_over(panel, predicate.columns)
    (left, bottom), (right, high) = (tuple(corner.tolist()) for corner in box)
    across, up = (panel.column(column) for column in predicate.columns)
    whole = [gap is not None and gap.is_integer() for gap in gaps]
    ticks = column_ticks(up, bottom, high, 5, _LONGEST_NAME * len(up.levels), is_whole=whole[1])
    frame = _frame(top + _LINE + 4.0, (left, right), (bottom, high), [words for _, words in ticks])
    name = fitted(f"{column_words(up)}", WIDTH - 2.0 * _RIGHT, SMALL)
    parts = [text(_RIGHT, top + 10.0, name, "s k")]
    parts += _regions(panel, frame, predicate, box)
    parts += [frame.left_axis(ticks), _points(panel, frame, *places)]
    below = column_ticks(across, left, right, 6, frame.width, is_whole=whole[0])
    return "".join([*parts, frame.bottom_axis(below, column_words(across))]), frame.bottom + _AXIS


def draw_lines(panel: Panel, paint: Paint, top: float, lines: Sequence[LevelLine]) -> Drawn:
    """Draw a line for each level or branch: bars of classes, or means with their spread."""
    names = [text_width(line.name, SMALL) for line in lines if line.kind != "heading"]
    left = min(max(names, default=0.0), _LONGEST_NAME) + 2.0 * _RIGHT - 6.0
    words = [_line_words(panel, line) for line in lines]
    bars = [line.kind not in ("heading", "rest") for line in lines]
    beside = [text_width(said, SMALL) for said, has_bar in zip(words, bars, strict=True) if has_bar]
    room = max(60.0, WIDTH - left - _RIGHT - max(beside, default=0.0) - 8.0)
    totals = [
        float(panel.rows.weights[line.which].sum())
        for line, has_bar in zip(lines, bars, strict=True)
        if has_bar
    ]
    ends = (0.0, max(totals, default=0.0) or 1.0)
    if panel.classes is None:
        ends = limits(panel.rows.target)
    frame = Frame(left, top, room, _LINE * len(lines), ends, (0.0, 1.0))
    parts = []
    for place, (line, said) in enumerate(zip(lines, words, strict=True)):
        middle = top + _LINE * (place + 0.5)
        if line.kind == "heading":
            parts.append(text(_RIGHT, middle, fitted(said, WIDTH - 2.0 * _RIGHT, SMALL), "k b"))
            continue
        name = fitted(line.name, _LONGEST_NAME, SMALL)
        parts.append(text(left - 6.0, middle, name, "s e"))
        end = left
        if line.kind != "rest":
            drawn, end = _line_bar(panel, paint, frame, line, middle)
            parts.append(drawn)
        parts.append(text(end + 6.0, middle, fitted(said, WIDTH - end - 6.0, SMALL), "s k"))
    return "".join(parts), top + _LINE * len(lines) + 8.0


def _frame(
    top: float, across: tuple[float, float], up: tuple[float, float], words: Sequence[str]
) -> Frame:
    """Make room for the texts of the axis on the left."""
    left = max([text_width(tick, SMALL) for tick in words], default=0.0) + _RIGHT + 6.0
    return Frame(left, top, WIDTH - _RIGHT - left, _HEIGHT, across, up)


def _shaded(panel: Panel, frame: Frame, stretches: Sequence[Stretch]) -> str:
    """Shade every other branch."""
    cuts = [frame.across[0], *(start for start, _, _ in stretches[1:]), frame.across[1]]
    parts = [
        f"M{number(frame.x(cuts[place]))},{number(frame.top)}H{number(frame.x(cuts[place + 1]))}"
        f"V{number(frame.bottom)}H{number(frame.x(cuts[place]))}z"
        for place, (_, _, branch) in enumerate(stretches)
        if branch % 2
    ]
    return f'<path class="no" d="{"".join(parts)}"/>'


def _stacked(paint: Paint, frame: Frame, bars: Bars) -> Iterator[str]:
    """Stack bars upon each other, one path a class."""
    places, counts, thickness = bars
    below = np.zeros(len(places))
    for code in np.flatnonzero(counts.sum(axis=1) > 0.0).tolist():
        shapes = []
        for place, start, count in zip(places, below, counts[code], strict=True):
            if count > 0.0:
                left, right = frame.x(place - 0.5 * thickness), frame.x(place + 0.5 * thickness)
                bottom, top = frame.y(start), frame.y(start + count)
                shapes.append(
                    f"M{number(left + 0.5)},{number(bottom)}V{number(top)}"
                    f"H{number(right - 0.5)}V{number(bottom)}z"
                )
        below = below + counts[code]
        yield f'<path {paint.fill(code)} d="{"".join(shapes)}" stroke-width="0"/>'


def _points(panel: Panel, frame: Frame, x: NDArray[np.float64], y: NDArray[np.float64]) -> str:
    """Draw the sampled rows, one path a class; where numbers are predicted, one a tint."""
    if not len(panel.sample):
        return ""
    groups, look = panel.rows.target[panel.sample], "c"
    if panel.classes is None and len(panel.predicate.columns) == 2:
        bounds = np.quantile(panel.rows.target, np.linspace(0.0, 1.0, N_TINTS + 1)[1:-1])
        groups, look = np.searchsorted(bounds, groups), "q"
        low, high = (value_text(float(bounds[end]), panel.decimals) for end in (0, -1))
        panel.notes.append(f"Points by {panel.target}: purple up to {low}, yellow above {high}.")
    elif panel.classes is None:
        groups = np.zeros(len(groups), dtype=np.int64)
    elif groups.max() >= N_COLOURS:
        panel.notes.append("Points have no hatches: some classes look alike.")
    return "".join(
        f'<path class="p {look}{code % N_COLOURS}" '
        f'd="{frame.points(x[groups == code], y[groups == code])}"/>'
        for code in np.unique(groups).tolist()
    )


def _means(panel: Panel, frame: Frame, stretches: Sequence[Stretch]) -> Iterator[str]:
    for start, end, branch in stretches:
        mean = panel.mean(panel.rows.branches == branch)
        if np.isfinite(mean):
            left, right = number(frame.x(start)), number(frame.x(end))
            yield f'<path class="average" d="M{left},{number(frame.y(mean))}H{right}"/>'
    panel.notes.append("Lines across are means of the branches.")


def _regions(panel: Panel, frame: Frame, predicate: Linear | Pair, box: Box) -> Iterator[str]:
    """Shade the second branch and draw the border between the branches."""
    match predicate:
        case Linear():
            yield from _half_plane(panel, frame, predicate, box)
        case Pair():
            yield from _cells(panel, frame, predicate, box)
        case _:
            assert_never(predicate)


def _half_plane(panel: Panel, frame: Frame, predicate: Linear, box: Box) -> Iterator[str]:
    coefficients = np.array(predicate.coefficients)
    shaded = clipped(rectangle(box), coefficients, predicate.threshold, box)
    yield _polygon(frame, shaded, "no")
    cut = cut_in_box(coefficients, predicate.threshold, box)
    if cut is None:
        panel.notes.append("The cut lies outside of these rows.")
    else:
        yield _polygon(frame, cut, "cut")


def _cells(panel: Panel, frame: Frame, predicate: Pair, box: Box) -> Iterator[str]:
    across, up, grid = pair_cells(panel, predicate, box)
    for column, row in np.argwhere(grid != 0).tolist():
        cell = np.array([across[[column, column + 1]], up[[row, row + 1]]]).T
        (left, bottom), (right, top) = cell.tolist()
        corners = np.array([[left, bottom], [right, bottom], [right, top], [left, top]])
        yield _polygon(frame, corners, "none" if grid[column, row] == _NO_BRANCH else "no")
    for border in cell_borders(across, up, grid):
        yield _polygon(frame, border, "cut")


def _polygon(frame: Frame, corners: NDArray[np.float64], look: str) -> str:
    places = " ".join(f"{number(frame.x(x))},{number(frame.y(y))}" for x, y in corners.tolist())
    return f'<path class="{look}" d="M{places}z"/>' if places else ""


def _line_words(panel: Panel, line: LevelLine) -> str:
    if line.kind == "heading":
        return line.name
    if line.kind == "level" and panel.classes is not None:
        return count_text(float(panel.rows.weights[line.which].sum()))
    return in_words(panel, line.which)


def _line_bar(
    panel: Panel, paint: Paint, frame: Frame, line: LevelLine, middle: float
) -> tuple[str, float]:
    """Draw the bar of one line; return where it ends."""
    if panel.classes is None:
        numbers = panel.rows.target[line.which]
        mean = panel.mean(line.which)
        if not np.isfinite(mean):
            return "", frame.left
        weights = panel.rows.weights[line.which]
        spread = float(np.sqrt(np.average((numbers - mean) ** 2, weights=weights)))
        low, high = number(frame.x(mean - spread)), number(frame.x(mean + spread))
        y = number(middle)
        return (
            f'<path class="o" d="M{number(frame.left)},{y}h{number(frame.width)}"/>'
            f'<path class="c0" stroke-width="4" d="M{low},{y}H{high}"/>'
            f'<circle class="mean" cx="{number(frame.x(mean))}" cy="{y}" r="4"/>',
            frame.right,
        )
    parts, start = [], 0.0
    for code, count in enumerate(panel.class_counts(line.which).tolist()):
        if count > 0.0:
            left, right = number(frame.x(start)), number(frame.x(start + count))
            top, bottom = number(middle - 0.5 * _BAR), number(middle + 0.5 * _BAR)
            parts.append(
                f'<path {paint.fill(code)} d="M{left},{top}H{right}V{bottom}H{left}z" '
                'stroke-width="0"/>'
            )
            start += count
    return "".join(parts), frame.x(start)
