"""Votes: what all trees of a forest together say about rows.

    soft    mean over the trees of the class shares in the row's leaf
    hard    share of the trees that predict the class (Breiman 2001)

For numbers it is the mean of the trees' predictions. A row is answered by itself, and its trees are
added up in their order, so that the answer does not depend on how rows are dealt out to threads.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.estimators.crew import Crew, Report
from treewright.tree import Tree

__all__ = ["VOTINGS", "mean_votes", "n_answers", "sum_votes"]

VOTINGS = ("soft", "hard")

_LEAST_ROWS = 1024  # for a thread to be worth its while


def n_answers(tree: Tree) -> int:
    """Count the numbers that a tree says about a row: one a class, or one."""
    return tree.n_outputs if tree.is_classification else 1


def sum_votes(trees: Sequence[Tree], table: _core.Table, *, hard: bool) -> NDArray[np.float64]:
    """Add up what the trees say about each row.

    Parameters
    ----------
    trees : sequence of Tree
        Trees over the same columns and classes.
    table : treewright._core.Table
        The rows.
    hard : bool
        Each tree gives one vote to the class it predicts, instead of a share to every class. For
        trees that predict numbers it means nothing.

    Returns
    -------
    ndarray of shape (n_rows, n_classes) or (n_rows, 1)
        Sums over the trees.
    """
    votes = np.zeros((table.n_rows, n_answers(trees[0])))
    rows = np.arange(table.n_rows)
    for tree in trees:
        if not tree.is_classification:
            votes[:, 0] += tree.core.predict_values(table)
        elif hard:
            votes[rows, tree.core.predict_classes(table)] += 1.0
        else:
            votes += tree.core.distribution(table)
    return votes


def mean_votes(
    trees: Sequence[Tree], table: _core.Table, *, hard: bool, n_jobs: int | None
) -> NDArray[np.float64]:
    """Give the mean of what the trees say about each row, see `sum_votes`."""
    n_levels = trees[0].core.n_levels
    parts = np.array_split(table.values, max(1, table.n_rows // _LEAST_ROWS))

    def answer(number: int, report: Report) -> NDArray[np.float64]:
        return sum_votes(trees, _core.Table(parts[number], n_levels), hard=hard)

    votes = np.concatenate(Crew(n_jobs).run(answer, len(parts)))
    return votes / len(trees)
