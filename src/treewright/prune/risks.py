r"""The risk R(t) of a node: what its training rows would lose if it were a leaf.

With class weights W_c, W = sum W_c and the node's prediction j:

    errors          sum_c W_c cost(c, j); without a cost matrix the weight of the other classes
    gini            W (1 - sum (W_c / W)^2)
    entropy         -sum W_c log2(W_c / W)
    deviance        -2 sum W_c ln(W_c / W)
    squared_error   sum w (y - prediction)^2

All but the first are W times an impurity; all add up over the leaves of a tree. Training rows that
stop at an inner node (``missing="stop"``) are counted at none of its leaves, as in rpart.
"""

from __future__ import annotations

from typing import assert_never, get_args

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.tasks import task_name
from treewright.measures import Risk
from treewright.tree import Tree

__all__ = [
    "CLASS_RISKS",
    "RISKS",
    "ending_risks",
    "node_risks",
]

RISKS: tuple[Risk, ...] = get_args(Risk)
NUMBER_RISKS: tuple[Risk, ...] = ("squared_error",)
CLASS_RISKS: tuple[Risk, ...] = tuple(risk for risk in RISKS if risk not in NUMBER_RISKS)


def _checked(tree: Tree, risk: str | None) -> Risk:
    """Return a risk by its name, or that of what the tree predicts; refuse one that is not for it.

    Raises
    ------
    ValueError
        With the risks there are.
    """
    allowed = CLASS_RISKS if tree.is_classification else NUMBER_RISKS
    if risk is None:
        return allowed[0]
    if risk not in allowed:
        task = task_name(is_classification=tree.is_classification)
        raise ValueError(
            f"The 'risk' of a {task} tree must be one of {', '.join(allowed)}. Got {risk!r}."
        )
    return risk


def node_risks(tree: Tree, risk: str | None = None) -> NDArray[np.float64]:
    """Give the risk of every node as a leaf, from the statistics in the tree.

    Parameters
    ----------
    tree : Tree
        Any tree.
    risk : str or None, default None
        ``errors`` (costs where the tree has a cost matrix), ``gini``, ``entropy``, ``deviance`` or
        ``squared_error``; None takes ``errors`` for classes and ``squared_error`` for regression.

    Returns
    -------
    ndarray of float64
        One risk a node.
    """
    statistics = tree.core.statistics
    match _checked(tree, risk):
        case "errors":
            return _errors(tree)
        case "gini":
            total, shares = _shares(statistics)
            return np.asarray(total * (1.0 - np.square(shares).sum(axis=1)))
        case "entropy":
            return -1.0 * _sums_of_logarithms(statistics, np.log2)
        case "deviance":
            return -2.0 * _sums_of_logarithms(statistics, np.log)
        case "squared_error":
            weight, mean, squares = statistics.T
            return np.asarray(squares + weight * (mean - tree.core.value) ** 2)
        case never:
            assert_never(never)


def _errors(tree: Tree) -> NDArray[np.float64]:
    statistics, said = tree.core.statistics, tree.core.value.astype(np.intp)
    if len(tree.core.cost):
        cost = tree.core.cost.reshape(tree.n_outputs, tree.n_outputs)
        return np.asarray(np.einsum("nc,cn->n", statistics, cost[:, said]))
    return np.asarray(statistics.sum(axis=1) - statistics[np.arange(len(said)), said])


def _shares(statistics: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the weight of each node, and the proportion of each class in it."""
    total = statistics.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return total, np.where(total[:, None] > 0.0, statistics / total[:, None], 0.0)


def _sums_of_logarithms(
    statistics: NDArray[np.float64], logarithm: np.ufunc
) -> NDArray[np.float64]:
    """Return the sum of W_c log(W_c / W) of each node."""
    _, shares = _shares(statistics)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(statistics > 0.0, statistics * logarithm(shares), 0.0)
    return np.asarray(terms.sum(axis=1))


def ending_risks(tree: Tree, risk: str) -> NDArray[np.float64]:
    """Give what the training rows that end at each node lose by its prediction.

    At leaves that is their risk; at inner nodes that of the rows that stop there, which counts
    where trees are compared whose splits ask for different columns.

    Parameters
    ----------
    tree : Tree
        Any tree.
    risk : str
        A name that :func:`node_risks` knows.

    Returns
    -------
    ndarray of float64
        One risk a node; they sum to that of the tree.
    """
    core = tree.core
    as_leaf, stopped = node_risks(tree, risk), core.stopped_statistics
    ending = np.where(core.n_branches == 0, as_leaf, 0.0)
    for node in np.flatnonzero((core.n_branches > 0) & (stopped != 0.0).any(axis=1)).tolist():
        ending[node] = _core.risk_of_part(stopped[node], core.statistics[node], risk, core.cost)
    return ending
