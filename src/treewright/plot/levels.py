"""Rows by level of a column, or by branch: a line for each, levels grouped under their branch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from treewright.plot.axes import CHARACTER, FONT, limits, name_axis, number_axis, stack_bars
from treewright.plot.panel import Panel
from treewright.plot.points import draw_points, jittered
from treewright.plot.styles import MEAN
from treewright.plot.words import levels_words
from treewright.shortening import shortened
from treewright.words import count_text, plural

__all__ = ["MOST_LEVELS", "draw_branches", "draw_levels"]

MOST_LEVELS = 16

_BAR = 0.72
_LONGEST_BRANCH = 40


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of the picture and its rows.

    A heading stands above the levels of a branch; a branch is a line by itself; the rest are levels
    too rare to be shown one by one.
    """

    kind: Literal["heading", "level", "branch", "rest"]
    name: str
    which: NDArray[np.bool_]


def draw_levels(axes: Axes, panel: Panel, column: int, branch_of_level: NDArray[np.int32]) -> None:
    """Draw a line for each level of a column, grouped by the branch the level takes.

    Levels without a branch stand last; of many levels those with the most rows are shown.
    """
    values = panel.rows.column(column)
    names = levels_words(panel.column(column))
    counts = np.bincount(values.astype(np.int64), panel.rows.shares, minlength=len(names))
    occur = np.flatnonzero(counts > 0.0)
    if len(occur) < len(names):
        panel.notes.append(f"{plural(len(names) - len(occur), 'level')} without rows not shown.")
    common = set(np.argsort(-counts, kind="stable")[:MOST_LEVELS].tolist())
    n_levels_of = np.bincount(branch_of_level + 1, minlength=panel.predicate.n_branches + 1)
    if n_levels_of[0] == 0 and np.all(n_levels_of[1:] == 1):
        found = sorted(common.intersection(occur.tolist()), key=branch_of_level.item)
        _note_hidden(panel, len(occur) - len(found), "level")
        lines = [_Line("branch", names[code], values == code) for code in found]
        _draw_lines(axes, panel, lines)
        return
    lines = []
    for branch in _branches_to_show(panel):
        codes = [code for code in occur.tolist() if branch_of_level[code] == branch]
        rare = [code for code in codes if code not in common]
        if codes:
            lines.append(_heading(panel, branch))
        for code in codes:
            if code in common or len(rare) == 1:
                lines.append(_Line("level", names[code], values == code))
        if len(rare) > 1:
            lines.append(_Line("rest", f"{len(rare)} other levels", np.isin(values, rare)))
    _draw_lines(axes, panel, lines)


def draw_branches(axes: Axes, panel: Panel) -> None:
    """Draw a line for each branch."""
    lines = [
        _Line("branch", shortened(panel.branch_names[branch], 24), panel.rows.branches == branch)
        for branch in _branches_to_show(panel)
        if branch >= 0
    ]
    _draw_lines(axes, panel, lines)


def _branches_to_show(panel: Panel) -> list[int]:
    """Return the branches with the most rows in their order, then that of rows without one."""
    n_branches = panel.predicate.n_branches
    sizes = [panel.rows.shares[panel.rows.branches == branch].sum() for branch in range(n_branches)]
    largest = np.argsort(-np.array(sizes), kind="stable")[:MOST_LEVELS]
    _note_hidden(panel, n_branches - len(largest), "branch")
    return [*sorted(largest.tolist()), -1]


def _note_hidden(panel: Panel, n_hidden: int, noun: str) -> None:
    if n_hidden:
        panel.notes.append(f"{plural(n_hidden, noun)} of fewer rows not shown.")


def _heading(panel: Panel, branch: int) -> _Line:
    which = panel.rows.branches == branch
    name = "no branch" if branch < 0 else shortened(panel.branch_names[branch], _LONGEST_BRANCH)
    return _Line("heading", f"{name}: {_in_words(panel, which)}", which)


def _in_words(panel: Panel, which: NDArray[np.bool_]) -> str:
    return ", ".join(word for word in panel.summary(which) if word)


def _draw_lines(axes: Axes, panel: Panel, lines: Sequence[_Line]) -> None:
    """Draw the lines from top to bottom."""
    heights = -np.arange(len(lines), dtype=np.float64)
    places = [(line, float(at)) for line, at in zip(lines, heights, strict=True)]
    for line, at in places:
        if line.kind == "heading":
            along = axes.get_yaxis_transform()
            name = axes.text(0.01, at, line.name, transform=along, fontsize=FONT)
            name.set(verticalalignment="center", fontweight="bold")
            if at < 0.0:
                axes.axhline(at + 0.5, color="0.7", linewidth=0.8)
    shown = [(line, at) for line, at in places if line.kind != "heading"]
    name_axis(axes.yaxis, np.array([at for _, at in shown]), [line.name for line, _ in shown])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(-len(lines) + 0.4, 0.6)
    if panel.classes is None:
        _draw_targets(axes, panel, shown)
    else:
        _draw_bars(axes, panel, shown)


def _draw_bars(axes: Axes, panel: Panel, lines: Sequence[tuple[_Line, float]]) -> None:
    """Draw stacked bars with their sums in words; rare levels in words only."""
    number_axis(axes.xaxis, panel.amount)
    bars = [(line, at) for line, at in lines if line.kind != "rest"]
    if not bars:
        return
    counts = np.stack([panel.class_counts(line.which) for line, _ in bars], axis=1)
    stack_bars(axes, np.array([at for _, at in bars]), counts, _BAR, horizontal=True)
    lengths = dict(zip([at for _, at in bars], counts.sum(axis=0).tolist(), strict=True))
    longest_text = 0
    for line, at in lines:
        length = lengths.get(at, 0.0)
        text = count_text(length) if line.kind == "level" else _in_words(panel, line.which)
        axes.text(length, at, f" {text}", verticalalignment="center", fontsize=FONT)
        longest_text = max(longest_text, len(text) * (line.kind != "rest"))
    # Room for the words behind the longest bar.
    room = min((longest_text + 2) * CHARACTER / max(panel.width - 1.0, 1.0), 0.6)
    axes.set_xlim(0.0, max(*lengths.values(), 1e-9) / (1.0 - room))


def _draw_targets(axes: Axes, panel: Panel, lines: Sequence[tuple[_Line, float]]) -> None:
    """Draw the numbers of each line as points, with their mean."""
    number_axis(axes.xaxis, panel.target)
    heights = np.full(len(panel.rows.ids), np.nan)
    for line, at in lines:
        heights[line.which] = at
        mean = panel.mean(line.which)
        if np.isfinite(mean):
            axes.vlines(mean, at - 0.4, at + 0.4, color=MEAN, linewidth=2.2, zorder=5)
    chosen = panel.sample
    draw_points(axes, panel, panel.rows.target[chosen], jittered(heights[chosen], 0.25))
    axes.set_xlim(*limits(panel.rows.target))
    panel.notes.append("Upright lines are means.")
