"""One branch per class by linear discriminant analysis."""

from __future__ import annotations

from typing import ClassVar

from treewright import _core
from treewright.base.parameters import Check, number
from treewright.splits.base import SplitMethod

__all__ = ["FACT"]


class FACT(SplitMethod):
    """Splits of FACT: one linear score per class, and a row takes the branch of its largest score.

    The scores are those of linear discriminant analysis on the larger principal components of the
    numeric columns, written in the columns themselves. Categorical columns are tested as the
    estimator's `categorical` says; the published system turns them into numbers instead.

    Parameters
    ----------
    components : float, default 0.05
        Principal components of the correlation matrix with an eigenvalue above this proportion of
        the largest are used. 0 uses all.
    f_to_enter : float, default 4.0
        A node is split only if the F ratio of some numeric column is at least this. 0 does not ask.

    See Also
    --------
    CRUISE : Scores of one column, or of all.
    LMDT : Linear scores by perceptrons.
    treewright.recipes.fact : The whole system.

    Notes
    -----
    For classification only. A row that lacks one of the columns has no known branch; rows with a
    missing value take no part in finding the scores.

    References
    ----------
    Loh, Vanichsetakul (1988), Tree-structured classification via generalized discriminant analysis,
    *Journal of the American Statistical Association* 83.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import TreeClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> TreeClassifier(split=FACT(), max_depth=1).fit(X, y).tree_.n_leaves
    3
    """

    _checks: ClassVar[dict[str, Check]] = {
        "components": number(0.0, 1.0),
        "f_to_enter": number(0.0),
    }

    def __init__(self, components: float = 0.05, *, f_to_enter: float = 4.0) -> None:
        self.components = components
        self.f_to_enter = f_to_enter

    @property
    def for_classes_only(self) -> bool:
        """Whether the method has no form for a numeric target."""
        return True

    def build(self) -> _core.Method:
        """Return the method ready for growth."""
        self.check()
        parameters: dict[str, float | str] = {
            "components": float(self.components),
            "f_to_enter": float(self.f_to_enter),
        }
        return _core.make_method("fact", parameters, [])
