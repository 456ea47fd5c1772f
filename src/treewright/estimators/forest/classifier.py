"""ForestClassifier: many trees of any split method that vote for a class."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin

from treewright import _core
from treewright.base.parameters import Check, choice, one_of
from treewright.estimators.class_answers import ClassAnswers
from treewright.estimators.class_parameters import ClassParameters
from treewright.estimators.fitting import all_or_nothing
from treewright.estimators.forest.base import BaseForest
from treewright.estimators.forest.out_of_bag import LossOfRows
from treewright.estimators.forest.votes import VOTINGS
from treewright.estimators.targets import ClassTarget
from treewright.estimators.weights import check_weights, read_weights, totals_by_class
from treewright.schema import Schema, encode_labels, keep_rows, target_name
from treewright.splits import SplitMethod
from treewright.tree.use import label_array

__all__ = ["ForestClassifier"]


class ForestClassifier(ClassifierMixin, ClassAnswers, ClassParameters, BaseForest):  # type: ignore[misc]
    """A forest of decision trees that vote for a class.

    Parameters
    ----------
    n_estimators : int, default 100
        Number of trees. More make answers steadier, and take longer.
    split : str or SplitMethod, default "axis"
        How splits are found, as for :class:`treewright.TreeClassifier`.
    criterion, gain, max_depth, max_leaf_nodes
        As for :class:`treewright.TreeClassifier`.
    min_samples_split, min_samples_leaf : int or float, default 2 and 1
        As for :class:`treewright.TreeClassifier`. A row that stands in a bag twice counts once; a
        float is a share of all rows.
    min_weight_fraction_leaf, min_impurity_decrease
        As for :class:`treewright.TreeClassifier`, of the weight of the bag.
    max_features : int, float, "sqrt", "rounded_sqrt", "log2" or None, default "sqrt"
        Columns offered at each node, drawn at random. ``"sqrt"`` is the square root rounded down,
        as in scikit-learn, ``"rounded_sqrt"`` the nearest integer. Fewer columns make trees that
        differ more and are each worse.
    bootstrap : bool, default True
        Grow each tree on a bag: as many rows as there are, drawn with replacement. False grows all
        trees on all rows, so that only columns are drawn.
    max_samples : int, float or None, default None
        Rows in a bag; a float is a share of all rows, None is all. Fewer make growth faster.
    missing, cost_matrix
        As for :class:`treewright.TreeClassifier`.
    class_weight : mapping, "balanced", "balanced_subsample" or None, default None
        As for :class:`treewright.TreeClassifier`; ``"balanced_subsample"`` balances the classes in
        each bag by itself.
    voting : {"soft", "hard"}, default "soft"
        ``soft``: the mean of the trees' probabilities decides, as in scikit-learn. ``hard``: each
        tree has one vote, and probabilities are shares of votes, as in the papers; of equal classes
        the first wins. With a cost matrix soft votes answer with the class of least expected cost.
    oob_score : bool or callable, default False
        Judge the forest by rows out of bag. A callable gets the true and the predicted labels and
        returns the score; True is the accuracy.
    permutation_repeats : int, default 0
        How often each column is shuffled for `permutation_importances_`; 0 for never. Takes long.
    warm_start : bool, default False
        Keep the trees of the last fit and add those that are lacking; rows and columns must be the
        same. The result is the forest that one fit would have grown.
    n_jobs : int or None, default None
        Threads for growing and predicting, by joblib; -1 for all cores. The forest is the same for
        any number.
    random_state : int, RandomState or None, default None
        Seed of bags, drawn columns and random split methods.
    readable : bool, default False
        Round numbers in tests as :class:`treewright.TreeClassifier` does. Off, since nobody reads a
        hundred trees and rounding takes time.
    categorical, zero_gain, min_impurity_fraction, priors, cost_in_split, max_surrogates, collapse
        As for :class:`treewright.TreeClassifier`.
    time_limit : float or None, default None
        Seconds after which growth stops with the trees that are finished, and says so. One tree is
        there in any case, if need be cut short. Judging by rows out of bag comes after it.
    progress : callable or None, default None
        Called now and then with the share of work done, from 0 to 1; by one thread at a time, but
        not always the same.

    Attributes
    ----------
    trees_ : list of Tree
        The trees; ``print(trees_[0])`` shows the first.
    schema_ : Schema
        Columns, levels and classes.
    classes_ : ndarray
        Class labels in the order of their columns in ``predict_proba``.
    feature_importances_ : ndarray of float
        Mean share of each column in the decrease of impurity. Favours columns with many values.
    oob_score_ : float
        Score on rows out of bag, weighted by `sample_weight`; with `oob_score` only. This and the
        following are not in model files.
    oob_decision_function_ : ndarray of shape (n_rows, n_classes)
        Probabilities of each row by the trees that did not learn from it; NaN where there is none
        and where the weight is 0. With `oob_score` only.
    permutation_importances_, permutation_importances_std_ : ndarray of float
        Mean and standard deviation over the trees of the share of rows out of bag that is predicted
        wrong more often (or of their cost, where there is a cost matrix) once the column is
        shuffled. With `permutation_repeats` only.
    n_features_in_, feature_names_in_ : int, ndarray of str
        As in scikit-learn.
    stopped_by_time_limit_ : bool
        Whether growth ended early.

    References
    ----------
    Breiman (1996), Bagging predictors, *Machine Learning* 24; Breiman (2001), Random forests,
    *Machine Learning* 45.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import ForestClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> forest = ForestClassifier(n_estimators=20, oob_score=True, random_state=0).fit(X, y)
    >>> round(forest.oob_score_, 1)
    0.9
    >>> forest.predict(X.head(1))
    array([0])
    """

    oob_decision_function_: NDArray[np.float64]

    _checks: ClassVar[dict[str, Check]] = {
        **BaseForest._checks,
        **ClassParameters._checks,
        "class_weight": one_of(
            ClassParameters._checks["class_weight"], choice("balanced_subsample")
        ),
        "voting": choice(*VOTINGS),
    }

    def __init__(
        self,
        n_estimators: int = 100,
        split: str | SplitMethod = "axis",
        *,
        criterion: str = "gini",
        gain: str = "plain",
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_features: str | int | float | None = "sqrt",
        bootstrap: bool = True,
        max_samples: int | float | None = None,
        missing: str = "default",
        cost_matrix: ArrayLike | Mapping[Any, Mapping[Any, float]] | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        voting: str = "soft",
        oob_score: bool | Callable[[Any, Any], float] = False,
        permutation_repeats: int = 0,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        readable: bool = False,
        categorical: str = "subset",
        zero_gain: bool = False,
        min_impurity_fraction: float = 0.0,
        priors: ArrayLike | Mapping[Any, float] | None = None,
        cost_in_split: str = "priors",
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
        self.cost_matrix = cost_matrix
        self.class_weight = class_weight
        self.voting = voting
        self.oob_score = oob_score
        self.permutation_repeats = permutation_repeats
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.readable = readable
        self.categorical = categorical
        self.zero_gain = zero_gain
        self.min_impurity_fraction = min_impurity_fraction
        self.priors = priors
        self.cost_in_split = cost_in_split
        self.max_surrogates = max_surrogates
        self.collapse = collapse
        self.time_limit = time_limit
        self.progress = progress

    @all_or_nothing
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ForestClassifier:
        """Grow the forest.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            Training rows; numbers, truth values, categories and text, with gaps.
        y : array-like or series
            One class label a row.
        sample_weight : array-like of float or None, default None
            Weight of each row; rows of weight 0 are as if absent. Every row is as likely to be
            drawn, and weighs so much where it is.

        Returns
        -------
        ForestClassifier
            The fitted estimator.
        """
        self._check_parameters()
        planted = self._planted()
        given_weights = read_weights(sample_weight)
        X, y, sample_weight = keep_rows(X, y, given_weights)
        values = self._learn_columns(X, target_name(y))
        codes, labels = encode_labels(y, n_rows=len(values), estimator_name=type(self).__name__)
        weights = check_weights(sample_weight, len(values))
        self._tell_classes(labels)
        target = self._class_target(codes, labels, weights)
        self._fit_forest(values, target, planted, given_weights)
        return self

    def _target_of_bag(self, target: ClassTarget, number: int) -> ClassTarget:
        in_bag: ClassTarget = super()._target_of_bag(target, number)
        if self.class_weight != "balanced_subsample":
            return in_bag
        labels = self.schema_.classes or ()
        totals = totals_by_class(in_bag.codes, in_bag.case_weights, labels)
        factors = self._factors(labels, totals)
        return replace(in_bag, weights=in_bag.case_weights * factors[in_bag.codes])

    @property
    def _votes_are_hard(self) -> bool:
        return self.voting == "hard"

    def _tell_out_of_bag(
        self,
        votes: NDArray[np.float64],
        target: ClassTarget,
        positions: NDArray[np.intp],
        n_given: int,
    ) -> None:
        self.oob_decision_function_ = np.full((n_given, votes.shape[1]), np.nan)
        self.oob_decision_function_[positions] = votes
        answered = self._answered(votes)
        self.oob_score_ = np.nan
        if not answered.any():
            return
        truth, found = target.codes[answered], self._codes(votes[answered])
        if callable(self.oob_score):
            labels = label_array(self.schema_.classes or ())
            self.oob_score_ = self.oob_score(labels[truth], labels[found])
        else:
            self.oob_score_ = float(
                np.average(truth == found, weights=target.case_weights[answered])
            )

    def _loss_of(self, target: ClassTarget) -> LossOfRows:
        n_classes = target.n_classes
        cost = 1.0 - np.eye(n_classes) if self._cost is None else self._cost

        def loss(
            tree: _core.Tree, table: _core.Table, rows: NDArray[np.intp]
        ) -> NDArray[np.float64]:
            found = cost[target.codes[rows], tree.predict_classes(table)]
            return found * target.case_weights[rows]

        return loss

    def _codes(self, probabilities: NDArray[np.float64]) -> NDArray[np.intp]:
        """Return the position of the class that is predicted, of equal ones the first."""
        if self._cost is None or self._votes_are_hard:  # votes were given with costs in mind
            return np.asarray(probabilities.argmax(axis=1))
        return np.asarray((probabilities @ self._cost).argmin(axis=1))

    def _labels(self, table: _core.Table) -> NDArray[Any]:
        found = self._codes(self._votes(table))
        return label_array(self.schema_.classes or ())[found]

    def _probabilities(self, table: _core.Table) -> NDArray[np.float64]:
        return self._votes(table)

    def _take_schema(self, schema: Schema) -> None:
        super()._take_schema(schema)
        self._restore_classes()
