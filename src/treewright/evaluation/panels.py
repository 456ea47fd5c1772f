"""Pictures of the rows that reach the questions of a tree."""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright.page import Panel
from treewright.plot import panel_svgs
from treewright.tree import Tree

__all__ = ["panels_of"]


def panels_of(tree: Tree, X: Any, y: Any, *, key: str, most: int) -> tuple[Panel, ...]:
    """Draw the questions of a tree that most rows reach.

    Parameters
    ----------
    tree : Tree
        The tree.
    X, y
        Rows and their labels or numbers, as :func:`treewright.plot.panel_svg` takes them.
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
