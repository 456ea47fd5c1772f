"""What a tree predicts over two columns: exact regions, the lines of its splits, and rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.collections import LineCollection
from matplotlib.colors import Normalize
from matplotlib.figure import Figure, SubFigure

from treewright.plot.arguments import TreeOrModel, tree_of
from treewright.plot.figures.axes import set_rulers
from treewright.plot.figures.figures import as_they_are, classes_among, figure_for, write_around
from treewright.plot.figures.legend import draw_legend, legend_width
from treewright.plot.figures.pieces import Plane, leaf_pieces
from treewright.plot.figures.plane import fixed_words, plane_of
from treewright.plot.figures.points import draw_points
from treewright.plot.figures.styles import CUT, SCALE, point_look, style_of
from treewright.plot.panel.marks import column_ruler
from treewright.plot.panel.panel import Picture
from treewright.plot.panel.spacing import limits
from treewright.plot.rows import NodeRows, drawable
from treewright.plot.words import target_words
from treewright.schema import encode_numbers
from treewright.schema.shortening import short_schema
from treewright.tree import Tree, table_of
from treewright.tree.use import class_codes
from treewright.words import plural

__all__ = ["decision_regions"]

_INCHES = (5.6, 4.6)
_TINT = 0.28  # opacity of the colour of a class in its region


def decision_regions(
    tree: TreeOrModel,
    X: Any,
    y: Any = None,
    columns: Sequence[str | int] | None = None,
    *,
    fixed: Mapping[str, Any] | None = None,
    figure: Figure | SubFigure | None = None,
) -> Figure | SubFigure:
    """Draw what a tree predicts over two columns of numbers, and the rows.

    The regions are exact: the window is cut along the splits of the tree, from the root down. Lines
    are drawn only inside of the region of their node.

    Parameters
    ----------
    tree : Tree or fitted model
        The tree, or a model that has one.
    X : data frame, 2-D array, list of dicts, or dict of lists
        Rows, those the tree was grown on or others. The window is as large as they need.
    y : array-like or series, optional
        Their classes or numbers; without them rows are dots of one colour.
    columns : sequence of two str or int, optional
        Names or positions of the two columns, across and up; by default the two that decide most.
    fixed : mapping of str to value, optional
        Values at which other columns are held; by default medians and most frequent levels.
    figure : Figure or SubFigure, optional
        Where to draw, with nothing else on it; by default a new figure, which pyplot does not know.

    Returns
    -------
    Figure or SubFigure
        What was drawn on; ``figure.savefig("regions.png")`` writes a file.

    Raises
    ------
    ValueError
        If there are no two columns of numbers.
    SchemaError
        If there is no such column.
    DataError
        If the rows cannot be read, or their classes are not those of the tree.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import recipes
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = recipes.cart(random_state=0).fit(X, y)
    >>> axes = decision_regions(model.tree_, X, y).axes[0]
    >>> print(axes.get_xlabel(), "|", axes.get_ylabel())
    petal length (cm) | petal width (cm)
    """
    tree = tree_of(tree, "decision_regions")
    table = table_of(X, tree.schema)
    plane = plane_of(tree, table.values, columns, fixed, "decision_regions")
    schema = short_schema(tree.schema)
    rows = _rows(tree, table.values, y, plane)
    pieces, borders = leaf_pieces(tree, plane)
    answers = np.array([tree.node(node).value for _, node in pieces])
    classes = classes_among(schema, answers, *([] if y is None else [rows.target]))
    beside = legend_width(list(classes.values()))
    figure = figure_for("decision_regions", figure, (_INCHES[0] + beside, _INCHES[1]))
    axes = figure.add_subplot()
    ends = limits(drawable(answers), *([] if y is None else rows.target.tolist()))
    picture = Picture(schema=schema, target=target_words(schema), rows=rows, decimals=tree.decimals)
    for (polygon, _), answer in zip(pieces, answers.tolist(), strict=True):
        axes.fill(*polygon.T, zorder=0, **_look(answer, schema.classes is None, ends))
    axes.add_collection(LineCollection(borders, colors=CUT, linewidths=1.4, zorder=2))
    points = picture.points(*(rows.column(column)[picture.sample] for column in plane.columns))
    if y is None:
        look: dict[str, Any] = {**point_look(len(points)), "edgecolors": "white"}
        axes.scatter(*points.places, color="0.25", zorder=3, **look)
    else:
        draw_points(axes, points, ends=ends)
    rulers = [
        column_ruler(picture.column(column), (float(low), float(high)))
        for column, low, high in zip(plane.columns, *plane.box, strict=True)
    ]
    set_rulers(axes, rulers, _INCHES[0])
    left_out = table.n_rows - len(rows.ids)
    notes = [f"{plural(left_out, 'row')} without a value left out."] if left_out else []
    held = fixed_words(tree, plane, schema)
    if held:
        notes += [held, "Rows have their own values of these."]
    inches = float(figure.bbox.width / figure.dpi)
    write_around(figure, "", [f"{plural(len(rows.ids), 'row')}.", *notes, *points.notes], inches)
    if classes:
        explained = [] if y is None else [axes]  # dots of one colour stand for no class
        draw_legend(figure, explained, classes, picture.target)
    as_they_are([figure])
    return figure


def _rows(tree: Tree, values: Any, y: Any, plane: Plane) -> NodeRows:
    """Give the rows with a value in both columns; without `y` their targets are 0."""
    n_rows, classes = len(values), tree.schema.classes
    if y is None:
        target: Any = np.zeros(n_rows)
    elif classes is None:
        target = drawable(encode_numbers(y, n_rows=n_rows, estimator_name="The tree"))
    else:
        target = class_codes(y, classes, n_rows)
    rows = NodeRows(
        table=values,
        ids=np.arange(n_rows),
        target=target,
        shares=np.ones(n_rows),
        weights=np.ones(n_rows),
        branches=np.zeros(n_rows, dtype=np.int32),
    )
    return rows.take(~np.isnan(values[:, list(plane.columns)]).any(axis=1))


def _look(answer: float, is_number: bool, ends: tuple[float, float]) -> dict[str, Any]:
    """Return how the region of a prediction looks."""
    if is_number:
        return {"color": colormaps[SCALE](Normalize(*ends)(answer)), "linewidth": 0}
    style = style_of(int(answer))
    edge = style.colour if style.hatch else "none"
    return {
        "facecolor": (style.colour, _TINT),
        "hatch": style.hatch,
        "edgecolor": (edge, _TINT) if style.hatch else edge,
        "linewidth": 0,
    }
