"""OptimalTreeClassifier: the best tree of its size, proved to be so."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin

from treewright import _core
from treewright.base.parameters import Check, anything
from treewright.estimators import old_words, optimal
from treewright.estimators.abstaining import (
    ABSTAIN_CHECK,
    Referral,
    classes_before_referral,
    score_with_referrals,
)
from treewright.estimators.alternatives import alternatives
from treewright.estimators.class_objectives import CLASS_OBJECTIVE_CHECK, as_class_objective
from treewright.estimators.class_predictions import (
    SMOOTHING_CHECK,
    ClassPredictions,
    tree_probabilities,
)
from treewright.estimators.class_settings import F1, ClassWeight, LogLoss
from treewright.estimators.class_weighting import CLASS_CHECKS, ClassWeighting
from treewright.estimators.constraints import Constraints, column_limits
from treewright.estimators.fitted import FittedTree
from treewright.estimators.fitting import all_or_nothing
from treewright.estimators.losses import EITHER, check_losses, read_losses
from treewright.estimators.monotonic import Monotonic, check_monotonic_search, trends_of
from treewright.estimators.objectives import Objective
from treewright.estimators.search_options import SEARCH_CHECKS, SearchOptions
from treewright.estimators.training import TrainingRows, read_classes
from treewright.estimators.tuning import Tuning
from treewright.optimal import Certificate, SearchProgress
from treewright.optimal.goals import ClassGoal, Goal
from treewright.optimal.losses import LossGoal
from treewright.predicates import Predicate
from treewright.schema import Schema
from treewright.splits import SplitMethod
from treewright.tree import Tree

__all__ = ["OptimalTreeClassifier"]


@old_words.refuses(old_words.SEARCH, old_words.CLASSES)
class OptimalTreeClassifier(ClassifierMixin, ClassPredictions, FittedTree):  # type: ignore[misc]
    r"""The tree with the fewest training errors among all trees of its depth, with a proof.

    Parameters
    ----------
    max_depth : int or None, default 3
        Most splits on a path. Lower it when the search takes too long; each further level makes it
        many times longer. With a `penalty` it may be None: trees of any depth are searched, and the
        proof is over all of them.
    max_nodes : int or None, default None
        Most splits in the tree; it then has one leaf more at most. Set it when the tree shall be
        small, not only shallow.
    pair_levels : int, default 0
        In so many levels, from the root on, two conditions may be joined by and, or, xor; at most
        two less than `max_depth`. Raise it when two conditions belong together: one such level
        often saves a level of depth.
    penalty : float, default 0.0
        What each leaf beyond the first costs, as a proportion of the weight of all rows: with 0.01
        a split must correct the predictions of 1 % of the rows to be worth its leaf. Raise it when
        the tree overfits.
    dictionary : list or None, default None
        Where the splits come from, in place of the columns: predicates
        (:mod:`treewright.predicates`), which are offered as they are (but see `readable`), and
        split methods (:mod:`treewright.splits`) or their names, which propose splits on all rows,
        on samples of them and on the nodes of the best tree so far. With ``Axis()`` among them the
        splits of the columns are offered, too. Set it to ``["axis", "must(2)"]`` when linear
        combinations of two columns are welcome.
    thresholds : {"auto", "all", "quantile", "guess"}, default "auto"
        Which thresholds of numeric columns are offered. ``all``: every one; exact, and slow where
        columns have thousands of values. ``auto``: all where that takes about a second; otherwise
        all of a column that has 32 at most, and of longer ones quantiles, those a boosted ensemble
        uses and those of a tree on the column alone. ``quantile`` and ``guess``: one of these
        alone. Change it to ``all`` when the proof shall be over every threshold.
    min_samples_leaf : int or float, default 1
        Fewest rows of a leaf; a float is a proportion of all rows. Raise it for steadier leaves.
    time_limit : float or None, default None
        Seconds after which `fit` ends with the best tree so far, and says so. Set it when you need
        a tree by a certain time.
    n_jobs : int or None, default 1
        Threads of the search, or folds of `tune` at a time; the tree is the same for any number.
        Raise it when the search takes long.
    refine : int, default 3
        Most rounds in which more splits are offered: thresholds around those the tree uses, where
        `thresholds` left some out, or what split methods propose for its nodes. They end when
        nothing is gained. Set it to 0 when only the splits offered first shall count.
    objective : str, F1 or LogLoss, default "errors"
        What the tree is the best in: ``"errors"`` (summed costs with a `cost_matrix`),
        ``"balanced_accuracy"``, ``"f1"`` of the second of two classes, or of one that
        :class:`~treewright.estimators.F1` names, and for two classes ``"brier"`` or ``"log_loss"``,
        where leaves are best in the probabilities they state
        (:class:`~treewright.estimators.LogLoss` has the steps of these). `score` then gives the
        same measure. Change it when a rare class or the probabilities matter; see the notes for
        what does not go with it.
    term_penalty : float, default 0.0
        What each column beyond the first in a split costs, in the measure of `penalty`;
        ``1 / len(y)`` is one error. Two conditions on one column read one column. Raise it for
        splits that are quicker to read.
    pair_functions : {3, 5}, default 3
        Change it to 5 when conditions shall also be joined by "and not", both ways round.
    min_weight_fraction_leaf : float, default 0.0
        Least proportion of all weight, class weights included, in a leaf. Use it in place of
        `min_samples_leaf` when rows have weights.
    cost_matrix : array-like of shape (n_classes, n_classes), mapping or None, default None
        Cost of predicting the column's class when the row's is true, as for
        :class:`TreeClassifier`; what is made smallest is then the summed cost. Give it when one
        mistake is worse than another.
    class_weight : mapping, "balanced", Priors or None, default None
        What the weights of each class are multiplied by, as for :class:`TreeClassifier`. Change it
        when a rare class must not be overlooked.
    abstain_cost : float or None, default None
        What it costs to refer a row to a person instead of predicting its class, where a mistake
        costs 1 or what `cost_matrix` says: a leaf refers where no class is expected to cost less.
        Set it, below the cost of a mistake, when doubtful cases can be decided by someone; see
        `abstain_label_`.
    smallest : bool, default False
        Find, of equally good trees, one with the fewest splits, which is proved, too, or else a
        warning says so. It takes about as long again as the search. Small problems, of up to 4096
        rows times splits and depth 4, need not ask for it. Turn it on when the tree is to be
        published.
    front : bool, default False
        Also find the best tree of every smaller size, for `front_` and :meth:`at`. Turn it on to
        choose a size by looking.
    tune : {"cv"}, Tuning or None, default None
        Choose depth (up to `max_depth`), size (up to `max_nodes`) and with them `penalty` by
        cross-validation; ``"cv"`` takes the smallest tree within one standard error of the best in
        10 folds, :class:`~treewright.estimators.Tuning` other rules and folds. Each fold has
        searches of its own, so it takes about eleven times as long. Set it when new rows shall be
        predicted well, and not only the training rows.
    monotonic_cst : mapping, array-like of int or None, default None
        In which direction the probability of the second of two classes may go with a column, all
        others being equal: a mapping of column names, or one number per column, 1 for "may only
        rise", -1 for "may only fall", 0 for either. Leaves predict the proportions of their own
        rows; the certificate holds for all trees whose predictions keep that everywhere in the
        space of the columns. Where the best tree of all does not, one thread searches, and longer.
        Set it where another direction could not be defended.
    constraints : Constraints or None, default None
        What else experts ask: prices of columns, which of them may stand together, few columns,
        whole coefficients; see :class:`~treewright.estimators.Constraints`. The certificate holds
        for the trees that keep them. With prices, groups, pairs or first columns one thread
        searches, so choose few thresholds or a small depth.
    categorical : {"subset", "multiway"}, default "subset"
        Splits of categorical columns. ``"subset"``: two sets of levels. ``"multiway"``: a split may
        also have a branch for each level, up to 32, and counts as one level of depth; one thread
        searches, with a fixed depth and without `max_nodes`, `pair_levels`, `dictionary`,
        `smallest`, `front`, `tune`, `monotonic_cst` and `constraints`. Change it when a branch per
        level is easier to read.
    readable : bool, default True
        Give thresholds the shortest decimals that send every training row the same way, also in
        predicates of `dictionary` whose numbers have more than four significant digits. Turn it off
        to compare numbers with another program.
    smoothing : {"laplace"}, float or None, default None
        Draw the probabilities of small leaves towards equal ones (``"laplace"``), or towards the
        root's as if so many rows had them (a number, for example 2). Change it when the
        probabilities matter and leaves are small.
    memory_limit : float, default 1024
        Megabytes for the bits of the splits, where too little is an error, for what the search
        remembers, where less makes it slower, and for its table of pairs of splits, where too
        little ends it with the best tree so far. Raise it when an error asks for it.
    random_state : int, RandomState or None, default None
        Seed of the folds of `tune`, which are the same in every fit if it is None, and of the
        samples that split methods in `dictionary` are asked on; None is 0 there. All else is
        without chance. Change it to see how much depends on them.
    progress : callable or None, default None
        Called about ten times a second with a :class:`treewright.optimal.SearchProgress`; it ends
        the search by returning False. Set it to show progress.

    Attributes
    ----------
    tree_ : Tree
        The fitted tree; ``print(tree_)`` shows it.
    certificate_ : Certificate
        Objective, lower bound, optimality gap, and over which conditions the tree is the best. None
        in a copy with another tree.
    front_ : TreeSequence
        With ``front=True`` or `tune`, the best tree of every size, the largest first.
    tuning_ : TunedSizes
        With `tune`, the cross-validated error of every depth and size, and which was chosen;
        ``print(tuning_)`` shows them. Model files do not hold it.
    action_losses_ : ActionLosses
        After ``fit(X, losses=...)``, the mean loss of each action in each leaf with its standard
        error; ``print(action_losses_)`` shows them. Model files do not hold it.
    path_ : Path or TreeSequence
        `front_` if there is one, else the nested trees of cost-complexity pruning.
    schema_ : Schema
        Columns, levels and classes.
    classes_ : ndarray
        Class labels in the order of their columns in ``predict_proba``.
    abstain_label_ : str or int
        With `abstain_cost`, what :meth:`predict` gives rows that are referred: ``"refer"``, or -1
        where classes are integers. The tree has it as its last class, without rows; `classes_` and
        :meth:`predict_proba` have not.
    feature_importances_ : ndarray of float
        Proportion of each column in the decrease of the Gini index.
    n_features_in_, feature_names_in_ : int, ndarray of str
        As in scikit-learn.

    See Also
    --------
    OptimalTreeRegressor : The same for a numeric target.
    TreeClassifier : A greedy tree, for large data and deep trees.

    Notes
    -----
    Missing values need no filling: each split on a column with missing values is offered with the
    rows that lack the value on either side. Ctrl-C ends a search as the time limit does, but a fit
    with `tune`, where nothing is chosen before its end, by an error.

    With `losses` the objective of the certificate is the regret: the weighted sum over all rows of
    what the decision costs more than the row's cheapest action. `penalty` is in the unit of losses,
    per unit of weight. The statistics of nodes, ``predict_proba`` and the printed proportions tell
    for how many rows each action was the cheapest. Losses that are decimals or halves are counted
    exactly, others on a grid of a power of two, where the rounding of all rows together is less
    than 2^-37 of what their dearest actions cost.

    With another `objective` than errors the certificate has its score, too. `class_weight`,
    `cost_matrix` and `abstain_cost` go with ``"errors"`` only; `front` and `tune` also with
    ``"balanced_accuracy"``; neither `smoothing` nor rules for paths in `constraints` with
    ``"brier"`` and ``"log_loss"``. F1 is no sum over leaves, so it has neither `penalty`,
    `term_penalty`, `smallest` nor prices of columns.

    Weights and costs that are integers, decimals or simple fractions are counted exactly, others to
    at least nine digits where their sizes allow. Where rounding leaves an optimality gap of more
    than a billionth the status of the certificate is ``"rounded"`` and the tree not called proven;
    an optimality gap above 0.1 % gives a warning.

    References
    ----------
    Demirović et al. (2022), MurTree: optimal decision trees via dynamic programming and search,
    *JMLR* 23; van der Linden, de Weerdt, Demirović (2023), Necessary and sufficient conditions for
    optimal decision trees using dynamic programming, *NeurIPS*. Of `losses`: Athey, Wager (2021),
    Policy learning with observational data, *Econometrica* 89; Zhou, Athey, Wager (2023), Offline
    multi-action policy learning, *Operations Research* 71.

    Examples
    --------
    >>> from treewright import OptimalTreeClassifier, TreeClassifier
    >>> hours = {"hour": [1, 3, 5, 7, 8, 9, 11, 13, 15, 18, 20, 22]}
    >>> heating = ["off"] * 3 + ["on"] * 3 + ["off"] * 3 + ["on"] * 3
    >>> TreeClassifier(max_depth=2).fit(hours, heating).score(hours, heating)
    0.75
    >>> model = OptimalTreeClassifier(max_depth=2).fit(hours, heating)
    >>> print("\n".join(model.rules()))
    if hour <= 6 then off (100 %, 3 rows)
    if 6 < hour <= 10 then on (100 %, 3 rows)
    if 10 < hour <= 16 then off (100 %, 3 rows)
    if hour > 16 then on (100 %, 3 rows)
    >>> f1 = OptimalTreeClassifier(max_depth=1, objective="f1").fit(hours, heating)
    >>> round(f1.certificate_.score, 3), round(f1.score(hours, heating), 3)
    (0.8, 0.8)
    >>> print(model.certificate_)  # doctest: +ELLIPSIS
    Objective 0, proven optimal in ... s:
    none of the trees of depth 2 at most over all 11 thresholds of 1 numeric column does better.
    """

    _checks: ClassVar[dict[str, Check]] = {
        **SEARCH_CHECKS,
        **CLASS_CHECKS,
        "objective": CLASS_OBJECTIVE_CHECK,
        "abstain_cost": ABSTAIN_CHECK,
        "cost_matrix": anything("a matrix or a mapping"),
        "smoothing": SMOOTHING_CHECK,
    }
    _is_grown: ClassVar[bool] = False

    def __init__(
        self,
        max_depth: int | None = 3,
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
        objective: str | F1 | LogLoss = "errors",
        term_penalty: float = 0.0,
        pair_functions: int = 3,
        min_weight_fraction_leaf: float = 0.0,
        cost_matrix: ArrayLike | Mapping[Any, Mapping[Any, float]] | None = None,
        class_weight: ClassWeight = None,
        abstain_cost: float | None = None,
        smallest: bool = False,
        front: bool = False,
        tune: str | Tuning | None = None,
        monotonic_cst: Monotonic = None,
        constraints: Constraints | None = None,
        categorical: str = "subset",
        readable: bool = True,
        smoothing: str | float | None = None,
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
        self.objective = objective
        self.term_penalty = term_penalty
        self.pair_functions = pair_functions
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.cost_matrix = cost_matrix
        self.class_weight = class_weight
        self.abstain_cost = abstain_cost
        self.smallest = smallest
        self.front = front
        self.tune = tune
        self.monotonic_cst = monotonic_cst
        self.constraints = constraints
        self.categorical = categorical
        self.readable = readable
        self.smoothing = smoothing
        self.memory_limit = memory_limit
        self.random_state = random_state
        self.progress = progress

    @all_or_nothing
    def fit(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, losses: Any = None
    ) -> OptimalTreeClassifier:
        """Search for the tree.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            Training rows: numbers, booleans, categories and text; values may be missing.
        y : array-like or series, or None beside `losses`
            One class label per row.
        sample_weight : array-like of float or None, default None
            Weight of each row; rows of weight 0 are as if absent.
        losses : data frame, 2-D array, dict of lists or None, default None
            In place of `y`, what each action (a column) costs each row: any finite numbers, rewards
            with a minus sign. The tree decides for one action in each leaf, so that the rows lose
            least; names of columns become `classes_`. `cost_matrix`, `class_weight`,
            `abstain_cost`, `objective`, `front`, `tune`, `smoothing`, `min_weight_fraction_leaf`,
            split methods in `dictionary` and `constraints` on paths do not go with it.

        Returns
        -------
        OptimalTreeClassifier
            The fitted estimator.
        """
        began = time.perf_counter()
        self._check_parameters()
        self.__dict__.pop("action_losses_", None)
        if losses is not None:
            return self._fit_losses(X, y, sample_weight, losses, began)
        return self._fit_rows(read_classes(X, y, sample_weight, type(self).__name__), began)

    def _fit_rows(self, rows: TrainingRows, began: float) -> OptimalTreeClassifier:
        """Search for the tree of rows that were read."""
        rows, goal = self._goal(rows)
        self._take_schema(rows.schema)
        optimal.fit(self, rows, goal, self._objective(), began)
        return self

    alternatives = alternatives

    def _read_goal(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[Schema, NDArray[np.float64], Goal]:
        """Read rows as `fit` does."""
        rows, goal = self._goal(read_classes(X, y, sample_weight, type(self).__name__))
        return rows.schema, rows.values, goal

    def _goal(self, rows: TrainingRows) -> tuple[TrainingRows, Goal]:
        """Give the rows that weigh something, and what is made smallest on them."""
        objective, owner = self._objective(), type(self).__name__
        objective.check_classes(rows.labels, owner)
        if not objective.is_usual:
            return rows, objective.goal(rows, owner)
        weighting = ClassWeighting.of(self, rows.labels)
        weights = weighting.weights(rows.truth, rows.weights)
        if not weights.all():  # the rows of a class that weighs nothing are as if absent, too
            rows, weights = rows.keeping(weights > 0.0), weights[weights > 0.0]
        referral = Referral.of(self, rows.labels, weighting.cost)
        if referral is None:
            return rows, ClassGoal(rows.truth, weights, len(rows.labels), weighting.cost)
        rows = replace(rows, schema=referral.schema(rows.schema))
        return rows, ClassGoal(rows.truth, weights, referral.n_labels, referral.cost)

    def _fit_losses(
        self, X: Any, y: Any, sample_weight: Any, losses: Any, began: float
    ) -> OptimalTreeClassifier:
        """Search for the tree whose decisions lose least."""
        if y is not None:
            raise ValueError(EITHER)
        check_losses(self)
        rows, matrix = read_losses(X, losses, sample_weight, type(self).__name__)
        self._take_schema(rows.schema)
        goal = LossGoal.of(matrix, rows.weights)
        optimal.fit(self, rows, goal, self._objective(), began)
        table = _core.Table(rows.values, rows.schema.n_levels)
        self._take_losses(goal, matrix, table, rows.weights)
        return self

    def _objective(self) -> Objective:
        return as_class_objective(self.objective)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        SearchOptions.of(self).check()
        check_monotonic_search(self)
        self._objective().check_beside(self)

    def _restore(
        self, tree: Tree, certificate: Certificate | None, front: Sequence[Tree] = ()
    ) -> None:
        """Become fitted with a tree that was loaded, after checking the parameters."""
        self._check_parameters()
        optimal.restore(self, tree, certificate, front)
        column_limits(type(self).__name__, self.constraints, tree.schema)
        trends_of(type(self).__name__, self.monotonic_cst, tree.schema)
        ClassWeighting.of_loaded(self)
        labels = classes_before_referral(self, tree.schema)
        self._objective().check_classes(labels, type(self).__name__)

    def _path_risks(self) -> NDArray[np.float64] | None:
        return self._objective().node_risks(self.tree_)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Judge the predictions for rows, by the measure of `objective`.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            The rows.
        y : array-like or series
            Their classes.
        sample_weight : array-like of float or None, default None
            Their weights.

        Returns
        -------
        float
            Accuracy (with `abstain_cost` 1 less the mean of what mistakes and referrals cost),
            balanced accuracy or F1; Brier score or log loss with a minus sign, so that
            more is better.
        """
        if self.abstain_cost is not None:
            return score_with_referrals(self, X, y, sample_weight)
        return self._objective().score(self, X, y, sample_weight)

    def _labels(self, table: _core.Table) -> NDArray[Any]:
        return self.tree_.predict(table)

    def _probabilities(self, table: _core.Table) -> NDArray[np.float64]:
        return tree_probabilities(self.tree_, self.smoothing, table, len(self.classes_))
