"""TreeClassifier: any split method, any measure, one estimator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin

from treewright import _core
from treewright.base.parameters import Check, choice
from treewright.estimators import old_words
from treewright.estimators.abstaining import ABSTAIN_CHECK, Referral, score_with_referrals
from treewright.estimators.class_predictions import (
    SMOOTHING_CHECK,
    ClassPredictions,
    tree_probabilities,
)
from treewright.estimators.class_settings import ClassWeight, CostMatrix
from treewright.estimators.class_weighting import CLASS_CHECKS, ClassWeighting, check_costs
from treewright.estimators.constraints import Constraints, check_constraints
from treewright.estimators.fitted import FittedTree
from treewright.estimators.fitting import all_or_nothing
from treewright.estimators.losses import (
    EITHER,
    check_losses_of_growth,
    read_losses,
    with_decisions,
)
from treewright.estimators.monotonic import Monotonic, check_monotonic
from treewright.estimators.options import GAIN_CHECK, GrowthOptions, check_split
from treewright.estimators.settings import GrowthRules, Surrogates
from treewright.estimators.soft_targets import (
    check_proportions,
    soft_classes,
    soft_decisions,
    with_true_counts,
)
from treewright.estimators.training import read_classes
from treewright.estimators.tree_growth import TREE_CHECKS, Run, check_pruner, grow_tree
from treewright.measures import CLASS_MEASURES
from treewright.optimal.losses import LossGoal
from treewright.prune import Pruner, as_pruner
from treewright.splits import SplitMethod
from treewright.tree import Tree

__all__ = ["TreeClassifier"]


@old_words.refuses(old_words.GROWTH, old_words.TREE, old_words.CLASSES)
class TreeClassifier(ClassifierMixin, ClassPredictions, FittedTree):  # type: ignore[misc]
    r"""A decision tree that predicts classes.

    Parameters
    ----------
    split : str or SplitMethod, default "axis"
        How splits are found: a method of :mod:`treewright.splits`, or its name, such as ``"must"``,
        ``"must(3)"`` or ``"best(axis, must)"``; :func:`treewright.splits.split_names` lists them.
        Change it when one column at a time makes long trees: ``"must"`` combines a few columns.
    criterion : str, default "gini"
        Impurity: ``gini``, ``entropy``, ``misclassification``, ``deviance``, ``twoing``,
        ``hellinger`` (inter-node) or ``hddt`` (Hellinger distance between classes); see
        :mod:`treewright.measures`. Change it to ``hddt`` when a class is rare, or to repeat a
        published system.
    gain : {"plain", "ratio", "balanced"}, default "plain"
        How a decrease of impurity becomes a score. Change it when categorical columns with many
        levels would win by their number of branches.
    prune : None, str or Pruner, default None
        How the grown tree is pruned: ``cost_complexity`` (a path of nested trees, chosen by
        cross-validation; the one to start with), ``error_based`` (C4.5; fast, nothing held out),
        ``reduced_error`` (a third of the rows held out), ``mdl`` or ``critical_value``; or an
        object of :mod:`treewright.prune` with its own parameters, such as ``Honest(0.3)``. Set it
        when the tree overfits.
    max_depth : int or None, default None
        Longest path. Set it to keep a tree short.
    max_leaf_nodes : int or None, default None
        Most leaves; growth is then best-first. Set it to keep a tree small without fixing its
        depth.
    min_samples_split : int or float, default 2
        Rows that a node needs to be split; a float is a proportion of all rows. Raise it when
        splits of few rows are noise.
    min_samples_leaf : int or float, default 1
        Rows two branches at least must hold (both, for a two-way split). Raise it for steadier
        leaves.
    min_weight_fraction_leaf : float, default 0.0
        Proportion of all weight that two branches at least must hold. Use it in place of
        `min_samples_leaf` when rows have weights.
    min_impurity_decrease : float, default 0.0
        A split must take away more than this, weighted by its proportion of all rows. Raise it when
        small gains are not worth a split.
    max_features : int, float, "sqrt", "rounded_sqrt", "log2" or None, default None
        Columns offered at each node, drawn at random; None offers all. Square root and logarithm
        are rounded down, ``"rounded_sqrt"`` to the nearest. Set it when trees shall differ, as in
        a forest.
    missing : str or Surrogates, default "default"
        What happens to a row that lacks the value a split asks for. ``default``: one branch,
        learned in training; keeps one path per row. ``fraction``: all branches by their
        proportions, as C4.5 does. ``surrogate``: the split on another column that agrees best, as
        CART does, else the heavier branch. ``stop``: none; the node where it stands predicts, as in
        ID3. ``surrogate_or_stop``: as ``surrogate``, but a row that no split can place stops.
        Change it when much is missing; the page ``docs/missing-values.md`` compares them.
    cost_matrix : array-like of shape (n_classes, n_classes), mapping, Costs or None, default None
        Cost of predicting the column's class when the row's is true, in the order of `classes_`;
        or ``{true: {predicted: cost}}`` with every pair of classes. Leaves then predict the
        cheapest class. Give it when one mistake is worse than another.
    class_weight : mapping, "balanced", Priors or None, default None
        What the weights of each class are multiplied by, 1 for classes not named; ``"balanced"``
        gives all classes the same total, :class:`~treewright.estimators.Priors` the proportions
        they have where the model is used. Change it when a rare class must not be overlooked.
    abstain_cost : float or None, default None
        What it costs to refer a row to a person instead of predicting its class, where a mistake
        costs 1 or what `cost_matrix` says: a leaf refers where no class is expected to cost less.
        Set it, below the cost of a mistake, when doubtful cases can be decided by someone; see
        `abstain_label_`.
    monotonic_cst : mapping, array-like of int or None, default None
        Columns with which the probability of the second of two classes may only rise (1) or only
        fall (-1), all else being equal: ``{"income": 1}`` by name, or one number per column, 0
        for none. Linear combinations keep it too. Give it where the opposite could not be defended.
    constraints : Constraints or None, default None
        What else experts ask: prices of columns, which of them may stand together, few columns,
        whole coefficients; see :class:`~treewright.estimators.Constraints`.
    readable : bool, default True
        Give thresholds and coefficients the shortest decimals that send every training row the
        same way, and leave out terms of linear combinations that no training row needs. Turn it
        off when nobody reads the tree, or to compare numbers with another program.
    n_jobs : int or None, default None
        Threads for the columns of large nodes and for smaller nodes side by side, or for the trees
        that pruning grows on folds; -1 for all cores. The tree is the same for any number. Smaller
        nodes stay on one thread with `max_leaf_nodes`, `monotonic_cst`, `constraints`,
        ``missing="fraction"``, early stopping, split methods written in Python, FTest, QUEST,
        CRUISE, FACT and LMDT. Raise it when rows or folds are many.
    random_state : int, RandomState or None, default None
        Seed of whatever is random: `max_features`, a validation set, random split methods, folds.
        With None, folds and parts held out by pruners are the same in every fit. Change it to see
        how much depends on chance.
    categorical : {"subset", "multiway", "grouped"}, default "subset"
        Splits on categorical columns: two sets of levels, a branch per level, or a branch for each
        of several sets of levels; see :class:`treewright.splits.Categorical`. Change it when a
        branch per level is easier to read.
    smoothing : {"laplace"}, float or None, default None
        Draw the probabilities of small leaves towards equal ones (``"laplace"``), or towards the
        root's as if so many rows had them (a number, for example 2). The predicted class stays.
        Change it when the probabilities matter and leaves are small.
    growth_rules : GrowthRules or None, default None
        Rules of growth that few fits need, those of published systems, and early stopping; see
        :class:`treewright.estimators.GrowthRules`. Set it to repeat a published system.
    time_limit : float or None, default None
        Seconds after which growth stops with the tree it has, and says so. Methods that search for
        long within a node (OC1, CART-LC, SADT, HHCART, WODT, Climb) stop there; others finish it.
        Set it when growth must end in time.
    progress : callable or None, default None
        Called now and then with the proportion of work done, from 0 to 1. Set it to show progress.

    Attributes
    ----------
    tree_ : Tree
        The fitted tree; ``print(tree_)`` shows it.
    path_ : Path or TreeSequence
        The trees between the largest one and its root; :meth:`at` gives any of them.
    schema_ : Schema
        Columns, levels and classes.
    classes_ : ndarray
        Class labels in the order of their columns in ``predict_proba``.
    abstain_label_ : str or int
        With `abstain_cost`, what :meth:`predict` gives rows that are referred: ``"refer"``, or -1
        where classes are integers. The tree has it as its last class, without rows; `classes_` and
        :meth:`predict_proba` have not.
    action_losses_ : ActionLosses
        After ``fit(X, losses=...)``, the mean loss of each action in each leaf with its standard
        error; ``print(action_losses_)`` shows them. Model files do not hold it.
    feature_importances_ : ndarray of float
        Contribution of each column to the decrease of impurity.
    n_features_in_, feature_names_in_ : int, ndarray of str
        As in scikit-learn.
    stopped_by_time_limit_ : bool
        Whether growth ended early. Model files do not hold it.

    See Also
    --------
    TreeRegressor : The same for a numeric target.
    OptimalTreeClassifier : The best tree of its size, with a proof.
    ForestClassifier : Many trees that vote.
    RuleSetClassifier : Rules made from a tree.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> loans = {
    ...     "income": [20, 35, 50, 28, 61, 45, 22, 80],
    ...     "home": ["rent", "own", "own", "rent", "rent", "own", "rent", "own"],
    ... }
    >>> repaid = ["no", "yes", "yes", "no", "yes", "yes", "no", "yes"]
    >>> model = TreeClassifier().fit(loans, repaid)
    >>> print("\n".join(model.rules()))
    if income <= 30 then no (100 %, 3 rows)
    if income > 30 then yes (100 %, 5 rows)
    >>> model.predict([{"income": 30, "home": "own"}])
    array(['no'], dtype='<U3')
    >>> doubtful = TreeClassifier(max_depth=1, min_samples_leaf=4, abstain_cost=0.1)
    >>> print("\n".join(doubtful.fit(loans, repaid).rules()))
    if income <= 40 then refer (4 rows)
    if income > 40 then yes (100 %, 4 rows)
    """

    _checks: ClassVar[dict[str, Check]] = {
        **TREE_CHECKS,
        "criterion": choice(*CLASS_MEASURES),
        "gain": GAIN_CHECK,
        **CLASS_CHECKS,
        "abstain_cost": ABSTAIN_CHECK,
        "smoothing": SMOOTHING_CHECK,
    }

    _weighting: ClassWeighting

    def __init__(
        self,
        split: str | SplitMethod = "axis",
        *,
        criterion: str = "gini",
        gain: str = "plain",
        prune: str | Pruner | None = None,
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_features: str | int | float | None = None,
        missing: str | Surrogates = "default",
        cost_matrix: CostMatrix = None,
        class_weight: ClassWeight = None,
        abstain_cost: float | None = None,
        monotonic_cst: Monotonic = None,
        constraints: Constraints | None = None,
        readable: bool = True,
        n_jobs: int | None = None,
        random_state: Any = None,
        categorical: str = "subset",
        smoothing: str | float | None = None,
        growth_rules: GrowthRules | None = None,
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
        self.cost_matrix = cost_matrix
        self.class_weight = class_weight
        self.abstain_cost = abstain_cost
        self.monotonic_cst = monotonic_cst
        self.constraints = constraints
        self.readable = readable
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.categorical = categorical
        self.smoothing = smoothing
        self.growth_rules = growth_rules
        self.time_limit = time_limit
        self.progress = progress

    @all_or_nothing
    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        soft_target: Any = None,
        *,
        losses: Any = None,
    ) -> TreeClassifier:
        """Grow the tree.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            Training rows: numbers, booleans, categories and text; values may be missing.
        y : array-like or series, or None beside `losses`
            One class label per row.
        sample_weight : array-like of float or None, default None
            Weight of each row; rows of weight 0 are as if absent.
        soft_target : array-like of shape (n_rows, n_classes), data frame or None, default None
            Proportions of the classes in each row, which add up to 1: in the order of the sorted
            classes, or in columns named by them. Splits, pruning and predictions follow them, the
            counts of nodes are those of `y`. Give what a stronger model predicts for rows it was
            not fitted on to have a tree that learns from it.
        losses : data frame, 2-D array, dict of lists or None, default None
            In place of `y`, what each action (a column) costs each row: any finite numbers, rewards
            with a minus sign. Leaves decide for the action by which their rows lose least; names of
            columns become `classes_`. Splits tell apart rows that gain by different actions, by the
            `criterion`; ``"misclassification"`` takes the split that lowers the loss most. Rows to
            which all actions cost the same are counted only. `cost_matrix`, `class_weight`,
            `min_weight_fraction_leaf` and what does not go with a `soft_target` do not go with it.

        Returns
        -------
        TreeClassifier
            The fitted estimator.
        """
        self._check_parameters()
        self.__dict__.pop("action_losses_", None)
        if losses is not None:
            return self._fit_losses(X, y, sample_weight, soft_target, losses)
        rows = read_classes(X, y, sample_weight, type(self).__name__)
        self._weighting = ClassWeighting.of(self, rows.labels)
        referral = Referral.of(self, rows.labels, self._weighting.cost)
        self._take_schema(rows.schema if referral is None else referral.schema(rows.schema))
        target = self._weighting.target(rows.truth, rows.weights)
        options, pruner = GrowthOptions.of(self), as_pruner(self.prune)
        if soft_target is None:
            run = Run.of(self)
            self._take(grow_tree(rows, target, options, pruner, run, self._weighting, referral))
            return self
        check_proportions(self)
        soft = soft_classes(soft_target, rows, self._weighting)
        grown = grow_tree(rows, soft, options, pruner, Run.of(self), self._weighting)
        self._take(with_true_counts(grown, rows, target))
        return self

    def _fit_losses(
        self, X: Any, y: Any, sample_weight: Any, soft_target: Any, losses: Any
    ) -> TreeClassifier:
        """Grow the tree whose decisions shall lose little."""
        if y is not None or soft_target is not None:
            raise ValueError(EITHER)
        check_losses_of_growth(self)
        rows, matrix = read_losses(X, losses, sample_weight, type(self).__name__)
        self._weighting = ClassWeighting.of(self, rows.labels)
        self._take_schema(rows.schema)
        goal = LossGoal.of(matrix, rows.weights)
        at_stake = np.asarray(goal.regrets.any(axis=1))
        if at_stake.any():
            some = rows.keeping(at_stake)
            target = soft_decisions(goal.part(np.flatnonzero(at_stake)))
        else:
            some, target = rows, self._weighting.target(rows.truth, rows.weights)
        options, pruner = GrowthOptions.of(self), as_pruner(self.prune)
        grown = grow_tree(some, target, options, pruner, Run.of(self), self._weighting)
        table = _core.Table(rows.values, rows.schema.n_levels)
        self._take(replace(grown, tree=with_decisions(grown.tree, table, goal), path=None))
        self._take_losses(goal, matrix, table, rows.weights)
        return self

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_split(self)
        check_costs(self)
        check_pruner(self, numbers=False)
        check_monotonic(self)
        check_constraints(self)

    def _restore(self, tree: Tree) -> None:
        """Become fitted with a tree that was loaded, after checking the parameters."""
        self._check_parameters()
        self._take_loaded(tree)
        self._weighting = ClassWeighting.of_loaded(self)
        options = GrowthOptions.of(self)  # refuses what fit would refuse
        options.n_offered(self.n_features_in_)
        options.trends(tree.schema)
        options.limits(tree.schema)

    def _labels(self, table: _core.Table) -> NDArray[Any]:
        return self.tree_.predict(table)

    def _probabilities(self, table: _core.Table) -> NDArray[np.float64]:
        return tree_probabilities(self.tree_, self.smoothing, table, len(self.classes_))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the accuracy, or with `abstain_cost` 1 less the mean cost.

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
            Proportion of correct predictions; with `abstain_cost` 1 less the mean of what mistakes
            and referrals cost, which is the same where there is no referral and no `cost_matrix`.
        """
        if self.abstain_cost is None:
            return float(super().score(X, y, sample_weight))
        return score_with_referrals(self, X, y, sample_weight)
