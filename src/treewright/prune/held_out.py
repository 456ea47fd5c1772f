"""Judging trees on rows that were held out, and choosing one by it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias, assert_never, get_args

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.workers import Workers
from treewright.prune.base import Growth
from treewright.prune.folds import assign_folds
from treewright.prune.risks import node_risks
from treewright.tree import Tree

__all__ = [
    "JUDGES",
    "Judge",
    "Losses",
    "NodeLosses",
    "choose_by_standard_errors",
    "cross_validated",
    "held_out_risks",
    "losses_of",
    "risks_of_folds",
    "root_loss",
    "share_grown",
    "standard_errors",
]

Losses: TypeAlias = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Summed losses and summed squared losses of rows, one of each a tree."""

NodeLosses: TypeAlias = tuple[
    NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]
]
"""What rows lose at each node they pass, the squares, and the same of rows that stop there."""

Judge: TypeAlias = Literal["errors", "deviance"]
JUDGES: tuple[Judge, ...] = get_args(Judge)


def cross_validated(
    growth: Growth,
    folds: Any,
    n_jobs: int | None,
    judge: Callable[[NDArray[np.intp], NDArray[np.intp]], Losses],
) -> Losses:
    """Hold out each fold once.

    Parameters
    ----------
    growth : Growth
        The rows.
    folds : int, array-like of int, or splitter of scikit-learn
        The folds.
    n_jobs : int or None
        Folds worked on at the same time; None leaves it to the estimator.
    judge : callable
        ``judge(grown, held_out)`` gives the losses of trees grown on some rows on the others.

    Returns
    -------
    risk, standard_error : ndarray of float
        The summed losses of each tree, and their standard errors.
    """
    fold = assign_folds(folds, growth)
    results = Workers(growth.n_jobs if n_jobs is None else n_jobs).run(
        lambda number, _: judge(np.flatnonzero(fold != number), np.flatnonzero(fold == number)),
        int(fold.max()) + 1,
    )
    return risks_of_folds(results, growth.data(None)[1].total_case_weight)


def risks_of_folds(results: Sequence[Losses], weight: float) -> Losses:
    """Give the risk of trees on all rows, each held out once, from the losses fold by fold.

    Parameters
    ----------
    results : sequence of tuple of ndarray
        Summed losses and summed squared losses of each fold.
    weight : float
        Number of rows, or their summed weight.

    Returns
    -------
    risk, standard_error : ndarray of float
        The summed losses of each tree, and their standard errors.
    """
    risk = np.sum([one for one, _ in results], axis=0)
    squares = np.sum([two for _, two in results], axis=0)
    return risk, standard_errors(risk, squares, weight)


def standard_errors(
    risk: NDArray[np.float64], squares: NDArray[np.float64], weight: float | NDArray[np.float64]
) -> NDArray[np.float64]:
    """Give the standard errors of summed losses, from their sums and sums of squares.

    Parameters
    ----------
    risk : ndarray of float64
        Summed losses of the rows.
    squares : ndarray of float64
        Summed squared losses.
    weight : float or ndarray of float64
        Number of rows, or their summed weight; of all sums, or of each.

    Returns
    -------
    ndarray of float64
        One per sum.
    """
    return np.sqrt(np.maximum(squares - risk * (risk / weight), 0.0))


def held_out_risks(losses: Losses, held_out: float, grown: float) -> Losses:
    """Give the risks on one held-out part as cross-validation would: for as many rows as grew.

    Parameters
    ----------
    losses : tuple of ndarray
        Summed losses and summed squared losses of the held-out rows.
    held_out, grown : float
        Weight of the rows held out, and of those that the trees were grown on.

    Returns
    -------
    risk, standard_error : ndarray of float
        Both in proportion to the weights of the two parts.
    """
    risk, squares = losses
    scale = grown / held_out
    return scale * risk, scale * standard_errors(risk, squares, held_out)


def share_grown(growth: Growth, held_out: _core.Target) -> float:
    """Give the proportion of all rows that trees are grown on while these are held out."""
    return 1.0 - held_out.total_case_weight / growth.data(None)[1].total_case_weight


def losses_of(
    trees: list[Tree], table: _core.Table, target: _core.Target, judge: Judge, *, absolute: bool
) -> Losses:
    """Sum what some rows lose by each tree.

    Parameters
    ----------
    trees : list of Tree
        The trees.
    table, target : treewright._core.Table, treewright._core.Target
        The rows.
    judge : {"errors", "deviance"}
        Errors (costs, squared or absolute errors, where that is what trees are about), or
        ``-2 log p`` with p = (n_k + 1/K) / (n + 1) the smoothed proportion of the row's class in
        its leaf. Regression trees are judged by errors.
    absolute : bool
        Numbers lose their absolute error.
    """
    sums = []
    for tree in trees:
        core = tree.core
        if _is_by_deviance(judge, tree):
            leaf = core.statistics[core.apply(table)]
            n_classes = leaf.shape[1]
            own = leaf[np.arange(len(leaf)), target.labels]
            loss = -2.0 * np.log((own + 1.0 / n_classes) / (leaf.sum(axis=1) + 1.0))
            weights = target.case_weights
            sums.append((float(weights @ loss), float(weights @ loss**2)))
            continue
        found = _core.node_losses(core, table, target, absolute_error=absolute)
        is_leaf = core.n_branches == 0
        loss_sum = np.where(is_leaf, found[0], found[2]).sum()
        sums.append((float(loss_sum), float(np.where(is_leaf, found[1], found[3]).sum())))
    both = np.array(sums)
    return both[:, 0], both[:, 1]


def _is_by_deviance(judge: Judge, tree: Tree) -> bool:
    match judge:
        case "errors":
            return False
        case "deviance":
            return tree.is_classification
        case never:
            assert_never(never)


def root_loss(tree: Tree, judge: Judge) -> float:
    """Give what the training rows lose by the root alone: the unit of relative held-out losses."""
    return float(node_risks(tree, "deviance" if _is_by_deviance(judge, tree) else None)[0])


def choose_by_standard_errors(
    cv_risk: NDArray[np.float64], cv_standard_error: NDArray[np.float64], k: float
) -> int:
    """Find the smallest tree whose risk is within k standard errors of the least.

    Parameters
    ----------
    cv_risk, cv_standard_error : ndarray of float
        Of the trees of a path, the largest tree first.
    k : float
        How many standard errors of the best tree to allow.

    Returns
    -------
    int
        Position in the path.

    Examples
    --------
    >>> risk, error = np.array([10.0, 8.0, 8.5, 20.0]), np.array([1.0, 1.0, 1.0, 2.0])
    >>> choose_by_standard_errors(risk, error, 0.0), choose_by_standard_errors(risk, error, 1.0)
    (1, 2)
    """
    best = len(cv_risk) - 1 - int(np.argmin(cv_risk[::-1]))
    # Sums of equal losses in another order differ in their last digits.
    allowed = cv_risk[best] + k * cv_standard_error[best] + 1e-9 * abs(cv_risk[best])
    return int(np.flatnonzero(cv_risk <= allowed)[-1])
