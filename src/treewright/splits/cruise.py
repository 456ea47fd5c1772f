"""Columns chosen by significance, with a branch for each class predicted on them."""

from __future__ import annotations

from typing import ClassVar

from treewright import _core
from treewright.base.parameters import Check, boolean, number
from treewright.splits.base import SplitMethod

__all__ = ["CRUISE"]


class CRUISE(SplitMethod):
    """Splits of CRUISE: the column by significance tests, then a branch for each class predicted.

    A column is chosen as :class:`QUEST` chooses it. Linear discriminant analysis on that column
    alone predicts a class on each of a few intervals, and each interval is a branch. The levels of
    a categorical column go to the branch of the class predicted for them.

    Parameters
    ----------
    linear : bool, default False
        Use linear scores of all numeric columns instead of one column, as :class:`FACT` does.
        Categorical columns are then split as the estimator's `categorical` says.
    transform : bool, default True
        Whether a numeric column is raised to its likeliest power (Box and Cox) before the
        analysis, so that skewed columns are cut better. Not with `linear`.
    alpha : float, default 0.05
        The level of significance, divided by the number of significance tests. It only decides
        whether Levene's test is made; growth does not stop by it. Not with `linear`.
    components : float, default 0.05
        With `linear`: principal components with an eigenvalue above this proportion of the largest
        are used.

    See Also
    --------
    QUEST : The same choice of a column, with two branches.
    FACT : Linear scores of all columns.
    treewright.recipes.cruise : The whole system, with pruning.

    Notes
    -----
    For classification only. The published system can also choose columns by interaction tests on
    pairs of columns, which is not built.

    References
    ----------
    Kim, Loh (2001), Classification trees with unbiased multiway splits, *Journal of the American
    Statistical Association* 96.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import TreeClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> TreeClassifier(split=CRUISE(), max_depth=1).fit(X, y).tree_.n_leaves
    3
    """

    _checks: ClassVar[dict[str, Check]] = {
        "linear": boolean(),
        "transform": boolean(),
        "alpha": number(0.0, 1.0, above=True),
        "components": number(0.0, 1.0),
    }

    def __init__(
        self,
        linear: bool = False,
        *,
        transform: bool = True,
        alpha: float = 0.05,
        components: float = 0.05,
    ) -> None:
        self.linear = linear
        self.transform = transform
        self.alpha = alpha
        self.components = components

    @property
    def tests_levels(self) -> bool:
        """Whether the method splits categorical columns itself."""
        return not self.linear

    @property
    def for_classes_only(self) -> bool:
        """Whether the method has no form for a numeric target."""
        return True

    def build(self) -> _core.Method:
        """Return the method ready for growth."""
        self.check()
        parameters: dict[str, float | str] = {
            "linear": "yes" if self.linear else "no",
            "transform": "yes" if self.transform else "no",
            "alpha": float(self.alpha),
            "components": float(self.components),
        }
        return _core.make_method("cruise", parameters, [])
