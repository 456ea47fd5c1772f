"""A weighted sum and its threshold: rows over two or three columns, or along the sum.

Sums of more columns, or with levels, show their weights beside it. A coefficient is in the unit of
the sum over the unit of its column, so coefficients of different columns cannot be compared. Bars
therefore show coefficient times standard deviation of the column among the rows of the node: how
far the column usually moves the sum. The coefficient itself, as the tree uses it, is written beside
the bar.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright.expressions import In
from treewright.plot.geometry import clipped, cut_in_box, rectangle, unit_cut
from treewright.plot.panel.along import CUT_OUTSIDE, column_along, rows_along
from treewright.plot.panel.levels import lines_by_level
from treewright.plot.panel.marks import Cut, Description, Flat, Mark, Region, Space, Weights
from treewright.plot.panel.over import points_over, rows_over
from treewright.plot.panel.panel import Panel
from treewright.plot.panel.spacing import box_of
from treewright.plot.rows import drawable
from treewright.plot.words import said_number
from treewright.predicates import Linear
from treewright.schema.shortening import shortened
from treewright.words import name_text, number_text, plural

__all__ = ["describe_linear"]

_MOST_COEFFICIENTS = 15
_LONGEST_NAME = 24
_TICKS_IN_SPACE = 4


def describe_linear(panel: Panel, predicate: Linear) -> Description:
    """Show the rows on both sides of a line or plane."""
    columns, threshold = predicate.columns, predicate.threshold
    coefficients = np.array(predicate.coefficients)
    match len(columns):
        case _ if predicate.levels and len({*columns}) == 1:
            return panel.described(lines_by_level(panel, columns[0]), has_sides=False)
        case _ if predicate.levels:
            aside: Space | Weights = _weights(panel, predicate, coefficients)
        case 1:
            with np.errstate(over="ignore"):
                cuts = drawable(threshold / coefficients) if coefficients.any() else np.empty(0)
            return panel.described(column_along(panel, columns[0], cuts.tolist()), is_shaded=True)
        case 2:
            return panel.described(_line(panel, predicate, coefficients), is_shaded=True)
        case 3:
            aside = _plane(panel, predicate, coefficients)
        case _:
            aside = _weights(panel, predicate, coefficients)
    sums = panel.rows.weighted_sum(columns, predicate.coefficients, levels=predicate.levels)

    def branch_of(numbers: NDArray[np.float64]) -> NDArray[np.int32]:
        return (numbers > threshold).astype(np.int32)

    label = f"weighted sum of the {len({*columns})} columns"
    along = rows_along(panel, sums, [threshold], branch_of, label)
    return panel.described(along, aside, is_shaded=True)


def _line(panel: Panel, predicate: Linear, coefficients: NDArray[np.float64]) -> Flat:
    box = box_of(panel, predicate.columns)
    shaded = clipped(rectangle(box), coefficients, predicate.threshold, box)
    cut = cut_in_box(coefficients, predicate.threshold, box)
    marks: list[Mark] = [Region(shaded, 1)] if len(shaded) else []
    marks += [] if cut is None else [Cut(cut)]
    notes = [CUT_OUTSIDE] if cut is None else []
    return rows_over(panel, predicate.columns, box, marks, notes=notes)


def _plane(panel: Panel, predicate: Linear, coefficients: NDArray[np.float64]) -> Space:
    box = box_of(panel, predicate.columns)
    plane = cut_in_box(coefficients, predicate.threshold, box)
    points, rulers = points_over(panel, predicate.columns, box, _TICKS_IN_SPACE)
    normal, _ = unit_cut(coefficients, 0.0, box)
    notes = [CUT_OUTSIDE] if plane is None else []
    return Space(tuple(rulers), points, plane, normal, (*notes, *points.notes))


def _weights(panel: Panel, predicate: Linear, coefficients: NDArray[np.float64]) -> Weights:
    """Give the terms of a sum, those that move it most first."""
    spreads = np.array([_spread(panel, column, level) for column, _, level in predicate.terms])
    with np.errstate(over="ignore"):
        moves = drawable(coefficients * spreads)
    order = np.argsort(-np.abs(moves), kind="stable")[:_MOST_COEFFICIENTS]
    names = (_name(panel, *predicate.terms[term]) for term in order)
    words = (number_text(said_number(predicate.coefficients[term])) for term in order)
    n_hidden = len(moves) - len(order)
    return Weights(
        names=tuple(shortened(name, _LONGEST_NAME) for name in names),
        words=tuple(words),
        lengths=moves[order],
        ends=(min(moves.min(), 0.0), max(moves.max(), 0.0)),
        name="coefficient * standard deviation at this node",
        title="Weights of the sum, coefficients beside the bars",
        notes=(f"{plural(n_hidden, 'smaller coefficient')} not shown.",) if n_hidden else (),
    )


def _name(panel: Panel, position: int, _: float, level: int | None) -> str:
    column = panel.column(position)
    if level is None:
        return name_text(column.name)
    return str(In(column, (column.levels[level],)))


def _spread(panel: Panel, column: int, level: int | None) -> float:
    values = panel.rows.factor(column, level)
    return float(values.std()) if values.size else 0.0
