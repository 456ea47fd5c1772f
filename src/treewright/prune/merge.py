"""Merging siblings: a split whose branches all give the same prediction says nothing."""

from __future__ import annotations

import numpy as np

from treewright.tree import Tree
from treewright.tree.node import MISSING_POLICIES, STOP_POLICIES

__all__ = ["merge_siblings"]


def merge_siblings(tree: Tree) -> Tree:
    """Make leaves of the nodes below which all leaves predict the same.

    Parameters
    ----------
    tree : Tree
        Any tree.

    Returns
    -------
    Tree
        A tree with the same prediction for every row that is not divided among branches
        (``missing="fraction"``). Class probabilities become those of the merged node, and with them
        the probabilities that a divided row collects, so that its prediction can change.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> model = TreeClassifier(min_samples_leaf=2).fit([[1], [2], [3], [4], [5]], list("aaabb"))
    >>> merge_siblings(model.tree_).n_leaves
    2
    """
    core = tree.core
    answer, parent = core.value.copy(), core.parent
    is_leaf = core.n_branches == 0
    agrees = np.ones(tree.n_nodes, dtype=np.bool_)
    may_stop = np.isin(core.missing, [MISSING_POLICIES.index(policy) for policy in STOP_POLICIES])
    answer[~is_leaf] = np.nan  # not known yet
    for node in range(tree.n_nodes - 1, 0, -1):  # children stand behind their parents
        if may_stop[node]:  # then rows may get its own answer
            agrees[node] &= answer[node] == core.value[node]
        above = parent[node]
        if np.isnan(answer[above]):
            answer[above] = answer[node]
        agrees[above] &= agrees[node] and answer[above] == answer[node]
    # The leaf that a node becomes gives the answer of the node.
    agrees &= is_leaf | (answer == core.value)
    return tree.collapse(np.flatnonzero(agrees & ~is_leaf))
