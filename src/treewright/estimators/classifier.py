"""TreeClassifier: any split method, any measure, one estimator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import ClassifierMixin

from treewright.base.parameters import Check
from treewright.estimators.base import BaseTree
from treewright.estimators.class_answers import TreeAnswers
from treewright.estimators.class_parameters import ClassParameters
from treewright.estimators.fitting import all_or_nothing
from treewright.estimators.weights import check_weights, read_weights
from treewright.exceptions import brief
from treewright.prune import Pruner, as_pruner
from treewright.schema import encode_labels, keep_rows, target_name
from treewright.splits import SplitMethod
from treewright.tree import Tree

__all__ = ["TreeClassifier"]


class TreeClassifier(ClassifierMixin, TreeAnswers, ClassParameters, BaseTree):  # type: ignore[misc]
    r"""A decision tree that predicts classes.

    Parameters
    ----------
    split : str or SplitMethod, default "axis"
        How splits are found: a method of :mod:`treewright.splits`, or its name, such as ``"must"``,
        ``"must(3)"`` or ``"best(axis, must)"``; :func:`treewright.splits.split_names` lists them.
        Categorical columns are tested by their own method beside it, see `categorical`.
    criterion : str, default "gini"
        Impurity: ``gini``, ``entropy``, ``misclassification``, ``deviance``, ``twoing``,
        ``hellinger`` (inter-node) or ``hddt`` (Hellinger distance between classes, for rare ones);
        see :mod:`treewright.measures`.
    gain : {"plain", "ratio", "balanced"}, default "plain"
        How a decrease of impurity becomes a score. Change it when categorical columns with many
        levels would win by their number of branches.
    prune : None, str or Pruner, default None
        How the grown tree is cut back: ``cost_complexity`` (a path of nested trees, chosen by
        cross-validation; the one to start with), ``error_based`` (C4.5; fast, nothing held out),
        ``reduced_error`` (a third of the rows held out), ``mdl`` or ``critical_value``; or an
        object of :mod:`treewright.prune` with its own parameters.
    max_depth : int or None, default None
        Longest path. Set it to keep a tree short.
    max_leaf_nodes : int or None, default None
        Most leaves; growth is then best-first.
    min_samples_split : int or float, default 2
        Rows a node needs to be split; a float is a share of all rows.
    min_samples_leaf : int or float, default 1
        Rows two branches at least must hold (both, for a two-way test).
    min_weight_fraction_leaf : float, default 0.0
        Share of all weight that two branches at least must hold.
    min_impurity_decrease : float, default 0.0
        A split must take away more than this, weighted by its share of all rows.
    max_features : int, float, "sqrt", "rounded_sqrt", "log2" or None, default None
        Columns offered at each node, drawn at random; None offers all. Square root and logarithm
        are rounded down, ``"rounded_sqrt"`` to the nearest.
    missing : {"default", "fraction", "surrogate", "stop", "surrogate_or_stop"}, default "default"
        What happens to a row that lacks the value a test asks for. ``default``: one branch,
        learned in training; keeps one path a row. ``fraction``: all branches by their share, as
        C4.5 does. ``surrogate``: the test on another column that agrees best, as CART does, else
        the heavier branch. ``stop``: none; the node where it stands answers, as in ID3.
        ``surrogate_or_stop``: as ``surrogate``, but a row that no test can place stops. The page
        ``docs/missing-values.md`` compares them.
    cost_matrix : array-like of shape (n_classes, n_classes), mapping, or None, default None
        Cost of predicting the column's class when the row's is true, in the order of `classes_`;
        or ``{true: {predicted: cost}}`` with every pair of classes. Leaves then predict the
        cheapest class. Give it where one mistake is worse than another.
    class_weight : mapping, "balanced" or None, default None
        What the weights of each class are multiplied by, 1 for classes not named; ``"balanced"``
        gives all classes the same total. Change it when a rare class must not be overlooked.
    readable : bool, default True
        Give thresholds and coefficients the shortest decimals that send every training row the
        same way, and leave out terms of linear combinations that no training row needs.
    random_state : int, RandomState or None, default None
        Seed of whatever is random: `max_features`, the validation part, random split methods,
        folds. With None, folds and parts held out by pruners are the same in every fit.
    categorical : {"subset", "multiway", "grouped"}, default "subset"
        Tests on categorical columns: two sets of levels, a branch a level, or a branch for each of
        several sets of levels; see :class:`treewright.Categorical`.
    zero_gain : bool, default False
        Also split where nothing is gained at once, as ID3 does.
    min_impurity_fraction : float, default 0.0
        A node whose weighted impurity is below this share of the root's stays a leaf.
    priors : mapping, array-like or None, default None
        Probability of each class in the field, where the training shares differ from it; in the
        order of `classes_`, or by label.
    cost_in_split : {"priors", "gini", "none"}, default "priors"
        How costs reach the choice of splits: as altered priors, inside the Gini index as in
        textbooks (with ``criterion="gini"``; only the symmetric part of the costs counts), or not.
    max_surrogates : int, default 5
        Most surrogates kept at a node, where `missing` uses them.
    collapse : bool, default False
        Make a leaf of every inner node that mends no training error, as C4.5 does.
    merge_siblings : bool, default False
        Make a leaf of every inner node below which all leaves answer the same. Predicted classes
        stay, but for rows with gaps under ``missing="fraction"``; probabilities become coarser.
    smoothing : {"laplace", "m"} or None, default None
        Draw the probabilities of small leaves towards equal shares (``laplace``) or towards the
        root's shares (``m``). The predicted class stays.
    smoothing_m : float, default 2.0
        How many rows the root's shares are worth under ``smoothing="m"``.
    honest_fraction : float or None, default None
        Share of the rows that is held out of growth and pruning; these rows alone then make the
        answers and statistics of the nodes, so that shares in leaves are not flattered by having
        been chosen. A leaf that none of them reaches gives its parent's answer.
    validation_fraction : float or None, default None
        Share of rows held out for early stopping: growth is best-first and the tree with the
        smallest loss on these rows is kept.
    patience : int, default 10
        Expansions without a smaller validation loss before growth stops.
    time_limit : float or None, default None
        Seconds after which growth stops with the tree it has, and says so. Methods that search for
        long within a node (OC1, CART-LC, SADT, HHCART, WODT, Climb) stop there; others finish it.
    progress : callable or None, default None
        Called now and then with the share of work done, from 0 to 1.

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
    feature_importances_ : ndarray of float
        Share of each column in the decrease of impurity.
    n_features_in_, feature_names_in_ : int, ndarray of str
        As in scikit-learn.
    stopped_by_time_limit_ : bool
        Whether growth ended early. Model files do not hold it.

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
    """

    _checks: ClassVar[dict[str, Check]] = {
        **BaseTree._checks,
        **ClassParameters._checks,
        **TreeAnswers._checks,
    }

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
        missing: str = "default",
        cost_matrix: ArrayLike | Mapping[Any, Mapping[Any, float]] | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        readable: bool = True,
        random_state: Any = None,
        categorical: str = "subset",
        zero_gain: bool = False,
        min_impurity_fraction: float = 0.0,
        priors: ArrayLike | Mapping[Any, float] | None = None,
        cost_in_split: str = "priors",
        max_surrogates: int = 5,
        collapse: bool = False,
        smoothing: str | None = None,
        smoothing_m: float = 2.0,
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
        self.cost_matrix = cost_matrix
        self.class_weight = class_weight
        self.readable = readable
        self.random_state = random_state
        self.categorical = categorical
        self.zero_gain = zero_gain
        self.min_impurity_fraction = min_impurity_fraction
        self.priors = priors
        self.cost_in_split = cost_in_split
        self.max_surrogates = max_surrogates
        self.collapse = collapse
        self.smoothing = smoothing
        self.smoothing_m = smoothing_m
        self.merge_siblings = merge_siblings
        self.honest_fraction = honest_fraction
        self.validation_fraction = validation_fraction
        self.patience = patience
        self.time_limit = time_limit
        self.progress = progress

    @all_or_nothing
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> TreeClassifier:
        """Grow the tree.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            Training rows; numbers, truth values, categories and text, with gaps.
        y : array-like or series
            One class label a row.
        sample_weight : array-like of float or None, default None
            Weight of each row; rows of weight 0 are as if absent.

        Returns
        -------
        TreeClassifier
            The fitted estimator.
        """
        self._check_parameters()
        given_weights = read_weights(sample_weight)
        X, y, sample_weight = keep_rows(X, y, given_weights)
        values = self._learn_columns(X, target_name(y))
        codes, labels = encode_labels(y, n_rows=len(values), estimator_name=type(self).__name__)
        weights = check_weights(sample_weight, len(values))
        self._tell_classes(labels)
        target = self._class_target(codes, labels, weights)
        weights = target.weights
        options = self._options(int(np.count_nonzero(weights)), float(weights.sum()))
        self._fit_tree(values, target.core, options, codes, given_weights)
        return self

    def _check_parameters(self) -> None:
        super()._check_parameters()
        pruner = as_pruner(self.prune)
        if self.cost_matrix is not None and pruner is not None and not pruner.knows_costs:
            raise ValueError(
                f"The 'prune' parameter of {type(self).__name__} must be a pruner that knows "
                "costs, such as 'cost_complexity' or 'reduced_error', when there is a "
                f"'cost_matrix'. Got {brief(self.prune)}."
            )

    def _restore(self, tree: Tree) -> None:
        super()._restore(tree)
        self._restore_classes()
