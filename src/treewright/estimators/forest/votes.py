"""Votes: what all trees of a forest together say about rows.

    soft    mean over the trees of the class probabilities in the row's leaf
    hard    proportion of the trees that predict the class (Breiman 2001)

For regression it is the mean of the trees' predictions. Each row is predicted by itself, and its
trees are added up in their order, so that the prediction does not depend on how rows are dealt out
to threads.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.workers import Workers
from treewright.tree import Tree

__all__ = ["VOTINGS", "mean_votes", "n_answers", "sum_votes"]

VOTINGS = ("soft", "hard")


def n_answers(tree: Tree) -> int:
    """Count the numbers that a tree gives for a row: one per class, or one."""
    return tree.n_outputs if tree.is_classification else 1


def sum_votes(
    trees: Sequence[Tree],
    table: _core.Table,
    *,
    hard: bool,
    n_threads: int = 1,
    is_asked: NDArray[np.uint8] | None = None,
) -> NDArray[np.float64]:
    """Add up what the trees say about each row.

    Parameters
    ----------
    trees : sequence of Tree
        Trees over the same columns and classes.
    table : treewright._core.Table
        The rows.
    hard : bool
        Each tree gives one vote to the class it predicts, instead of a probability to every class.
        For regression trees it means nothing.
    n_threads : int, default 1
        Threads that share the rows.
    is_asked : ndarray of uint8 of shape (n_trees, n_rows) or None, default None
        Whether each tree is asked about each row; None: about all of them.

    Returns
    -------
    ndarray of shape (n_rows, n_classes) or (n_rows, 1)
        Sums over the trees.
    """
    cores = [tree.core for tree in trees]
    flags = None if is_asked is None else is_asked.ravel()
    return _core.sum_answers(cores, table, hard, n_threads, is_asked=flags)


def mean_votes(
    trees: Sequence[Tree], table: _core.Table, *, hard: bool, n_jobs: int | None
) -> NDArray[np.float64]:
    """Give the mean of what the trees say about each row, see `sum_votes`."""
    votes = sum_votes(trees, table, hard=hard, n_threads=Workers(n_jobs).n_threads)
    votes /= len(trees)
    return votes
