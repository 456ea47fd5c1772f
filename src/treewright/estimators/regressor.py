"""TreeRegressor: any split method, squared or absolute error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin

from treewright.base.parameters import Check, choice
from treewright.estimators.base import BaseTree
from treewright.estimators.fitting import all_or_nothing
from treewright.estimators.targets import NumberTarget
from treewright.estimators.weights import check_weights, read_weights
from treewright.measures import NUMBER_MEASURES
from treewright.prune import Pruner
from treewright.schema import encode_numbers, keep_rows, target_name
from treewright.splits import SplitMethod

__all__ = ["TreeRegressor"]


class TreeRegressor(RegressorMixin, BaseTree):  # type: ignore[misc]
    """A decision tree that predicts numbers.

    Parameters
    ----------
    split : str or SplitMethod, default "axis"
        How splits are found: a method of :mod:`treewright.splits`, or its name, such as ``"must"``,
        ``"must(3)"`` or ``"best(axis, must)"``; :func:`treewright.splits.split_names` lists them.
    criterion : {"squared_error", "absolute_error"}, default "squared_error"
        Impurity. With ``absolute_error`` leaves predict medians: fewer surprises from outliers,
        slower growth.
    gain : {"plain"}, default "plain"
        Scores other than the plain decrease are for classes.
    prune, max_depth, max_leaf_nodes, min_samples_split, min_samples_leaf,
    min_weight_fraction_leaf, min_impurity_decrease, max_features
        As for :class:`TreeClassifier`.
    missing, readable, random_state, categorical, zero_gain, min_impurity_fraction
        As for :class:`TreeClassifier`.
    max_surrogates, collapse, merge_siblings, honest_fraction, validation_fraction, patience,
    time_limit, progress
        As for :class:`TreeClassifier`.

    Attributes
    ----------
    tree_ : Tree
        The fitted tree; ``print(tree_)`` shows it.
    path_ : Path or TreeSequence
        The trees between the largest one and its root; :meth:`at` gives any of them.
    schema_ : Schema
        Columns and levels.
    feature_importances_ : ndarray of float
        Share of each column in the decrease of impurity.
    n_features_in_, feature_names_in_ : int, ndarray of str
        As in scikit-learn.
    stopped_by_time_limit_ : bool
        Whether growth ended early. Model files do not hold it.

    Examples
    --------
    >>> from treewright import TreeRegressor
    >>> cars = {"weight": [900, 1100, 1000, 1600, 1500, 1800]}
    >>> litres = [5.0, 5.5, 5.2, 8.1, 7.9, 9.0]
    >>> model = TreeRegressor(max_depth=1).fit(cars, litres)
    >>> model.tree_.n_leaves
    2
    >>> model.predict([{"weight": 1000}]).round(2)
    array([5.23])
    """

    _checks: ClassVar[dict[str, Check]] = {
        **BaseTree._checks,
        "criterion": choice(*NUMBER_MEASURES),
        "gain": choice("plain"),
    }

    def __init__(
        self,
        split: str | SplitMethod = "axis",
        *,
        criterion: str = "squared_error",
        gain: str = "plain",
        prune: str | Pruner | None = None,
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_features: str | int | float | None = None,
        missing: str = "default",
        readable: bool = True,
        random_state: Any = None,
        categorical: str = "subset",
        zero_gain: bool = False,
        min_impurity_fraction: float = 0.0,
        max_surrogates: int = 5,
        collapse: bool = False,
        merge_siblings: bool = False,
        honest_fraction: float | None = None,
        validation_fraction: float | None = None,
        patience: int = 10,
        time_limit: float | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> None:
        self.split = split
        self.criterion = criterion
        self.gain = gain
        self.prune = prune
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_features = max_features
        self.missing = missing
        self.readable = readable
        self.random_state = random_state
        self.categorical = categorical
        self.zero_gain = zero_gain
        self.min_impurity_fraction = min_impurity_fraction
        self.max_surrogates = max_surrogates
        self.collapse = collapse
        self.merge_siblings = merge_siblings
        self.honest_fraction = honest_fraction
        self.validation_fraction = validation_fraction
        self.patience = patience
        self.time_limit = time_limit
        self.progress = progress

    @all_or_nothing
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> TreeRegressor:
        """Grow the tree.

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
        TreeRegressor
            The fitted estimator.
        """
        self._check_parameters()
        given_weights = read_weights(sample_weight)
        X, y, sample_weight = keep_rows(X, y, given_weights)
        values = self._learn_columns(X, target_name(y))
        numbers = encode_numbers(y, n_rows=len(values), estimator_name=type(self).__name__)
        weights = check_weights(sample_weight, len(values))
        target = NumberTarget(numbers, weights)
        target.check_size()
        options = self._options(len(values), float(weights.sum()))
        self._fit_tree(values, target.core, options, numbers, given_weights)
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
            Means (or medians) of the leaves.
        """
        table = self._table(X)
        return self.tree_.core.predict_values(table)
