"""Oblique splits by simulated annealing."""

from __future__ import annotations

from typing import ClassVar

from treewright import _core
from treewright.base.parameters import Check, choice, count, number, one_of
from treewright.splits.base import SplitMethod

__all__ = ["SADT"]


class SADT(SplitMethod):
    """Splits of SADT: hyperplanes by simulated annealing, one coefficient at a time.

    A coefficient changes by a random number of at most 0.5. A change for the better is taken, one
    for the worse with a probability that falls with the temperature. The best hyperplane seen is
    given the best threshold along its direction. No split is worse than the best one on a single
    column. The slowest of the oblique methods; kept for comparison.

    Parameters
    ----------
    features : int or "all", default "all"
        Columns in a split. A number takes those that ``MUST(features, selection="mahalanobis")``
        would take at the node: 2 and 3 give lines and planes that can be read and drawn.
    start : {"ones", "random"}, default "ones"
        The first hyperplane: all slopes 1, through the mean of the rows; or random.
    patience : int, default 3000
        The search ends after so many changes without a better hyperplane. Published values are 3000
        to 30000; time grows with it.
    cooling : float, default 0.999
        What the temperature is multiplied by with every change tried, above 0 and at most 1. Nearer
        to 1 searches longer; at 1 the temperature stays.
    initial_temperature : float or "auto", default "auto"
        In units of the measure. ``"auto"`` takes what 100 random changes of the first hyperplane
        lose on average; 0 never takes a change for the worse.

    See Also
    --------
    OC1 : Hill climbing with random restarts, which is faster.
    treewright.recipes.sadt : The whole system, with pruning.

    Notes
    -----
    Columns are standardised at the node and the split is in original units. What is made small is
    the measure of the tree, where the published program counts the rows of the minority on both
    sides, and the best hyperplane is kept, not the last. Rows with a missing value take no part in
    the search, only in the choice of the threshold; columns join while half of a node is known in
    all of them. The search is random: ``random_state`` of the estimator reproduces it, and the
    order of the rows does not matter. For regression `criterion` must be ``"squared_error"``.

    References
    ----------
    Heath, Kasif, Salzberg (1993), Induction of oblique decision trees, *IJCAI*, 1002-1007.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import TreeClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = TreeClassifier(split=SADT(features=2), max_depth=2, random_state=0).fit(X, y)
    >>> model.tree_.n_leaves, model.score(X, y) > 0.95
    (3, True)
    """

    _checks: ClassVar[dict[str, Check]] = {
        "features": one_of(count(1), choice("all")),
        "start": choice("ones", "random"),
        "patience": count(1),
        "cooling": number(0.0, 1.0, above=True),
        "initial_temperature": one_of(number(0.0), choice("auto")),
    }

    def __init__(
        self,
        features: int | str = "all",
        *,
        start: str = "ones",
        patience: int = 3000,
        cooling: float = 0.999,
        initial_temperature: float | str = "auto",
    ) -> None:
        self.features = features
        self.start = start
        self.patience = patience
        self.cooling = cooling
        self.initial_temperature = initial_temperature

    def build(self) -> _core.Method:
        """Return the method ready for growth."""
        self.check()
        is_auto = self.initial_temperature == "auto"
        parameters: dict[str, float | str] = {
            "features": 0.0 if self.features == "all" else float(self.features),
            "start": self.start,
            "patience": float(self.patience),
            "cooling": float(self.cooling),
            "initial_temperature": -1.0 if is_auto else float(self.initial_temperature),
        }
        return _core.make_method("sadt", parameters, [])
