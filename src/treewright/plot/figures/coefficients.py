"""The weights of a sum as bars.

A coefficient is in the unit of the sum over the unit of its column, so coefficients of different
columns cannot be compared. Bars therefore show coefficient times standard deviation of the column
among the rows of the node: how far the column usually moves the sum. The coefficient itself, as the
tree uses it, is written beside the bar.
"""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from treewright.plot.figures.axes import CHARACTER, FONT, name_axis, number_axis
from treewright.plot.panel.panel import Panel
from treewright.plot.rows import drawable
from treewright.plot.words import said_number
from treewright.predicates import Linear
from treewright.schema.shortening import shortened
from treewright.words import name_text, number_text, plural

__all__ = ["MOST_COEFFICIENTS", "draw_coefficients"]

MOST_COEFFICIENTS = 15
_LONGEST_NAME = 24


def draw_coefficients(axes: Axes, panel: Panel, predicate: Linear) -> None:
    """Draw the terms of a sum, those that move it most first."""
    spreads = np.array([_spread(panel, column) for column in predicate.columns])
    with np.errstate(over="ignore"):
        moves = drawable(np.array(predicate.coefficients) * spreads)
    order = np.argsort(-np.abs(moves), kind="stable")[:MOST_COEFFICIENTS]
    n_hidden = len(moves) - len(order)
    if n_hidden:
        panel.notes.append(f"{plural(n_hidden, 'smaller coefficient')} not shown.")
    places = -np.arange(len(order), dtype=np.float64)
    colours = ["0.45" if moves[term] > 0.0 else "0.75" for term in order]
    axes.barh(places, moves[order], 0.72, color=colours)
    axes.axvline(0.0, color="black", linewidth=0.8)
    for place, term in zip(places, order.tolist(), strict=True):
        is_positive = moves[term] > 0.0
        axes.annotate(
            number_text(said_number(predicate.coefficients[term])),
            (moves[term], place),
            (3 if is_positive else -3, 0),
            textcoords="offset points",
            horizontalalignment="left" if is_positive else "right",
            verticalalignment="center",
            fontsize=FONT,
        )
    names = [
        shortened(name_text(panel.column(predicate.columns[term]).name), _LONGEST_NAME)
        for term in order
    ]
    name_axis(axes.yaxis, places, names)
    axes.tick_params(axis="y", length=0)
    # Room for the numbers beside the longest bars.
    room = 8 * CHARACTER / max(panel.width - _LONGEST_NAME * CHARACTER, 1.0)
    low, high = min(moves.min(), 0.0), max(moves.max(), 0.0)
    span = max(high - low, 1e-12)
    axes.set_xlim(low - room * span * (low < 0.0), high + room * span)
    number_axis(axes.xaxis, "coefficient * standard deviation at this node", 4)
    axes.set_title("Weights of the sum, coefficients beside the bars", fontsize=FONT, loc="left")


def _spread(panel: Panel, column: int) -> float:
    values = panel.rows.column(column)
    return float(values.std()) if values.size else 0.0
