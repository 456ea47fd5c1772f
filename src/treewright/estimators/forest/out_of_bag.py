"""Out-of-bag predictions and importances: each tree is judged by the rows it did not learn from.

    decision of a row       mean vote of the trees that did not learn from it
    importance of a column  mean over the trees of
                            loss with the column shuffled among the tree's rows out of bag - loss

(Breiman 2001, sections 3.1 and 10.) No row is copied but in blocks, and nothing is kept beside the
sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.workers import Report, Workers
from treewright.estimators.forest.bags import Bags
from treewright.estimators.forest.votes import n_answers, sum_votes
from treewright.tree import Tree

__all__ = ["LossOfRows", "out_of_bag_votes", "permutation_importances"]

LossOfRows: TypeAlias = Callable[[_core.Tree, _core.Table, NDArray[np.intp]], NDArray[np.float64]]
"""``loss(tree, table, rows)``: the weighted loss of each row; `rows` says which rows they are."""

_BLOCK = 16_384  # rows that are copied at a time
_MOST_FLAGS = 1 << 24  # of rows out of bag times trees


def out_of_bag_votes(
    trees: Sequence[Tree], bags: Bags, table: _core.Table, *, hard: bool, workers: Workers
) -> NDArray[np.float64]:
    """Give the mean vote of the trees that did not learn from a row.

    Parameters
    ----------
    trees : sequence of Tree
        The trees in the order of their numbers.
    bags : Bags
        What they learned from.
    table : treewright._core.Table
        The rows they learned from.
    hard : bool
        As for `sum_votes`.
    workers : Workers
        The threads, which divide the rows; they expect one piece of work.

    Returns
    -------
    ndarray of shape (n_rows, n_classes) or (n_rows, 1)
        NaN in the rows that stand in all bags.
    """
    at_once = max(_MOST_FLAGS // max(table.n_rows, 1), 1)

    def answer(_: int, report: Report) -> NDArray[np.float64]:
        votes = np.zeros((table.n_rows, n_answers(trees[0])))
        n_votes = np.zeros((table.n_rows, 1))
        for first in range(0, len(trees), at_once):
            some = trees[first : first + at_once]
            is_out = np.array([bags.counts(first + place) == 0.0 for place in range(len(some))])
            votes += sum_votes(
                some, table, hard=hard, n_threads=workers.n_threads, is_asked=is_out.view(np.uint8)
            )
            n_votes[:, 0] += is_out.sum(axis=0)
            report(first / len(trees))
        with np.errstate(invalid="ignore"):
            return votes / n_votes

    (decisions,) = workers.run(answer, 1)
    return decisions


def permutation_importances(
    trees: Sequence[Tree],
    bags: Bags,
    table: _core.Table,
    weights: NDArray[np.float64],
    loss: LossOfRows,
    n_repeats: int,
    workers: Workers,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Measure what shuffling each column costs the trees on rows they did not learn from.

    Parameters
    ----------
    trees : sequence of Tree
        The trees in the order of their numbers.
    bags : Bags
        What they learned from.
    table : treewright._core.Table
        The rows they learned from.
    weights : ndarray of float64
        Weights of the rows.
    loss : callable
        Gives the loss of each row, times its weight.
    n_repeats : int
        How often each column is shuffled for each tree.
    workers : Workers
        The threads; each takes one tree at a time.

    Returns
    -------
    mean, deviation : ndarray of float64
        Of the trees with rows out of bag, one number per column; NaN if there is none.
    """
    values, n_levels = table.values, trees[0].core.n_levels

    def measure(number: int, report: Report) -> NDArray[np.float64] | None:
        core, rows = trees[number].core, bags.out_of_bag(number)
        shuffler = bags.shuffler(number)
        if rows.size == 0:
            return None
        added = np.zeros(table.n_columns)
        for repeat in range(n_repeats):
            shuffled = shuffler.permutation(rows)
            for block in _blocks(np.arange(rows.size)):
                part = values[rows[block]]
                before = loss(core, _core.Table(part, n_levels), rows[block]).sum()
                for column in trees[number].columns_read:
                    own = part[:, column].copy()
                    part[:, column] = values[shuffled[block], column]
                    after = loss(core, _core.Table(part, n_levels), rows[block]).sum()
                    added[column] += after - before
                    part[:, column] = own
                    report(repeat / n_repeats)
        added /= n_repeats * weights[rows].sum()
        return added

    found = [one for one in workers.run(measure, len(trees)) if one is not None]
    if not found:
        return np.full(table.n_columns, np.nan), np.full(table.n_columns, np.nan)
    return np.mean(found, axis=0), np.std(found, axis=0)


def _blocks(rows: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
    for start in range(0, len(rows), _BLOCK):
        yield rows[start : start + _BLOCK]
