"""OptimalTreeClassifier: the best tree of its size, proved to be so."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from numpy.typing import ArrayLike
from sklearn.base import ClassifierMixin

from treewright.base.parameters import Check
from treewright.estimators.class_answers import TreeAnswers
from treewright.estimators.class_weights import ClassWeights
from treewright.estimators.fitting import all_or_nothing
from treewright.estimators.optimal import OptimalTree
from treewright.estimators.weights import (
    check_total,
    check_weights,
    read_weights,
    totals_by_class,
)
from treewright.optimal import Certificate, SearchProgress
from treewright.optimal.goals import ClassGoal
from treewright.predicates import Predicate
from treewright.schema import encode_labels, keep_rows, target_name
from treewright.splits import SplitMethod
from treewright.tree import Tree

__all__ = ["OptimalTreeClassifier"]


class OptimalTreeClassifier(ClassifierMixin, TreeAnswers, ClassWeights, OptimalTree):  # type: ignore[misc]
    r"""The tree with the fewest training errors among all trees of its depth, with a proof.

    Parameters
    ----------
    max_depth : int, default 3
        Most tests on a path. Each further level makes the search many times longer.
    max_nodes : int or None, default None
        Most tests in the tree; it then has one leaf more at most.
    pair_levels : int, default 0
        In so many levels, from the root on, two tests may be joined by and, or, xor; at most two
        less than `max_depth`. One such level often saves a level of depth.
    penalty : float, default 0.0
        What each leaf beyond the first costs, as a share of the weight of all rows: with 0.01 a
        test must mend the answers of 1 % of the rows to be worth its leaf.
    dictionary : list or None, default None
        Where the tests come from, in place of the columns: predicates
        (:mod:`treewright.predicates`), which are offered as they are (but see `readable`), and
        split methods (:mod:`treewright.splits`) or their names, which propose tests on all rows, on
        samples of them and on the nodes of the best tree so far. With ``Axis()`` among them the
        tests of the columns are offered, too. ``["axis", "must(2)"]`` gives a tree with sums of two
        columns.
    thresholds : {"auto", "all", "quantile", "guess"}, default "auto"
        Which thresholds of numeric columns are offered. ``all``: every one; exact, and slow where
        columns have thousands of values. ``auto``: all where that takes about a second; otherwise
        all of a column that has 32 at most, and of longer ones quantiles, those a boosted ensemble
        uses and those of a tree on the column alone. ``quantile`` and ``guess``: one of these
        alone.
    min_samples_leaf : int or float, default 1
        Fewest rows of a leaf; a float is a share of all rows.
    time_limit : float or None, default None
        Seconds after which `fit` ends with the best tree so far, and says so.
    n_jobs : int or None, default 1
        Threads of the search; the tree is the same for any number. With `max_nodes` or `front` the
        search has one thread, whatever this says.
    refine : int, default 3
        Most rounds in which more tests are offered: thresholds around those the tree uses, where
        `thresholds` left some out, or what split methods propose for its nodes. They end when
        nothing is gained.
    term_penalty : float, default 0.0
        What each column beyond the first in a test costs, in the measure of `penalty`;
        ``1 / len(y)`` is one error. Two conditions on one column read one column. Raise it for
        tests that are quicker to read.
    pair_functions : {3, 5}, default 3
        With 5 tests are also joined by "and not", both ways round.
    min_weight_fraction_leaf : float, default 0.0
        Least share of all weight, class weights included, in a leaf.
    cost_matrix : array-like of shape (n_classes, n_classes), mapping, or None, default None
        Cost of predicting the column's class when the row's is true, as for
        :class:`TreeClassifier`; what is made smallest is then the summed cost.
    class_weight : mapping, "balanced" or None, default None
        What the weights of each class are multiplied by.
    priors : mapping, array-like or None, default None
        Probability of each class in the field, where the training shares differ from it.
    smallest : bool, default False
        Find, of equally good trees, one with the fewest tests, which is proved, too, or else a
        warning says so. It takes about as long again as the search. Small problems, of up to 4096
        rows times tests and depth 4, need not ask for it.
    front : bool, default False
        Also find the best tree of every smaller size, for `front_` and :meth:`at`.
    readable : bool, default True
        Give thresholds the shortest decimals that send every training row the same way, also in
        predicates of `dictionary` whose numbers have more than four significant digits.
    smoothing : {"laplace", "m"} or None, default None
        Draw the probabilities of small leaves towards equal shares or the root's shares.
    smoothing_m : float, default 2.0
        How many rows the root's shares are worth under ``smoothing="m"``.
    memory_limit : float, default 1024
        Megabytes for the bits of the tests, where too little is an error, for what the search
        remembers, where less makes it slower, and for its table of pairs of tests, where too little
        ends it with the best tree so far.
    random_state : int, RandomState or None, default None
        Seed of the samples that split methods in `dictionary` are asked on; None is 0. All else is
        without chance.
    progress : callable or None, default None
        Called about ten times a second with a :class:`treewright.optimal.SearchProgress`; it ends
        the search by returning False.

    Attributes
    ----------
    tree_ : Tree
        The fitted tree; ``print(tree_)`` shows it.
    certificate_ : Certificate
        Objective, lower bound, gap, and over which tests the tree is the best. None in a copy with
        another tree.
    front_ : TreeSequence
        With ``front=True``, the best tree of every size, the largest first.
    path_ : Path or TreeSequence
        `front_` if there is one, else the nested trees of cost-complexity pruning.
    schema_, classes_, feature_importances_, n_features_in_, feature_names_in_
        As for :class:`TreeClassifier`; importances are by the Gini index.

    Notes
    -----
    Missing values need no filling: each test on a column with gaps is offered with the rows that
    lack the value on either side. Ctrl-C ends a search as the time limit does.

    Weights and costs that are integers, decimals or simple fractions are counted exactly, others to
    at least nine digits where their sizes allow. Where rounding leaves a gap of more than a
    billionth the status of the certificate is ``"rounded"`` and the tree not called proven; a gap
    above 0.1 % gives a warning.

    References
    ----------
    Demirović et al. (2022), MurTree: optimal decision trees via dynamic programming and search,
    *JMLR* 23; van der Linden, de Weerdt, Demirović (2023), Necessary and sufficient conditions for
    optimal decision trees using dynamic programming, *NeurIPS*.

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
    >>> print(model.certificate_)  # doctest: +ELLIPSIS
    Objective 0, proven optimal in ... s:
    none of the trees of depth 2 at most over all 11 thresholds of 1 numeric column does better.
    """

    _checks: ClassVar[dict[str, Check]] = {
        **OptimalTree._checks,
        **ClassWeights._checks,
        **TreeAnswers._checks,
    }

    def __init__(
        self,
        max_depth: int = 3,
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
        term_penalty: float = 0.0,
        pair_functions: int = 3,
        min_weight_fraction_leaf: float = 0.0,
        cost_matrix: ArrayLike | Mapping[Any, Mapping[Any, float]] | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        priors: ArrayLike | Mapping[Any, float] | None = None,
        smallest: bool = False,
        front: bool = False,
        readable: bool = True,
        smoothing: str | None = None,
        smoothing_m: float = 2.0,
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
        self.term_penalty = term_penalty
        self.pair_functions = pair_functions
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.cost_matrix = cost_matrix
        self.class_weight = class_weight
        self.priors = priors
        self.smallest = smallest
        self.front = front
        self.readable = readable
        self.smoothing = smoothing
        self.smoothing_m = smoothing_m
        self.memory_limit = memory_limit
        self.random_state = random_state
        self.progress = progress

    @all_or_nothing
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> OptimalTreeClassifier:
        """Search for the tree.

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
        OptimalTreeClassifier
            The fitted estimator.
        """
        began = time.perf_counter()
        self._check_parameters()
        X, y, sample_weight = keep_rows(X, y, read_weights(sample_weight))
        values = self._learn_columns(X, target_name(y))
        codes, labels = encode_labels(y, n_rows=len(values), estimator_name=type(self).__name__)
        weights = check_weights(sample_weight, len(values))
        self._tell_classes(labels)
        factors = self._factors(labels, totals_by_class(codes, weights, labels))
        weights = check_total(weights * factors[codes], "'class_weight' and 'priors'")
        if not weights.all():  # the rows of a class that weighs nothing are as if absent, too
            kept = weights > 0.0
            values, codes, weights = values[kept], codes[kept], weights[kept]
        self._fit_tree(values, ClassGoal(codes, weights, len(labels), self._cost), began)
        return self

    def _restore(
        self, tree: Tree, certificate: Certificate | None, front: Sequence[Tree] = ()
    ) -> None:
        super()._restore(tree, certificate, front)
        self._restore_classes()
