"""Splits with their rows as small SVG pictures, for pages that hold many of them.

They show the main view of what the figures of `figures.panels` show, with fewer points and in a few
kilobytes: rows along one number with the cut, bars by level, or points over two columns with the
line. Sums of more than two columns are drawn along the sum, the largest of several scores by
branch.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

import numpy as np

from treewright.base.parameters import boolean, check_arguments, choice
from treewright.plot.arguments import TreeOrModel, tree_of
from treewright.plot.panel.describe import describe
from treewright.plot.panel.marks import Description, Flat, Lines, MainView
from treewright.plot.panel.panel import panel_of, predicate_of
from treewright.plot.rows import Router
from treewright.plot.svg.frame import text
from treewright.plot.svg.marks import WIDTH, Drawn, draw_flat, draw_lines
from treewright.plot.svg.paint import Paint
from treewright.plot.svg.text import number, xml_text
from treewright.plot.tree.contents import LINE, SMALL, TYPE
from treewright.plot.tree.key import flowing
from treewright.plot.tree.lettering import broken, fitted, text_width
from treewright.plot.tree.style import THEMES, Theme, tree_style
from treewright.plot.words import question
from treewright.schema.shortening import short_schema

__all__ = ["panel_svg", "panel_svgs"]

_MARGIN = 14.0
_INSIDE = WIDTH - 2.0 * _MARGIN
_TITLE_LINES = 3
_NOTE_LINES = 3
_MOST_POINTS = 400
_MOST_TERMS = 6


def panel_svg(
    tree: TreeOrModel,
    node: int,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    id_prefix: str = "",
    theme: Theme = "light",
    with_style: bool = True,
) -> str:
    """Draw the split of one node with the rows that reach it, as SVG.

    Parameters
    ----------
    tree : Tree or fitted model
        The tree, or a model that has one.
    node : int
        Id of an inner node; the root is 0.
    X : data frame, 2-D array, list of dicts, or dict of lists
        Rows, those the tree was grown on or others; those that reach the node are drawn.
    y : array-like or series
        Their classes or numbers.
    sample_weight : array-like of float or None, default None
        Their weights; bars then show weight instead of rows.
    id_prefix : str, default ""
        What the ids of all elements begin with. Drawings on one page need different ones.
    theme : {"light", "dark", "auto"}, default "light"
        Colours; with "auto" the reader's system decides.
    with_style : bool, default True
        Whether the style sheet is part of the drawing; see :func:`tree_style`.

    Returns
    -------
    str
        A whole ``<svg>`` element, 350 pixels wide.

    Raises
    ------
    ValueError
        If the node is a leaf.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> X = {"age": [25, 38, 52, 61], "home": ["rent", "own", "rent", "own"]}
    >>> y = ["no", "yes", "no", "yes"]
    >>> drawing = panel_svg(TreeClassifier().fit(X, y).tree_, 0, X, y)
    >>> "<title>home is own?</title>" in drawing
    True
    """
    drawn = panel_svgs(
        tree,
        X,
        y,
        sample_weight,
        nodes=[node],
        id_prefix=id_prefix,
        theme=theme,
        with_style=with_style,
    )
    return drawn[node]


def panel_svgs(
    tree: TreeOrModel,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    nodes: Iterable[int] | None = None,
    id_prefix: str = "",
    theme: Theme = "light",
    with_style: bool = True,
) -> dict[int, str]:
    """Draw splits with the rows that reach them, as SVG; rows are sent through the tree once.

    Parameters
    ----------
    tree : Tree or fitted model
        The tree, or a model that has one.
    X : data frame, 2-D array, list of dicts, or dict of lists
        Rows, those the tree was grown on or others; those that reach a node are drawn.
    y : array-like or series
        Their classes or numbers.
    sample_weight : array-like of float or None, default None
        Their weights; bars then show weight instead of rows.
    nodes : iterable of int or None, default None
        Ids of inner nodes; by default all of them.
    id_prefix : str, default ""
        What the ids of all elements begin with; the id of the node follows. Drawings on one
        page need different ones.
    theme : {"light", "dark", "auto"}, default "light"
        Colours; with "auto" the reader's system decides.
    with_style : bool, default True
        Whether the style sheet is part of each drawing; see :func:`tree_style`.

    Returns
    -------
    dict of int to str
        A whole ``<svg>`` element a node.
    """
    tree = tree_of(tree, "panel_svgs")
    check_arguments(
        "panel_svgs",
        {"theme": theme, "with_style": with_style},
        {"theme": choice(*THEMES), "with_style": boolean()},
    )
    chosen = np.flatnonzero(tree.core.n_branches).tolist() if nodes is None else list(nodes)
    for node in chosen:
        predicate_of(tree, node)
    router = Router(tree, X, y, sample_weight)
    schema = short_schema(tree.schema)
    style = f"<style>{tree_style(theme)}</style>" if with_style else ""
    drawings = {}
    for node in chosen:
        panel = panel_of(
            tree,
            node,
            router.at(node),
            schema,
            is_weighted=sample_weight is not None,
            most_points=_MOST_POINTS,
        )
        asked = question(panel.node, schema, most_terms=_MOST_TERMS)
        paint = Paint(f"{xml_text(id_prefix)}p{node}-")
        attributes = f'class="tw tw-{theme}" role="img"'
        drawings[node] = _drawing(asked, describe(panel), paint, attributes, style)
    return drawings


def _drawing(
    asked: str, description: Description, paint: Paint, attributes: str, style: str
) -> str:
    """Put title, branches, rows, key and notes below each other."""
    top = _MARGIN
    parts = []
    for line in broken(asked, _INSIDE, _TITLE_LINES, TYPE, is_bold=True):
        parts.append(text(_MARGIN, top + 0.5 * LINE, line, "k t"))
        top += LINE
    top += 6.0
    if description.sides:
        parts += _two_sides(description, top)
        top += 2.0 * LINE
    drawn, top = _main_view(description.main, paint, top + 4.0)
    parts.append(drawn)
    key = flowing([(name, code) for code, name in description.classes], (_MARGIN, top), _INSIDE)
    parts.append(paint.key(key))
    top += key.height
    notes = " ".join([*description.notes, *description.main.notes, *paint.notes])
    for line in broken(notes, _INSIDE, _NOTE_LINES, SMALL):
        parts.append(text(_MARGIN, top + 0.5 * LINE, line, "s k"))
        top += LINE
    height = number(top + _MARGIN - 4.0)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {attributes} width="{WIDTH:g}" '
        f'height="{height}" viewBox="0 0 {WIDTH:g} {height}"><title>{xml_text(asked)}</title>'
        f"<desc>{xml_text(notes)}</desc>{style}"
        f'<rect class="paper" width="100%" height="100%"/>{"".join(parts)}{paint.patterns()}</svg>'
    )


def _main_view(view: MainView, paint: Paint, top: float) -> Drawn:
    match view:
        case Flat():
            return draw_flat(view, paint, top)
        case Lines():
            return draw_lines(view, paint, top)
        case _:
            assert_never(view)


def _two_sides(description: Description, top: float) -> list[str]:
    """Write on the left and on the right what takes each branch."""
    half = 0.5 * WIDTH - _MARGIN - 6.0
    parts = []
    room = half
    places = ((_MARGIN, "k", ""), (WIDTH - _MARGIN, "e", " (shaded)" * description.is_shaded))
    for side, (x, look, shaded) in zip(description.sides, places, strict=True):
        first = fitted(f"{side.name}{shaded}: {side.rows}", room, SMALL)
        parts.append(text(x, top + 0.5 * LINE, first, look))
        parts.append(text(x, top + 1.5 * LINE, fitted(side.answer, half, SMALL), f"s {look}"))
        room = 2.0 * half - text_width(first, SMALL)
    return parts
