"""The figures: one split with its rows, or all splits of a tree."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure

from treewright.base.parameters import check_arguments, integer, none, one_of
from treewright.plot.arguments import TreeOrModel, tree_of
from treewright.plot.figures.axes import FONT
from treewright.plot.figures.figures import (
    PanelFigure,
    as_they_are,
    classes_among,
    figure_for,
    write_around,
)
from treewright.plot.figures.legend import draw_legend, legend_width
from treewright.plot.figures.views import draw_views
from treewright.plot.panel.describe import describe
from treewright.plot.panel.marks import Description
from treewright.plot.panel.panel import Panel, panel_of, predicate_of
from treewright.plot.rows import Router
from treewright.plot.words import question, target_words
from treewright.schema.shortening import short_schema
from treewright.words import plural

__all__ = ["split_panel", "split_panels"]

_AXES_WIDTH = 5.2  # inches
_AXES_HEIGHT = 4.0
_LINE_HEIGHT = 0.25
_AROUND_LINES = 1.6  # title, axis and caption


def split_panel(
    tree: TreeOrModel,
    node: int,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    figure: Figure | SubFigure | None = None,
) -> Figure | SubFigure:
    """Draw the split of one node with the rows that reach it.

    Classes are stacked bars along one column, or points over two or three; numbers to predict are
    points with the means of the branches, or colours. Splits on more columns show their
    coefficients beside the linear combination.

    Parameters
    ----------
    tree : Tree or fitted model
        The tree, or a model that has one.
    node : int
        Id of an inner node; the root is 0.
    X : data frame, 2-D array, list of dicts, or dict of lists
        Rows, those the tree was grown on or others. They are sent through the tree, and those that
        reach the node are drawn.
    y : array-like or series
        Their classes or numbers.
    sample_weight : array-like of float or None, default None
        Their weights; bars then show weight instead of rows.
    figure : Figure or SubFigure, optional
        Where to draw, with nothing else on it; its layout becomes constrained. By default a new
        figure, which pyplot does not know.

    Returns
    -------
    Figure or SubFigure
        What was drawn on; ``figure.savefig("panel.png")`` writes a file.

    Raises
    ------
    ValueError
        If the node is a leaf.
    IndexError
        If the tree has no such node.
    DataError
        If the rows cannot be read, or their classes are not those of the tree.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import recipes
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = recipes.cart(random_state=0).fit(X, y)
    >>> figure = split_panel(model.tree_, 0, X, y)
    >>> print(figure.get_suptitle())
    petal length (cm) <= 2.45?
    """
    tree = tree_of(tree, "split_panel")
    predicate_of(tree, node)
    rows = Router(tree, X, y, sample_weight).at(node)
    schema = short_schema(tree.schema)
    panel = panel_of(tree, node, rows, schema, is_weighted=sample_weight is not None)
    description = describe(panel)
    classes = classes_among(schema, rows.target)
    beside = legend_width(list(classes.values()))
    width = len(description.views) * _AXES_WIDTH + beside
    figure = figure_for("split_panel", figure, (width, _height(description)))
    axes = _draw_panel(figure, panel, description, beside)
    if classes:
        as_they_are([draw_legend(figure, axes, classes, target_words(schema))])
    return figure


def split_panels(
    tree: TreeOrModel,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    max_panels: int = 12,
    columns: int | None = None,
) -> Figure:
    """Draw all splits of a tree, each with the rows that reach it.

    Parameters
    ----------
    tree : Tree or fitted model
        The tree, or a model that has one.
    X : data frame, 2-D array, list of dicts, or dict of lists
        Rows, those the tree was grown on or others.
    y : array-like or series
        Their classes or numbers.
    sample_weight : array-like of float or None, default None
        Their weights; bars then show weight instead of rows.
    max_panels : int, default 12
        The most splits to draw, from the top of the tree; the figure says how many are left out.
    columns : int, optional
        Panels side by side; by default two, or one if a split needs two pairs of axes.

    Returns
    -------
    Figure
        A new figure, which pyplot does not know; ``figure.savefig("tree.png")`` writes a file.

    Raises
    ------
    ValueError
        If the tree has no split.
    DataError
        If the rows cannot be read, or their classes are not those of the tree.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import recipes
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = recipes.cart(random_state=0).fit(X, y)
    >>> figure = split_panels(model.tree_, X, y)
    >>> [panel.get_suptitle() for panel in figure.subfigs]
    ['petal length (cm) <= 2.45?', 'petal width (cm) <= 1.75?']
    """
    tree = tree_of(tree, "split_panels")
    check_arguments(
        "split_panels",
        {"max_panels": max_panels, "columns": columns},
        {"max_panels": integer(1), "columns": one_of(none(), integer(1))},
    )
    inner = np.flatnonzero(tree.core.n_branches).tolist()
    if not inner:
        raise ValueError("The tree is a single leaf and has no split to draw.")
    shown = inner[:max_panels]
    router = Router(tree, X, y, sample_weight)
    rows = [router.at(node) for node in shown]
    schema = short_schema(tree.schema)
    panels = [
        panel_of(tree, node, found, schema, is_weighted=sample_weight is not None)
        for node, found in zip(shown, rows, strict=True)
    ]
    descriptions = [describe(panel) for panel in panels]
    widest = max(len(description.views) for description in descriptions)
    if columns is None:
        columns = 1 if widest > 1 else 2
    columns = min(columns, len(shown))
    starts = range(0, len(shown), columns)
    heights = [max(map(_height, descriptions[start : start + columns])) for start in starts]
    classes = classes_among(schema, *(found.target for found in rows))
    width = columns * widest * _AXES_WIDTH + legend_width(list(classes.values()))
    figure = PanelFigure((width, sum(heights)), layout="constrained")
    grid = figure.add_gridspec(len(heights), columns, height_ratios=heights, wspace=0.02)
    axes: list[Axes] = []
    for place, (panel, description) in enumerate(zip(panels, descriptions, strict=True)):
        part = figure.add_subfigure(grid[place // columns, place % columns])
        axes += _draw_panel(part, panel, description, 0.0)
    if classes:
        as_they_are([draw_legend(figure, axes, classes, target_words(schema))])
    n_hidden = len(inner) - len(shown)
    if n_hidden:
        words = (
            f"{plural(n_hidden, 'further split')} below not drawn; raise 'max_panels' to see more."
        )
        figure.supxlabel(words, fontsize=FONT)
    return figure


def _draw_panel(
    figure: Figure | SubFigure, panel: Panel, description: Description, beside: float
) -> list[Axes]:
    """Draw a split, its title and its caption; `beside` are the inches taken by a legend."""
    inches = float(figure.bbox.width / figure.dpi) - beside
    axes, notes = draw_views(figure, description, inches / len(description.views) - 0.8)
    write_around(figure, question(panel.node, panel.schema), notes, inches)
    as_they_are(axes)
    return axes


def _height(description: Description) -> float:
    n_lines = max(view.n_lines for view in description.views)
    return max(_AXES_HEIGHT, _AROUND_LINES + _LINE_HEIGHT * n_lines)
