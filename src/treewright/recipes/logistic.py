"""Oblique trees by logistic regression: as we would use them, and as R's oblique.tree has them."""

from __future__ import annotations

from typing import Any

from treewright.estimators import GrowthRules, TreeClassifier
from treewright.prune import CostComplexity, Pruner
from treewright.recipes.parts import makes
from treewright.splits import Axis, Best, Logistic, SplitMethod

__all__ = ["oblique_logistic", "oblique_tree"]

_MODES = ("axis", "mixture", "oblique")


@makes(split=("mode", "concise"))
def oblique_logistic(
    mode: str = "mixture",
    *,
    concise: str | None = "bic",
    prune: str | Pruner | None = "cost_complexity",
    **parameters: Any,
) -> TreeClassifier:
    """Return an oblique tree by logistic regression over bipartitions of the classes.

    Parameters
    ----------
    mode : {"mixture", "oblique", "axis"}, default "mixture"
        Splits on one column and on several compete; numeric columns are used in linear combinations
        only; or one by one only.
    concise : {"aic", "bic", "l1_aic", "l1_bic"} or None, default "bic"
        How columns that do not matter are left out of a split, see
        :class:`treewright.splits.Logistic`.
    prune : str, Pruner or None, default "cost_complexity"
        How the tree is made simpler, by 10-fold cross-validation and the rule of one standard
        error: ``"cost_complexity"`` prunes at a price per column, ``"trim"`` takes columns out of
        splits, ``"squeeze"`` shrinks all splits together.
    **parameters
        Parameters of :class:`treewright.TreeClassifier` to change.

    Returns
    -------
    TreeClassifier
        Not fitted yet.

    References
    ----------
    Truong (2009), Fast growing and concise oblique trees via logistic regression models,
    DPhil thesis, University of Oxford.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = oblique_logistic().fit(X, y)
    >>> model.tree_.n_leaves
    3
    """
    if isinstance(prune, str) and prune == "cost_complexity":
        prune = CostComplexity(penalty="attributes")
    settings = _growth(mode, Logistic(concise))
    return TreeClassifier(**{**settings, "prune": prune, **parameters})


@makes(split=("mode", "concise"))
def oblique_tree(
    mode: str = "oblique", *, concise: str | None = None, **parameters: Any
) -> TreeClassifier:
    """Return the unpruned trees of R's oblique.tree 1.1.1, node by node.

    Logistic regressions are those of R's ``glm``, and numbers are not rounded. Penalised splits
    (``concise="l1_aic"``) differ: the package counts columns short and does not scale them.

    Parameters
    ----------
    mode : {"oblique", "mixture", "axis"}, default "oblique"
        As of :func:`oblique_logistic`; the package calls them ``only``, ``on`` and ``off``.
    concise : {"aic", "bic"} or None, default None
        How columns that do not matter are left out of a split.
    **parameters
        Parameters of :class:`treewright.TreeClassifier` to change.

    Returns
    -------
    TreeClassifier
        Not fitted yet.
    """
    settings = _growth(mode, Logistic(concise, solver="irls", events=None))
    return TreeClassifier(**{**settings, "readable": False, **parameters})


def _growth(mode: str, logistic: SplitMethod) -> dict[str, Any]:
    """Return what all trees of the family have in common."""
    if mode not in _MODES:
        raise ValueError(f"The 'mode' must be 'axis', 'mixture' or 'oblique'. Got {mode!r}.")
    split = {"axis": Axis(), "oblique": logistic, "mixture": Best(Axis(), logistic)}[mode]
    return {
        "split": split,
        "criterion": "deviance",
        "categorical": "subset",
        "min_samples_split": 10,
        "min_samples_leaf": 5,
        "growth_rules": GrowthRules(min_impurity_fraction=0.01, zero_gain=True),
    }
