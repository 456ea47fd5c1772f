"""The main view of a split as SVG: marks over two axes, or lines of rows.

Each function draws from a height down and tells where it ends.
"""

from __future__ import annotations

from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from treewright.plot.panel.marks import (
    Average,
    Cut,
    Flat,
    Line,
    Lines,
    Mark,
    Name,
    Points,
    Region,
    Stack,
)
from treewright.plot.svg.frame import Frame, ruler_ticks, text
from treewright.plot.svg.paint import Paint
from treewright.plot.svg.text import number
from treewright.plot.tree.contents import SMALL
from treewright.plot.tree.lettering import fitted, text_width
from treewright.plot.tree.style import N_COLOURS, N_TINTS
from treewright.tree.tree_text import value_text

__all__ = ["WIDTH", "Drawn", "draw_flat", "draw_lines"]

WIDTH = 350.0  # so that one fits on the screen of a telephone
Drawn = tuple[str, float]  # elements, and the height where they end

_HEIGHT = 160.0
_RIGHT = 14.0
_AXIS = 44.0  # room below the axis
_TICKS_ACROSS = 6
_MOST_TICKS_UP = 12  # texts that do not touch; of more levels every second, third, ... is named
_LINE = 21.0
_BAR = 14.0
_LONGEST_NAME = 112.0


