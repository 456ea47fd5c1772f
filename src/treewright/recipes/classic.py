"""The classic systems: ID3, C4.5 and its rules, J48, CART and rpart."""

from __future__ import annotations

from typing import Any

from treewright.estimators import GrowthRules, RuleSetClassifier, TreeClassifier, TreeRegressor
from treewright.estimators.rules import c45_growth
from treewright.prune import CostComplexity, ErrorBased
from treewright.recipes.parts import makes, tree_for

__all__ = ["c45", "c45rules", "cart", "id3", "j48", "rpart"]


def id3(**parameters: Any) -> TreeClassifier:
    r"""Return ID3: information gain, one branch per level, grown to the end.

    ID3 knows categorical columns only; numeric ones are cut in two here. As in textbooks it splits
    even where nothing is gained, until rows agree or columns run out, and a row without a value
    that a split asks for, or with a level it does not know, is predicted by the node it has
    reached.

    Parameters
    ----------
    **parameters
        Parameters of :class:`treewright.TreeClassifier` to change.

    Returns
    -------
    TreeClassifier
        Not fitted yet.

    References
    ----------
    Quinlan (1986), Induction of decision trees, *Machine Learning* 1.

    Examples
    --------
    >>> table = {"wind": ["weak", "strong", "weak"], "sky": ["sun", "sun", "rain"]}
    >>> print("\n".join(id3().fit(table, ["play", "stay", "play"]).rules()))
    if wind is strong then stay (100 %, 1 row)
    if wind is weak then play (100 %, 2 rows)
    """
    settings: dict[str, Any] = {
        "criterion": "entropy",
        "categorical": "multiway",
        "growth_rules": GrowthRules(zero_gain=True),
        "missing": "stop",
        "readable": False,
    }
    return TreeClassifier(**{**settings, **parameters})


@makes(prune=("confidence", "raising"))
def c45(*, confidence: float = 0.25, raising: bool = True, **parameters: Any) -> TreeClassifier:
    """Return C4.5 (release 8): gain ratio, fractional rows, error-based pruning with raising.

    Parameters
    ----------
    confidence : float, default 0.25
        The confidence factor of pruning; smaller prunes more.
    raising : bool, default True
        Whether a branch may take the place of its node.
    **parameters
        Parameters of :class:`treewright.TreeClassifier` to change; ``prune=None`` gives the
        unpruned tree.

    Returns
    -------
    TreeClassifier
        Not fitted yet.

    References
    ----------
    Quinlan (1993), *C4.5: Programs for Machine Learning*; Quinlan (1996), Improved use of
    continuous attributes in C4.5, *Journal of Artificial Intelligence Research* 4.
    """
    return _c45("c45", confidence, raising, parameters)


@makes(prune=("confidence", "raising"))
def j48(*, confidence: float = 0.25, raising: bool = True, **parameters: Any) -> TreeClassifier:
    """Return J48, Weka's C4.5: it grows the same trees and prunes by the exact normal quantile.

    Parameters
    ----------
    confidence : float, default 0.25
        The confidence factor of pruning, ``-C``.
    raising : bool, default True
        Whether a branch may take the place of its node; False is ``-S``.
    **parameters
        Parameters of :class:`treewright.TreeClassifier` to change: ``min_samples_leaf=m`` with
        ``min_samples_split=2 * m`` is ``-M m``, ``prune=None`` is ``-U``,
        ``smoothing="laplace"`` is ``-A``.

    Returns
    -------
    TreeClassifier
        Not fitted yet.

    References
    ----------
    Witten, Frank, Hall (2011), *Data Mining*, third edition; compared with Weka 3.6.14.
    """
    return _c45("normal", confidence, raising, parameters)


def _c45(
    bound: str, confidence: float, raising: bool, parameters: dict[str, Any]
) -> TreeClassifier:
    settings: dict[str, Any] = {
        **c45_growth(),
        "prune": ErrorBased(confidence=confidence, bound=bound, raising=raising, simplify=False),
        "min_samples_split": 4,
        "min_samples_leaf": 2,
        "readable": False,
    }
    return TreeClassifier(**{**settings, **parameters})


def c45rules(**parameters: Any) -> RuleSetClassifier:
    r"""Return the rules of C4.5 (release 8): from the tree before pruning, a few rules per class.

    For classes with up to 10 rules to choose from, the result is that of release 8. Beyond that
    release 8 searches at random; here all subsets of up to 20 rules are compared, and more are
    searched from a seed.

    Parameters
    ----------
    **parameters
        Parameters of :class:`treewright.RuleSetClassifier` to change.

    Returns
    -------
    RuleSetClassifier
        Not fitted yet.

    References
    ----------
    Quinlan (1993), *C4.5: Programs for Machine Learning*, chapter 5.

    Examples
    --------
    >>> table = {"sky": ["sun", "sun", "rain", "rain", "rain"], "wind": [3, 2, 3, 2, 4]}
    >>> print("\n".join(c45rules().fit(table, ["go", "go", "stay", "stay", "stay"]).rules()))
    if sky is sun then go (100 %, 2 rows, 95 % interval 34-100 %)
    if sky is rain then stay (100 %, 3 rows, 95 % interval 43-100 %)
    otherwise stay (0 rows)
    """
    return RuleSetClassifier(**{"tree": c45(prune=None), "bound": "c45", **parameters})


@makes(prune=("se",))
def cart(
    *, task: str = "classification", se: float = 1.0, **parameters: Any
) -> TreeClassifier | TreeRegressor:
    """Return CART: Gini or squared error, two-way splits, surrogates, cost-complexity pruning.

    The tree is grown to the end and pruned, as the book has it; :func:`rpart` stops early.

    Parameters
    ----------
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
    Breiman, Friedman, Olshen, Stone (1984), *Classification and Regression Trees*.
    """
    return _cart("cart", task, {"prune": CostComplexity(se=se), **parameters})


@makes(prune=("cp",))
def rpart(
    *, task: str = "classification", cp: float = 0.01, **parameters: Any
) -> TreeClassifier | TreeRegressor:
    """Return what R's rpart returns: CART, pruned to the complexity limit `cp`.

    Nodes of less than 20 rows are not split, leaves have 7 rows at least, and the depth is at
    most 30. The folds of rpart are random, so its table of cross-validated errors is not made here:
    ``prune=CostComplexity(cp=0.01, folds=...)`` makes it, for given folds with the same numbers.

    Parameters
    ----------
    task : {"classification", "regression"}, default "classification"
        What is predicted.
    cp : float, default 0.01
        A split must lower the risk by this proportion of the root's risk, for each leaf it adds.
    **parameters
        Parameters of the estimator to change: ``class_weight=Priors(...)`` and ``cost_matrix`` are
        rpart's prior and loss; ``missing`` set to ``surrogate``, ``surrogate_or_stop`` or ``stop``
        is usesurrogate 2, 1 or 0.

    Returns
    -------
    TreeClassifier or TreeRegressor
        Not fitted yet.

    References
    ----------
    Therneau, Atkinson (1997), An introduction to recursive partitioning using the RPART routines;
    compared with rpart 4.1.19.
    """
    limits = {"min_samples_split": 20, "min_samples_leaf": 7, "max_depth": 30}
    settings = {"prune": CostComplexity(alpha=0.0, cp=cp), **limits}
    return _cart("rpart", task, {**settings, **parameters})


def _cart(name: str, task: str, parameters: dict[str, Any]) -> TreeClassifier | TreeRegressor:
    settings: dict[str, Any] = {
        "categorical": "subset",
        "missing": "surrogate",
        "readable": False,
    }
    return tree_for(name, task, {**settings, **parameters})
