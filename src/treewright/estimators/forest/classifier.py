"""ForestClassifier: many trees of any split method that vote for a class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin

from treewright import _core
from treewright.base.parameters import Check, choice, one_of
from treewright.estimators import old_words
from treewright.estimators.class_predictions import ClassPredictions
from treewright.estimators.class_settings import ClassWeight, CostMatrix
from treewright.estimators.class_weighting import CLASS_CHECKS, ClassWeighting, check_costs
from treewright.estimators.constraints import Constraints
from treewright.estimators.fitting import all_or_nothing
from treewright.estimators.forest.base import FOREST_CHECKS, Forest, Planted
from treewright.estimators.forest.out_of_bag import LossOfRows
from treewright.estimators.forest.votes import VOTINGS
from treewright.estimators.monotonic import Monotonic
from treewright.estimators.options import GAIN_CHECK
from treewright.estimators.settings import GrowthRules, Surrogates
from treewright.estimators.targets import ClassTarget
from treewright.estimators.training import TrainingRows, read_classes
from treewright.measures import CLASS_MEASURES
from treewright.modelfile import ForestFile
from treewright.splits import SplitMethod
from treewright.tree.use import label_array

__all__ = ["ForestClassifier"]


@old_words.refuses(old_words.GROWTH, old_words.CLASSES)
class ForestClassifier(ClassifierMixin, ClassPredictions, Forest):  # type: ignore[misc]
    """A forest of decision trees that vote for a class.

    Parameters
    ----------
    n_estimators : int, default 100
        Number of trees. Raise it when predictions differ between seeds; more trees take longer.
    split : str or SplitMethod, default "axis"
        How splits are found, as for :class:`treewright.TreeClassifier`. Change it to ``"must"``
        when columns matter together.
    criterion : str, default "gini"
        Impurity: ``gini``, ``entropy``, ``misclassification``, ``deviance``, ``twoing``,
        ``hellinger`` (inter-node) or ``hddt`` (Hellinger distance between classes); see
        :mod:`treewright.measures`. Change it to ``hddt`` when a class is rare, or to repeat a
        published system.
    gain : {"plain", "ratio", "balanced"}, default "plain"
        How a decrease of impurity becomes a score. Change it when categorical columns with many
        levels would win by their number of branches.
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
    max_features : int, float, "sqrt", "rounded_sqrt", "log2" or None, default "sqrt"
        Columns offered at each node, drawn at random. ``"sqrt"`` is the square root rounded down,
        as in scikit-learn, ``"rounded_sqrt"`` the nearest integer. Lower it for trees that differ
        more and are each worse; raise it when few columns matter.
    bootstrap : bool, default True
        Grow each tree on a bag: as many rows as there are, drawn with replacement. Turn it off when
        all trees shall learn from all rows, so that only columns are drawn.
    max_samples : int, float or None, default None
        Rows in a bag; a float is a proportion of all rows, None is all. Lower it to grow faster.
    missing : str or Surrogates, default "default"
        What happens to a row that lacks the value a split asks for, as for
        :class:`treewright.TreeClassifier`. Change it when much is missing.
    cost_matrix : array-like of shape (n_classes, n_classes), mapping, Costs or None, default None
        Cost of predicting the column's class when the row's is true, as for
        :class:`treewright.TreeClassifier`. Give it when one mistake is worse than another.
    class_weight : mapping, "balanced", "balanced_subsample", Priors or None, default None
        As for :class:`treewright.TreeClassifier`; ``"balanced_subsample"`` balances the classes in
        each bag by itself. Change it when a rare class must not be overlooked.
    voting : {"soft", "hard"}, default "soft"
        ``soft``: the mean of the trees' probabilities decides, as in scikit-learn. ``hard``: each
        tree has one vote, and probabilities are proportions of votes, as in the papers; of equal
        classes the first wins. With a cost matrix soft votes predict the class of least expected
        cost. Change it to repeat a paper.
    oob_score : bool or callable, default False
        Judge the forest by rows out of bag. A callable gets the true and the predicted labels and
        returns the score; True is the accuracy. Turn it on when no test set can be spared.
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
        Columns with which the probability of the second of two classes may only rise (1) or only
        fall (-1), all else being equal, in every tree and so in their mean: ``{"income": 1}`` by
        name, or one number per column, 0 for none. Give it where the opposite could not be
        defended.
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
        Columns, levels and classes.
    classes_ : ndarray
        Class labels in the order of their columns in ``predict_proba``.
    feature_importances_ : ndarray of float
        Mean contribution of each column to the decrease of impurity. Favours columns with many
        values.
    oob_score_ : float
        Score on rows out of bag, weighted by `sample_weight`; with `oob_score` only. This and the
        following are not in model files.
    oob_decision_function_ : ndarray of shape (n_rows, n_classes)
        Probabilities of each row by the trees that did not learn from it; NaN where there is none
        and where the weight is 0. With `oob_score` only.
    permutation_importances_, permutation_importances_std_ : ndarray of float
        Mean and standard deviation over the trees of the increase in the proportion of out-of-bag
        rows predicted wrong (or of their cost, where there is a cost matrix) once the column is
        shuffled. With `permutation_repeats` only.
    n_features_in_, feature_names_in_ : int, ndarray of str
        As in scikit-learn.
    stopped_by_time_limit_ : bool
        Whether growth ended early.

    See Also
    --------
    ForestRegressor : The same for a numeric target.
    TreeClassifier : One tree, to be read.

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
        **FOREST_CHECKS,
        "criterion": choice(*CLASS_MEASURES),
        "gain": GAIN_CHECK,
        **CLASS_CHECKS,
        "class_weight": one_of(CLASS_CHECKS["class_weight"], choice("balanced_subsample")),
        "voting": choice(*VOTINGS),
    }

    _weighting: ClassWeighting

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
        missing: str | Surrogates = "default",
        cost_matrix: CostMatrix = None,
        class_weight: ClassWeight = None,
        voting: str = "soft",
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
        self.monotonic_cst = monotonic_cst
        self.constraints = constraints
        self.growth_rules = growth_rules
        self.time_limit = time_limit
        self.progress = progress

    @all_or_nothing
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ForestClassifier:
        """Grow the forest.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            Training rows: numbers, booleans, categories and text; values may be missing.
        y : array-like or series
            One class label per row.
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
        self._fit_rows(read_classes(X, y, sample_weight, type(self).__name__), planted)
        return self

    def _fit_rows(self, rows: TrainingRows, planted: Planted | None) -> None:
        self._take_schema(rows.schema)
        self._weighting = ClassWeighting.of(self, rows.labels)
        self._fit_forest(rows, self._weighting.target(rows.truth, rows.weights), planted)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_costs(self)

    def _target_of_bag(self, target: ClassTarget, number: int) -> ClassTarget:
        return self._weighting.in_bag(super()._target_of_bag(target, number))

    @property
    def _votes_are_hard(self) -> bool:
        return self.voting == "hard"

    def _tell_out_of_bag(
        self,
        votes: NDArray[np.float64],
        target: ClassTarget,
        positions: NDArray[np.intp],
        n_given: int,
    ) -> float:
        self.oob_decision_function_ = np.full((n_given, votes.shape[1]), np.nan)
        self.oob_decision_function_[positions] = votes
        answered = self._answered(votes)
        if not answered.any():
            return np.nan
        truth, found = target.codes[answered], self._codes(votes[answered])
        if callable(self.oob_score):
            labels = label_array(self.schema_.classes or ())
            return self.oob_score(labels[truth], labels[found])
        return float(np.average(truth == found, weights=target.case_weights[answered]))

    def _loss_of(self, target: ClassTarget) -> LossOfRows:
        n_classes = target.n_classes
        cost = 1.0 - np.eye(n_classes) if self._weighting.cost is None else self._weighting.cost

        def loss(
            tree: _core.Tree, table: _core.Table, rows: NDArray[np.intp]
        ) -> NDArray[np.float64]:
            found = cost[target.codes[rows], tree.predict_classes(table)]
            return found * target.case_weights[rows]

        return loss

    def _codes(self, probabilities: NDArray[np.float64]) -> NDArray[np.intp]:
        """Return the position of the class that is predicted, of equal ones the first."""
        cost = self._weighting.cost
        if cost is None or self._votes_are_hard:  # votes were given with costs in mind
            return np.asarray(probabilities.argmax(axis=1))
        return np.asarray((probabilities @ cost).argmin(axis=1))

    def _labels(self, table: _core.Table) -> NDArray[Any]:
        found = self._codes(self._votes(table))
        return label_array(self.schema_.classes or ())[found]

    def _probabilities(self, table: _core.Table) -> NDArray[np.float64]:
        return self._votes(table)

    def _restore(self, forest: ForestFile) -> None:
        super()._restore(forest)
        self._weighting = ClassWeighting.of_loaded(self)
