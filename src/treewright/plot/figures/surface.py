"""How good every line through two columns would be: a map of angle and offset."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from treewright.base.parameters import boolean, check_arguments
from treewright.exceptions import DataError
from treewright.plot.figures.axes import FONT, name_axis, number_axis
from treewright.plot.figures.chosen_columns import two_columns
from treewright.plot.figures.figures import as_they_are, figure_for, write_around
from treewright.plot.figures.ideal_splits import IdealSplit, ideal_splits, projected
from treewright.plot.figures.impurities import Sample, cuts_along, read_sample
from treewright.plot.figures.styles import MEAN, SCALE
from treewright.plot.words import class_words, rounded_text
from treewright.schema.shortening import short_schema, shortened, wrapped
from treewright.words import name_text, plural

__all__ = ["impurity_surface"]

_INCHES = (6.6, 4.4)
_BESIDE = 2.0  # inches of the list of ideal splits
_N_OFFSETS = 240
_MOST_SPLITS = 10
_LONGEST_SIDE = 22
_LABEL_WIDTH = 56  # characters below the map
_MOST_LINES = 3
_NEAR_THE_END = 165.0  # degrees; a number to the right of its point would leave the map


def impurity_surface(
    X: Any,
    y: Any,
    columns: Sequence[str | int],
    sample_weight: Any = None,
    *,
    criterion: str | None = None,
    min_samples_leaf: int = 5,
    standardise: bool = True,
    figure: Figure | SubFigure | None = None,
) -> Figure | SubFigure:
    """Draw the impurity after a split for every line through two columns.

    A line is ``x1 cos(angle) + x2 sin(angle) = offset``: at 0 degrees it cuts the first column, at
    90 degrees the second. Ideal splits, the boundaries of logistic regressions of each group of
    classes against the others, are numbered from the best; they lie in or near the valleys.

    Parameters
    ----------
    X : data frame, 2-D array, list of dicts, or dict of lists
        Rows, for example those of a node.
    y : array-like or series
        Their classes or numbers; there are no ideal splits in regression.
    columns : sequence of two str or int
        Names or positions of two columns of numbers.
    sample_weight : array-like of float or None, default None
        Their weights.
    criterion : {"deviance", "entropy", "gini", "misclassification", "squared_error"}, optional
        How impurity is measured; the last one is for regression. By default the target decides:
        deviance for labels and up to ten different whole numbers, squared error for others.
    min_samples_leaf : int, default 5
        The least number of rows on either side; where there are fewer the map is blank.
    standardise : bool, default True
        Bring both columns to mean 0 and standard deviation 1 first, so that angles do not depend on
        units.
    figure : Figure or SubFigure, optional
        Where to draw, with nothing else on it; by default a new figure, which pyplot does not know.

    Returns
    -------
    Figure or SubFigure
        Offsets up, angles in steps of one degree across.

    Raises
    ------
    ValueError
        If these are not two columns of numbers.
    DataError
        If the rows cannot be read, or no line leaves enough of them on both sides.

    References
    ----------
    Truong (2009), *Fast growing and concise oblique trees via logistic regression models*,
    section 4.4.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> figure = impurity_surface(X, y, ["petal length (cm)", "petal width (cm)"], criterion="gini")
    >>> print(figure.legends[0].get_texts()[0].get_text())
    1  {0}: 0.3333
    """
    check_arguments("impurity_surface", {"standardise": standardise}, {"standardise": boolean()})
    sample = read_sample("impurity_surface", X, y, sample_weight, criterion, min_samples_leaf)
    places = two_columns(sample.schema, columns, "impurity_surface", sample.values)
    n_rows = len(sample.values)
    sample = sample.take(np.logical_not(np.isnan(sample.values[:, places]).any(axis=1)))
    points = sample.values[:, places]
    if standardise and len(points):
        points = _standardised(points)
    curves = [cuts_along(sample, projected(points, float(angle))) for angle in range(180)]
    if not any(cuts.size for cuts, _ in curves):
        raise DataError(
            f"No line leaves {plural(min_samples_leaf, 'row')} on either side; "
            "give more rows or lower 'min_samples_leaf'."
        )
    splits = [] if sample.schema.classes is None else ideal_splits(sample, points)
    shown = [split for split in splits if np.isfinite(split.impurity)][:_MOST_SPLITS]
    width = _INCHES[0] + (_BESIDE if shown else 0.0)
    figure = figure_for("impurity_surface", figure, (width, _INCHES[1]))
    axes = figure.add_subplot()
    _draw_map(figure, axes, curves, sample.label)
    best = _mark_least(axes, curves)
    for number, split in reversed(list(enumerate(shown, start=1))):
        _mark_split(axes, number, split)
    names = [name_text(short_schema(sample.schema).names[place]) for place in places]
    name_axis(axes.xaxis, np.arange(0.0, 181.0, 45.0), ["0", "45", "90", "135", "180"])
    says = f"angle in degrees; 0 cuts {names[0]}, 90 cuts {names[1]}"
    axes.set_xlabel(wrapped(says, _LABEL_WIDTH, _MOST_LINES), fontsize=FONT)
    number_axis(axes.yaxis, "offset" + (" in standard deviations" if standardise else ""))
    notes = [f"{plural(len(points), 'row')}.", best]
    if len(points) < n_rows:
        notes.insert(1, f"{plural(n_rows - len(points), 'row')} without a value left out.")
    if len(shown) < len(splits):
        notes.append(f"{plural(len(splits) - len(shown), 'ideal split')} not shown.")
    write_around(figure, "", notes, float(figure.bbox.width / figure.dpi))
    if shown:
        _list_splits(figure, sample, shown)
    as_they_are([figure])
    return figure


Curve = tuple[NDArray[np.float64], NDArray[np.float64]]  # offsets, impurities


def _standardised(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bring columns to mean 0 and standard deviation 1; constant ones become 0."""
    largest = np.abs(points).max(axis=0)
    points = points / np.where(largest > 0.0, largest, 1.0)  # squares neither overflow nor vanish
    spread = points.std(axis=0)
    return np.asarray((points - points.mean(axis=0)) / np.where(spread > 0.0, spread, 1.0))


