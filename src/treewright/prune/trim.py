"""Trimming as a pruner: the trees it goes through, and which of them to take."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.parameters import (
    Check,
    boolean,
    check_arguments,
    choice,
    fraction,
    jobs,
    none,
    number,
    one_of,
)
from treewright.measures import Measure
from treewright.prune.base import Growth, Pruner
from treewright.prune.concise import ConciseTests, NodeRows
from treewright.prune.elimination import COMPLEXITIES, Trimming, Visited, hull
from treewright.prune.folds import folds_check, hold_out, n_growths
from treewright.prune.held_out import (
    JUDGES,
    Judge,
    Losses,
    choose_by_standard_errors,
    cross_validated,
    held_out_risks,
    losses_of,
    root_loss,
    share_grown,
)
from treewright.prune.path import geometric_middles, saving
from treewright.prune.risks import RISKS, node_risks
from treewright.prune.sequence import TreeSequence, entry_of
from treewright.tree import Tree
from treewright.tree.use import table_of, target_of

__all__ = ["Trim", "finished", "risk_of", "trim_path", "trim_steps"]

_HOW: dict[str, Check] = {
    "path": choice("backward", "l1"),
    "refit": boolean(),
    "depth": choice("complete", "partial"),
    "risk": choice("auto", *RISKS),
    "complexity": choice(*COMPLEXITIES),
    "tau": number(0, above=True),
}


def trim_steps(
    tree: Tree,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    path: str = "backward",
    refit: bool = True,
    depth: str = "complete",
    risk: str = "auto",
    complexity: str = "attributes",
    tau: float = 1e-4,
    drop_empty: bool = True,
    as_package: bool = False,
) -> list[Visited]:
    """Give every tree that trimming goes through, step by step.

    Parameters
    ----------
    tree : Tree
        Any tree; only linear splits lose columns.
    X : data frame, 2-D array, list of dicts, or dict of lists
        The rows it was grown on.
    y : array-like or series
        Their classes or numbers.
    sample_weight : array-like of float or None, default None
        Their weights; None gives every row weight 1.
    path : {"backward", "l1"}, default "backward"
        Which column a split loses: that which costs the least deviance, or the next along an L1
        path.
    refit : bool, default True
        Refit splits along an L1 path without the penalty.
    depth : {"complete", "partial"}, default "complete"
        Down to a leaf, or until every split has one column.
    risk : {"auto", "errors", "gini", "entropy", "deviance", "squared_error"}, default "auto"
        What is weighed against complexity; see :class:`Trim`.
    complexity : {"attributes", "path_average"}, default "attributes"
        1 and the columns in all splits; or their mean on the path to each leaf, summed over leaves.
    tau : float, default 1e-4
        The ridge of the fits.
    drop_empty : bool, default True
        Branches that no training row takes any more go, with their splits.
    as_package : bool, default False
        Reproduce the bugs of R's oblique.tree 1.1.1, to compare with it: L1 paths on columns as
        they are (``path="l1"``), and branches that keep their places when a split on one falling
        column is turned round.

    Returns
    -------
    list of Visited
        The tree itself first.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import TreeClassifier
    >>> from treewright.splits import Logistic
    >>> X, y = load_iris(return_X_y=True)
    >>> split = Logistic(concise=None)
    >>> model = TreeClassifier(split=split, criterion="deviance", min_samples_leaf=5).fit(X, y)
    >>> [int(step.complexity) for step in trim_steps(model.tree_, X, y)]
    [6, 5, 4, 3, 2, 1]
    """
    given = {"path": path, "refit": refit, "depth": depth, "risk": risk}
    check_arguments("trim_steps", {**given, "complexity": complexity, "tau": tau}, _HOW)
    table = table_of(X, tree.schema)
    target = target_of(y, tree.schema, table.n_rows, sample_weight)
    trimming = Trimming(
        tree,
        table,
        target,
        ConciseTests(path, refit, tau, as_package),
        risk=risk_of(tree, risk),
        complexity=complexity,
        complete=depth == "complete",
        drop_empty=drop_empty,
    )
    return list(trimming.all_steps())


def trim_path(
    tree: Tree,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    search: str = "hull",
    **how: Any,
) -> TreeSequence:
    """Give the trimmed trees that are best at some price per column.

    Parameters
    ----------
    tree : Tree
        Any tree; only linear splits lose columns.
    X : data frame, 2-D array, list of dicts, or dict of lists
        The rows it was grown on.
    y : array-like or series
        Their classes or numbers.
    sample_weight : array-like of float or None, default None
        Their weights; None gives every row weight 1.
    search : {"hull", "mesh"}, default "hull"
        As of :class:`Trim`.
    **how
        `path`, `refit`, `depth`, `risk`, `complexity` and `tau` of :class:`Trim`.

    Returns
    -------
    TreeSequence
        The tree of least risk first; alphas ascend.
    """
    pruner = Trim(search=search, **how)
    pruner.check()
    table = table_of(X, tree.schema)
    target = target_of(y, tree.schema, table.n_rows, sample_weight)
    return pruner.sequence(tree, table, target)


class Trim(Pruner):
    """Trimming: linear splits lose columns one at a time, then splits on one column go.

    Every step takes what costs the least risk for the complexity it saves, with the split refitted
    on the columns left. Of all trees on the way, those that are best at some price per column
    are kept, and cross-validation chooses among them.

    Parameters
    ----------
    path : {"backward", "l1"}, default "backward"
        Which column a split loses: that which costs the least deviance, or the next along an L1
        path.
    refit : bool, default True
        Refit splits along an L1 path without the penalty.
    depth : {"complete", "partial"}, default "complete"
        Down to a leaf, or until every split has one column.
    risk : {"auto", "errors", "gini", "entropy", "deviance", "squared_error"}, default "auto"
        What is weighed against complexity: the deviance of classes (costs if there is a
        `cost_matrix`), the squared error of numbers.
    complexity : {"attributes", "path_average"}, default "attributes"
        1 and the columns in all splits; or their mean on the path to each leaf, summed over leaves.
    search : {"hull", "mesh"}, default "hull"
        Take the convex hull of one pass over all steps; or search again for each of many prices,
        as long as it helps, which may halt before a small rise.
    se : float, default 1.0
        The rule of k standard errors: 0 takes the tree with the least risk on held-out rows, 1 the
        simplest that is not clearly worse.
    folds : int, array-like of int, or splitter of scikit-learn, default 10
        As of :class:`CostComplexity`.
    holdout : float or None, default None
        Choose by a hold-out set, this proportion of the rows, instead of by folds.
    alpha : float or None, default None
        Take the tree that is best at this price, without held-out rows.
    judge : {"errors", "deviance"}, default "errors"
        What held-out rows lose.
    tau : float, default 1e-4
        The ridge of the fits.
    n_jobs : int or None, default None
        Folds worked on at the same time, by joblib; -1 for all cores, None as many as `n_jobs` of
        the estimator says.

    See Also
    --------
    trim_path : The trees to choose from, without a choice.
    Squeeze : All splits shrink together.
    CostComplexity : Whole subtrees go, splits stay as they are.

    References
    ----------
    Truong (2009), Fast growing and concise oblique trees via logistic regression models,
    DPhil thesis, University of Oxford, chapter 5.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import TreeClassifier
    >>> from treewright.splits import MUST
    >>> X, y = load_iris(return_X_y=True)
    >>> whole = TreeClassifier(split=MUST("all"), min_samples_leaf=5).fit(X, y)
    >>> trimmed = TreeClassifier(split=MUST("all"), min_samples_leaf=5, prune="trim").fit(X, y)
    >>> whole.tree_.complexity, trimmed.tree_.complexity
    (12, 7)
    """

    _checks: ClassVar[dict[str, Check]] = {
        **_HOW,
        "search": choice("hull", "mesh"),
        "se": number(0),
        "folds": folds_check(),
        "holdout": one_of(none(), fraction()),
        "alpha": one_of(none(), number(0)),
        "judge": choice(*JUDGES),
        "n_jobs": jobs(),
    }

    def __init__(
        self,
        *,
        path: str = "backward",
        refit: bool = True,
        depth: str = "complete",
        risk: str = "auto",
        complexity: str = "attributes",
        search: str = "hull",
        se: float = 1.0,
        folds: Any = 10,
        holdout: float | None = None,
        alpha: float | None = None,
        judge: Judge = "errors",
        tau: float = 1e-4,
        n_jobs: int | None = None,
    ) -> None:
        self.path = path
        self.refit = refit
        self.depth = depth
        self.risk = risk
        self.complexity = complexity
        self.search = search
        self.se = se
        self.folds = folds
        self.holdout = holdout
        self.alpha = alpha
        self.judge = judge
        self.tau = tau
        self.n_jobs = n_jobs

    @property
    def holds_out(self) -> bool:
        """Whether some rows are held out of growth to choose the tree by."""
        return self.holdout is not None

    def check(self) -> None:
        """Refuse a parameter of a wrong value, and two ways of choosing at once."""
        super().check()
        if self.alpha is not None and self.holdout is not None:
            raise ValueError("Give Trim either 'alpha' or 'holdout' to choose a tree by, not both.")

    @property
    def keeps_nodes(self) -> bool:
        """No: splits lose terms."""
        return False

    def prune(self, growth: Growth) -> tuple[Tree, TreeSequence | None]:
        """Grow, trim, and take the tree that held-out rows speak for.

        Parameters
        ----------
        growth : Growth
            The rows of the fit, and how trees are grown on them.
        """
        held_out = None
        if self.holdout is not None:
            rows, held_out = hold_out(self.holdout, growth)
            judged, growth = growth.data(held_out), growth.part(rows)
        tree = growth.grow(None)
        absolute = growth.measure.predicts_medians
        sequence = self.sequence(tree, *growth.data(None), absolute=absolute)
        table = growth.data(None)[0]
        sequence = sequence.mapped(lambda one: finished(one, table, growth))
        if self.alpha is not None:
            sequence.chosen = [*sequence].index(sequence.at(alpha=self.alpha))
            return sequence[sequence.chosen].tree, sequence
        if len(sequence) == 1:
            sequence.chosen = 0
            return sequence[0].tree, sequence
        if held_out is not None:
            trees = [entry.tree for entry in sequence]
            losses = losses_of(trees, *judged, self.judge, absolute=absolute)
            alone = losses_of([tree.collapse([0])], *judged, self.judge, absolute=absolute)
            grown = growth.data(None)[1]
            parts = judged[1].total_case_weight, grown.total_case_weight
            risk, error = held_out_risks(losses, *parts)
            unit = held_out_risks(alone, *parts)[0][0]
        else:
            risk, error = self._cross_validate(growth, sequence)
            unit = root_loss(tree, self.judge)
        chosen = choose_by_standard_errors(risk, error, self.se)
        sequence = sequence.with_cross_validation(risk, error, chosen, float(unit))
        return sequence[chosen].tree, sequence

    def n_growths(self, n_rows: int) -> int:
        """Return how many trees are grown at most: one on all rows, and one for each fold.

        Parameters
        ----------
        n_rows : int
            Number of rows of the fit.
        """
        if self.alpha is not None or self.holdout is not None:
            return 1
        return n_growths(self.folds, n_rows)

    def sequence(
        self, tree: Tree, table: _core.Table, target: _core.Target, *, absolute: bool = False
    ) -> TreeSequence:
        """Give the trees that are best at some price, from the tree and its rows.

        Parameters
        ----------
        tree : Tree
            The tree as it was grown.
        table : treewright._core.Table
            The rows it was grown on.
        target : treewright._core.Target
            Their classes or numbers, with weights.
        absolute : bool, default False
            Leaves predict medians.

        Returns
        -------
        TreeSequence
            The trees; the one that was given is the first.
        """
        risk = risk_of(tree, self.risk)
        trimming = Trimming(
            tree,
            table,
            target,
            ConciseTests(self.path, self.refit, self.tau),
            risk=risk,
            complexity=self.complexity,
            complete=self.depth == "complete",
            absolute=absolute,
        )
        visited = list(trimming.all_steps())
        corners, alphas = hull(visited) if self.search == "hull" else _mesh(trimming, visited)
        return TreeSequence(
            [
                entry_of(one.tree, float(alpha), one.complexity, risk)
                for one, alpha in zip(corners, alphas, strict=True)
            ]
        )

    def _cross_validate(self, growth: Growth, sequence: TreeSequence) -> Losses:
        betas = geometric_middles(sequence.alphas)
        absolute = growth.measure.predicts_medians

        def judge(grown: NDArray[np.intp], held_out: NDArray[np.intp]) -> Losses:
            own = self.sequence(growth.grow(grown), *growth.data(grown), absolute=absolute)
            table, target = growth.data(held_out)
            scaled = betas * share_grown(growth, target)
            places = np.searchsorted(own.alphas, scaled, side="right") - 1
            losses = losses_of(
                [entry.tree for entry in own], table, target, self.judge, absolute=absolute
            )
            return losses[0][places], losses[1][places]

        return cross_validated(growth, self.folds, self.n_jobs, judge)


def finished(tree: Tree, table: _core.Table, growth: Growth) -> Tree:
    """Give a tree with new splits what grown trees have: short numbers, and the gain of each split.

    Numbers are the shortest that send the training rows of a node the same way, if the growth has
    such. Gains are those by the measure of the growth, where it is a sum over branches.
    """
    tree = _with_gains(tree, growth.measure)
    if not growth.readable:
        return tree
    core = tree.core
    inner = np.flatnonzero(core.n_branches > 0).tolist()
    rows = NodeRows(tree, table)
    changes = {node: _core.readable_test(core.test(node), table, rows[node]) for node in inner}
    return tree.with_core(core.with_tests(changes)[0])


def _with_gains(tree: Tree, measure: Measure) -> Tree:
    counts_costs = measure.risk == "errors" and len(tree.core.cost)
    if measure.risk is None or not measure.adds_up or counts_costs:
        return tree
    gains = np.maximum(saving(tree, node_risks(tree, measure.risk)), 0.0)
    return tree.with_core(_core.Tree.from_state({**tree.core.state(), "gain": gains}))


def risk_of(tree: Tree, risk: str) -> str:
    """Name the risk that "auto" means for a tree; any other stays as it is."""
    if risk != "auto":
        return risk
    if not tree.is_classification:
        return "squared_error"
    return "errors" if len(tree.core.cost) else "deviance"


def _mesh(trimming: Trimming, visited: list[Visited]) -> tuple[list[Visited], NDArray[np.float64]]:
    """Go down for each of the prices that occurred on the way, and keep what is simpler."""
    prices = sorted({0.0, *(one.ratio for one in visited[1:] if one.ratio > 0.0)})
    found: list[tuple[Visited, float]] = []
    for price in prices:
        reached = trimming.descent(price)
        if not found or reached.complexity < found[-1][0].complexity:
            found.append((reached, price))
    return [one for one, _ in found], np.array([price for _, price in found])
