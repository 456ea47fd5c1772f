"""Rows as points over two or three columns."""

from __future__ import annotations

from collections.abc import Sequence

from treewright.plot.geometry import Box
from treewright.plot.panel.marks import Flat, Mark, Points, Ruler, column_ruler
from treewright.plot.panel.panel import Panel
from treewright.plot.panel.spacing import places_over

__all__ = ["points_over", "rows_over"]


def rows_over(
    panel: Panel,
    columns: Sequence[int],
    box: Box,
    marks: Sequence[Mark],
    *,
    has_sides: bool = True,
    notes: Sequence[str] = (),
) -> Flat:
    """Show the rows of a panel over two columns.

    Parameters
    ----------
    panel : Panel
        The split and its rows.
    columns : sequence of int
        Positions of the columns, across and up.
    box : pair of ndarray of float64
        The lowest and the highest corner.
    marks : sequence of Mark
        The regions of the split and the cuts between them.
    has_sides : bool, default True
        Whether two branches are named above.
    notes : sequence of str, default ()
        What is to be said of the split.

    Returns
    -------
    Flat
        The rows on top of the marks.
    """
    points, (across, up) = points_over(panel, columns, box)
    return Flat(
        across,
        up,
        (*marks, points),
        panel.predicate.n_branches,
        left=0 if has_sides else None,
        notes=(*notes, *points.notes),
    )


def points_over(
    panel: Panel, columns: Sequence[int], box: Box, n_ticks: int = 5
) -> tuple[Points, list[Ruler]]:
    """Give the rows of a panel over some columns, and the axes."""
    places, gaps = places_over(panel, columns)
    rulers = [
        column_ruler(
            panel.column(column),
            (float(low), float(high)),
            n_ticks=n_ticks,
            is_whole=gap is not None and gap.is_integer(),
        )
        for column, low, high, gap in zip(columns, *box, gaps, strict=True)
    ]
    is_moved = any(gap is not None for gap in gaps)
    return panel.points(*places, is_moved=is_moved), rulers
