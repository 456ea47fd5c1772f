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

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.tree import Tree

__all__ = [
    "CLASS_RISKS",
    "RISKS",
    "check_risk",
    "ending_risks",
    "node_risks",
    "risk_of_measure",
]

CLASS_RISKS = ("errors", "gini", "entropy", "deviance")
RISKS = (*CLASS_RISKS, "squared_error")


def risk_of_measure(measure: str) -> str:
    """Name the risk that goes with the measure a tree is grown by."""
    if measure in RISKS:
        return measure
    return "errors" if measure == "misclassification" else "gini"


def check_risk(tree: Tree, risk: str) -> None:
    """Refuse a risk that does not exist, or not for what the tree predicts.

    Raises
    ------
    ValueError
        With the risks there are.
    """
    allowed = CLASS_RISKS if tree.is_classification else ("squared_error",)
    if risk not in allowed:
        task = "classification" if tree.is_classification else "regression"
        raise ValueError(
            f"The 'risk' of a {task} tree must be one of {', '.join(allowed)}. Got {risk!r}."
        )


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
    if risk is None:
        risk = "errors" if tree.is_classification else "squared_error"
    check_risk(tree, risk)
    statistics, answers = tree.core.statistics, tree.core.value
    if risk == "squared_error":
        weight, mean, squares = statistics.T
        return np.asarray(squares + weight * (mean - answers) ** 2)
    total = statistics.sum(axis=1)
    if risk == "errors":
        said = answers.astype(np.intp)
        if len(tree.core.cost):
            cost = tree.core.cost.reshape(tree.n_outputs, tree.n_outputs)
            return np.asarray(np.einsum("nc,cn->n", statistics, cost[:, said]))
        return np.asarray(total - statistics[np.arange(len(said)), said])
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where(total[:, None] > 0.0, statistics / total[:, None], 0.0)
        if risk == "gini":
            return np.asarray(total * (1.0 - np.square(shares).sum(axis=1)))
        logarithm = np.log2 if risk == "entropy" else np.log
        terms = np.where(statistics > 0.0, statistics * logarithm(shares), 0.0)
    return np.asarray((-1.0 if risk == "entropy" else -2.0) * terms.sum(axis=1))


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
