"""Pictures of the rows that reach the questions of a tree."""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright.page import Panel
from treewright.plot import panel_svgs
from treewright.tree import Tree

__all__ = ["ROWS_DRAWN", "panel_count", "panels_of"]

ROWS_DRAWN = 2000  # more would lie over each other
_PANELS, _PANELS_BESIDE = 8, 4  # pictures for the recommended tree, and for one beside it
_MANY, _PANELS_OF_MANY = 10, 2  # classes, whose pictures are large


def panel_count(n_classes: int, *, is_beside: bool = False) -> int:
    """Return how many questions of a tree to draw, so that a page stays small.

    Parameters
    ----------
    n_classes : int
        Number of classes; 0 in regression.
    is_beside : bool, default False
        Whether the tree stands beside the recommended one.

    Returns
    -------
    int
        The most questions to draw.
    """
    if n_classes > _MANY:
        return _PANELS_OF_MANY
    return _PANELS_BESIDE if is_beside else _PANELS


def panels_of(tree: Tree, X: Any, y: Any, *, key: str, most: int) -> tuple[Panel, ...]:
    """Draw the questions of a tree that most rows reach.

    Parameters
    ----------
    tree : Tree
        The tree.
    X : data frame, 2-D array, list of dicts, or dict of lists
        Rows, as :func:`treewright.plot.panel_svg` takes them.
    y : array-like or series
        Their classes or numbers.
    key : str
        Of the model; ids in the drawings begin with it.
    most : int
        How many questions to draw.

    Returns
    -------
    tuple of Panel
        In the order of the nodes.
    """
    inner = np.flatnonzero(tree.core.n_branches)
    heaviest = inner[np.argsort(-tree.node_weights[inner], kind="stable")[:most]]
    nodes = np.sort(heaviest).tolist()
    drawn = panel_svgs(tree, X, y, nodes=nodes, id_prefix=f"{key}-", with_style=False)
    return tuple(Panel(node, svg) for node, svg in drawn.items())
