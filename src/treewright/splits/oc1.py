"""Oblique splits by hill climbing from many starts."""

from __future__ import annotations

from typing import ClassVar

from treewright import _core
from treewright.base.parameters import Check, choice, count, jobs, number, one_of
from treewright.base.workers import Workers
from treewright.splits.base import SplitMethod

__all__ = ["OC1"]


class OC1(SplitMethod):
    """Splits of OC1: hill climbing from the best split on one column and from random hyperplanes.

    Each coefficient in turn is moved to where it divides the rows best, until none helps; then a
    few random directions are tried. The best hyperplane of all starts becomes the split, unless the
    best split on one column is as good.

    Parameters
    ----------
    features : int or "all", default "all"
        Columns in a split. A number takes those that ``MUST(features, selection="mahalanobis")``
        would take at the node: 2 and 3 give lines and planes that can be read and drawn.
    n_restarts : int, default 20
        Starts at a node, the best split on one column being the first. More look further and take
        as much longer.
    n_jumps : int, default 5
        Random directions tried where no coefficient helps; the count starts again with each that
        does.
    order : {"best_first", "sequential", "random"}, default "best_first"
        Which coefficient is moved: the best of all; one after the other, which is faster; or
        `n_random` drawn ones.
    n_random : int, default 50
        Coefficients drawn in a pass. For ``order="random"``.
    axis_bias : float, default 1.0
        A hyperplane must score more than this times the best split on one column. Larger gives more
        splits on one column.
    n_jobs : int or None, default 1
        Threads that climb from different starts of a node. The tree does not depend on it.

    See Also
    --------
    CARTLC : The climb without chance, which deletes columns.
    SADT : Simulated annealing.
    treewright.recipes.oc1 : The whole system, with pruning.

    Notes
    -----
    Columns are standardised at the node and the split is in original units. Rows with a missing
    value take no part in the search, only in the choice of the threshold; columns join while half
    of a node is known in all of them. Nodes of no more different rows than twice the columns are
    tested on one column. The search is random: ``random_state`` of the estimator reproduces it, and
    the order of the rows does not matter. For regression `criterion` must be ``"squared_error"``.

    Steps are found by a sweep that sees rows cross the hyperplane either way; the published step is
    the best only where all values have the same sign.

    References
    ----------
    Murthy, Kasif, Salzberg (1994), A system for induction of oblique decision trees, *Journal of
    Artificial Intelligence Research* 2, 1-32.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import TreeClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> split = OC1(features=2)
    >>> model = TreeClassifier(split, criterion="twoing", max_depth=2, random_state=0)
    >>> print(model.fit(X, y).tree_)
    Classification tree for target: 150 rows, 3 leaves, depth 2
    Reading effort 2.33 values per row, training accuracy 98.0 %
    <BLANKLINE>
                                                              target  proportion  rows
    all rows                                                                       150
    ├─ petal length (cm) <= 2                                 0            100 %    50
    └─ petal length (cm) > 2                                                       100
       ├─ 0.4 * petal length (cm) + petal width (cm) <= 3.49  1            100 %    47
       └─ 0.4 * petal length (cm) + petal width (cm) > 3.49   2             94 %    53
    """

    _checks: ClassVar[dict[str, Check]] = {
        "features": one_of(count(1), choice("all")),
        "n_restarts": count(1, 1_000_000),
        "n_jumps": count(0),
        "order": choice("best_first", "sequential", "random"),
        "n_random": count(1),
        "axis_bias": number(1.0),
        "n_jobs": jobs(),
    }

    def __init__(
        self,
        features: int | str = "all",
        *,
        n_restarts: int = 20,
        n_jumps: int = 5,
        order: str = "best_first",
        n_random: int = 50,
        axis_bias: float = 1.0,
        n_jobs: int | None = 1,
    ) -> None:
        self.features = features
        self.n_restarts = n_restarts
        self.n_jumps = n_jumps
        self.order = order
        self.n_random = n_random
        self.axis_bias = axis_bias
        self.n_jobs = n_jobs

    def build(self) -> _core.Method:
        """Return the method ready for growth."""
        self.check()
        parameters: dict[str, float | str] = {
            "features": 0.0 if self.features == "all" else float(self.features),
            "n_restarts": float(self.n_restarts),
            "n_jumps": float(self.n_jumps),
            "order": self.order,
            "n_random": float(self.n_random),
            "axis_bias": float(self.axis_bias),
            "n_jobs": float(Workers(self.n_jobs).n_threads),
        }
        return _core.make_method("oc1", parameters, [])
