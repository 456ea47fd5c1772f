"""Merging siblings: a test whose branches all give the same answer tells the reader nothing."""

from __future__ import annotations

import numpy as np

from treewright.tree import Tree

__all__ = ["merge_siblings"]


def merge_siblings(tree: Tree) -> Tree:
    """Make leaves of the nodes below which every leaf answers the same.

    Parameters
    ----------
    tree : Tree
        Any tree.

    Returns
    -------
    Tree
        A tree with the same answer for every row. Class shares become those of the merged node.

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
    answer[~is_leaf] = np.nan  # not known yet
    for node in range(tree.n_nodes - 1, 0, -1):  # children stand behind their parents
        above = parent[node]
        if np.isnan(answer[above]):
            answer[above] = answer[node]
        agrees[above] &= agrees[node] and answer[above] == answer[node]
    # A row that stops at an inner node gets that node's answer.
    agrees &= is_leaf | (answer == core.value)
    return tree.collapse(np.flatnonzero(agrees & ~is_leaf))
