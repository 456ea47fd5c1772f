"""Linear splits along the axes of reflected spaces."""

from __future__ import annotations

from typing import ClassVar

from treewright import _core
from treewright.base.parameters import Check, boolean, choice, count, one_of
from treewright.splits.base import SplitMethod

__all__ = ["HHCART"]


class HHCART(SplitMethod):
    """Splits of HHCART: the rows are reflected so that a class lies along an axis, then cut.

    The rows of a class often form a slanting cloud. For every principal axis of each class the
    table is reflected (Householder) so that this axis becomes the first column, and all columns of
    the reflected table are cut where that is best. The columns themselves are cut too: no split is
    worse than the best one on a single column.

    Parameters
    ----------
    reflections : {"all", "dominant"}, default "all"
        Along all principal axes of each class, HHCART(A), or along the longest one only,
        HHCART(D), which takes the time divided by the number of columns.
    features : int or "all", default "all"
        Columns that are reflected. A number takes those that
        ``MUST(features, selection="mahalanobis")`` would take at the node, so that splits can be
        read and drawn; the published method takes all.
    standardize : bool, default False
        Put the columns on a common scale first. The published method does not: there, principal
        axes, and so the splits, depend on units. Recommended where columns have different units.

    See Also
    --------
    OC1 : Hill climbing on the coefficients.
    treewright.recipes.hhcart : The whole system, with pruning.

    Notes
    -----
    For classification only; a class of one row has no axis. Columns are reflected while half of a
    node is known in all of them, and rows with a missing value take no part in the principal axes.
    A node with K classes and d columns costs at most 2 K d sorts of its rows ("dominant") or 2 K
    d^2 ("all").

    The reflection singles out the first column, so the order of the columns matters. It is done
    onto both ends of an axis, as the paper names neither and the other columns differ. A principal
    axis of two equal variances could be turned at will; the one that lies closest to a column is
    taken.

    References
    ----------
    Wickramarachchi, Robertson, Reale, Price, Brown (2016), HHCART: an oblique decision tree,
    *Computational Statistics & Data Analysis* 96.

    Examples
    --------
    Two classes side by side along a slanting line need many cuts of single columns, or one split:

    >>> import numpy as np
    >>> from treewright import TreeClassifier
    >>> random = np.random.default_rng(0)
    >>> along, kind = random.normal(0, 3, 200), np.repeat(["oak", "elm"], 100)
    >>> across = random.normal(0, 0.3, 200) + (kind == "oak")
    >>> table = {"height": along + across, "width": along - across}
    >>> TreeClassifier("axis").fit(table, kind).tree_.n_leaves
    25
    >>> print(TreeClassifier(HHCART(), max_depth=1).fit(table, kind).tree_)
    Classification tree: 200 rows, 2 leaves, depth 1
    Reading effort 2.00 values per row, training accuracy 97.0 %
    <BLANKLINE>
                                         class  proportion  rows
    all rows                                                 200
    ├─ height - 0.977 * width <= 0.8746  elm          98 %    98
    └─ height - 0.977 * width > 0.8746   oak          96 %   102
    """

    _checks: ClassVar[dict[str, Check]] = {
        "reflections": choice("all", "dominant"),
        "features": one_of(count(1), choice("all")),
        "standardize": boolean(),
    }

    def __init__(
        self, reflections: str = "all", *, features: int | str = "all", standardize: bool = False
    ) -> None:
        self.reflections = reflections
        self.features = features
        self.standardize = standardize

    @property
    def for_classes_only(self) -> bool:
        """Whether the method has no form for a numeric target."""
        return True

    def build(self) -> _core.Method:
        """Return the method ready for growth."""
        self.check()
        parameters: dict[str, float | str] = {
            "reflections": self.reflections,
            "features": 0.0 if self.features == "all" else float(self.features),
            "standardize": "yes" if self.standardize else "no",
        }
        return _core.make_method("hhcart", parameters, [])
