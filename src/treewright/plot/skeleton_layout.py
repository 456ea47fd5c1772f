"""Where the nodes of a tree stand when only its shape is drawn.

A node stands in the middle of its children; subtrees stand as near to each other as one unit
between nodes of the same depth allows (Reingold and Tilford 1981, *Tidier drawings of trees*). Work
goes from the last node to the root, so deep trees need no recursion.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright import _core

__all__ = ["tidy_places"]

_GAP = 1.0

Outline = tuple[NDArray[np.float64], NDArray[np.float64]]  # leftmost and rightmost, by depth below


def tidy_places(core: _core.Tree) -> NDArray[np.float64]:
    """Place the nodes of a tree.

    Parameters
    ----------
    core : treewright._core.Tree
        The compiled tree.

    Returns
    -------
    ndarray of float64
        Place of each node across, the leftmost at 0; nodes of the same depth are 1 apart or more.
    """
    n_nodes = core.n_nodes
    first, count, parent = core.first_child, core.n_branches, core.parent
    shift = np.zeros(n_nodes)  # from the parent
    outlines: dict[int, Outline] = {}
    for node in range(n_nodes - 1, -1, -1):
        children = range(int(first[node]), int(first[node]) + int(count[node]))
        below = [outlines.pop(child) for child in children]
        outlines[node], shifts = _side_by_side(below)
        shift[list(children)] = shifts
    across = np.zeros(n_nodes)
    across[0] = -outlines[0][0].min()
    for node in range(1, n_nodes):  # parents stand before their children
        across[node] = across[parent[node]] + shift[node]
    return across


def _side_by_side(below: list[Outline]) -> tuple[Outline, NDArray[np.float64]]:
    """Put subtrees beside each other, and a node above the middle of their roots.

    Returns
    -------
    outline : pair of ndarray of float64
        Of the whole, seen from the new node.
    shifts : ndarray of float64
        Of the subtrees from the new node.
    """
    left, right = np.empty(0), np.empty(0)
    shifts = np.zeros(len(below))
    for place, (lows, highs) in enumerate(below):
        shared = min(len(right), len(lows))
        shift = float((right[:shared] - lows[:shared]).max()) + _GAP if shared else 0.0
        shifts[place] = shift
        left = np.concatenate([left, lows[len(left) :] + shift])
        right = np.concatenate([highs + shift, right[len(highs) :]])
    middle = 0.5 * (shifts[0] + shifts[-1]) if below else 0.0
    outline = np.append(0.0, left - middle), np.append(0.0, right - middle)
    return outline, shifts - middle
