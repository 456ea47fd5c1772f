"""Tuning: how depth and size of an optimal tree are chosen by cross-validation."""

from __future__ import annotations

from typing import Any, ClassVar

from treewright.base.parameters import Check, choice, none, number, one_of
from treewright.base.settings import Settings
from treewright.prune.folds import folds_check

__all__ = ["TUNE_CHECK", "Tuning", "as_tuning"]


class Tuning(Settings):
    """Depth and size of an optimal tree are chosen by cross-validation.

    Given as `tune` of an estimator of optimal trees; ``"cv"`` is ``Tuning()``. For every depth up
    to `max_depth` and every number of leaves the best tree is searched for, on all rows and without
    each fold.

    Parameters
    ----------
    se : float, default 1.0
        The rule of k standard errors: 0 takes the depth and size with the least cross-validated
        error, 1 the smallest tree that is not clearly worse. Change it to 0 when accuracy counts
        more than a short tree.
    folds : int, array-like of int, or splitter of scikit-learn, default 10
        Number of folds, the fold of each row, or for example a ``KFold``. Folds made here are
        balanced by class (or by the number to predict), and the same in every fit unless the
        estimator has a `random_state`. Lower it when the search takes long.

    See Also
    --------
    treewright.OptimalTreeClassifier : Whose `tune` parameter takes it.
    treewright.prune.CostComplexity : The same choice among the pruned trees of a greedy one.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import OptimalTreeClassifier
    >>> from treewright.estimators import Tuning
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = OptimalTreeClassifier(2, tune=Tuning(se=0, folds=5)).fit(X, y)
    >>> print(model.tuning_)
    depth  leaves  penalty  training  cross-validated     +-
        2       3        0      0.04             0.08  0.022  <- chosen
        1       2        0    0.3333             0.34  0.039
        1       1    0.333    0.6667           0.6667  0.038
    """

    _checks: ClassVar[dict[str, Check]] = {"se": number(0), "folds": folds_check()}

    def __init__(self, *, se: float = 1.0, folds: Any = 10) -> None:
        self.se = se
        self.folds = folds


TUNE_CHECK = one_of(
    none(), choice("cv"), Check("a Tuning", lambda value: isinstance(value, Tuning))
)
"""What the `tune` parameter may be."""


def as_tuning(tune: str | Tuning) -> Tuning:
    """Return what the `tune` parameter stands for."""
    return Tuning() if isinstance(tune, str) else tune
