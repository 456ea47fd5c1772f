"""OptimalTreeRegressor: the tree with the least squared error of its size, proved to be so."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin

from treewright.estimators.fitting import all_or_nothing
from treewright.estimators.optimal import OptimalTree
from treewright.estimators.targets import NumberTarget
from treewright.estimators.weights import check_weights, read_weights
from treewright.optimal import SearchProgress
from treewright.optimal.goals import NumberGoal
from treewright.predicates import Predicate
from treewright.schema import encode_numbers, keep_rows, target_name
from treewright.splits import SplitMethod

__all__ = ["OptimalTreeRegressor"]


class OptimalTreeRegressor(RegressorMixin, OptimalTree):  # type: ignore[misc]
    r"""The tree with the least squared training error among all trees of its depth, with a proof.

    Parameters
    ----------
    max_depth, max_nodes, pair_levels, dictionary, thresholds, min_samples_leaf, time_limit, n_jobs
        As for :class:`OptimalTreeClassifier`.
    penalty : float, default 0.0
        What each leaf beyond the first costs, as a share of the squared error of one answer for
        all rows, as rpart's ``cp``.
    refine, term_penalty, pair_functions, min_weight_fraction_leaf, smallest, front, readable
        As for :class:`OptimalTreeClassifier`.
    memory_limit, random_state, progress
        As for :class:`OptimalTreeClassifier`.

    Attributes
    ----------
    tree_, certificate_, front_, path_, schema_, feature_importances_, n_features_in_,
    feature_names_in_
        As for :class:`OptimalTreeClassifier`; importances are by squared error.

    Notes
    -----
    The search counts in integers. Targets with few decimals are counted exactly, others to about
    six digits, or three to five where the weights are irregular, too; what that can change of the
    objective is taken off the bound. Where that leaves a gap of more than a billionth the status of
    the certificate is ``"rounded"`` and the tree not called proven; a gap above 0.1 % gives a
    warning.

    Examples
    --------
    >>> from treewright import OptimalTreeRegressor
    >>> rooms = [[1], [2], [2], [3], [4], [5]]
    >>> price = [100, 150, 160, 300, 310, 320]
    >>> model = OptimalTreeRegressor(max_depth=1).fit(rooms, price)
    >>> print("\n".join(model.rules()))
    if x0 <= 2 then 136.7 (sd 26.2, 3 rows)
    if x0 > 2 then 310.0 (sd 8.2, 3 rows)
    >>> round(model.certificate_.objective, 3)
    2266.667
    """

    def __init__(
        self,
        max_depth: int = 3,
        *,
        max_nodes: int | None = None,
        pair_levels: int = 0,
        penalty: float = 0.0,
        dictionary: Sequence[Predicate | SplitMethod | str] | None = None,
        thresholds: str = "auto",
        min_samples_leaf: int | float = 1,
        time_limit: float | None = None,
        n_jobs: int | None = 1,
        refine: int = 3,
        term_penalty: float = 0.0,
        pair_functions: int = 3,
        min_weight_fraction_leaf: float = 0.0,
        smallest: bool = False,
        front: bool = False,
        readable: bool = True,
        memory_limit: float = 1024.0,
        random_state: Any = None,
        progress: Callable[[SearchProgress], bool | None] | None = None,
    ) -> None:
        self.max_depth = max_depth
        self.max_nodes = max_nodes
        self.pair_levels = pair_levels
        self.penalty = penalty
        self.dictionary = dictionary
        self.thresholds = thresholds
        self.min_samples_leaf = min_samples_leaf
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.refine = refine
        self.term_penalty = term_penalty
        self.pair_functions = pair_functions
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.smallest = smallest
        self.front = front
        self.readable = readable
        self.memory_limit = memory_limit
        self.random_state = random_state
        self.progress = progress

    @all_or_nothing
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> OptimalTreeRegressor:
        """Search for the tree.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            Training rows; numbers, truth values, categories and text, with gaps.
        y : array-like or series
            One finite number a row.
        sample_weight : array-like of float or None, default None
            Weight of each row; rows of weight 0 are as if absent.

        Returns
        -------
        OptimalTreeRegressor
            The fitted estimator.
        """
        began = time.perf_counter()
        self._check_parameters()
        X, y, sample_weight = keep_rows(X, y, read_weights(sample_weight))
        values = self._learn_columns(X, target_name(y))
        numbers = encode_numbers(y, n_rows=len(values), estimator_name=type(self).__name__)
        weights = check_weights(sample_weight, len(values))
        NumberTarget(numbers, weights).check_size()
        self._fit_tree(values, NumberGoal(numbers, weights), began)
        return self

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the number predicted for each row.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            The rows; columns are matched by name where they have names.

        Returns
        -------
        ndarray of float64
            Means of the leaves.
        """
        table = self._table(X)
        return self.tree_.core.predict_values(table)
