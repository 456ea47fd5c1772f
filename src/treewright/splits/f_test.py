"""The column on which the classes lie furthest apart, cut without a search."""

from __future__ import annotations

import math
from copy import copy
from typing import ClassVar, Self

from treewright import _core
from treewright.base.parameters import Check, choice, count, none, number, one_of
from treewright.splits.base import SplitMethod

__all__ = ["FTest"]


class FTest(SplitMethod):
    """Splits of dGMML: the column by the F test, the threshold by a rule that needs no search.

    Each column is looked at once: by how far the means of the classes lie apart, measured by the
    spread inside them. For two classes that is the two-sample t test. The column is then cut at its
    mean, median or between the classes. It is blind to classes that differ in spread or shape but
    not in mean.

    Parameters
    ----------
    features : int or "all", default 1
        Columns in a split. With more than one, the best columns are added up with the coefficients
        of linear discriminant analysis with a diagonal covariance.
    selection : {"f_test", "impurity"}, default "f_test"
        How the column is chosen: by the F test, or as the one whose best cut takes away most
        impurity. The second is for one column only.
    threshold : {"auto", "closest", "median", "mean", "class_midpoint", "impurity"}, default "auto"
        Where the column is cut: between the rows of the two classes that are closest to the other
        class, at the median or mean of all rows, in the middle of the means of the classes, or
        where most impurity is taken away. ``"auto"`` is ``"mean"``, for more than two classes
        ``"impurity"``, and for ``variant="paper"`` ``"closest"``.
    closest_k : int, default 5
        Rows of each class that ``threshold="closest"`` looks at.
    alpha : float, default 1.0
        A node is split only if the p-value of its best column is at most this, or if `fallback`
        finds another. 1 is no limit. Not with ``selection="impurity"``.
    fallback : float or None, default None
        Where the smallest p-value times the number of columns is above this, classes may differ in
        spread instead: the column with the smallest p-value by Levene's test is then cut where it
        is best, if that p-value times the number of columns is at most this. None looks at means
        only. Not with ``selection="impurity"``.
    variant : {"corrected", "paper"}, default "corrected"
        ``"paper"`` adds up all columns with the coefficients as printed, which have no sign and no
        unit; for comparison only. It knows ``features=1`` and ``features="all"``.

    See Also
    --------
    QUEST : Another choice of columns by significance tests.
    rank_columns : How the columns of a table rank.
    treewright.recipes.dgmml : The whole system.

    Notes
    -----
    A threshold that leaves a branch less than `min_samples_leaf` rows is moved to the nearest one
    that does not; where there is none the next column is taken. Where values are missing, or
    columns are categorical, columns are compared by p-value: of F, or of chi-square for categorical
    ones, which are then divided as the estimator's `categorical` says. Weights enter means and
    squares; degrees of freedom count rows. A split may take away no impurity, so that estimators
    should have ``growth_rules=GrowthRules(zero_gain=True)``, as :func:`treewright.recipes.dgmml`
    has.

    For a numeric target, columns are ranked by their correlation with it, and the groups that
    ``"closest"`` and ``"class_midpoint"`` ask for are the rows above its mean and the others. That
    is not in the paper.

    References
    ----------
    Li, Chen (2022), A novel splitting criterion inspired by geometric mean metric learning for
    decision tree, arXiv:2204.11011.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from treewright import TreeClassifier
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> for rule in TreeClassifier(split=FTest(), max_depth=1).fit(X, y).rules():
    ...     print(rule)
    if worst concave points <= 0.1146 then 1 (95 %, 328 rows)
    if worst concave points > 0.1146 then 0 (81 %, 241 rows)
    """

    _checks: ClassVar[dict[str, Check]] = {
        "features": one_of(count(1), choice("all")),
        "selection": choice("f_test", "impurity"),
        "threshold": choice("auto", "closest", "median", "mean", "class_midpoint", "impurity"),
        "closest_k": count(1),
        "alpha": number(0.0, 1.0, above=True),
        "fallback": one_of(none(), number(0.0, 1.0, above=True)),
        "variant": choice("corrected", "paper"),
    }
    _levels: SplitMethod | None = None

    def __init__(
        self,
        features: int | str = 1,
        *,
        selection: str = "f_test",
        threshold: str = "auto",
        closest_k: int = 5,
        alpha: float = 1.0,
        fallback: float | None = None,
        variant: str = "corrected",
    ) -> None:
        self.features = features
        self.selection = selection
        self.threshold = threshold
        self.closest_k = closest_k
        self.alpha = alpha
        self.fallback = fallback
        self.variant = variant

    @property
    def parts(self) -> tuple[SplitMethod, ...]:
        """The method for categorical columns, if there is one."""
        return () if self._levels is None else (self._levels,)

    def with_levels(self, levels: SplitMethod) -> Self:
        """Return the method that chooses among categorical columns too, and divides them so.

        Parameters
        ----------
        levels : SplitMethod
            How categorical columns are split.

        Returns
        -------
        FTest
            The method with it.
        """
        chosen = copy(self)
        chosen._levels = levels
        return chosen

    def check(self) -> None:
        """Refuse a parameter of a wrong value, and those that do not go together."""
        super().check()
        if self.selection == "impurity" and self.features != 1:
            raise ValueError(
                "FTest(selection='impurity') chooses one column, so 'features' must be 1. "
                f"Got {self.features!r}."
            )
        if self.selection == "impurity" and (self.alpha < 1.0 or self.fallback is not None):
            raise ValueError(
                "FTest(selection='impurity') asks for no p-value, so 'alpha' must be 1 and "
                f"'fallback' None. Got alpha={self.alpha!r} and fallback={self.fallback!r}."
            )
        if self.variant == "paper" and self.features not in (1, "all"):
            raise ValueError(
                "FTest(variant='paper') adds up all columns, so 'features' must be 1 or 'all'. "
                f"Got {self.features!r}."
            )

    def build(self) -> _core.Method:
        """Return the method ready for growth."""
        self.check()
        is_paper = self.variant == "paper"
        parameters: dict[str, float | str] = {
            "features": 0.0 if self.features == "all" else float(self.features),
            "selection": self.selection,
            "threshold": "closest" if is_paper and self.threshold == "auto" else self.threshold,
            "closest_k": float(self.closest_k),
            "alpha": float(self.alpha),
            "fallback": math.inf if self.fallback is None else float(self.fallback),
            "form": "printed" if is_paper else "corrected",
        }
        return _core.make_method("f_test", parameters, [part.build() for part in self.parts])
