"""ReadableTreeClassifier: the best small tree, without choosing a method."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin

from treewright import _core
from treewright.base.parameters import Check
from treewright.estimators import optimal
from treewright.estimators.abstaining import ABSTAIN_CHECK, Referral, score_with_referrals
from treewright.estimators.class_predictions import ClassPredictions, tree_probabilities
from treewright.estimators.class_settings import ClassWeight, CostMatrix
from treewright.estimators.class_weighting import CLASS_CHECKS, ClassWeighting
from treewright.estimators.constraints import Constraints, column_limits
from treewright.estimators.fitted import FittedTree
from treewright.estimators.fitting import all_or_nothing
from treewright.estimators.monotonic import Monotonic, trends_of
from treewright.estimators.refusals import refused
from treewright.estimators.training import TrainingRows, read_classes
from treewright.exceptions import ClassWithoutLeafWarning, brief
from treewright.optimal import Certificate
from treewright.optimal.goals import ClassGoal
from treewright.readable.fitting import fit_front
from treewright.readable.given import GivenTeacher, PlacedRows, given_teacher
from treewright.readable.lessons import prepare
from treewright.readable.options import READABLE_CHECKS, ReadableOptions
from treewright.readable.soft import SoftClasses
from treewright.readable.story import classes_without_leaf, story_of
from treewright.readable.taking import Evidence, evidence_of, take
from treewright.tree import Tree
from treewright.words import plural

__all__ = ["ReadableTreeClassifier"]


class ReadableTreeClassifier(ClassifierMixin, ClassPredictions, FittedTree):  # type: ignore[misc]
    """The best tree of a few leaves that a person can read, found without choosing a method.

    Parameters
    ----------
    max_leaf_nodes : int or "auto", default 8
        Most leaves, up to 64; "auto": as many as pay on held-out rows. Lower it when the tree
        must fit on a card, raise it when `evidence_` says that larger trees are better.
    max_terms : int, default 3
        Most columns in one split, up to 8. Lower it to 1 for splits on single columns.
    max_depth : int or None, default None
        Most splits on a path; None: 3 up to 8 leaves, any number beyond. Lower it when paths
        must be short.
    size : "cv" or int, default "cv"
        Number of leaves: chosen by cross-validation, or given. Give it to save time, or to have the
        tree of a certain size.
    simpler : float, default 0.5
        Standard errors that a smaller tree may lose on the best one and still be chosen. Raise it
        for smaller trees.
    label_share : float, default 0.3
        How much the labels count beside what a teacher says, between 0 and 1; up to 0.8 where the
        teacher "auto" is nearly always right. Change it to 1 to learn from the labels alone.
    teacher : "auto", None, estimator or array-like, default "auto"
        Whom the tree learns from beside the labels: the best of a forest, a regression and both;
        nobody; an estimator with ``predict_proba``, of which copies are fitted to parts of the
        rows; or probabilities, one column per class in the order of ``classes_``, that were made
        without the labels of these rows. Give the model that the tree is to explain.
    min_samples_leaf : int or float, default 5
        Fewest rows of a leaf; a float is a proportion of all rows. Raise it for steadier leaves.
    constraints : Constraints or None, default None
        What experts ask of columns: prices, how many, which go together, which come first, and
        whole coefficients; see :class:`~treewright.estimators.Constraints`. Every tree of
        `front_` keeps them. Give it where reading a column costs something or is not allowed.
    monotonic_cst : mapping of str to int, array-like of int or None, default None
        For columns by name, or for all, 1 where the probability of the second of two classes may
        only rise with the value, -1 where it may only fall, 0 for either. Every tree of `front_`
        keeps it; it does not go with `abstain_cost`. Give it where anything else would be a mistake
        whatever the data say.
    term_penalty : float, default 0.001
        What each column beyond the first in a split costs, as a proportion of the weight of all
        rows. Raise it for splits that are quicker to read.
    abstain_cost : float or None, default None
        What it costs to refer a row to a person, in the unit of `cost_matrix` (1 for a mistake
        without one). Leaves where every class is expected to cost more than that refer their rows:
        :meth:`predict` gives `abstain_label_`. Give it where a person can look at doubtful rows.
    cost_matrix : array-like of shape (n_classes, n_classes), mapping or None, default None
        Cost of predicting the column's class when the row's is true, as for
        :class:`TreeClassifier`. Give it when one mistake is worse than another.
    class_weight : mapping, "balanced", Priors or None, default None
        What the weights of each class are multiplied by, as for :class:`TreeClassifier`. Change it
        when a rare class must not be overlooked.
    n_bootstraps : int, default 8
        Bootstrap samples that propose splits. Raise it for more proposals.
    time_limit : float or None, default None
        Seconds. Where they are few, bootstrap samples are left out first, then folds, then the
        choice of a size; `evidence_` and a warning say so. Set it when a fit must end in time.
    n_jobs : int or None, default 1
        Threads; the tree is the same for any number. Raise it when a fit takes long.
    random_state : int, RandomState or None, default None
        Seed of samples and folds; None is 0. Change it to see how much depends on them.
    progress : callable or None, default None
        Called with the proportion that is done. Set it to show progress.

    Attributes
    ----------
    tree_ : Tree
        The fitted tree; ``print(tree_)`` shows it.
    front_ : TreeSequence
        The best tree of every size, the largest first, with its loss on held-out rows.
    evidence_ : Evidence
        How well the tree does on held-out rows, beside models that are too large to read.
    certificate_ : Certificate
        That no tree of this size over the proposed splits is better.
    schema_ : Schema
        Columns, levels and classes.
    classes_ : ndarray
        Class labels in the order of their columns in ``predict_proba``.
    abstain_label_ : str or int
        With `abstain_cost`, what :meth:`predict` gives rows that are referred: ``"refer"``, or -1
        where classes are integers.
    feature_importances_ : ndarray of float
        Proportion of each column in the decrease of the Gini index.
    n_features_in_, feature_names_in_ : int, ndarray of str
        As in scikit-learn.

    See Also
    --------
    ReadableTreeRegressor : The same for a numeric target.
    OptimalTreeClassifier : The best tree over every threshold of single columns, with a proof.
    TreeClassifier : A greedy tree of any size, by the method of your choice.

    Notes
    -----
    A forest and logistic regression predict rows that they have not learned from; what they say
    and the labels together are what the tree learns. Small greedy trees over them propose splits on
    one, two and three columns, and an exact search finds the best tree of every size over these.
    Folds choose the size. Probabilities are those of the teacher and the labels; counts beside the
    tree are those of the labels alone.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import ReadableTreeClassifier
    >>> iris = load_iris()
    >>> model = ReadableTreeClassifier(size=3).fit(iris.data, iris.target_names[iris.target])
    >>> model.tree_.n_leaves
    3

    A leaf with doubtful rows refers them to a person:

    >>> X = {"pain": [1, 2, 3, 4, 5, 6, 7, 8, 9] * 3}
    >>> ill = ["no"] * 4 + ["yes"] * 5 + ["no"] * 6 + ["yes"] * 3 + ["no"] * 3 + ["yes"] * 6
    >>> model = ReadableTreeClassifier(size=3, teacher=None, abstain_cost=0.1).fit(X, ill)
    >>> sorted(set(model.predict(X).tolist()))
    ['no', 'refer', 'yes']
    """

    _checks: ClassVar[dict[str, Check]] = {
        **READABLE_CHECKS,
        **CLASS_CHECKS,
        "abstain_cost": ABSTAIN_CHECK,
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
        simpler: float = 0.5,
        label_share: float = 0.3,
        teacher: Any = "auto",
        min_samples_leaf: int | float = 5,
        constraints: Constraints | None = None,
        monotonic_cst: Monotonic = None,
        term_penalty: float = 0.001,
        abstain_cost: float | None = None,
        cost_matrix: CostMatrix = None,
        class_weight: ClassWeight = None,
        n_bootstraps: int = 8,
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
        self.abstain_cost = abstain_cost
        self.cost_matrix = cost_matrix
        self.class_weight = class_weight
        self.n_bootstraps = n_bootstraps
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress

    @all_or_nothing
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ReadableTreeClassifier:
        """Find the tree.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            Training rows: numbers, booleans, categories and text; values may be missing.
        y : array-like or series
            One class label per row.
        sample_weight : array-like of float or None, default None
            Weight of each row; rows of weight 0 are as if absent.

        Returns
        -------
        ReadableTreeClassifier
            The fitted estimator.
        """
        began = time.perf_counter()
        self._check_parameters()
        if self.monotonic_cst is not None and self.abstain_cost is not None:
            raise refused(self, "abstain_cost", "None", "a 'monotonic_cst'")
        rows = read_classes(X, y, sample_weight, type(self).__name__)
        return self._fit_rows(rows, began, given_teacher(self.teacher, X, rows))

    def _fit_rows(
        self,
        rows: TrainingRows,
        began: float,
        given: GivenTeacher | None = None,
        *,
        alone: bool = False,
    ) -> ReadableTreeClassifier:
        """Find the tree of rows that were read; `alone` without those of other sizes."""
        weighting = ClassWeighting.of(self, rows.labels)
        referral = Referral.of(self, rows.labels, weighting.cost)
        schema = None if referral is None else referral.schema(rows.schema)
        self._take_schema(rows.schema if schema is None else schema)
        weights = weighting.weights(rows.truth, rows.weights)
        places = rows.places[weights > 0.0]
        rows = rows.weighing(weights)
        n_classes = len(rows.labels)
        cost = 1.0 - np.eye(n_classes) if weighting.cost is None else weighting.cost
        goal = ClassGoal(rows.truth, rows.weights, n_classes, weighting.cost)
        if referral is not None:
            cost = referral.cost[:-1]
            goal = ClassGoal(rows.truth, rows.weights, referral.n_labels, referral.cost)

        def mixed(
            rows: TrainingRows, answers: NDArray[np.float64] | None, label_share: float
        ) -> SoftClasses:
            return SoftClasses.mixed(rows.truth, answers, label_share, rows.weights, cost)

        options = ReadableOptions.of(self)
        deadline = options.deadline(began)
        school = options.school(
            given, is_classification=True, cost=None if referral is None else cost
        )
        placed = PlacedRows(rows, places)
        with school.undisturbed():
            fit, taught, workers = prepare(placed, goal, mixed, options, school, deadline, schema)
            chosen = fit_front(fit, options.leaves, self.simpler, workers, deadline, alone=alone)
        take(self, chosen, fit, began)
        held = np.bincount(rows.truth, rows.weights, n_classes) / rows.weights.sum()
        if referral is None:
            baseline = held.max()
            error = _error_of_share(chosen.scores.get(chosen.leaves), len(fit.rows.values))
        else:
            baseline, error = 1.0 - (held @ cost).min(), chosen.errors.get(chosen.leaves)
        self.evidence_ = evidence_of(chosen, taught, float(baseline), error, fit)
        if n_classes > options.most_leaves:
            left_out = ", ".join(map(brief, classes_without_leaf(self.tree_)))
            warnings.warn(
                f"There are {n_classes} classes for at most {plural(options.most_leaves, 'leaf')}: "
                f"no leaf predicts {left_out}. Raise 'max_leaf_nodes', or set it to 'auto'.",
                ClassWithoutLeafWarning,
                stacklevel=4,
            )
        return self

    def _restore(
        self, tree: Tree, certificate: Certificate | None, front: Sequence[Tree] = ()
    ) -> None:
        """Become fitted with a tree that was loaded, after checking the parameters."""
        self._check_parameters()
        optimal.restore(self, tree, certificate, front)
        column_limits(type(self).__name__, self.constraints, tree.schema)
        trends_of(type(self).__name__, self.monotonic_cst, tree.schema)
        ClassWeighting.of_loaded(self)

    def _labels(self, table: _core.Table) -> NDArray[Any]:
        return self.tree_.predict(table)

    def _probabilities(self, table: _core.Table) -> NDArray[np.float64]:
        return tree_probabilities(self.tree_, None, table, len(self.classes_))

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
            and referrals cost.
        """
        if self.abstain_cost is None:
            return float(super().score(X, y, sample_weight))
        return score_with_referrals(self, X, y, sample_weight)

    def __str__(self) -> str:
        return story_of(self) if hasattr(self, "tree_") else repr(self)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _error_of_share(share: float | None, n_rows: int) -> float | None:
    return None if share is None else float(np.sqrt(share * (1.0 - share) / n_rows))
