"""Rows by level of a column, or by branch: a line for each, grouped under their branch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from treewright.plot.axes import CHARACTER, FONT, limits, name_axis, number_axis, stack_bars
from treewright.plot.panel import Panel
from treewright.plot.points import draw_points, jittered
from treewright.plot.styles import MEAN
from treewright.plot.words import levels_words, shortened
from treewright.words import count_text, plural

__all__ = ["MOST_LEVELS", "draw_branches", "draw_levels"]

MOST_LEVELS = 14
_BAR = 0.72


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of the picture: a heading if it has no rows of its own."""

    name: str
    which: NDArray[np.bool_]
    is_heading: bool = False
    is_branch: bool = False


def draw_levels(axes: Axes, panel: Panel, column: int, branch_of_level: NDArray[np.int32]) -> None:
    """Draw a line for each level of a column, grouped by the branch the level takes.

    Levels without a branch stand last; of many levels those with the most rows are shown.
    """
    values = panel.rows.column(column)
    names = levels_words(panel.column(column))
    counts = np.bincount(values.astype(np.int64), panel.rows.shares, minlength=len(names))
    order = np.argsort(-counts, kind="stable")
    shown = {int(code) for code in order[:MOST_LEVELS] if counts[code] > 0.0}
    n_empty = int(np.count_nonzero(counts == 0.0))
    if n_empty:
        panel.notes.append(f"{plural(n_empty, 'level')} without rows not shown.")
    groups = [*range(panel.predicate.n_branches), -1]
    members = {branch: np.flatnonzero(branch_of_level == branch) for branch in groups}
    is_alone = all(len(members[branch]) == 1 for branch in groups[:-1]) and not len(members[-1])
    lines = []
    for branch in groups:
        codes = [int(code) for code in members[branch] if counts[code] > 0.0]
        if not codes:
            continue
        if not is_alone:
            lines.append(_heading(panel, branch))
        lines += [
            _Line(names[code], values == code, is_branch=is_alone)
            for code in codes
            if code in shown
        ]
        others = [code for code in codes if code not in shown]
        if others:
            name = plural(len(others), "other level")
            lines.append(_Line(name, np.isin(values, others), is_branch=is_alone))
    _draw_lines(axes, panel, lines)


def draw_branches(axes: Axes, panel: Panel) -> None:
    """Draw a line for each branch."""
    lines = [
        _Line(shortened(name, 24), panel.rows.branches == branch, is_branch=True)
        for branch, name in enumerate(panel.branch_names)
    ]
    _draw_lines(axes, panel, lines)


def _heading(panel: Panel, branch: int) -> _Line:
    which = panel.rows.branches == branch
    name = "no branch" if branch < 0 else shortened(panel.branch_names[branch], 40)
    rows, answer = panel.summary(which)
    return _Line(f"{name}: {rows}" + (f", {answer}" if answer else ""), which, is_heading=True)


def _draw_lines(axes: Axes, panel: Panel, lines: Sequence[_Line]) -> None:
    """Draw the lines from top to bottom."""
    places = -np.arange(len(lines), dtype=np.float64)
    with_rows = [number for number, line in enumerate(lines) if not line.is_heading]
    name_axis(axes.yaxis, places[with_rows], [lines[number].name for number in with_rows])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(-len(lines) + 0.4, 0.6)
    for line, place in zip(lines, places, strict=True):
        if line.is_heading:
            at = axes.get_yaxis_transform()
            axes.text(
                0.01, place, line.name, transform=at, va="center", fontsize=FONT, weight="bold"
            )
            if place:
                axes.axhline(place + 0.5, color="0.7", linewidth=0.8)
    shown = [(lines[number], float(places[number])) for number in with_rows]
    if panel.classes is None:
        _draw_targets(axes, panel, shown)
    else:
        _draw_bars(axes, panel, shown)


def _draw_bars(axes: Axes, panel: Panel, lines: list[tuple[_Line, float]]) -> None:
    number_axis(axes.xaxis, panel.amount)
    if not lines:
        return
    counts = np.stack([panel.class_counts(line.which) for line, _ in lines], axis=1)
    places = np.array([place for _, place in lines])
    stack_bars(axes, places, counts, _BAR, horizontal=True)
    ends = []
    for line, total in zip(lines, counts.sum(axis=0), strict=True):
        rows, answer = panel.summary(line[0].which)
        text = f"{rows}, {answer}" if line[0].is_branch and answer else count_text(total)
        ends.append(text)
        axes.text(total, line[1], f" {text}", va="center", fontsize=FONT)
    longest = max(counts.sum(axis=0).max(), 1e-9)
    width = max(panel.width - 1.0, 1.0)
    room = min((max(map(len, ends)) + 2) * CHARACTER / width, 0.6)
    axes.set_xlim(0.0, longest / (1.0 - room))


def _draw_targets(axes: Axes, panel: Panel, lines: list[tuple[_Line, float]]) -> None:
    number_axis(axes.xaxis, panel.target)
    heights = np.full(len(panel.rows.ids), np.nan)
    for line, place in lines:
        heights[line.which] = place
        mean = panel.mean(line.which)
        if np.isfinite(mean):
            axes.vlines(mean, place - 0.4, place + 0.4, color=MEAN, linewidth=2.2, zorder=5)
    chosen = panel.sample
    at = jittered(heights[chosen], 0.25)
    draw_points(axes, panel, panel.rows.target[chosen], at)
    axes.set_xlim(*limits(panel.rows.target))
    panel.notes.append("Upright lines are means.")
