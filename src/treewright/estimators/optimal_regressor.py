"""OptimalTreeRegressor: the tree with the least squared error of its size, proved to be so."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin

from treewright import _core
from treewright.base.parameters import Check
from treewright.estimators import old_words, optimal
from treewright.estimators.alternatives import alternatives
from treewright.estimators.constraints import Constraints, column_limits
from treewright.estimators.fitted import FittedTree
from treewright.estimators.fitting import all_or_nothing
from treewright.estimators.monotonic import Monotonic, check_monotonic_search, trends_of
from treewright.estimators.number_objectives import (
    NUMBER_OBJECTIVE_CHECK,
    as_number_objective,
)
from treewright.estimators.objectives import Objective
from treewright.estimators.search_options import SEARCH_CHECKS, SearchOptions
from treewright.estimators.targets import NumberTarget
from treewright.estimators.training import TrainingRows, read_numbers
from treewright.estimators.tuning import Tuning
from treewright.optimal import Certificate, SearchProgress
from treewright.optimal.absolute_error import AbsoluteGoal
from treewright.optimal.goals import Goal
from treewright.predicates import Predicate
from treewright.prune import cost_complexity_path
from treewright.schema import Schema
from treewright.splits import SplitMethod
from treewright.tree import Tree

__all__ = ["OptimalTreeRegressor"]


@old_words.refuses(old_words.SEARCH)
class OptimalTreeRegressor(RegressorMixin, FittedTree):  # type: ignore[misc]
    r"""The tree with the least squared training error among all trees of its depth, with a proof.

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
        What each leaf beyond the first costs, as a proportion of the squared error of one
        prediction for all rows, as rpart's ``cp``. Raise it when the tree overfits.
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
    objective : {"squared_error", "absolute_error"}, default "squared_error"
        What the tree is the best in. With ``"absolute_error"`` leaves predict medians, and `score`
        gives the mean absolute error with a minus sign; the target may have 64 different numbers,
        and `front`, `tune` and rules for paths in `constraints` do not go with it. Change it when
        a few large errors must not decide.
    term_penalty : float, default 0.0
        What each column beyond the first in a split costs, in the measure of `penalty`;
        ``1 / len(y)`` is one error. Two conditions on one column read one column. Raise it for
        splits that are quicker to read.
    pair_functions : {3, 5}, default 3
        Change it to 5 when conditions shall also be joined by "and not", both ways round.
    min_weight_fraction_leaf : float, default 0.0
        Least proportion of all weight in a leaf. Use it in place of
        `min_samples_leaf` when rows have weights.
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
        In which direction predictions may go with a column, all others being equal: a mapping of
        column names, or one number per column, 1 for "may only rise", -1 for "may only fall", 0 for
        either. Leaves predict the means of their own rows; the certificate holds for all trees
        whose predictions keep that everywhere in the space of the columns. Where the best tree of
        all does not, one thread searches, and longer. Set it where another direction could not be
        defended.
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
    path_ : Path or TreeSequence
        `front_` if there is one, else the nested trees of cost-complexity pruning.
    schema_ : Schema
        Columns and levels.
    feature_importances_ : ndarray of float
        Proportion of each column in the decrease of squared error.
    n_features_in_, feature_names_in_ : int, ndarray of str
        As in scikit-learn.

    See Also
    --------
    OptimalTreeClassifier : The same for classes.
    TreeRegressor : A greedy tree, for large data and deep trees.

    Notes
    -----
    The search counts in integers. Targets with few decimals are counted exactly, others to about
    six digits, or three to five where the weights are irregular, too; what that can change of the
    objective is taken off the bound. Where that leaves an optimality gap of more than a billionth
    the status of the certificate is ``"rounded"`` and the tree not called proven; an optimality gap
    above 0.1 % gives a warning.

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

    _checks: ClassVar[dict[str, Check]] = {**SEARCH_CHECKS, "objective": NUMBER_OBJECTIVE_CHECK}
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
        objective: str = "squared_error",
        term_penalty: float = 0.0,
        pair_functions: int = 3,
        min_weight_fraction_leaf: float = 0.0,
        smallest: bool = False,
        front: bool = False,
        tune: str | Tuning | None = None,
        monotonic_cst: Monotonic = None,
        constraints: Constraints | None = None,
        categorical: str = "subset",
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
        self.objective = objective
        self.term_penalty = term_penalty
        self.pair_functions = pair_functions
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.smallest = smallest
        self.front = front
        self.tune = tune
        self.monotonic_cst = monotonic_cst
        self.constraints = constraints
        self.categorical = categorical
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
            Training rows: numbers, booleans, categories and text; values may be missing.
        y : array-like or series
            One finite number per row.
        sample_weight : array-like of float or None, default None
            Weight of each row; rows of weight 0 are as if absent.

        Returns
        -------
        OptimalTreeRegressor
            The fitted estimator.
        """
        began = time.perf_counter()
        self._check_parameters()
        return self._fit_rows(self._read(X, y, sample_weight), began)

    alternatives = alternatives

    def _read_goal(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[Schema, NDArray[np.float64], Goal]:
        """Read rows as `fit` does."""
        rows = self._read(X, y, sample_weight)
        objective = self._objective()
        return rows.schema, rows.values, objective.goal(rows, type(self).__name__)

    def _read(self, X: Any, y: Any, sample_weight: Any) -> TrainingRows:
        rows = read_numbers(X, y, sample_weight, type(self).__name__)
        NumberTarget(rows.truth, rows.weights).check_size()
        return rows

    def _fit_rows(self, rows: TrainingRows, began: float) -> OptimalTreeRegressor:
        """Search for the tree of rows that were read."""
        self._take_schema(rows.schema)
        objective = self._objective()
        goal = objective.goal(rows, type(self).__name__)
        optimal.fit(self, rows, goal, objective, began)
        if isinstance(goal, AbsoluteGoal):
            table = _core.Table(rows.values, rows.schema.n_levels)
            risks = goal.node_losses(self.tree_.core, table)
            self._set_path(cost_complexity_path(self.tree_, risk=risks))
        return self

    def _objective(self) -> Objective:
        return as_number_objective(self.objective)

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

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Judge the predictions for rows, by the measure of `objective`.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            The rows.
        y : array-like or series
            Their numbers.
        sample_weight : array-like of float or None, default None
            Their weights.

        Returns
        -------
        float
            R squared; mean absolute error with a minus sign, so that more is better.
        """
        return self._objective().score(self, X, y, sample_weight)

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the number predicted for each row.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            The rows; columns are matched by name where they have names.

        Returns
        -------
        ndarray of float64
            Means of the leaves, or medians with ``objective="absolute_error"``.
        """
        table = self._table(X)
        return self.tree_.core.predict_values(table)
