"""dGMML: as we would use it, and as its paper has it; and iHD, which it was compared with."""

from __future__ import annotations

from typing import Any

from treewright.estimators import GrowthRules, TreeClassifier, TreeRegressor
from treewright.prune import CostComplexity, ErrorBased
from treewright.recipes.parts import by_task, makes, tree_for
from treewright.splits import FTest

__all__ = ["dgmml", "dgmml_mdt", "dgmml_paper", "ihd"]


# A parent of 10 rows is what the paper's trees need; tests are chosen by F, so one of no gain may
# lead to others.
def _growth() -> dict[str, Any]:
    return {"min_samples_split": 10, "growth_rules": GrowthRules(zero_gain=True)}


@makes(split=("threshold", "fallback"), prune=("confidence",))
def dgmml(
    *,
    threshold: str = "auto",
    fallback: float | None = 0.001,
    task: str = "classification",
    confidence: float = 0.25,
    **parameters: Any,
) -> TreeClassifier | TreeRegressor:
    """Return dGMML as we would use it: columns by the F test, cut at their mean, pruned.

    A threshold that does not look at the classes cannot fit noise, so that the errors of a leaf are
    nearly what error-based pruning takes them for. Regression, which the paper does not know, ranks
    columns by correlation and prunes by cross-validation.

    Parameters
    ----------
    threshold : str, default "auto"
        Where columns are cut; see :class:`treewright.splits.FTest`.
    fallback : float or None, default 0.001
        Where the means of the classes differ significantly on no column, one on which they differ
        in spread is cut, if that is significant at this level; None looks at means only.
    task : {"classification", "regression"}, default "classification"
        What is predicted.
    confidence : float, default 0.25
        The confidence factor of pruning, for classes; smaller prunes more.
    **parameters
        Parameters of the estimator to change; ``prune=None`` gives the unpruned tree.

    Returns
    -------
    TreeClassifier or TreeRegressor
        Not fitted yet.

    References
    ----------
    Li, Chen (2022), A novel splitting criterion inspired by geometric mean metric learning for
    decision tree, arXiv:2204.11011.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> print(dgmml(max_depth=2).fit(X, y).tree_)
    Classification tree for target: 569 rows, 2 leaves, depth 1
    Reading effort 1.00 values per row, training accuracy 89.3 %
    <BLANKLINE>
                                       target  proportion  rows
    all rows                                                569
    ├─ worst concave points <= 0.1146  1             95 %   328
    └─ worst concave points > 0.1146   0             81 %   241
    """
    return _pruned(
        "dgmml", FTest(threshold=threshold, fallback=fallback), task, confidence, parameters
    )


@makes(split=("threshold",))
def dgmml_paper(*, threshold: str = "closest", **parameters: Any) -> TreeClassifier:
    """Return dGMML-DT as its paper has it: grown to the end, not pruned.

    Parameters
    ----------
    threshold : {"closest", "median", "mean"}, default "closest"
        Where columns are cut: equations 11, 12 and 13 of the paper. Those of
        :class:`treewright.splits.FTest` that are not in the paper can be given too.
    **parameters
        Parameters of :class:`treewright.TreeClassifier` to change.

    Returns
    -------
    TreeClassifier
        Not fitted yet.

    References
    ----------
    Li, Chen (2022), A novel splitting criterion inspired by geometric mean metric learning for
    decision tree, arXiv:2204.11011.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> dgmml_paper().fit(X, y).tree_.n_leaves
    27
    """
    split = FTest(threshold=threshold, variant="paper")
    return TreeClassifier(**{**_growth(), "split": split, "readable": False, **parameters})


@makes(split=("features", "threshold", "variant"), prune=("confidence",))
def dgmml_mdt(
    features: int | str | None = None,
    *,
    threshold: str = "auto",
    variant: str = "corrected",
    task: str = "classification",
    confidence: float = 0.25,
    **parameters: Any,
) -> TreeClassifier | TreeRegressor:
    """Return dGMML-MDT: oblique splits by discriminant analysis with a diagonal covariance.

    Parameters
    ----------
    features : int, "all" or None, default None
        Columns in a split; None is 2, and "all" for ``variant="paper"``, which adds up all columns.
    threshold : str, default "auto"
        Where sums are cut; see :class:`treewright.splits.FTest`.
    variant : {"corrected", "paper"}, default "corrected"
        ``"paper"`` takes the coefficients as printed, without sign and unit, and does not prune;
        for comparison only.
    task : {"classification", "regression"}, default "classification"
        What is predicted.
    confidence : float, default 0.25
        The confidence factor of pruning, for classes. Not with ``variant="paper"``.
    **parameters
        Parameters of the estimator to change; ``prune=None`` gives the unpruned tree.

    Returns
    -------
    TreeClassifier or TreeRegressor
        Not fitted yet.

    References
    ----------
    Li, Chen (2022), A novel splitting criterion inspired by geometric mean metric learning for
    decision tree, arXiv:2204.11011.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> for rule in dgmml_mdt(max_depth=1).fit(X, y).rules():
    ...     print(rule)
    if 0.0018 * worst perimeter + worst concave points <= 0.3078 then 1 (98 %, 334 rows)
    if 0.0018 * worst perimeter + worst concave points > 0.3078 then 0 (87 %, 235 rows)
    """
    is_paper = variant == "paper"
    terms = ("all" if is_paper else 2) if features is None else features
    split = FTest(terms, threshold=threshold, variant=variant)
    if is_paper:
        parameters = {"prune": None, "readable": False, **parameters}
    return _pruned("dgmml_mdt", split, task, confidence, parameters)


def ihd(**parameters: Any) -> TreeClassifier:
    """Return the tree of the inter-node Hellinger distance: CART with another measure, not pruned.

    A cut is judged by how far the classes of its branches are from those of the node, which keeps
    sight of rare classes.

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
    Akash, Kadir, Ali, Shoyaib (2019), Inter-node Hellinger distance based decision tree, *IJCAI*.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> ihd().fit(X, y).tree_.n_leaves
    6
    """
    settings: dict[str, Any] = {
        "criterion": "hellinger",
        "min_samples_split": 10,
        "readable": False,
    }
    return TreeClassifier(**{**settings, **parameters})


def _pruned(
    name: str, split: FTest, task: str, confidence: float, parameters: dict[str, Any]
) -> TreeClassifier | TreeRegressor:
    error_based = ErrorBased(confidence=confidence, raising=False)
    prune = by_task(name, task, error_based, CostComplexity())
    return tree_for(name, task, {**_growth(), "split": split, "prune": prune, **parameters})
