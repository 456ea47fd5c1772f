"""How good each cut of each column would be, the first split of a tree not yet being chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure, SubFigure
from numpy.typing import NDArray

from treewright.exceptions import DataError
from treewright.plot.figures.axes import number_axis
from treewright.plot.figures.chosen_columns import column_positions, numeric_columns
from treewright.plot.figures.figures import as_they_are, figure_for, write_around
from treewright.plot.figures.impurities import cuts_along, read_sample
from treewright.plot.figures.styles import POINT, style_of
from treewright.plot.words import column_words, rounded_text
from treewright.schema.shortening import short_schema
from treewright.words import plural

__all__ = ["impurity_profile"]

_AXES_WIDTH = 3.0  # inches
_AXES_HEIGHT = 2.6
_SIDE_BY_SIDE = 3
_MOST_COLUMNS = 12


def impurity_profile(
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    criterion: str | None = None,
    columns: Sequence[str | int] | None = None,
    min_samples_leaf: int = 5,
    figure: Figure | SubFigure | None = None,
) -> Figure | SubFigure:
    """Draw the impurity after a cut against the cut, one curve a column.

    A valley that is narrow or hardly deeper than another tells that the choice of the cut hangs on
    few rows; columns with equally deep valleys could stand in for each other. A cut does not divide
    rows without a value, so that a column known in few rows hardly lessens the impurity.

    Parameters
    ----------
    X : data frame, 2-D array, list of dicts, or dict of lists
        Rows, for example those of a node.
    y : array-like or series
        Their classes or numbers.
    sample_weight : array-like of float or None, default None
        Their weights.
    criterion : {"deviance", "entropy", "gini", "misclassification", "squared_error"}, optional
        How impurity is measured; the last one is for regression. By default the target decides:
        deviance for labels and up to ten different whole numbers, squared error for others.
    columns : sequence of str or int, optional
        Names or positions of columns; by default all columns of numbers, of more than twelve those
        with the best cuts.
    min_samples_leaf : int, default 5
        The least number of rows on either side of a cut.
    figure : Figure or SubFigure, optional
        Where to draw, with nothing else on it; by default a new figure, which pyplot does not know.

    Returns
    -------
    Figure or SubFigure
        The best cut of each column is marked, that of the best column by a ring.

    Raises
    ------
    DataError
        If the rows cannot be read, or no column can be cut.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> figure = impurity_profile(X, y, criterion="gini")
    >>> print(figure.get_supxlabel())
    150 rows. The ring marks the best cut: petal length (cm) at 2.45 leaves a gini of 0.3333.
    """
    sample = read_sample("impurity_profile", X, y, sample_weight, criterion, min_samples_leaf)
    schema, values = sample.schema, sample.values
    words = short_schema(schema)
    places = (
        numeric_columns(schema, values)
        if columns is None
        else column_positions(schema, columns, "impurity_profile", values)
    )
    curves = {place: cuts_along(sample, values[:, place]) for place in places}
    curves = {place: curve for place, curve in curves.items() if curve[0].size}
    if not curves:
        if not any(_varies(values[:, place]) for place in places):
            raise DataError(
                "impurity_profile needs a column of numbers with two different values; "
                "here are only constant columns and columns of levels."
            )
        raise DataError(
            f"No column can be cut so that {plural(min_samples_leaf, 'row')} stand on either side; "
            "give more rows or lower 'min_samples_leaf'."
        )
    ranked = sorted(curves, key=lambda place: float(curves[place][1].min()))
    shown = sorted(curves if columns is not None else ranked[:_MOST_COLUMNS])
    across = 2 if len(shown) in (2, 4) else min(len(shown), _SIDE_BY_SIDE)
    down = -(-len(shown) // across)
    inches = (across * _AXES_WIDTH + 0.4, down * _AXES_HEIGHT + 0.4)
    figure = figure_for("impurity_profile", figure, inches)
    grid = figure.subplots(down, across, squeeze=False, sharey=True)
    for axes in grid.ravel()[len(shown) :]:
        axes.set_visible(False)
    for axes, place in zip(grid.ravel(), shown, strict=False):
        cuts, left = curves[place]
        lowest = int(left.argmin())
        axes.plot(cuts, left, color=POINT, linewidth=1.3, zorder=3)
        axes.plot(cuts[lowest], left[lowest], "o", color=style_of(5).colour, markersize=5, zorder=4)
        n_known = int(np.count_nonzero(~np.isnan(values[:, place])))
        known = "" if n_known == len(values) else f"\nknown in {plural(n_known, 'row')}"
        number_axis(axes.xaxis, column_words(words.columns[place]) + known, 4)
        number_axis(axes.yaxis, sample.label if axes in grid[:, 0] else "", 5)
        if place == ranked[0]:
            axes.plot(
                cuts[lowest], left[lowest], "o", markersize=12, markerfacecolor="none",
                color="black", markeredgewidth=1.4, zorder=5,
            )  # fmt: skip
    cuts, left = curves[ranked[0]]
    best = (
        f"{column_words(words.columns[ranked[0]])} at "
        f"{rounded_text(float(cuts[left.argmin()]))} leaves a {sample.criterion_words} of "
        f"{rounded_text(float(left.min()))}"
    )
    sentences = [f"{plural(len(values), 'row')}. The ring marks the best cut: {best}."]
    if len(shown) < len(curves):
        n_hidden = len(curves) - len(shown)
        sentences.append(f"{plural(n_hidden, 'column')} with worse cuts not shown.")
    write_around(figure, "", sentences, float(figure.bbox.width / figure.dpi))
    as_they_are([figure])
    return figure


def _varies(numbers: NDArray[np.float64]) -> bool:
    return len(np.unique(numbers[~np.isnan(numbers)])) > 1
