"""ForestRegressor: the mean of many trees of any split method."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin
from sklearn.metrics import r2_score

from treewright import _core
from treewright.base.parameters import Check, choice
from treewright.estimators.fitting import all_or_nothing
from treewright.estimators.forest.base import BaseForest
from treewright.estimators.forest.out_of_bag import LossOfRows
from treewright.estimators.targets import NumberTarget
from treewright.estimators.weights import check_weights, read_weights
from treewright.measures import NUMBER_MEASURES
from treewright.schema import encode_numbers, keep_rows, target_name
from treewright.splits import SplitMethod

__all__ = ["ForestRegressor"]


class ForestRegressor(RegressorMixin, BaseForest):  # type: ignore[misc]
    """A forest of decision trees that predict numbers.

    Parameters
    ----------
    n_estimators : int, default 100
        Number of trees.
    split : str or SplitMethod, default "axis"
        How splits are found, as for :class:`treewright.TreeClassifier`.
    criterion : {"squared_error", "absolute_error"}, default "squared_error"
        Impurity. With ``absolute_error`` leaves predict medians, of which the forest takes the
        mean.
    gain : {"plain"}, default "plain"
        Scores other than the plain decrease are for classes.
    max_features : int, float, "sqrt", "rounded_sqrt", "log2" or None, default 1.0
        Columns offered at each node, drawn at random; see the notes.
    max_depth, max_leaf_nodes, min_samples_split, min_samples_leaf
        As for :class:`ForestClassifier`.
    min_weight_fraction_leaf, min_impurity_decrease
        As for :class:`ForestClassifier`.
    bootstrap, max_samples, missing, permutation_repeats, warm_start, n_jobs, random_state, readable
        As for :class:`ForestClassifier`.
    oob_score : bool or callable, default False
        Judge the forest by rows out of bag. A callable gets the true and the predicted numbers and
        returns the score; True is R squared.
    categorical, zero_gain, min_impurity_fraction, max_surrogates, collapse, time_limit, progress
        As for :class:`ForestClassifier`.

    Attributes
    ----------
    trees_ : list of Tree
        The trees; ``print(trees_[0])`` shows the first.
    schema_ : Schema
        Columns and levels.
    feature_importances_ : ndarray of float
        Mean share of each column in the decrease of impurity. Favours columns with many values.
    oob_score_ : float
        Score on rows out of bag, weighted by `sample_weight`; with `oob_score` only. This and the
        following are not in model files.
    oob_prediction_ : ndarray of shape (n_rows,)
        Mean prediction of each row by the trees that did not learn from it; NaN where there is none
        and where the weight is 0. With `oob_score` only.
    permutation_importances_, permutation_importances_std_ : ndarray of float
        Mean and standard deviation over the trees of the squared error (or absolute error, by
        `criterion`) that is added on rows out of bag once the column is shuffled. With
        `permutation_repeats` only.
    n_features_in_, feature_names_in_ : int, ndarray of str
        As in scikit-learn.
    stopped_by_time_limit_ : bool
        Whether growth ended early.

    Notes
    -----
    All columns are offered by default, as in scikit-learn, so that only the bags make the trees
    differ. R's randomForest offers a third of them. Neither is better everywhere: on the diabetes
    data a third scores 0.44 and all 0.41 (R squared, 5-fold), on Friedman's first function with 30
    columns 0.64 and 0.71, since with few columns drawn those that matter are often not among them.

    References
    ----------
    Breiman (1996), Bagging predictors, *Machine Learning* 24; Breiman (2001), Random forests,
    *Machine Learning* 45.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from treewright import ForestRegressor
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> forest = ForestRegressor(n_estimators=50, oob_score=True, random_state=0).fit(X, y)
    >>> round(forest.oob_score_, 1)
    0.4
    """

    oob_prediction_: NDArray[np.float64]

    _checks: ClassVar[dict[str, Check]] = {
        **BaseForest._checks,
        "criterion": choice(*NUMBER_MEASURES),
        "gain": choice("plain"),
    }

    def __init__(
        self,
        n_estimators: int = 100,
        split: str | SplitMethod = "axis",
        *,
        criterion: str = "squared_error",
        gain: str = "plain",
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_features: str | int | float | None = 1.0,
        bootstrap: bool = True,
        max_samples: int | float | None = None,
        missing: str = "default",
        oob_score: bool | Callable[[Any, Any], float] = False,
        permutation_repeats: int = 0,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        readable: bool = False,
        categorical: str = "subset",
        zero_gain: bool = False,
        min_impurity_fraction: float = 0.0,
        max_surrogates: int = 5,
        collapse: bool = False,
        time_limit: float | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.split = split
        self.criterion = criterion
        self.gain = gain
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_features = max_features
        self.bootstrap = bootstrap
        self.max_samples = max_samples
        self.missing = missing
        self.oob_score = oob_score
        self.permutation_repeats = permutation_repeats
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.readable = readable
        self.categorical = categorical
        self.zero_gain = zero_gain
        self.min_impurity_fraction = min_impurity_fraction
        self.max_surrogates = max_surrogates
        self.collapse = collapse
        self.time_limit = time_limit
        self.progress = progress

    @all_or_nothing
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ForestRegressor:
        """Grow the forest.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            Training rows; numbers, truth values, categories and text, with gaps.
        y : array-like or series
            One finite number a row.
        sample_weight : array-like of float or None, default None
            Weight of each row; rows of weight 0 are as if absent. Every row is as likely to be
            drawn, and weighs so much where it is.

        Returns
        -------
        ForestRegressor
            The fitted estimator.
        """
        self._check_parameters()
        planted = self._planted()
        given_weights = read_weights(sample_weight)
        X, y, sample_weight = keep_rows(X, y, given_weights)
        values = self._learn_columns(X, target_name(y))
        numbers = encode_numbers(y, n_rows=len(values), estimator_name=type(self).__name__)
        target = NumberTarget(numbers, check_weights(sample_weight, len(values)))
        target.check_size()
        self._fit_forest(values, target, planted, given_weights)
        return self

    def _tell_out_of_bag(
        self,
        votes: NDArray[np.float64],
        target: NumberTarget,
        positions: NDArray[np.intp],
        n_given: int,
    ) -> None:
        self.oob_prediction_ = np.full(n_given, np.nan)
        self.oob_prediction_[positions] = votes[:, 0]
        answered = self._answered(votes)
        self.oob_score_ = np.nan
        if answered.sum() < 2:  # R squared is not defined
            return
        truth, found = target.numbers[answered], votes[answered, 0]
        if callable(self.oob_score):
            self.oob_score_ = self.oob_score(truth, found)
        else:
            self.oob_score_ = float(
                r2_score(truth, found, sample_weight=target.case_weights[answered])
            )

    def _loss_of(self, target: NumberTarget) -> LossOfRows:
        power = 1 if self.criterion == "absolute_error" else 2

        def loss(
            tree: _core.Tree, table: _core.Table, rows: NDArray[np.intp]
        ) -> NDArray[np.float64]:
            error = np.abs(tree.predict_values(table) - target.numbers[rows])
            return error**power * target.case_weights[rows]

        return loss

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the number predicted for each row.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            The rows; columns are matched by name where they have names.

        Returns
        -------
        ndarray of float64
            Means of the trees' predictions.
        """
        return self._votes(self._table(X))[:, 0]