def draw_flat(flat: Flat, paint: Paint, top: float) -> Drawn:
    """Draw marks over two axes."""
    parts = []
    ticks = ruler_ticks(flat.up, flat.up.n_ticks, _LONGEST_NAME * len(flat.up.levels))
    ticks = ticks[:: -(-len(ticks) // _MOST_TICKS_UP) or 1]
    match flat.up.role:
        case "values":
            name = fitted(flat.up.name, WIDTH - 2.0 * _RIGHT, SMALL)
            parts.append(text(_RIGHT, top + 10.0, name, "s k"))
            top += _LINE + 4.0
        case "amount":
            ticks[-1] = (ticks[-1][0], f"{ticks[-1][1]} {flat.up.name}")
        case "target":
            pass  # the words beside say what is predicted
        case _:
            assert_never(flat.up.role)
    left = max([text_width(words, SMALL) for _, words in ticks], default=0.0) + _RIGHT + 6.0
    frame = Frame(left, top, WIDTH - _RIGHT - left, _HEIGHT, flat.across.ends, flat.up.ends)
    regions = [mark for mark in flat.marks if isinstance(mark, Region)]
    parts += [_mark(region, frame, paint) for region in regions]
    parts.append(frame.left_axis(ticks))
    parts += [_mark(mark, frame, paint) for mark in flat.marks if not isinstance(mark, Region)]
    below = ruler_ticks(flat.across, _TICKS_ACROSS, frame.width)
    return "".join([*parts, frame.bottom_axis(below, flat.across.name)]), frame.bottom + _AXIS


def _mark(mark: Mark, frame: Frame, paint: Paint) -> str:
    match mark:
        case Region(corners, branch):
            # Every other branch is shaded.
            look = "none" if branch < 0 else "no" if branch % 2 else ""
            return f'<path class="{look}" d="{_places(frame, corners)}z"/>' if look else ""
        case Cut(corners):
            return f'<path class="cut" d="{_places(frame, corners)}"/>'
        case Stack():
            return _stacked(mark, frame, paint)
        case Points():
            return _points(mark, frame, paint)
        case Average(start, end, at):
            left, right = number(frame.x(start)), number(frame.x(end))
            return f'<path class="average" d="M{left},{number(frame.y(at))}H{right}"/>'
        case Name(words, (x, y), room):
            has_room = room is None or text_width(words, SMALL) <= frame.x(x + room) - frame.x(x)
            return text(frame.x(x), frame.y(y), words, "s") if has_room else ""
        case _:
            assert_never(mark)


def _places(frame: Frame, corners: NDArray[np.float64]) -> str:
    return "M" + " ".join(f"{number(frame.x(x))},{number(frame.y(y))}" for x, y in corners.tolist())


def _stacked(stack: Stack, frame: Frame, paint: Paint) -> str:
    """Stack bars upon each other, one path a class."""
    below = np.zeros(len(stack.places))
    half = 0.5 * stack.thickness
    parts = []
    for code in np.flatnonzero(stack.counts.sum(axis=1) > 0.0).tolist():
        shapes = []
        for place, start, count in zip(stack.places, below, stack.counts[code], strict=True):
            if count > 0.0:
                left, right = frame.x(place - half), frame.x(place + half)
                bottom, top = frame.y(start), frame.y(start + count)
                shapes.append(
                    f"M{number(left + 0.5)},{number(bottom)}V{number(top)}"
                    f"H{number(right - 0.5)}V{number(bottom)}z"
                )
        below = below + stack.counts[code]
        parts.append(f'<path {paint.fill(code)} d="{"".join(shapes)}" stroke-width="0"/>')
    return "".join(parts)


def _points(points: Points, frame: Frame, paint: Paint) -> str:
    """Draw one path a class; of numbers as colours, one a tint."""
    if not len(points):
        return ""
    groups, look = np.zeros(len(points), dtype=np.int64), "c"
    if points.colours is not None:
        colours = points.colours
        bounds = np.quantile(colours.among, np.linspace(0.0, 1.0, N_TINTS + 1)[1:-1])
        groups, look = np.searchsorted(bounds, colours.numbers), "q"
        low, high = (value_text(float(bounds[end]), colours.decimals) for end in (0, -1))
        paint.notes.append(f"Points by {colours.name}: purple up to {low}, yellow above {high}.")
    elif points.codes is not None:
        groups = points.codes
        if groups.max() >= N_COLOURS:
            paint.notes.append("Points have no hatches: some classes look alike.")
    x, y = points.places
    return "".join(
        f'<path class="p {look}{code % N_COLOURS}" '
        f'd="{frame.points(x[groups == code], y[groups == code])}"/>'
        for code in np.unique(groups).tolist()
    )


def draw_lines(view: Lines, paint: Paint, top: float) -> Drawn:
    """Draw a line for each level or branch: bars of classes, or means with their spread."""
    names = [text_width(line.name, SMALL) for line in view.lines if line.kind != "heading"]
    left = min(max(names, default=0.0), _LONGEST_NAME) + 2.0 * _RIGHT - 6.0
    beside = [text_width(line.words, SMALL) for line in view.lines if line.has_bar]
    room = max(60.0, WIDTH - left - _RIGHT - max(beside, default=0.0) - 8.0)
    frame = Frame(left, top, room, _LINE * len(view.lines), view.across.ends, (0.0, 1.0))
    parts = []
    for place, line in enumerate(view.lines):
        middle = top + _LINE * (place + 0.5)
        if line.kind == "heading":
            words = fitted(line.name, WIDTH - 2.0 * _RIGHT, SMALL)
            parts.append(text(_RIGHT, middle, words, "k b"))
            continue
        name = fitted(line.name, _LONGEST_NAME, SMALL)
        parts.append(text(left - 6.0, middle, name, "s e"))
        end = left
        if line.has_bar:
            drawn, end = _bar(line, frame, paint, middle)
            parts.append(drawn)
        words = fitted(line.words, WIDTH - end - 6.0, SMALL)
        parts.append(text(end + 6.0, middle, words, "s k"))
    return "".join(parts), frame.bottom + 8.0


def _bar(line: Line, frame: Frame, paint: Paint, middle: float) -> Drawn:
    """Draw the bar of one line; return where it ends."""
    if line.counts is None:
        if not np.isfinite(line.mean):
            return "", frame.left
        low, high = (number(frame.x(line.mean + side * line.spread)) for side in (-1.0, 1.0))
        y = number(middle)
        return (
            f'<path class="o" d="M{number(frame.left)},{y}h{number(frame.width)}"/>'
            f'<path class="c0" stroke-width="4" d="M{low},{y}H{high}"/>'
            f'<circle class="mean" cx="{number(frame.x(line.mean))}" cy="{y}" r="4"/>',
            frame.right,
        )
    parts, start = [], 0.0
    for code, count in enumerate(line.counts.tolist()):
        if count > 0.0:
            left, right = number(frame.x(start)), number(frame.x(start + count))
            top, bottom = number(middle - 0.5 * _BAR), number(middle + 0.5 * _BAR)
            parts.append(
                f'<path {paint.fill(code)} d="M{left},{top}H{right}V{bottom}H{left}z" '
                'stroke-width="0"/>'
            )
            start += count
    return "".join(parts), frame.x(start)
