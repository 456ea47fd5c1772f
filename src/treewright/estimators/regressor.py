"""TreeRegressor: any split method, squared or absolute error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin

from treewright.base.parameters import Check, choice
from treewright.estimators import old_words
from treewright.estimators.constraints import Constraints, check_constraints
from treewright.estimators.fitted import FittedTree
from treewright.estimators.fitting import all_or_nothing
from treewright.estimators.monotonic import Monotonic, check_monotonic
from treewright.estimators.options import GrowthOptions, check_split
from treewright.estimators.settings import GrowthRules, Surrogates
from treewright.estimators.soft_targets import check_soft, soft_numbers, with_true_counts
from treewright.estimators.targets import NumberTarget
from treewright.estimators.training import read_numbers
from treewright.estimators.tree_growth import TREE_CHECKS, Run, check_pruner, grow_tree
from treewright.estimators.weights import on_own_grid
from treewright.measures import NUMBER_MEASURES
from treewright.prune import Pruner, as_pruner
from treewright.splits import SplitMethod
from treewright.tree import Tree

__all__ = ["TreeRegressor"]


@old_words.refuses(old_words.GROWTH, old_words.TREE, old_words.NUMBERS)
class TreeRegressor(RegressorMixin, FittedTree):  # type: ignore[misc]
    r"""A decision tree that predicts numbers.

    Parameters
    ----------
    split : str or SplitMethod, default "axis"
        How splits are found: a method of :mod:`treewright.splits`, or its name, such as ``"must"``,
        ``"must(3)"`` or ``"best(axis, must)"``; :func:`treewright.splits.split_names` lists them.
        Change it when one column at a time makes long trees: ``"must"`` combines a few columns.
    criterion : {"squared_error", "absolute_error"}, default "squared_error"
        Impurity. With ``absolute_error`` leaves predict medians, and growth is slower. Change it
        when the target has outliers.
    prune : None, str or Pruner, default None
        How the grown tree is pruned: ``cost_complexity`` (a path of nested trees, chosen by
        cross-validation; the one to start with), ``reduced_error`` (a third of the rows held out)
        or ``critical_value``; or an object of :mod:`treewright.prune` with its own parameters, such
        as ``Honest(0.3)``. Set it when the tree overfits.
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
    monotonic_cst : mapping, array-like of int or None, default None
        Columns with which predictions may only rise (1) or only fall (-1), all
        else being equal: ``{"income": 1}`` by name, or one number per column, 0 for none.
        Linear combinations keep it too. Give it where the opposite could not be defended.
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
        Columns and levels.
    feature_importances_ : ndarray of float
        Contribution of each column to the decrease of impurity.
    n_features_in_, feature_names_in_ : int, ndarray of str
        As in scikit-learn.
    stopped_by_time_limit_ : bool
        Whether growth ended early. Model files do not hold it.

    See Also
    --------
    TreeClassifier : The same for classes.
    OptimalTreeRegressor : The best tree of its size, with a proof.
    ForestRegressor : The mean of many trees.

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
        **TREE_CHECKS,
        "criterion": choice(*NUMBER_MEASURES),
    }

    def __init__(
        self,
        split: str | SplitMethod = "axis",
        *,
        criterion: str = "squared_error",
        prune: str | Pruner | None = None,
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_features: str | int | float | None = None,
        missing: str | Surrogates = "default",
        monotonic_cst: Monotonic = None,
        constraints: Constraints | None = None,
        readable: bool = True,
        n_jobs: int | None = None,
        random_state: Any = None,
        categorical: str = "subset",
        growth_rules: GrowthRules | None = None,
        time_limit: float | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> None:
        self.split = split
        self.criterion = criterion
        self.prune = prune
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_features = max_features
        self.missing = missing
        self.monotonic_cst = monotonic_cst
        self.constraints = constraints
        self.readable = readable
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.categorical = categorical
        self.growth_rules = growth_rules
        self.time_limit = time_limit
        self.progress = progress

    @all_or_nothing
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, soft_target: Any = None
    ) -> TreeRegressor:
        """Grow the tree.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            Training rows: numbers, booleans, categories and text; values may be missing.
        y : array-like or series
            One finite number per row.
        sample_weight : array-like of float or None, default None
            Weight of each row; rows of weight 0 are as if absent.
        soft_target : array-like of shape (n_rows,) or None, default None
            Another number for each row. Splits, pruning and predictions follow it, the counts,
            means and deviations of nodes are those of `y`. Give what a stronger model predicts for
            rows it was not fitted on to have a tree that learns from it.

        Returns
        -------
        TreeRegressor
            The fitted estimator.
        """
        self._check_parameters()
        rows = read_numbers(X, y, sample_weight, type(self).__name__)
        self._take_schema(rows.schema)
        target = NumberTarget(rows.truth, on_own_grid(rows.weights))
        target.check_size()
        options, pruner = GrowthOptions.of(self), as_pruner(self.prune)
        if soft_target is None:
            self._take(grow_tree(rows, target, options, pruner, Run.of(self)))
            return self
        check_soft(self)
        soft = soft_numbers(soft_target, rows, target.weights)
        soft.check_size()
        grown = grow_tree(rows, soft, options, pruner, Run.of(self))
        self._take(with_true_counts(grown, rows, target))
        return self

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_split(self)
        check_pruner(self, numbers=True)
        check_monotonic(self)
        check_constraints(self)

    def _restore(self, tree: Tree) -> None:
        """Become fitted with a tree that was loaded, after checking the parameters."""
        self._check_parameters()
        self._take_loaded(tree)
        options = GrowthOptions.of(self)  # refuses what fit would refuse
        options.n_offered(self.n_features_in_)
        options.trends(tree.schema)
        options.limits(tree.schema)

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
