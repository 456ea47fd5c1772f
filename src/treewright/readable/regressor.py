"""ReadableTreeRegressor: the best small regression tree, without choosing a method."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin

from treewright.base.parameters import Check
from treewright.estimators import optimal
from treewright.estimators.constraints import Constraints, column_limits
from treewright.estimators.fitted import FittedTree
from treewright.estimators.fitting import all_or_nothing
from treewright.estimators.monotonic import Monotonic, trends_of
from treewright.estimators.targets import NumberTarget
from treewright.estimators.training import TrainingRows, read_numbers
from treewright.optimal import Certificate
from treewright.optimal.goals import NumberGoal
from treewright.readable.fitting import fit_front
from treewright.readable.given import GivenTeacher, PlacedRows, given_teacher
from treewright.readable.lessons import prepare
from treewright.readable.options import READABLE_CHECKS, ReadableOptions
from treewright.readable.soft import SoftNumbers
from treewright.readable.story import story_of
from treewright.readable.taking import Evidence, evidence_of, take
from treewright.tree import Tree

__all__ = ["ReadableTreeRegressor"]


class ReadableTreeRegressor(RegressorMixin, FittedTree):  # type: ignore[misc]
    """The best tree of a few leaves that a person can read, for a numeric target.

    Parameters
    ----------
    max_leaf_nodes : int or "auto", default 8
        Most leaves, up to 64; "auto": as many as pay on held-out rows. Lower it when the tree
        must fit on a card, raise it when `evidence_` says that larger trees are better.
    max_terms : int, default 3
        Most columns in one split, up to 8. Lower it to 1 for splits on single columns.
    max_depth : int or None, default None
        Most splits on a path; None: 4 up to 8 leaves, any number beyond. Lower it when paths
        must be short.
    size : "cv" or int, default "cv"
        Number of leaves: chosen by cross-validation, or given. Give it to save time, or to have the
        tree of a certain size.
    simpler : float, default 0.0
        Standard errors that a smaller tree may lose on the best one and still be chosen. Raise it
        for smaller trees.
    label_share : float, default 0.6
        How much the numbers themselves count beside what a teacher says, between 0 and 1. Change it
        to 1 to learn from the numbers alone.
    teacher : "auto", None, estimator or array-like, default "auto"
        Whom the tree learns from beside the labels: the best of a forest, a regression and both;
        nobody; an estimator with ``predict``, of which copies are fitted to parts of the rows; or
        predictions that were made without the labels of these rows. Give the model that the tree
        is to explain.
    min_samples_leaf : int or float, default 5
        Fewest rows of a leaf; a float is a proportion of all rows. Raise it for steadier leaves.
    constraints : Constraints or None, default None
        What experts ask of columns: prices, how many, which go together, which come first, and
        whole coefficients; see :class:`~treewright.estimators.Constraints`. Every tree of
        `front_` keeps them. Give it where reading a column costs something or is not allowed.
    monotonic_cst : mapping of str to int, array-like of int or None, default None
        For columns by name, or for all, 1 where predictions may only rise with the
        value, -1 where they may only fall, 0 for either. Give it where anything else would be a
        mistake whatever the data say. Every tree of `front_` keeps it.
    term_penalty : float, default 0.003
        What each column beyond the first in a split costs, as a proportion of the variance
        of all rows. Raise it for splits that are quicker to read.
    time_limit : float or None, default None
        Seconds. Where they are few, bootstrap samples are left out first, then folds, then the
        choice of a size; `evidence_` and a warning say so. Set it when a fit must end in time.
    n_jobs : int or None, default 1
        Threads; the tree is the same for any number. Raise it when a fit takes long.
    random_state : int, RandomState or None, default None
        Seed of the teacher and the folds; None is 0. Change it to see how much depends on them.
    progress : callable or None, default None
        Called with the proportion that is done. Set it to show progress.

    Attributes
    ----------
    tree_ : Tree
        The fitted tree; ``print(tree_)`` shows it.
    front_ : TreeSequence
        The best tree of every size, the largest first, with its squared error on held-out rows.
    evidence_ : Evidence
        How well the tree does on held-out rows, beside models that are too large to read.
    certificate_ : Certificate
        That no tree of this size over the proposed splits is better.
    schema_ : Schema
        Columns and levels.
    feature_importances_ : ndarray of float
        Proportion of each column in the decrease of squared error.
    n_features_in_, feature_names_in_ : int, ndarray of str
        As in scikit-learn.

    See Also
    --------
    ReadableTreeClassifier : The same for classes.
    OptimalTreeRegressor : The best tree over every threshold of single columns, with a proof.
    TreeRegressor : A greedy tree of any size, by the method of your choice.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from treewright import ReadableTreeRegressor
    >>> data = load_diabetes()
    >>> model = ReadableTreeRegressor(size=4).fit(data.data, data.target)
    >>> model.tree_.n_leaves
    4
    """

    _checks: ClassVar[dict[str, Check]] = {
        name: check for name, check in READABLE_CHECKS.items() if name != "n_bootstraps"
    }
    _is_grown: ClassVar[bool] = False

    evidence_: Evidence

    def __init__(
        self,
        max_leaf_nodes: int | str = 8,
        max_terms: int = 3,
        *,
        max_depth: int | None = None,
        size: str | int = "cv",
        simpler: float = 0.0,
        label_share: float = 0.6,
        teacher: Any = "auto",
        min_samples_leaf: int | float = 5,
        constraints: Constraints | None = None,
        monotonic_cst: Monotonic = None,
        term_penalty: float = 0.003,
        time_limit: float | None = None,
        n_jobs: int | None = 1,
        random_state: Any = None,
        progress: Callable[[float], None] | None = None,
    ) -> None:
        self.max_leaf_nodes = max_leaf_nodes
        self.max_terms = max_terms
        self.max_depth = max_depth
        self.size = size
        self.simpler = simpler
        self.label_share = label_share
        self.teacher = teacher
        self.min_samples_leaf = min_samples_leaf
        self.constraints = constraints
        self.monotonic_cst = monotonic_cst
        self.term_penalty = term_penalty
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress

    @all_or_nothing
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ReadableTreeRegressor:
        """Find the tree.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            Training rows: numbers, booleans, categories and text; values may be missing.
        y : array-like or series
            One number per row.
        sample_weight : array-like of float or None, default None
            Weight of each row; rows of weight 0 are as if absent.

        Returns
        -------
        ReadableTreeRegressor
            The fitted estimator.
        """
        began = time.perf_counter()
        self._check_parameters()
        rows = read_numbers(X, y, sample_weight, type(self).__name__)
        NumberTarget(rows.truth, rows.weights).check_size()
        return self._fit_rows(rows, began, given_teacher(self.teacher, X, rows))

    def _fit_rows(
        self,
        rows: TrainingRows,
        began: float,
        given: GivenTeacher | None = None,
        *,
        alone: bool = False,
    ) -> ReadableTreeRegressor:
        """Find the tree of rows that were read; `alone` without those of other sizes."""
        self._take_schema(rows.schema)
        places = rows.places
        rows = rows.weighing(rows.weights)

        def mixed(
            rows: TrainingRows, answers: NDArray[np.float64] | None, label_share: float
        ) -> SoftNumbers:
            return SoftNumbers.mixed(rows.truth, answers, label_share, rows.weights)

        options, goal = ReadableOptions.of(self), NumberGoal(rows.truth, rows.weights)
        deadline = options.deadline(began)
        school = options.school(given, is_classification=False)
        placed = PlacedRows(rows, places)
        with school.undisturbed():
            fit, taught, workers = prepare(placed, goal, mixed, options, school, deadline)
            chosen = fit_front(fit, options.leaves, self.simpler, workers, deadline, alone=alone)
        take(self, chosen, fit, began)
        mean = np.average(rows.truth, weights=rows.weights)
        spread = float(np.average((rows.truth - mean) ** 2, weights=rows.weights)) or 1.0
        chosen = replace(chosen, scores={k: 1.0 - v / spread for k, v in chosen.risks.items()})
        error = chosen.errors.get(chosen.leaves)
        error = None if error is None else error / spread
        self.evidence_ = evidence_of(chosen, taught, 0.0, error, fit)
        return self

    def _restore(
        self, tree: Tree, certificate: Certificate | None, front: Sequence[Tree] = ()
    ) -> None:
        """Become fitted with a tree that was loaded, after checking the parameters."""
        self._check_parameters()
        optimal.restore(self, tree, certificate, front)
        column_limits(type(self).__name__, self.constraints, tree.schema)
        trends_of(type(self).__name__, self.monotonic_cst, tree.schema)

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the number predicted for each row.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            The rows; columns are matched by name where they have names.

        Returns
        -------
        ndarray of float64
            What the leaves say: means of the numbers and the teacher's.
        """
        table = self._table(X)
        return self.tree_.core.predict_values(table)

    def __str__(self) -> str:
        return story_of(self) if hasattr(self, "tree_") else repr(self)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
