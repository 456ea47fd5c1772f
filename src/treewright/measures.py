"""Names of measures and gains, and their values for given counts.

A *measure* says how impure a node is; a *gain* says how a decrease of impurity becomes the score
by which splits are compared.

=================== ============================================ ==========================
measure             of a node with class proportions p             for
=================== ============================================ ==========================
gini                1 - sum p^2                                   classes
entropy             -sum p log2 p                                 classes
misclassification   1 - max p                                     classes
deviance            -2 sum p ln p                                 classes
twoing              judges two branches together                  classes
hellinger           judges branches against their parent          classes
hddt                judges how branches part the classes          classes
squared_error       mean of (y - mean)^2                          numbers
absolute_error      mean of abs(y - median)                       numbers
=================== ============================================ ==========================

``twoing`` takes two branches. ``hellinger`` is the inter-node Hellinger distance, the mean over
branches of ``1 - sum sqrt(p_branch p_node)``. ``hddt`` is the Hellinger distance between two
classes, each given by its proportions in the branches, so that a rare class counts as much as a
frequent one; with more than two classes it is that of the class which a split sets apart best from
all others. All three take the impurity of a single node to be ``gini``.

========= =================================================================================
gain      score of a split
========= =================================================================================
plain     the decrease
ratio     decrease / split information, among decreases not below their mean (C4.5)
balanced  decrease / (1 + split information), in bits
========= =================================================================================

References
----------
Breiman, Friedman, Olshen, Stone (1984), *Classification and Regression Trees*; Quinlan (1993),
*C4.5*; Akash et al. (2019) for the inter-node Hellinger distance; Cieslak, Chawla (2008) and
Cieslak, Hoens, Chawla, Kegelmeyer (2012) for HDDT; Leroux, Boussard, Dès (2018) for the balanced
gain ratio.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from treewright import _core

__all__ = [
    "CLASS_MEASURES",
    "GAINS",
    "MEASURES",
    "NUMBER_MEASURES",
    "Measure",
    "Risk",
    "decrease",
    "impurity",
    "split_information",
]

Risk: TypeAlias = Literal["errors", "gini", "entropy", "deviance", "squared_error"]


@dataclass(frozen=True)
class Measure:
    """What is known of a measure outside of the core.

    Attributes
    ----------
    name : str
        The word of ``criterion=``, and of the core.
    for_classes : bool
        Whether it judges classes; otherwise numbers.
    risk : {"errors", "gini", "entropy", "deviance", "squared_error"} or None
        The risk of a node that is its weight times its impurity; None if there is no such.
    adds_up : bool
        Whether the decrease, times the weight, is what the branches save of weight times impurity.
    predicts_medians : bool
        Whether leaves predict medians, which lose absolute errors.
    with_costs : str or None
        What the core calls the same measure with a cost matrix; None if there is no such.

    Examples
    --------
    >>> MEASURES["misclassification"].risk
    'errors'
    """

    name: str
    for_classes: bool
    risk: Risk | None
    adds_up: bool = True
    predicts_medians: bool = False
    with_costs: str | None = None


MEASURES = {
    measure.name: measure
    for measure in (
        Measure("gini", True, "gini", with_costs="cost_gini"),
        Measure("entropy", True, "entropy"),
        Measure("misclassification", True, "errors"),
        Measure("deviance", True, "deviance"),
        Measure("twoing", True, "gini", adds_up=False),
        Measure("hellinger", True, "gini", adds_up=False),
        Measure("hddt", True, "gini", adds_up=False),
        Measure("squared_error", False, "squared_error"),
        Measure("absolute_error", False, None, adds_up=False, predicts_medians=True),
    )
}
CLASS_MEASURES = tuple(name for name, measure in MEASURES.items() if measure.for_classes)
NUMBER_MEASURES = tuple(name for name, measure in MEASURES.items() if not measure.for_classes)
GAINS = ("plain", "ratio", "balanced")


def impurity(
    measure: str, class_weights: ArrayLike, *, cost_matrix: ArrayLike | None = None
) -> float:
    """Return the impurity of a node.

    Parameters
    ----------
    measure : str
        One of `CLASS_MEASURES`.
    class_weights : array-like of float
        Summed weight of each class in the node.
    cost_matrix : array-like of float or None, default None
        Costs of saying column when row is true; turns ``gini`` into the sum of
        ``cost[i, j] * p[i] * p[j]``.

    Returns
    -------
    float
        The impurity.

    Examples
    --------
    >>> impurity("gini", [50, 30, 20])
    0.62
    >>> round(impurity("entropy", [50, 30, 20]), 6)
    1.485475
    """
    name, cost = _with_cost(measure, cost_matrix)
    return _core.impurity(name, np.array(class_weights, dtype=np.float64), cost)


def decrease(
    measure: str,
    parent: ArrayLike,
    branches: Sequence[ArrayLike],
    *,
    cost_matrix: ArrayLike | None = None,
) -> float:
    """Return how much of its parent's impurity a split takes away.

    Parameters
    ----------
    measure : str
        One of `CLASS_MEASURES`.
    parent : array-like of float
        Class weights of the node.
    branches : sequence of array-like of float
        Class weights of each branch.
    cost_matrix : array-like of float or None, default None
        As for :func:`impurity`.

    Returns
    -------
    float
        The decrease as a proportion of the node's weight; for ``hddt`` a distance from 0 to the
        root of 2.

    Examples
    --------
    >>> round(decrease("gini", [50, 30, 20], [[40, 5, 5], [10, 25, 15]]), 6)
    0.14
    >>> round(decrease("twoing", [50, 30, 20], [[40, 5, 5], [10, 25, 15]]), 6)
    0.09
    >>> round(decrease("hddt", [50, 50], [[40, 0], [10, 50]]), 6)
    1.051462
    """
    name, cost = _with_cost(measure, cost_matrix)
    flat = np.concatenate([np.asarray(branch, dtype=np.float64) for branch in branches])
    return _core.decrease(name, np.array(parent, dtype=np.float64), flat, cost)


def split_information(weights: ArrayLike) -> float:
    """Return the entropy of the branch proportions in bits.

    Parameters
    ----------
    weights : array-like of float
        Weight of each branch.

    Returns
    -------
    float
        The entropy.

    Examples
    --------
    >>> round(split_information([5, 4, 5]), 6)
    1.577406
    """
    return _core.split_information(np.array(weights, dtype=np.float64))


def _with_cost(measure: str, cost_matrix: ArrayLike | None) -> tuple[str, np.ndarray]:
    if measure not in CLASS_MEASURES:
        raise ValueError(f"The measure must be one of {CLASS_MEASURES}. Got {measure!r}.")
    if cost_matrix is None:
        return measure, np.empty(0)
    with_costs = MEASURES[measure].with_costs
    if with_costs is None:
        raise ValueError(f"A cost matrix goes with the measure 'gini' only. Got {measure!r}.")
    return with_costs, np.array(cost_matrix, dtype=np.float64).ravel()
