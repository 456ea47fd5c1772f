r"""Squeezing: all linear splits of a tree shrink together, by one parameter.

For a proportion s in (0, 1) every linear split is replaced by the point of its L1 path where the
slopes on standardised columns sum to s times those at its end, in absolute value (Truong 2009,
section
5.3), and for s = 1 by the full fit. Rows are sent down again, and splits that send them all one way
go. Columns whose slope is 0 drop out of a split. With `refit` the split is refitted on the columns
left, so that the boundary is not shrunk with the slopes. Complexity need not fall with s.

Trimming mostly loses less at the same complexity; squeezing is here because the thesis has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.parameters import Check, boolean, choice, jobs, number
from treewright.predicates.base import FlatKind
from treewright.prune.base import Growth, Pruner
from treewright.prune.concise import NodeFits
from treewright.prune.elimination import COMPLEXITIES, counted_on, without_empty_branches
from treewright.prune.folds import folds_check, n_growths
from treewright.prune.held_out import (
    JUDGES,
    Judge,
    Losses,
    choose_by_standard_errors,
    cross_validated,
    losses_of,
    root_loss,
)
from treewright.prune.risks import RISKS
from treewright.prune.sequence import TreeSequence, entry_of
from treewright.prune.trim import finished, risk_of
from treewright.tree import Tree
from treewright.tree.use import table_of, target_of

__all__ = ["SHARES", "Squeeze", "squeeze_path"]

SHARES = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05)


def squeeze_path(tree: Tree, X: Any, y: Any, sample_weight: Any = None, **how: Any) -> TreeSequence:
    """Give the trees that squeezing makes of one.

    Parameters
    ----------
    tree : Tree
        Any tree; only linear splits are squeezed.
    X : data frame, 2-D array, list of dicts, or dict of lists
        The rows it was grown on.
    y : array-like or series
        Their classes or numbers.
    sample_weight : array-like of float or None, default None
        Their weights; None gives every row weight 1.
    **how
        `shares`, `refit`, `risk`, `complexity` and `tau` of :class:`Squeeze`.

    Returns
    -------
    TreeSequence
        One tree per proportion; `alpha` is the proportion that is gone.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import TreeClassifier
    >>> from treewright.splits import Logistic
    >>> X, y = load_iris(return_X_y=True)
    >>> split = Logistic(concise=None)
    >>> model = TreeClassifier(split=split, criterion="deviance", min_samples_leaf=5).fit(X, y)
    >>> path = squeeze_path(model.tree_, X, y, shares=(1.0, 0.2, 0.05))
    >>> [int(entry.complexity) for entry in path]
    [6, 5, 4]
    """
    pruner = Squeeze(**how)
    pruner.check()
    table = table_of(X, tree.schema)
    target = target_of(y, tree.schema, table.n_rows, sample_weight)
    return pruner.sequence(tree, table, target)


class Squeeze(Pruner):
    """Squeezing: all linear splits shrink together, by a proportion that cross-validation chooses.

    Parameters
    ----------
    shares : sequence of float, default 1, 0.9, ..., 0.1, 0.05
        How much of the slopes is left, falling.
    refit : bool, default True
        Refit splits on the columns left.
    risk : {"auto", "errors", "gini", "entropy", "deviance", "squared_error"}, default "auto"
        The training risk in the table of trees.
    complexity : {"attributes", "path_average"}, default "attributes"
        1 and the columns in all splits; or their mean on the path to each leaf, summed over leaves.
    se : float, default 1.0
        The rule of k standard errors: 0 takes the proportion with the least held-out risk, 1 the
        least proportion that is not clearly worse.
    folds : int, array-like of int, or splitter of scikit-learn, default 10
        As of :class:`CostComplexity`.
    judge : {"errors", "deviance"}, default "errors"
        What held-out rows lose.
    tau : float, default 1e-4
        The ridge of the fits.
    n_jobs : int or None, default None
        Folds worked on at the same time, by joblib; -1 for all cores, None as many as `n_jobs` of
        the estimator says.

    See Also
    --------
    squeeze_path : The trees to choose from, without a choice.
    Trim : Splits lose columns one at a time.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import TreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = TreeClassifier(split="logistic(None)", prune=Squeeze(), random_state=0).fit(X, y)
    >>> model.tree_.n_leaves
    4
    """

    _checks: ClassVar[dict[str, Check]] = {
        "shares": Check("falling numbers in (0, 1]", lambda value: _are_shares(value)),
        "refit": boolean(),
        "risk": choice("auto", *RISKS),
        "complexity": choice(*COMPLEXITIES),
        "se": number(0),
        "folds": folds_check(),
        "judge": choice(*JUDGES),
        "tau": number(0, above=True),
        "n_jobs": jobs(),
    }

    def __init__(
        self,
        *,
        shares: Sequence[float] = SHARES,
        refit: bool = True,
        risk: str = "auto",
        complexity: str = "attributes",
        se: float = 1.0,
        folds: Any = 10,
        judge: Judge = "errors",
        tau: float = 1e-4,
        n_jobs: int | None = None,
    ) -> None:
        self.shares = shares
        self.refit = refit
        self.risk = risk
        self.complexity = complexity
        self.se = se
        self.folds = folds
        self.judge = judge
        self.tau = tau
        self.n_jobs = n_jobs

    @property
    def keeps_nodes(self) -> bool:
        """No: branches take other rows."""
        return False

    def prune(self, growth: Growth) -> tuple[Tree, TreeSequence | None]:
        """Grow, squeeze, and take the tree that held-out rows speak for.

        Parameters
        ----------
        growth : Growth
            The rows of the fit, and how trees are grown on them.
        """
        tree = growth.grow(None)
        if not np.any(tree.core.kind == FlatKind.LINEAR):
            return tree, None
        table, target = growth.data(None)
        absolute = growth.measure.predicts_medians
        sequence = self.sequence(tree, table, target, absolute=absolute)
        sequence = sequence.mapped(lambda one: finished(one, table, growth))

        def judge(grown: NDArray[np.intp], held_out: NDArray[np.intp]) -> Losses:
            own = self.sequence(growth.grow(grown), *growth.data(grown), absolute=absolute)
            trees = [entry.tree for entry in own]
            return losses_of(trees, *growth.data(held_out), self.judge, absolute=absolute)

        risk, error = cross_validated(growth, self.folds, self.n_jobs, judge)
        chosen = choose_by_standard_errors(risk, error, self.se)
        unit = root_loss(tree, self.judge)
        sequence = sequence.with_cross_validation(risk, error, chosen, unit)
        return sequence[chosen].tree, sequence

    def n_growths(self, n_rows: int) -> int:
        """Return how many trees are grown at most: one on all rows, and one for each fold.

        Parameters
        ----------
        n_rows : int
            Number of rows of the fit.
        """
        return n_growths(self.folds, n_rows)

    def sequence(
        self, tree: Tree, table: _core.Table, target: _core.Target, *, absolute: bool = False
    ) -> TreeSequence:
        """Give one tree per proportion, from the tree and its rows.

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
        tree = counted_on(tree, table, target, absolute=absolute)
        fits = NodeFits(tree, table, target, self.tau)
        shares = [float(share) for share in self.shares]
        models: dict[int, list[_core.LogisticModel]] = {}
        for node, columns in fits.sums():
            fit = fits.models(node, columns)
            if fit.can_fit:
                models[node] = fit.squeezed(shares, self.refit)
        risk = risk_of(tree, self.risk)
        entries = []
        for place, share in enumerate(shares):
            chosen = {node: found[place] for node, found in models.items()}
            squeezed = _squeezed(tree, chosen, table, target, absolute=absolute)
            complexity = COMPLEXITIES[self.complexity](squeezed)
            entries.append(entry_of(squeezed, 1.0 - share, complexity, risk))
        return TreeSequence(entries)


def _squeezed(
    tree: Tree,
    models: dict[int, _core.LogisticModel],
    table: _core.Table,
    target: _core.Target,
    *,
    absolute: bool,
) -> Tree:
    """Give the splits of a tree the boundaries of these models; a model may have no column left."""
    changes = {
        node: (model.test, model.is_swapped) for node, model in models.items() if model.columns
    }
    core, origin = tree.core.with_tests(changes)
    # Without columns, all rows go where the model has them.
    stand_in = np.arange(core.n_nodes, dtype=np.int32)
    for node in range(core.n_nodes - 1, -1, -1):
        model = models.get(int(origin[node]))
        if model is not None and not model.columns:
            branch = 1 if model.intercept >= 0.0 else 0
            stand_in[node] = stand_in[int(core.first_child[node]) + branch]
    core, _ = core.splice(stand_in)
    core, _ = without_empty_branches(_core.refit(core, table, target, absolute))
    return tree.with_core(core)


def _are_shares(value: Any) -> bool:
    if isinstance(value, str) or not isinstance(value, Sequence | np.ndarray) or len(value) == 0:
        return False
    share = number(0, 1, above=True)
    falling = all(share.accepts(one) for one in value)
    return falling and all(one > two for one, two in pairwise(value))
