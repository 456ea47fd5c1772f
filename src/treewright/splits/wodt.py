"""Oblique splits that make a soft entropy small."""

from __future__ import annotations

from typing import ClassVar

from treewright import _core
from treewright.base.parameters import Check, choice, count, one_of
from treewright.splits.base import SplitMethod

__all__ = ["WODT"]


class WODT(SplitMethod):
    """Splits of WODT: hyperplanes found by following a smooth form of the entropy downhill.

    Rows belong to both sides of a hyperplane, the less certainly to one the nearer they lie to it.
    The entropy of the sides is then a smooth function of the hyperplane, and its minimum is found
    by gradients, which takes far fewer passes through the rows than trying coefficients one by one.
    The threshold along the direction found is the best one by the tree's own measure. No split is
    worse than the best one on a single column.

    Parameters
    ----------
    features : int or "all", default "all"
        Columns in a split. A number takes those that ``MUST(features, selection="mahalanobis")``
        would take at the node: 2 and 3 give lines and planes that can be read and drawn.
    n_starts : int, default 1
        Random starts at a node, of which the best split is taken. More look further and take as
        much longer; the published program has one.
    max_iterations : int, default 100
        Most steps from a start.

    See Also
    --------
    OC1 : Hill climbing on the impurity itself.
    treewright.recipes.wodt : The whole system, with pruning.

    Notes
    -----
    For classification only. Columns are standardised at the node and the split is in original
    units. Rows with a missing value take no part in the search, only in the choice of the
    threshold; columns join while half of a node is known in all of them. Starts are random:
    ``random_state`` of the estimator reproduces them, and the order of the rows does not matter.

    References
    ----------
    Yang, Shen, Gao (2019), Weighted oblique decision trees, *AAAI* 33, 5621-5627.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import TreeClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = TreeClassifier(split=WODT(), max_depth=2, random_state=0).fit(X, y)
    >>> model.tree_.n_leaves, model.score(X, y) > 0.97
    (3, True)
    """

    _checks: ClassVar[dict[str, Check]] = {
        "features": one_of(count(1), choice("all")),
        "n_starts": count(1),
        "max_iterations": count(1),
    }

    def __init__(
        self, features: int | str = "all", *, n_starts: int = 1, max_iterations: int = 100
    ) -> None:
        self.features = features
        self.n_starts = n_starts
        self.max_iterations = max_iterations

    @property
    def for_classes_only(self) -> bool:
        """Whether the method has no form for a numeric target."""
        return True

    def build(self) -> _core.Method:
        """Return the method ready for growth."""
        self.check()
        parameters: dict[str, float | str] = {
            "features": 0.0 if self.features == "all" else float(self.features),
            "n_starts": float(self.n_starts),
            "max_iterations": float(self.max_iterations),
        }
        return _core.make_method("wodt", parameters, [])
