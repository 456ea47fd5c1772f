"""Columns chosen by significance, cut where two normal groups meet."""

from __future__ import annotations

from typing import ClassVar

from treewright import _core
from treewright.base.parameters import Check, boolean, number
from treewright.splits.base import SplitMethod

__all__ = ["QUEST"]


class QUEST(SplitMethod):
    """Splits of QUEST: the column by significance tests, then one threshold by normal densities.

    The choice of the column does not favour columns with many values, as the search for the best
    cut does. It looks at each column once: by the F test of analysis of variance (numeric) or
    chi-square (categorical), and where no column is significant by Levene's test for different
    spread. More than two classes are put into two groups by their means on the column. The
    threshold is where the normal densities of the groups, times their proportions, are equal.
    Categorical columns are split too; see :func:`treewright.recipes.quest` for the whole system.

    Parameters
    ----------
    linear : bool, default False
        Cut the largest discriminant coordinate of all numeric columns instead of one column.
        Categorical columns are then tested as the estimator's `categorical` says.
    alpha : float, default 0.05
        The level of significance, divided by the number of significance tests. It only decides
        whether Levene's test is made; growth does not stop by it. Not with `linear`.

    See Also
    --------
    CRUISE : The same choice of a column, with more branches.
    FACT : Linear scores of all columns.
    treewright.recipes.quest : The whole system, with pruning.

    Notes
    -----
    Weights enter means, squares and tables; degrees of freedom count rows. For classification only.

    References
    ----------
    Loh, Shih (1997), Split selection methods for classification trees, *Statistica Sinica* 7.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import TreeClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> for rule in TreeClassifier(split=QUEST(), max_depth=1).fit(X, y).rules():
    ...     print(rule)
    if petal length (cm) <= 2 then 0 (100 %, 50 rows)
    if petal length (cm) > 2 then 1 (50 %, 100 rows)
    """

    _checks: ClassVar[dict[str, Check]] = {
        "linear": boolean(),
        "alpha": number(0.0, 1.0, above=True),
    }

    def __init__(self, linear: bool = False, *, alpha: float = 0.05) -> None:
        self.linear = linear
        self.alpha = alpha

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
            "alpha": float(self.alpha),
        }
        return _core.make_method("quest", parameters, [])
