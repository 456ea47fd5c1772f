"""Rows along one number: a column, or the weighted sum that a split compares with its threshold.

Classes are stacked in a histogram; numbers to predict are points over the number, with the mean of
each branch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from treewright.plot.geometry import rectangle
from treewright.plot.panel.bins import bars_along
from treewright.plot.panel.marks import Average, Cut, Flat, Mark, Name, Region, Ruler, column_ruler
from treewright.plot.panel.panel import Panel
from treewright.plot.panel.scale import BranchOf, Scale, scale_of
from treewright.plot.panel.spacing import limits, moved_apart, value_gap
from treewright.schema import Column

__all__ = ["CUT_OUTSIDE", "column_along", "rows_along"]

CUT_OUTSIDE = "The cut lies outside of these rows."

_HEADROOM = 1.06  # above the tallest bar
_TICKS_UP = 4


def column_along(panel: Panel, column: int, cuts: Sequence[float]) -> Flat:
    """Show the rows of a panel along one column, with the cuts of its split."""
    values, branch_of = panel.rows.column(column), panel.branch_along(column)
    return rows_along(panel, values, cuts, branch_of, panel.column(column))


def rows_along(
    panel: Panel,
    values: NDArray[np.float64],
    cuts: Sequence[float],
    branch_of: BranchOf,
    label: str | Column,
) -> Flat:
    """Show the rows of a panel along one number, with the cuts of its split.

    Parameters
    ----------
    panel : Panel
        The split and its rows.
    values : ndarray of float64
        The number of each row.
    cuts : sequence of float
        Where the branch may change.
    branch_of : callable
        The branches of some numbers.
    label : str or Column
        What the number is.

    Returns
    -------
    Flat
        Bars or points, with regions behind them and cuts before them.
    """
    column = label if isinstance(label, Column) else None
    scale = scale_of(values, column, cuts, branch_of)
    notes = [CUT_OUTSIDE] if len(scale.stretches) == 1 else []
    marks: list[Mark]
    if panel.classes is None:
        gap = value_gap(values)
        sampled = [values[panel.sample]]
        (places,) = moved_apart(panel, sampled, [gap], lambda moved: branch_of(moved[0]))
        numbers = panel.rows.target[panel.sample]
        points = panel.points(places, numbers, is_coloured=False, is_moved=gap is not None)
        notes += [*points.notes, "Lines across are means of the branches."]
        marks, ends = [points, *_averages(panel, scale)], scale.ends
        up = Ruler(panel.target, limits(panel.rows.target), role="target", n_ticks=_TICKS_UP)
    else:
        stack, ends = bars_along(panel, values, scale)
        tallest = float(stack.counts.sum(axis=0).max(initial=0.0)) or 1.0
        marks = [stack]
        up = Ruler(
            panel.amount,
            (0.0, _HEADROOM * tallest),
            role="amount",
            n_ticks=_TICKS_UP,
            is_whole=not panel.is_weighted and tallest >= 1.0,
        )
    across = (
        Ruler(str(label), ends)
        if column is None
        else column_ruler(column, ends, is_whole=scale.is_whole)
    )
    regions, borders = _stretches(scale, ends, up.ends)
    names = [] if panel.predicate.n_branches == 2 else _names(panel, scale, up.ends[1])
    return Flat(
        across,
        up,
        (*regions, *marks, *borders, *names),
        panel.predicate.n_branches,
        left=None if names else scale.stretches[0][2] if scale.only_cut is not None else 0,
        notes=tuple(notes),
    )


def _stretches(
    scale: Scale, ends: tuple[float, float], up: tuple[float, float]
) -> tuple[list[Region], list[Cut]]:
    """Give the regions of the branches from end to end, and the cuts between them."""
    cuts = [start for start, _, _ in scale.stretches[1:]]
    borders = pairwise([ends[0], *cuts, ends[1]])
    regions = [
        Region(rectangle((np.array([start, up[0]]), np.array([end, up[1]]))), branch)
        for (start, end), (_, _, branch) in zip(borders, scale.stretches, strict=True)
    ]
    return regions, [Cut(np.array([[cut, up[0]], [cut, up[1]]])) for cut in cuts]


def _averages(panel: Panel, scale: Scale) -> Iterator[Average]:
    for start, end, branch in scale.stretches:
        mean = panel.mean(panel.rows.branches == branch)
        if np.isfinite(mean):
            yield Average(start, end, mean)


def _names(panel: Panel, scale: Scale, top: float) -> list[Name]:
    """Name more than two branches above their stretches."""
    return [
        Name(panel.branch_names[branch], (start + (end - start) / 2.0, top), end - start)
        for start, end, branch in scale.stretches
    ]
