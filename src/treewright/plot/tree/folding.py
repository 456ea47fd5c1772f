"""Which nodes of a tree are drawn, and which are folded into a note.

A branch that few rows take is folded: its box says how many leaves are left out. Of a node with
many small branches all are folded into one box; a single leaf is always drawn, since it is as small
as the note would be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treewright.tree import Tree

__all__ = ["DrawnNode", "drawn_nodes", "row_shares"]


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A box to be drawn.

    Parameters
    ----------
    node : int
        Id of the node; of several folded ones, of the first.
    parent : int
        Position of the box above in the list of boxes; -1 for the root.
    folded : tuple of int
        Ids of the nodes that this box stands for with all below them; empty where a node is drawn.
    """

    node: int
    parent: int
    folded: tuple[int, ...] = ()


def row_shares(tree: Tree) -> NDArray[np.float64]:
    """Give the proportion of rows that reach each node; none is known if the root has none."""
    rows = tree.core.rows
    if not rows[0] > 0.0:
        return np.full(len(rows), np.nan)
    shares: NDArray[np.float64] = np.clip(rows / rows[0], 0.0, 1.0)
    return shares


def drawn_nodes(tree: Tree, max_depth: int | None, fold_below: float) -> list[DrawnNode]:
    """Choose what is drawn.

    Parameters
    ----------
    tree : Tree
        The tree.
    max_depth : int or None
        Fold what lies below this depth.
    fold_below : float
        Fold branches that a smaller proportion of the rows takes.

    Returns
    -------
    list of DrawnNode
        The root first, siblings from left to right, parents before their children.
    """
    first, count = tree.core.first_child.tolist(), tree.core.n_branches.tolist()
    depths = tree.core.depth.tolist()
    is_small = (row_shares(tree) < fold_below).tolist()
    drawn = [DrawnNode(0, -1)]
    for place, here in enumerate(drawn):  # which grows on the way
        children = range(first[here.node], first[here.node] + count[here.node])
        if here.folded or not children:
            continue
        small = [child for child in children if is_small[child]]
        is_deep = max_depth is not None and depths[here.node] >= max_depth
        if is_deep or len(small) == len(children):
            drawn[place] = replace(here, folded=(here.node,))
            continue
        is_together = len(small) > 1
        for child in children:
            if not is_small[child] or (not is_together and count[child] == 0):
                drawn.append(DrawnNode(child, place))
            elif not is_together:
                drawn.append(DrawnNode(child, place, (child,)))
        if is_together:
            drawn.append(DrawnNode(small[0], place, tuple(small)))
    return drawn
