"""The Pareto front of size against cost: the best tree of every number of leaves, from one search.

The trees need not be nested. An entry's alpha is the complexity parameter from which on its tree is
the best of all; only trees on the lower convex hull of (leaves, cost) ever are, so a tree above it
has the alpha of the next smaller tree on the hull, which takes its place at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from treewright.prune import TreeSequence
from treewright.prune.sequence import entry_of
from treewright.tree import Tree

__all__ = ["front_of"]


def front_of(trees: Sequence[Tree], chosen: Tree) -> TreeSequence:
    """Put trees of rising size into a sequence, the largest first.

    Parameters
    ----------
    trees : sequence of Tree
        The best tree of each size, the smallest first.
    chosen : Tree
        The one among them that is best under the penalty.

    Returns
    -------
    TreeSequence
        The same trees, with the complexity parameter from which on each is the best.
    """
    risk = "errors" if trees[0].is_classification else "squared_error"
    entries = [entry_of(tree, 0.0, tree.n_leaves, risk) for tree in reversed(trees)]
    leaves = np.array([float(entry.leaves) for entry in entries])
    risks = np.array([entry.risk for entry in entries])
    alphas = _alphas(leaves, risks)
    (place,) = np.flatnonzero(leaves == chosen.n_leaves).tolist()
    return TreeSequence(
        [
            replace(entry, alpha=alpha)
            for entry, alpha in zip(entries, alphas.tolist(), strict=True)
        ],
        chosen=place,
    )


def _alphas(leaves: NDArray[np.float64], risks: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give for each size, largest first, the complexity parameter from which on it is the best."""
    alphas = np.zeros(len(leaves))
    on_hull, price = 0, 0.0
    while on_hull < len(leaves) - 1:
        saved = leaves[on_hull] - leaves[on_hull + 1 :]
        dearer = (risks[on_hull + 1 :] - risks[on_hull]) / saved
        following = len(dearer) - 1 - int(np.argmin(dearer[::-1]))
        price = max(float(dearer[following]), price)
        alphas[on_hull + 1 : on_hull + following + 2] = price
        on_hull += following + 1
    return alphas
