"""Rows along one number: a column, or the weighted sum that a test compares with its threshold.

Classes are stacked in a histogram; numbers to predict are points over the number, with the mean of
each branch.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from treewright.plot.figures.axes import (
    CHARACTER,
    FONT,
    number_axis,
    say_branches,
    set_column,
    stack_bars,
)
from treewright.plot.figures.points import draw_points
from treewright.plot.figures.styles import CUT, MEAN, shade
from treewright.plot.panel.bins import Bars, bars_along
from treewright.plot.panel.panel import Panel
from treewright.plot.panel.scale import BranchOf, Stretch, scale_of
from treewright.plot.panel.spacing import limits, moved_apart, value_gap
from treewright.schema import Column

__all__ = ["rows_along"]

_HEADROOM = 1.06  # above the tallest bar


def rows_along(
    axes: Axes,
    panel: Panel,
    values: NDArray[np.float64],
    cuts: Sequence[float],
    branch_of: BranchOf,
    label: str | Column,
) -> None:
    """Draw the rows of a panel along one number, with the cuts of its test.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    panel : Panel
        The test and its rows.
    values : ndarray of float64
        The number of each row.
    cuts : sequence of float
        Where the branch may change.
    branch_of : callable
        The branches of some numbers.
    label : str or Column
        What the number is.
    """
    column = label if isinstance(label, Column) else None
    scale = scale_of(values, column, cuts, branch_of)
    stretches, (low, high) = scale.stretches, scale.ends
    if panel.classes is None:
        _draw_targets(axes, panel, values, stretches, branch_of)
    else:
        bars, (low, high) = bars_along(panel, values, scale)
        _draw_bars(axes, bars)
    _draw_stretches(axes, panel, stretches, (low, high))
    if len(stretches) == 1:
        panel.notes.append("The cut lies outside of these rows.")
    axes.set_xlim(low, high)
    if column is None:
        number_axis(axes.xaxis, str(label))
    else:
        set_column(axes.xaxis, column, panel.width, is_whole=scale.is_whole)
    number_axis(axes.yaxis, panel.target if panel.classes is None else panel.amount, 4)
    if panel.predicate.n_branches == 2:
        say_branches(axes, panel, left=0 if scale.only_cut is None else stretches[0][2])
    else:
        _name_stretches(axes, panel, stretches)


def _draw_bars(axes: Axes, bars: Bars) -> None:
    places, counts, thickness = bars
    stack_bars(axes, places, counts, thickness)
    tallest = float(counts.sum(axis=0).max(initial=0.0))
    axes.set_ylim(0.0, _HEADROOM * tallest if tallest > 0.0 else 1.0)


def _draw_stretches(
    axes: Axes, panel: Panel, stretches: list[Stretch], ends: tuple[float, float]
) -> None:
    """Shade the branches from end to end and draw the cuts between them."""
    cuts = [start for start, _, _ in stretches[1:]]
    borders = pairwise([ends[0], *cuts, ends[1]])
    for (start, end), (_, _, branch) in zip(borders, stretches, strict=True):
        grey = shade(branch, panel.predicate.n_branches)
        axes.axvspan(start, end, color=f"{grey:.3f}", linewidth=0, zorder=0)
    for cut in cuts:
        axes.axvline(cut, color=CUT, linewidth=1.6, zorder=4)


def _name_stretches(axes: Axes, panel: Panel, stretches: list[Stretch]) -> None:
    """Write the names of more than two branches above their stretches, where there is room."""
    inches = panel.width / (stretches[-1][1] - stretches[0][0])
    for start, end, branch in stretches:
        name = panel.branch_names[branch]
        if len(name) * CHARACTER <= (end - start) * inches:
            above = axes.get_xaxis_transform()
            middle = start + (end - start) / 2.0
            axes.text(middle, 1.01, name, transform=above, fontsize=FONT, ha="center", va="bottom")


def _draw_targets(
    axes: Axes,
    panel: Panel,
    values: NDArray[np.float64],
    stretches: list[Stretch],
    branch_of: BranchOf,
) -> None:
    """Draw what is predicted over the number, and the mean of each branch."""
    chosen = panel.sample
    gap = value_gap(values)
    (places,) = moved_apart(panel, [values[chosen]], [gap], lambda moved: branch_of(moved[0]))
    draw_points(axes, panel, places, panel.rows.target[chosen])
    for start, end, branch in stretches:
        mean = panel.mean(panel.rows.branches == branch)
        if np.isfinite(mean):
            axes.hlines(mean, start, end, color=MEAN, linewidth=2.2, zorder=5)
    axes.set_ylim(*limits(panel.rows.target))
    panel.notes.append("Lines across are means of the branches.")
