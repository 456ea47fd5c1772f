"""Rows along one number: a column, or the weighted sum that a test compares with its threshold.

Classes are stacked in a histogram; numbers to predict are points over the number, with the mean of
each branch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from treewright.plot.axes import CHARACTER, FONT, limits, number_axis, say_branches, set_column
from treewright.plot.histogram import bars_at_values, bin_grid, histogram
from treewright.plot.panel import Panel
from treewright.plot.points import MOST_VALUES, draw_points, moved_apart, value_gap
from treewright.plot.styles import CUT, MEAN, shade
from treewright.schema import Column

__all__ = ["rows_along"]

BranchOf = Callable[[NDArray[np.float64]], NDArray[np.int32]]
Stretch = tuple[float, float, int]  # start, end, branch


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
    is_whole = _are_whole_numbers(values, column)
    is_few = is_whole and _can_have_bars(values)
    near = [cut for cut in cuts if _is_near(cut, values)]
    inside = sorted(_between_whole_numbers(near) if is_whole else set(near))
    gap = _least_gap(values, column)
    is_spaced = is_few or value_gap(values) is not None
    around = 0.5 * gap if is_spaced else 0.5 if is_whole else 0.0
    low, high = limits(_ends(values, column, around), *inside)
    grid = bin_grid(low, high, inside[0] if inside else None, len(values), is_whole=is_whole)
    if panel.classes is not None and not is_few:
        low, high = grid[:2]
    stretches = _stretches([low, *inside, high], branch_of, is_whole)
    only_cut = stretches[1][0] if len(stretches) == 2 else None
    if panel.classes is None:
        _draw_targets(axes, panel, values, stretches, branch_of)
    elif is_few:
        bars_at_values(axes, panel, values, gap)
    else:
        histogram(axes, panel, values, only_cut, stretches[0][2], grid)
    _draw_stretches(axes, panel, stretches)
    if len(stretches) == 1:
        panel.notes.append("The cut lies outside of these rows.")
    axes.set_xlim(low, high)
    if column is None:
        number_axis(axes.xaxis, str(label))
    else:
        set_column(axes.xaxis, column, panel.width, is_whole=is_whole)
    number_axis(axes.yaxis, panel.target if panel.classes is None else panel.amount, 4)
    if panel.predicate.n_branches == 2:
        say_branches(axes, panel, left=0 if only_cut is None else stretches[0][2])
    else:
        _name_stretches(axes, panel, stretches)


def _between_whole_numbers(cuts: Sequence[float]) -> set[float]:
    """Return places halfway between whole numbers that divide these as some cuts do.

    At a cut that is a whole number itself, that number may go either way: both its sides are given.
    """
    return {side for cut in cuts for side in (math.floor(cut) + 0.5, math.ceil(cut) - 0.5)}


def _are_whole_numbers(values: NDArray[np.float64], column: Column | None) -> bool:
    """Tell whether a cut may stand anywhere between two whole numbers."""
    if column is not None and column.levels:
        return True
    if not values.size:
        return False
    return bool(np.all(values == np.floor(values))) and float(np.abs(values).max()) < 1e9


def _ends(values: NDArray[np.float64], column: Column | None, around: float) -> NDArray[np.float64]:
    """Return the least and the largest number, with room around them."""
    found = values
    if column is not None and column.levels:
        found = np.arange(len(column.levels), dtype=np.float64)
    if not found.size:
        return found
    return np.array([found.min() - around, found.max() + around])


def _least_gap(values: NDArray[np.float64], column: Column | None) -> float:
    """Return the least distance of two different values."""
    found = np.unique(values)
    if len(found) < 2 or (column is not None and column.levels):
        return 1.0
    return float(np.diff(found).min())


def _can_have_bars(values: NDArray[np.float64]) -> bool:
    """Tell whether whole numbers are so few and so close that each can have a bar."""
    found = np.unique(values)
    gap = np.diff(found).min(initial=np.inf)
    return len(found) <= MOST_VALUES and float(np.ptp(found) if found.size else 0.0) < 40 * gap


def _is_near(cut: float, values: NDArray[np.float64]) -> bool:
    """Tell whether a cut can be shown without squeezing the rows into a corner."""
    if not values.size:
        return abs(cut) < 1e9
    low, high = float(values.min()), float(values.max())
    room = high - low if high > low else max(1.0, abs(low))
    return low - room <= cut <= high + room


def _stretches(ends: list[float], branch_of: BranchOf, is_whole: bool) -> list[Stretch]:
    """Divide an axis by branch; neighbours of the same branch are one."""
    starts, stops = np.array(ends[:-1]), np.array(ends[1:])
    probes = np.floor(starts) + 1.0 if is_whole else starts + (stops - starts) / 2.0
    stretches: list[Stretch] = []
    for start, end, branch in zip(
        starts.tolist(), stops.tolist(), branch_of(probes).tolist(), strict=True
    ):
        if stretches and stretches[-1][2] == branch:
            start = stretches.pop()[0]
        stretches.append((start, end, branch))
    return stretches


def _draw_stretches(axes: Axes, panel: Panel, stretches: list[Stretch]) -> None:
    """Shade the branches and draw the cuts between them."""
    for start, end, branch in stretches:
        grey = shade(branch, panel.predicate.n_branches)
        axes.axvspan(start, end, color=f"{grey:.3f}", linewidth=0, zorder=0)
    for start, _, _ in stretches[1:]:
        axes.axvline(start, color=CUT, linewidth=1.6, zorder=4)


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
