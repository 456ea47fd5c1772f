r"""Critical-value pruning: a split stays if it, or one below it, is strong enough (Mingers 1987).

The strength of the split at node t with branches b is one of

    decrease   i(t) - sum_b (W_b / W) i(b), as the tree was grown, per weight of the node
    p_value    of the chi-square test of independence of branch and class, or of the F test of equal
               means of the branches: small is strong. Weights count as rows.

The splits of a tree were chosen for being strong, so p-values found here are smaller than those of
a split that was fixed beforehand: take the value as a knob, not as a level of significance.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright.base.parameters import Check, choice, number
from treewright.prune.base import Growth, Pruner
from treewright.prune.path import Path
from treewright.tree import Tree

__all__ = ["CriticalValue", "critical_value"]

STATISTICS = ("decrease", "p_value")


def critical_value(tree: Tree, value: float, *, statistic: str = "decrease") -> Tree:
    """Prune the splits that are weak and have only weak ones below them.

    Parameters
    ----------
    tree : Tree
        Any tree.
    value : float
        The critical value: a decrease must be larger, a p-value smaller or equal.
    statistic : {"decrease", "p_value"}, default "decrease"
        What the strength of a split is measured by.

    Returns
    -------
    Tree
        The pruned tree.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> tree = TreeClassifier().fit([[1], [2], [3], [4], [5], [6]], list("aababb")).tree_
    >>> [critical_value(tree, value).n_leaves for value in (0.0, 0.3, 0.5)]
    [4, 4, 1]
    """
    CriticalValue(value=value, statistic=statistic).check()
    core = tree.core
    is_inner, parent = core.n_branches > 0, core.parent
    if statistic == "decrease":
        weight = np.where(tree.node_weights > 0.0, tree.node_weights, 1.0)
        strong = is_inner & (core.gain / weight > value)
    else:
        strong = is_inner & (_p_values(tree) <= value)
    for node in range(tree.n_nodes - 1, 0, -1):  # children stand behind their parents
        strong[parent[node]] |= strong[node]
    return tree.collapse(np.flatnonzero(is_inner & ~strong))


class CriticalValue(Pruner):
    """Critical-value pruning.

    Parameters
    ----------
    value : float, default 0.05
        The critical value: a decrease must be larger, a p-value smaller or equal.
    statistic : {"p_value", "decrease"}, default "p_value"
        What the strength of a split is measured by.

    See Also
    --------
    critical_value : The same for a tree that is there.
    CostComplexity : A choice by cross-validation.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import TreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> TreeClassifier(prune=CriticalValue(), random_state=0).fit(X, y).tree_.n_leaves
    6
    """

    _checks: ClassVar[dict[str, Check]] = {"value": number(0), "statistic": choice(*STATISTICS)}

    def __init__(self, *, value: float = 0.05, statistic: str = "p_value") -> None:
        self.value = value
        self.statistic = statistic

    def prune(self, growth: Growth) -> tuple[Tree, Path | None]:
        """Grow on all rows and prune.

        Parameters
        ----------
        growth : Growth
            The rows of the fit, and how trees are grown on them.
        """
        return critical_value(growth.grow(None), self.value, statistic=self.statistic), None


def _p_values(tree: Tree) -> NDArray[np.float64]:
    """Give the p-value of each split; 1 at leaves and where nothing can be said."""
    from scipy.stats import chi2, f

    core = tree.core
    p_values = np.ones(tree.n_nodes)
    for node in np.flatnonzero(core.n_branches).tolist():
        first, count = int(core.first_child[node]), int(core.n_branches[node])
        branches = core.statistics[first : first + count]
        if tree.is_classification:
            branches = branches[branches.sum(axis=1) > 0.0]
            classes = branches.sum(axis=0)
            branches, classes = branches[:, classes > 0.0], classes[classes > 0.0]
            free = (len(branches) - 1) * (len(classes) - 1)
            if free > 0:
                expected = np.outer(branches.sum(axis=1), classes) / classes.sum()
                p_values[node] = chi2.sf(np.sum((branches - expected) ** 2 / expected), free)
            continue
        branches = branches[branches[:, 0] > 0.0]
        weight, mean, squares = branches.T
        free_between, free_within = len(branches) - 1, weight.sum() - len(branches)
        if free_between > 0 and free_within > 0:
            between = np.sum(weight * (mean - np.average(mean, weights=weight)) ** 2)
            within = squares.sum()
            if within > 0.0:
                ratio = between / free_between / (within / free_within)
                p_values[node] = f.sf(ratio, free_between, free_within)
            else:
                p_values[node] = float(between <= 0.0)
    return p_values