def _draw_map(figure: Figure | SubFigure, axes: Axes, curves: Sequence[Curve], label: str) -> None:
    """Draw the impurity at the nearest cut of each angle; blank beyond the last cuts."""
    offsets = np.concatenate([cuts for cuts, _ in curves])
    ends = np.linspace(offsets.min(), offsets.max(), _N_OFFSETS + 1)
    middles = 0.5 * (ends[1:] + ends[:-1])
    heat = np.full((_N_OFFSETS, len(curves)), np.nan)
    for angle, (cuts, left) in enumerate(curves):
        if cuts.size:
            nearest = np.searchsorted(0.5 * (cuts[1:] + cuts[:-1]), middles)
            is_legal = (middles >= cuts[0]) & (middles <= cuts[-1])
            heat[is_legal, angle] = left[nearest[is_legal]]
    borders = np.arange(len(curves) + 1) - 0.5
    mesh = axes.pcolormesh(borders, ends, heat, cmap=SCALE, rasterized=True, zorder=0)
    bar = figure.colorbar(mesh, ax=axes, shrink=0.9, pad=0.02)
    number_axis(bar.ax.yaxis, label)
    axes.set_xlim(-0.5, len(curves) - 0.5)


def _mark_least(axes: Axes, curves: Sequence[Curve]) -> str:
    """Mark the best line of all that were tried, and say what it leaves."""
    lows = [left.min() if left.size else np.inf for _, left in curves]
    angles = np.flatnonzero(np.array(lows) <= min(lows) * (1.0 + 1e-12))
    angle = int(angles[len(angles) // 2])
    cuts, left = curves[angle]
    offset = float(cuts[left.argmin()])
    axes.plot(angle, offset, "*", color=MEAN, markeredgecolor="white", markersize=14, zorder=4)
    return (
        f"The star marks the best line: angle {angle}, offset {rounded_text(offset)} leaves "
        f"{rounded_text(float(left.min()))}."
    )


def _mark_split(axes: Axes, number: int, split: IdealSplit) -> None:
    axes.plot(split.angle, split.offset, "o", color="black", markeredgecolor="white", zorder=5)
    axes.annotate(
        str(number),
        (split.angle, split.offset),
        (-6.0 if split.angle > _NEAR_THE_END else 6.0, 6.0),
        textcoords="offset points",
        horizontalalignment="right" if split.angle > _NEAR_THE_END else "left",
        fontsize=FONT,
        bbox={"boxstyle": "round,pad=0.15", "facecolor": "white", "linewidth": 0, "alpha": 0.8},
        zorder=6,
    )


def _list_splits(figure: Figure | SubFigure, sample: Sample, splits: Sequence[IdealSplit]) -> None:
    """List the numbered splits beside the map: the classes of one side, and what is left."""
    classes = short_schema(sample.schema).classes or ()
    labels = []
    for number, split in enumerate(splits, start=1):
        side = ", ".join(class_words(classes[code]) for code in split.inside)
        left = rounded_text(split.impurity)
        labels.append(f"{number}  {{{shortened(side, _LONGEST_SIDE)}}}: {left}")
    figure.legend(
        [Line2D([], [], linestyle="none") for _ in labels],
        labels,
        loc="outside right upper",
        title="ideal splits: one side",
        fontsize=FONT,
        title_fontsize=FONT,
        frameon=False,
        alignment="left",
        handlelength=0.0,
        handletextpad=0.0,
    )
