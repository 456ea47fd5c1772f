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
from treewright.estimators import old_words
from treewright.estimators.constraints import Constraints
from treewright.estimators.fitting import all_or_nothing
from treewright.estimators.forest.base import FOREST_CHECKS, Forest, Planted
from treewright.estimators.forest.out_of_bag import LossOfRows
from treewright.estimators.monotonic import Monotonic
from treewright.estimators.settings import GrowthRules, Surrogates
from treewright.estimators.targets import NumberTarget
from treewright.estimators.training import TrainingRows, read_numbers
from treewright.estimators.weights import on_own_grid
from treewright.measures import MEASURES, NUMBER_MEASURES
from treewright.splits import SplitMethod

__all__ = ["ForestRegressor"]


@old_words.refuses(old_words.GROWTH, old_words.NUMBERS)
class ForestRegressor(RegressorMixin, Forest):  # type: ignore[misc]
    """A forest of decision trees that predict numbers.

    Parameters
    ----------
    n_estimators : int, default 100
        Number of trees. Raise it when predictions differ between seeds; more trees take longer.
    split : str or SplitMethod, default "axis"
        How splits are found, as for :class:`treewright.TreeClassifier`. Change it to ``"must"``
        when columns matter together.
    criterion : {"squared_error", "absolute_error"}, default "squared_error"
        Impurity. With ``absolute_error`` leaves predict medians, of which the forest takes the
        mean. Change it when the target has outliers.
    max_depth : int or None, default None
        Longest path of a tree. Set it when trees take too much memory.
    max_leaf_nodes : int or None, default None
        Most leaves of a tree; growth is then best-first. Set it when trees take too much memory.
    min_samples_split : int or float, default 2
        Rows that a node needs to be split; a float is a proportion of all rows. A row that stands
        in a bag twice counts once. Raise it when growth takes long.
    min_samples_leaf : int or float, default 1
        Rows two branches at least must hold; a float is a proportion of all rows. A row that stands
        in a bag twice counts once. Raise it when the target is noisy.
    min_weight_fraction_leaf : float, default 0.0
        Proportion of all weight that two branches at least must hold. Use it in place of
        `min_samples_leaf` when rows have weights.
    min_impurity_decrease : float, default 0.0
        A split must take away more than this, weighted by its proportion of the weight of the bag.
        Raise it when small gains are not worth a split.
    max_features : int, float, "sqrt", "rounded_sqrt", "log2" or None, default 1.0
        Columns offered at each node, drawn at random; see the notes. Lower it to a third when most
        columns matter.
    bootstrap : bool, default True
        Grow each tree on a bag: as many rows as there are, drawn with replacement. Turn it off when
        all trees shall learn from all rows, so that only columns are drawn.
    max_samples : int, float or None, default None
        Rows in a bag; a float is a proportion of all rows, None is all. Lower it to grow faster.
    missing : str or Surrogates, default "default"
        What happens to a row that lacks the value a split asks for, as for
        :class:`treewright.TreeClassifier`. Change it when much is missing.
    oob_score : bool or callable, default False
        Judge the forest by rows out of bag. A callable gets the true and the predicted numbers and
        returns the score; True is R squared. Turn it on when no test set can be spared.
    permutation_repeats : int, default 0
        How often each column is shuffled for `permutation_importances_`; 0 for never. Raise it to
        see which columns matter; it takes long.
    warm_start : bool, default False
        Keep the trees of the last fit and add those that are lacking; rows and columns must be the
        same. The result is the forest that one fit would have grown. Turn it on to add trees until
        the score is steady.
    n_jobs : int or None, default None
        Threads for growing and predicting, by joblib; -1 for all cores. The forest is the same for
        any number. Raise it when growth takes long.
    random_state : int, RandomState or None, default None
        Seed of bags, drawn columns and random split methods. Set it for the same forest in every
        fit.
    readable : bool, default False
        Round numbers in splits as :class:`treewright.TreeClassifier` does. Off, since nobody reads
        a hundred trees and rounding takes time. Turn it on to print some of the trees.
    categorical : {"subset", "multiway", "grouped"}, default "subset"
        Splits on categorical columns: two sets of levels, a branch per level, or a branch for each
        of several sets of levels; see :class:`treewright.splits.Categorical`. Change it when a
        branch per level is easier to read.
    monotonic_cst : mapping, array-like of int or None, default None
        Columns with which predictions may only rise (1) or only fall (-1), all else being equal, in
        every tree and so in their mean: ``{"income": 1}`` by name, or one number per column, 0 for
        none. Give it where the opposite could not be defended.
    constraints : Constraints or None, default None
        What else experts ask of every tree: prices of columns, which of them may stand together,
        whole coefficients; see :class:`~treewright.estimators.Constraints`. `max_columns` is for
        single trees.
    growth_rules : GrowthRules or None, default None
        Rules of growth that few fits need, those of published systems; see
        :class:`treewright.estimators.GrowthRules`. Set it to repeat a published system.
    time_limit : float or None, default None
        Seconds after which growth stops with the trees that are finished, and says so. One tree is
        there in any case, if need be cut short. Judging by rows out of bag comes after it. Set it
        when growth must end in time.
    progress : callable or None, default None
        Called now and then with the proportion of work done, from 0 to 1; by one thread at a time,
        but not always the same. Set it to show progress.

    Attributes
    ----------
    trees_ : list of Tree
        The trees; ``print(trees_[0])`` shows the first.
    schema_ : Schema
        Columns and levels.
    feature_importances_ : ndarray of float
        Mean contribution of each column to the decrease of impurity. Favours columns with many
        values.
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

    See Also
    --------
    ForestClassifier : The same for classes.
    TreeRegressor : One tree, to be read.

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
        **FOREST_CHECKS,
        "criterion": choice(*NUMBER_MEASURES),
    }

    def __init__(
        self,
        n_estimators: int = 100,
        split: str | SplitMethod = "axis",
        *,
        criterion: str = "squared_error",
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_features: str | int | float | None = 1.0,
        bootstrap: bool = True,
        max_samples: int | float | None = None,
        missing: str | Surrogates = "default",
        oob_score: bool | Callable[[Any, Any], float] = False,
        permutation_repeats: int = 0,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        readable: bool = False,
        categorical: str = "subset",
        monotonic_cst: Monotonic = None,
        constraints: Constraints | None = None,
        growth_rules: GrowthRules | None = None,
        time_limit: float | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.split = split
        self.criterion = criterion
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
        self.monotonic_cst = monotonic_cst
        self.constraints = constraints
        self.growth_rules = growth_rules
        self.time_limit = time_limit
        self.progress = progress

    @all_or_nothing
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ForestRegressor:
        """Grow the forest.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            Training rows: numbers, booleans, categories and text; values may be missing.
        y : array-like or series
            One finite number per row.
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
        self._fit_rows(read_numbers(X, y, sample_weight, type(self).__name__), planted)
        return self

    def _fit_rows(self, rows: TrainingRows, planted: Planted | None) -> None:
        self._take_schema(rows.schema)
        target = NumberTarget(rows.truth, on_own_grid(rows.weights))
        target.check_size()
        self._fit_forest(rows, target, planted)

    def _tell_out_of_bag(
        self,
        votes: NDArray[np.float64],
        target: NumberTarget,
        positions: NDArray[np.intp],
        n_given: int,
    ) -> float:
        self.oob_prediction_ = np.full(n_given, np.nan)
        self.oob_prediction_[positions] = votes[:, 0]
        answered = self._answered(votes)
        if answered.sum() < 2:  # R squared is not defined
            return np.nan
        truth, found = target.numbers[answered], votes[answered, 0]
        if callable(self.oob_score):
            return self.oob_score(truth, found)
        return float(r2_score(truth, found, sample_weight=target.case_weights[answered]))

    def _loss_of(self, target: NumberTarget) -> LossOfRows:
        power = 1 if MEASURES[self.criterion].predicts_medians else 2

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
