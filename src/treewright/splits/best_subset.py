"""Linear splits on the two or three columns that go together best."""

from __future__ import annotations

from typing import ClassVar

from treewright import _core
from treewright.base.parameters import Check, count, number
from treewright.splits.base import SplitMethod

__all__ = ["BestSubset"]

_MOST_TERMS = 3


class BestSubset(SplitMethod):
    """Splits on the one, two or three columns that are best together, with short weights.

    Every pair and triple of the leading columns of a node is ranked by how far apart it puts the
    classes (or how much of the numbers it explains); the best few are fitted by logistic
    regression (or regression) with a ridge penalty, and their weights are rounded to two digits
    before the threshold is chosen. Single columns are tried, too.

    Parameters
    ----------
    terms : {1, 2, 3}, default 3
        Most columns in a split. Lower it for splits that are quicker to read.
    screened : int, default 10
        Columns of which pairs and triples are made: those that part the classes best, alone and
        beside all others. Raise it when columns matter only together.
    shrinkage : float, default 0.3
        How much correlations are drawn to 0 while subsets are ranked, between 0 and 1. Raise it
        when there are few rows for many columns.
    ridge : float, default 0.02
        Penalty of the regression on standardised columns, as a proportion of the weight of the
        node. Raise it for steadier weights.

    See Also
    --------
    MUST : Linear combinations by discriminant analysis on chosen columns.
    Logistic : Linear combinations by logistic regression, with columns dropped one by one.
    treewright.ReadableTreeClassifier : Small trees of such splits, found by an exact search.

    Notes
    -----
    With more than two classes every class is set against the others, and the classes are parted
    along their two leading directions. Columns are used together while half of a node is known in
    all of them. Rounding weights changes which rows pass, so the threshold is found along the
    rounded sum: what is printed is what was judged.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import TreeClassifier
    >>> iris = load_iris(as_frame=True)
    >>> flowers = iris.target_names[iris.target]
    >>> model = TreeClassifier(BestSubset(2), max_leaf_nodes=3).fit(iris.data, flowers)
    >>> model.score(iris.data, flowers) > 0.97
    True
    """

    _checks: ClassVar[dict[str, Check]] = {
        "terms": Check(
            f"an int in [1, {_MOST_TERMS}]",
            lambda value: count(1).accepts(value) and value <= _MOST_TERMS,
        ),
        "screened": count(2),
        "shrinkage": number(0, 1),
        "ridge": number(0, above=True),
    }

    def __init__(
        self, terms: int = 3, *, screened: int = 10, shrinkage: float = 0.3, ridge: float = 0.02
    ) -> None:
        self.terms = terms
        self.screened = screened
        self.shrinkage = shrinkage
        self.ridge = ridge

    @property
    def takes_proportions(self) -> bool:
        """Whether a row may be some of several classes, as a teacher says."""
        return True

    def build(self) -> _core.Method:
        """Return the method ready for growth."""
        self.check()
        parameters: dict[str, float | str] = {
            "terms": float(self.terms),
            "screened": float(self.screened),
            "shrinkage": float(self.shrinkage),
            "ridge": float(self.ridge),
        }
        return _core.make_method("best_subset", parameters, [])
