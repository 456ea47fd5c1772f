"""Linear combinations by the deterministic search of CART."""

from __future__ import annotations

from typing import ClassVar

from treewright import _core
from treewright.base.parameters import Check, choice, count, number, one_of
from treewright.splits.base import SplitMethod

__all__ = ["CARTLC"]


class CARTLC(SplitMethod):
    """Splits of CART-LC: linear combinations climbed from the best split on one column.

    One coefficient after the other is moved to where it divides the rows best, in cycles, until a
    cycle adds next to nothing. Then columns that hardly matter are deleted from the split, and the
    cycles go on with the others. Nothing is random.

    Parameters
    ----------
    features : int or "all", default "all"
        Most columns in a split. A number takes those that ``MUST(features,
        selection="mahalanobis")`` would take at the node.
    beta : float, default 0.2
        The column that matters least is deleted if that costs at most this proportion of what
        deleting the most important one would cost. Larger gives shorter splits; 0 deletes only what
        costs nothing.
    tolerance : float, default 1e-4
        Cycles end when one adds less than this proportion of the node's impurity.
    max_cycles : int, default 100
        Most cycles before and after the deletion.

    See Also
    --------
    OC1 : Hill climbing with random restarts.
    Climb : The climb from any method.
    treewright.recipes.cart_lc : The whole system, with pruning.

    Notes
    -----
    Columns are centred at their median and divided by their interquartile range at the node; the
    split is in original units. Rows with a missing value take no part in the search, only in the
    choice of the threshold; columns join while half of a node is known in all of them. The split is
    never worse than the best one on one column. For regression `criterion` must be
    ``"squared_error"``.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), *Classification and regression trees*, section 5.2.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import TreeClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = TreeClassifier(split=CARTLC(), max_depth=2).fit(X, y)
    >>> model.tree_.n_leaves, model.score(X, y) > 0.97
    (3, True)
    """

    _checks: ClassVar[dict[str, Check]] = {
        "features": one_of(count(1), choice("all")),
        "beta": number(0.0, 1.0),
        "tolerance": number(0.0),
        "max_cycles": count(1),
    }

    def __init__(
        self,
        features: int | str = "all",
        *,
        beta: float = 0.2,
        tolerance: float = 1e-4,
        max_cycles: int = 100,
    ) -> None:
        self.features = features
        self.beta = beta
        self.tolerance = tolerance
        self.max_cycles = max_cycles

    def build(self) -> _core.Method:
        """Return the method ready for growth."""
        self.check()
        parameters: dict[str, float | str] = {
            "features": 0.0 if self.features == "all" else float(self.features),
            "beta": float(self.beta),
            "tolerance": float(self.tolerance),
            "max_cycles": float(self.max_cycles),
        }
        return _core.make_method("cart_lc", parameters, [])
