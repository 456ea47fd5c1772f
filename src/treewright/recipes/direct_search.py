"""Systems that look for linear combinations of columns by search: OC1, CART-LC, SADT, HHCART, WODT.

``prune="cost_complexity"`` puts any of them under one rule: the smallest tree within one standard
error of the best in 10-fold cross-validation.
"""

from __future__ import annotations

from typing import Any

from treewright.estimators import TreeClassifier, TreeRegressor
from treewright.prune import CostComplexity
from treewright.recipes.parts import makes, tree_for
from treewright.splits import CARTLC, HHCART, OC1, SADT, WODT, Axis, SplitMethod

__all__ = ["cart_lc", "hhcart", "oc1", "oc1_ap", "sadt", "wodt"]


@makes(split=("features", "n_restarts", "n_jumps"))
def oc1(
    features: int | str = "all", *, n_restarts: int = 20, n_jumps: int = 5, **parameters: Any
) -> TreeClassifier:
    """Return OC1: coefficients moved one by one, with random restarts and jumps.

    Measure, limits and pruning are those of the published comparisons: twoing, no split on less
    than four rows, and cost-complexity pruning by a tenth of the rows, which are held out of growth
    and choose the tree with the least errors.

    Parameters
    ----------
    features : int or "all", default "all"
        Most columns in a split; two or three make trees that can be read.
    n_restarts : int, default 20
        Searches at each node, the first from the best threshold.
    n_jumps : int, default 5
        Random directions tried where no single coefficient helps any more.
    **parameters
        Parameters of :class:`treewright.TreeClassifier` to change; ``prune="cost_complexity"``
        chooses the tree by 10-fold cross-validation instead, ``prune=None`` gives the unpruned one.

    Returns
    -------
    TreeClassifier
        Not fitted yet.

    References
    ----------
    Murthy, Kasif, Salzberg (1994), A system for induction of oblique decision trees, *Journal of
    Artificial Intelligence Research* 2.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = oc1(features=2, random_state=0).fit(X, y)
    >>> model.tree_.n_leaves
    3
    """
    return _as_compared(OC1(features, n_restarts=n_restarts, n_jumps=n_jumps), parameters)


def oc1_ap(**parameters: Any) -> TreeClassifier:
    """Return OC1-AP: the thresholds that OC1 starts from, grown and pruned as OC1 is.

    It is what OC1 and HHCART are compared with where the question is what linear combinations of
    columns are worth; :func:`cart` is the better tree on thresholds.

    Parameters
    ----------
    **parameters
        Parameters of :class:`treewright.TreeClassifier` to change, as of :func:`oc1`.

    Returns
    -------
    TreeClassifier
        Not fitted yet.

    References
    ----------
    Murthy, Kasif, Salzberg (1994), A system for induction of oblique decision trees, *Journal of
    Artificial Intelligence Research* 2.
    """
    return _as_compared(Axis(), parameters)


@makes(split=("features", "patience"))
def sadt(features: int | str = "all", *, patience: int = 3000, **parameters: Any) -> TreeClassifier:
    """Return SADT: random steps of a hyperplane, worse ones less and less often, by annealing.

    A slow baseline. Its authors counted errors on both sides; measure, limits and pruning here are
    those of :func:`oc1`, which descends from it.

    Parameters
    ----------
    features : int or "all", default "all"
        Most columns in a split.
    patience : int, default 3000
        A search ends after so many steps without a better hyperplane; the authors name 3000 to
        30000.
    **parameters
        Parameters of :class:`treewright.TreeClassifier` to change, as of :func:`oc1`.

    Returns
    -------
    TreeClassifier
        Not fitted yet.

    References
    ----------
    Heath, Kasif, Salzberg (1993), Induction of oblique decision trees, *IJCAI*.
    """
    return _as_compared(SADT(features, patience=patience), parameters)


