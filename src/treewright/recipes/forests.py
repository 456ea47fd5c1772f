"""Forests of the published trees, the reference that readable trees are measured by.

All offer round(sqrt(d)) of d columns at a node and grow trees to the end. ``paper=True`` is what Li
and Chen (2022) compare: 20 trees, one vote each. The four forests of that paper end up within 0.2
points of each other on its data, so that the split matters far less than in single trees.
"""

from __future__ import annotations

from typing import Any

from treewright.estimators import ForestClassifier, ForestRegressor, GrowthRules
from treewright.recipes.parts import by_task, gain_of_must, makes
from treewright.splits import MUST, Axis, Best, FTest, Logistic, SplitMethod

__all__ = [
    "c45_forest",
    "cart_forest",
    "dgmml_forest",
    "ihd_forest",
    "logistic_forest",
    "must_forest",
]


def cart_forest(
    *, task: str = "classification", paper: bool = False, **parameters: Any
) -> ForestClassifier | ForestRegressor:
    """Return a random forest as Breiman has it: CART's splits by the Gini index or squared error.

    Parameters
    ----------
    task : {"classification", "regression"}, default "classification"
        What is predicted. For regression all columns are offered at a node.
    paper : bool, default False
        20 trees that have one vote each, instead of 100 whose probabilities are averaged.
    **parameters
        Parameters of the estimator to change.

    Returns
    -------
    ForestClassifier or ForestRegressor
        Not fitted yet.

    References
    ----------
    Breiman (2001), Random forests, *Machine Learning* 45.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> forest = cart_forest(paper=True, random_state=0).fit(X, y)
    >>> len(forest.trees_), forest.voting
    (20, 'hard')
    >>> forest.predict_proba(X.head(1))
    array([[1., 0., 0.]])
    """
    return _forest_for("cart_forest", task, {}, paper, parameters)


def c45_forest(*, paper: bool = False, **parameters: Any) -> ForestClassifier:
    """Return a forest of trees by gain ratio, with a branch for every level.

    Of C4.5 it has the choice of splits only: gain ratio among the splits of at least average gain.
    Neither the charge for many cuts nor pruning is there, as in the paper; a row without a value
    goes down one branch (``missing="fraction"`` sends it down all, which takes longer).

    Parameters
    ----------
    paper : bool, default False
        As of :func:`cart_forest`.
    **parameters
        Parameters of :class:`treewright.ForestClassifier` to change.

    Returns
    -------
    ForestClassifier
        Not fitted yet.

    References
    ----------
    Quinlan (1993), *C4.5: Programs for Machine Learning*.
    """
    own = {"criterion": "entropy", "gain": "ratio", "categorical": "multiway"}
    return _forest(own, paper, parameters)


def ihd_forest(*, paper: bool = False, **parameters: Any) -> ForestClassifier:
    """Return a forest of trees by the inter-node Hellinger distance.

    Parameters
    ----------
    paper : bool, default False
        As of :func:`cart_forest`.
    **parameters
        Parameters of :class:`treewright.ForestClassifier` to change.

    Returns
    -------
    ForestClassifier
        Not fitted yet.

    References
    ----------
    Akash, Kadir, Ali, Shoyaib (2019), Inter-node Hellinger distance based decision tree, *IJCAI*.
    """
    return _forest({"criterion": "hellinger"}, paper, parameters)


@makes(split=("threshold",))
def dgmml_forest(
    *, threshold: str = "closest", paper: bool = False, **parameters: Any
) -> ForestClassifier:
    """Return a forest of dGMML's trees: the column by the F test, cut without a search.

    Parameters
    ----------
    threshold : str, default "closest"
        Where columns are cut, see :class:`treewright.splits.FTest`; the default is the paper's.
    paper : bool, default False
        As of :func:`cart_forest`.
    **parameters
        Parameters of :class:`treewright.ForestClassifier` to change.

    Returns
    -------
    ForestClassifier
        Not fitted yet.

    References
    ----------
    Li, Chen (2022), A novel splitting criterion inspired by geometric mean metric learning for
    decision tree, arXiv:2204.11011.
    """
    # A test that takes away no impurity may lead to others, as in single trees.
    rules = GrowthRules(zero_gain=True)
    own = {"split": FTest(threshold=threshold), "growth_rules": rules}
    return _forest(own, paper, parameters)


@makes(split=("features",))
def must_forest(
    features: int | str = 2,
    *,
    task: str = "classification",
    paper: bool = False,
    **parameters: Any,
) -> ForestClassifier | ForestRegressor:
    """Return a forest of oblique trees by discriminant analysis on a few columns per split.

    Parameters
    ----------
    features : int or "all", default 2
        Numeric columns in a split, of those that are offered at the node.
    task : {"classification", "regression"}, default "classification"
        What is predicted. For regression all columns are offered at a node.
    paper : bool, default False
        As of :func:`cart_forest`.
    **parameters
        Parameters of the estimator to change.

    Returns
    -------
    ForestClassifier or ForestRegressor
        Not fitted yet.

    References
    ----------
    Leroux, Boussard, Dès (2018), Inducing readable oblique decision trees, *ICTAI*.
    """
    split = MUST(features, selection="mahalanobis", concise=None)
    own = {"split": split, **gain_of_must("must_forest", task)}
    return _forest_for("must_forest", task, own, paper, parameters)


@makes(split=("concise", "mixture"))
def logistic_forest(
    *,
    concise: str | None = None,
    mixture: bool = False,
    paper: bool = False,
    **parameters: Any,
) -> ForestClassifier:
    """Return a forest of oblique trees by logistic regression on the columns offered at a node.

    Parameters
    ----------
    concise : {"aic", "bic", "l1_aic", "l1_bic"} or None, default None
        How columns that do not matter are left out of a split, see
        :class:`treewright.splits.Logistic`. None keeps them: with few columns offered there is
        little to leave out, and nobody reads it.
    mixture : bool, default False
        Let splits on one column compete.
    paper : bool, default False
        As of :func:`cart_forest`.
    **parameters
        Parameters of :class:`treewright.ForestClassifier` to change.

    Returns
    -------
    ForestClassifier
        Not fitted yet.

    References
    ----------
    Truong (2009), Fast growing and concise oblique trees via logistic regression models,
    DPhil thesis, University of Oxford.
    """
    split: SplitMethod = Logistic(concise)
    if mixture:
        split = Best(Axis(), split)
    return _forest({"split": split, "criterion": "deviance"}, paper, parameters)


def _forest_for(
    name: str, task: str, own: dict[str, Any], paper: bool, parameters: dict[str, Any]
) -> ForestClassifier | ForestRegressor:
    """Return the forest for a task, for the recipe of this name."""
    if by_task(name, task, ForestClassifier, ForestRegressor) is ForestClassifier:
        return _forest(own, paper, parameters)
    if paper:
        raise ValueError(f"The 'paper' parameter of {name} is for classification only.")
    return ForestRegressor(**{**own, **parameters})


def _forest(own: dict[str, Any], paper: bool, parameters: dict[str, Any]) -> ForestClassifier:
    settings: dict[str, Any] = {"max_features": "rounded_sqrt", **own}
    if paper:
        settings |= {"n_estimators": 20, "voting": "hard"}
    return ForestClassifier(**{**settings, **parameters})
