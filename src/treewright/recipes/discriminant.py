"""MUST: as we would use it, and as its paper has it."""

from __future__ import annotations

from typing import Any

from treewright.estimators import GrowthRules, TreeClassifier, TreeRegressor
from treewright.prune import CostComplexity, ErrorBased
from treewright.recipes.parts import gain_of_must, makes, tree_for
from treewright.splits import MUST, Axis

__all__ = ["must", "must_paper"]


@makes(split=("features",), prune=("se",))
def must(
    features: int | str = 2,
    *,
    task: str = "classification",
    se: float = 1.0,
    **parameters: Any,
) -> TreeClassifier | TreeRegressor:
    """Return MUST as we would use it: readable oblique splits, pruned by cross-validation.

    Columns are chosen step by step, a condition on one column is taken where further columns do not
    pay for themselves, many classes become two groups by their means, and numbers are rounded as
    far as no training row changes sides. These settings were chosen by nested cross-validation on
    40 data sets, see ``benchmarks/results/must_choices.md``.

    Parameters
    ----------
    features : int or "all", default 2
        Numeric columns in a split, at most.
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
    Leroux, Boussard, Dès (2018), Inducing readable oblique decision trees, *ICTAI*.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = must(features=2, random_state=0).fit(X, y)
    >>> model.tree_.n_leaves
    4
    """
    settings = {
        "split": MUST(features),
        "min_samples_leaf": 3,
        "prune": CostComplexity(se=se),
        **gain_of_must("must", task),
    }
    return tree_for("must", task, {**settings, **parameters})


@makes(split=("features",))
def must_paper(features: int | str = 2, **parameters: Any) -> TreeClassifier:
    """Return MUST with the settings that come closest to the tables of its paper.

    The paper does not say how trees are pruned; error-based pruning with a confidence of 0.01
    was found by comparing its tables with many rules.

    Parameters
    ----------
    features : int, "all" or "full_search", default 2
        Numeric columns in a split; ``"full_search"`` is the paper's FS: one column, every threshold
        of every column tried.
    **parameters
        Parameters of :class:`treewright.TreeClassifier` to change.

    Returns
    -------
    TreeClassifier
        Not fitted yet.

    References
    ----------
    Leroux, Boussard, Dès (2018), Inducing readable oblique decision trees, *ICTAI*.
    """
    split = (
        Axis()
        if features == "full_search"
        else MUST(
            features,
            selection="fisher",
            multiclass="rows",
            small_sample="null_space",
            concise=None,
        )
    )
    settings: dict[str, Any] = {
        "split": split,
        "criterion": "entropy",
        "gain": "balanced",
        "categorical": "multiway",
        "min_samples_split": 4,
        "min_samples_leaf": 2,
        "missing": "stop",
        "growth_rules": GrowthRules(collapse=True),
        "prune": ErrorBased(confidence=0.01, bound="normal", raising=False, simplify=False),
        "readable": False,
    }
    return TreeClassifier(**{**settings, **parameters})