@makes(split=("variant", "features"))
def hhcart(
    variant: str = "all", *, features: int | str = "all", **parameters: Any
) -> TreeClassifier:
    """Return HHCART: thresholds in the space reflected onto the axes of each class.

    Measure, limits and pruning are those of :func:`oc1`, as in its paper. Columns are taken as they
    are, so that units matter; ``split=HHCART(standardize=True)`` is ours. Categorical columns,
    which the paper turns into numbers, compete as sets of levels.

    Parameters
    ----------
    variant : {"all", "dominant"}, default "all"
        HHCART-A reflects onto all eigenvectors of the covariance of each class, HHCART-D onto the
        first of each, which is quicker.
    features : int or "all", default "all"
        Most columns in a split; two or three make trees that can be read.
    **parameters
        Parameters of :class:`treewright.TreeClassifier` to change, as of :func:`oc1`.

    Returns
    -------
    TreeClassifier
        Not fitted yet.

    References
    ----------
    Wickramarachchi, Robertson, Reale, Price, Brown (2016), HHCART: an oblique decision tree,
    *Computational Statistics & Data Analysis* 96.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> hhcart(prune="cost_complexity", random_state=0).fit(X, y).tree_.n_leaves
    3
    """
    return _as_compared(HHCART(variant, features=features), parameters)


@makes(split=("features", "beta"), prune=("se",))
def cart_lc(
    features: int | str = "all",
    *,
    beta: float = 0.2,
    task: str = "classification",
    se: float = 1.0,
    **parameters: Any,
) -> TreeClassifier | TreeRegressor:
    """Return CART with linear combinations: coefficients in turn, then columns deleted again.

    Parameters
    ----------
    features : int or "all", default "all"
        Most columns in a split before any is deleted.
    beta : float, default 0.2
        A column is deleted where that costs less than this proportion of what the most important
        one is worth. Larger gives shorter splits.
    task : {"classification", "regression"}, default "classification"
        What is predicted.
    se : float, default 1.0
        The rule of k standard errors in 10-fold cross-validation; 0 takes the least risk.
    **parameters
        Parameters of the estimator to change; ``prune=None`` gives the unpruned tree.

    Returns
    -------
    TreeClassifier or TreeRegressor
        Not fitted yet.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), *Classification and Regression Trees*, chapter 5.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> cart_lc().fit(X, y).tree_.n_leaves
    5
    """
    settings: dict[str, Any] = {
        "split": CARTLC(features, beta=beta),
        "missing": "surrogate",
        "prune": CostComplexity(se=se),
    }
    return tree_for("cart_lc", task, {**settings, **parameters})


@makes(split=("features",), prune=("se",))
def wodt(features: int | str = "all", *, se: float = 1.0, **parameters: Any) -> TreeClassifier:
    """Return WODT: the weighted entropy of a soft split, made small from a random start.

    The published trees are not pruned; the rule here is that of :func:`cart`.

    Parameters
    ----------
    features : int or "all", default "all"
        Most columns in a split.
    se : float, default 1.0
        The rule of k standard errors in 10-fold cross-validation; 0 takes the least risk.
    **parameters
        Parameters of :class:`treewright.TreeClassifier` to change; ``prune=None`` gives the
        unpruned tree.

    Returns
    -------
    TreeClassifier
        Not fitted yet.

    References
    ----------
    Yang, Shen, Gao (2019), Weighted oblique decision trees, *AAAI*.
    """
    settings: dict[str, Any] = {
        "split": WODT(features),
        "criterion": "entropy",
        "prune": CostComplexity(se=se),
    }
    return TreeClassifier(**{**settings, **parameters})


def _as_compared(split: SplitMethod, parameters: dict[str, Any]) -> TreeClassifier:
    """Return the tree as OC1 and HHCART were compared with others."""
    settings: dict[str, Any] = {
        "split": split,
        "criterion": "twoing",
        "min_samples_split": 4,
        "max_depth": 50,
        "prune": CostComplexity(holdout=0.1, se=0.0),
    }
    return TreeClassifier(**{**settings, **parameters})
