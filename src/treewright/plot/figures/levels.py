"""Lines of rows drawn from top to bottom: bars of classes, or the numbers to predict as points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from treewright.plot.figures.axes import CHARACTER, FONT, name_axis, number_axis, stack_bars
from treewright.plot.figures.points import draw_points
from treewright.plot.figures.styles import MEAN
from treewright.plot.panel.level_lines import LevelLine, in_words
from treewright.plot.panel.panel import Panel
from treewright.plot.panel.spacing import jittered, limits
from treewright.words import count_text

__all__ = ["draw_lines"]

_BAR = 0.72


def draw_lines(axes: Axes, panel: Panel, lines: Sequence[LevelLine]) -> None:
    """Draw lines of rows from top to bottom."""
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


def _draw_bars(axes: Axes, panel: Panel, lines: Sequence[tuple[LevelLine, float]]) -> None:
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
        text = count_text(length) if line.kind == "level" else in_words(panel, line.which)
        axes.text(length, at, f" {text}", verticalalignment="center", fontsize=FONT)
        longest_text = max(longest_text, len(text) * (line.kind != "rest"))
    # Room for the words behind the longest bar.
    room = min((longest_text + 2) * CHARACTER / max(panel.width - 1.0, 1.0), 0.6)
    axes.set_xlim(0.0, max(*lengths.values(), 1e-9) / (1.0 - room))


def _draw_targets(axes: Axes, panel: Panel, lines: Sequence[tuple[LevelLine, float]]) -> None:
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
