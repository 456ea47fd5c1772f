"""Tests with their rows as small SVG pictures, for pages that hold many of them.

They show what the figures of `figures.panels` show, with fewer points and in a few kilobytes: rows
along one number with the cut, bars by level, or points over two columns with the line. Sums of more
than two columns are drawn along the sum, the largest of several scores by branch.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

import numpy as np
from numpy.typing import NDArray

from treewright.base.parameters import boolean, check_arguments, choice
from treewright.plot.arguments import TreeOrModel, tree_of
from treewright.plot.panel.level_lines import branch_lines, level_lines
from treewright.plot.panel.panel import Panel, panel_of, predicate_of
from treewright.plot.rows import Router, drawable
from treewright.plot.svg.frame import text
from treewright.plot.svg.marks import WIDTH, Drawn, draw_along, draw_lines, draw_over
from treewright.plot.svg.paint import Paint
from treewright.plot.svg.text import number, xml_text
from treewright.plot.tree.contents import LINE, SMALL, TYPE
from treewright.plot.tree.key import flowing
from treewright.plot.tree.lettering import broken, fitted, text_width
from treewright.plot.tree.style import THEMES, Theme, tree_style
from treewright.plot.words import question
from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Predicate, Subset
from treewright.schema.shortening import short_schema

__all__ = ["panel_svg", "panel_svgs"]

_MARGIN = 14.0
_TITLE_LINES = 3
_NOTE_LINES = 3
_MOST_POINTS = 400
_MOST_TERMS = 6
_INCH = 96.0


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
    """Draw the test of one node with the rows that reach it, as SVG.

    Parameters
    ----------
    tree : Tree or fitted model
        The tree, or a model that has one.
    node : int
        Id of an inner node; the root is 0.
    X, y, sample_weight
        Rows, their classes or numbers, and their weights, as for :func:`split_panel`.
    id_prefix, theme, with_style
        As for :func:`tree_svg`.

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
    >>> "<title>home is not own?</title>" in drawing
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
    """Draw tests with the rows that reach them, as SVG; rows are sent through the tree once.

    Parameters
    ----------
    tree, X, y, sample_weight, id_prefix, theme, with_style
        As for :func:`panel_svg`; the ids of each drawing begin with the id of its node too.
    nodes : iterable of int or None, default None
        Ids of inner nodes; by default all of them.

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
            WIDTH / _INCH,
            is_weighted=sample_weight is not None,
            most_points=_MOST_POINTS,
        )
        prefix = f"{xml_text(id_prefix)}p{node}-"
        drawings[node] = _drawing(panel, prefix, f'class="tw tw-{theme}" role="img"', style)
    return drawings


def _drawing(panel: Panel, prefix: str, attributes: str, style: str) -> str:
    """Put title, branches, rows, key and notes below each other."""
    paint = Paint(prefix)
    asked = question(panel.node, panel.schema, most_terms=_MOST_TERMS)
    top = _MARGIN
    parts = []
    for line in broken(asked, WIDTH - 2.0 * _MARGIN, _TITLE_LINES, TYPE, is_bold=True):
        parts.append(text(_MARGIN, top + 0.5 * LINE, line, "k t"))
        top += LINE
    top += 6.0
    if _has_two_sides(panel.predicate):
        parts += _two_branches(panel, top)
        top += 2.0 * LINE
    drawn, top = _rows(panel, paint, top + 4.0)
    parts.append(drawn)
    key = flowing(_key_words(panel), (_MARGIN, top), WIDTH - 2.0 * _MARGIN)
    parts.append(paint.key(key))
    top += key.height
    for line in broken(" ".join(panel.notes), WIDTH - 2.0 * _MARGIN, _NOTE_LINES, SMALL):
        parts.append(text(_MARGIN, top + 0.5 * LINE, line, "s k"))
        top += LINE
    height = number(top + _MARGIN - 4.0)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {attributes} width="{WIDTH:g}" '
        f'height="{height}" viewBox="0 0 {WIDTH:g} {height}"><title>{xml_text(asked)}</title>'
        f"<desc>{xml_text(' '.join(panel.notes))}</desc>{style}"
        f'<rect class="paper" width="100%" height="100%"/>{"".join(parts)}{paint.patterns()}</svg>'
    )


def _has_two_sides(predicate: Predicate) -> bool:
    """Tell whether branches are named above the rows; levels are named beside them."""
    match predicate:
        case Axis() | Linear() | Pair():
            return True
        case Multiway() | Machine():
            return predicate.n_branches == 2
        case Subset():
            return False
        case _:
            assert_never(predicate)


def _two_branches(panel: Panel, top: float) -> list[str]:
    """Write on the left and on the right what takes each branch."""
    half = 0.5 * WIDTH - _MARGIN - 6.0
    parts = []
    room = half
    for branch, x, look in ((0, _MARGIN, "k"), (1, WIDTH - _MARGIN, "e")):
        rows, answer = panel.summary(panel.rows.branches == branch)
        shaded = " (shaded)" if branch == 1 and _is_shaded(panel.predicate) else ""
        first = fitted(f"{panel.branch_names[branch]}{shaded}: {rows}", room, SMALL)
        parts.append(text(x, top + 0.5 * LINE, first, look))
        parts.append(text(x, top + 1.5 * LINE, fitted(answer, half, SMALL), f"s {look}"))
        room = 2.0 * half - text_width(first, SMALL)
    return parts


def _is_shaded(predicate: Predicate) -> bool:
    """Tell whether the second branch is shaded and not just the right side of the picture."""
    match predicate:
        case Linear():
            return True
        case Pair(_, Axis()):
            return True
        case Pair():
            return len(predicate.columns) == 2
        case Axis() | Subset() | Multiway() | Machine():
            return False
        case _:
            assert_never(predicate)


def _rows(panel: Panel, paint: Paint, top: float) -> Drawn:
    """Draw the rows as suits the test."""
    predicate = panel.predicate
    match predicate:
        case Axis(column, threshold):
            return _column(panel, paint, top, column, [threshold])
        case Linear((column,), (coefficient,), threshold):
            with np.errstate(over="ignore"):
                cuts = drawable(np.divide([threshold], coefficient)) if coefficient else np.empty(0)
            return _column(panel, paint, top, column, cuts.tolist())
        case Linear() | Pair() if len(predicate.columns) == 2:
            return draw_over(panel, top, predicate)
        case Pair(_, Axis(column, low), Axis(_, high)):
            return _column(panel, paint, top, column, [low, high])
        case Subset(column) | Multiway(column):
            return _levels(panel, paint, top, column)
        case Pair():
            return _levels(panel, paint, top, predicate.first.column)
        case Linear(columns, coefficients, threshold):
            sums = panel.rows.weighted_sum(columns, coefficients)

            def branch_of(numbers: NDArray[np.float64]) -> NDArray[np.int32]:
                return (numbers > threshold).astype(np.int32)

            label = f"weighted sum of the {len(columns)} columns"
            return draw_along(panel, paint, top, sums, [threshold], branch_of, label)
        case Machine():
            return draw_lines(panel, paint, top, branch_lines(panel))
        case _:
            assert_never(predicate)


def _column(panel: Panel, paint: Paint, top: float, column: int, cuts: list[float]) -> Drawn:
    values, where = panel.rows.column(column), panel.branch_along(column)
    return draw_along(panel, paint, top, values, cuts, where, panel.column(column))


def _levels(panel: Panel, paint: Paint, top: float, column: int) -> Drawn:
    codes = np.arange(len(panel.column(column).levels), dtype=np.float64)
    lines = level_lines(panel, column, panel.branch_of({column: codes}))
    return draw_lines(panel, paint, top, lines)


def _key_words(panel: Panel) -> list[tuple[str, int | None]]:
    """Say which colour is which class, or which tint which numbers."""
    if panel.classes is not None:
        found = np.unique(panel.rows.target).tolist()
        return [(panel.classes[code], code) for code in found]
    return []
