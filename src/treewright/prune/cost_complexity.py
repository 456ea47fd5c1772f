r"""Cost-complexity pruning: the best tree for every complexity parameter, and which to take.

For a price alpha the best pruned tree minimises R(T) + alpha * size(T). Weakest-link pruning
(Breiman, Friedman, Olshen, Stone 1984, chapter 3) finds these trees for all alphas at once; they
are nested. Which one to take is found by cross-validation: trees grown without a fold are pruned at
the alphas in the middle of each range, beta_k = sqrt(alpha_k alpha_(k+1)), scaled to their
proportion of the rows, and judged on that fold. With losses l_i of all n rows, each held out once:

    cv_risk            sum l_i
    cv_standard_error  sqrt(sum l_i^2 - (sum l_i)^2 / n)

Weights count as so many rows, and a row that is divided among branches counts in each of its leaves
by the proportion that ends there.

A part of the rows that is held out of growth may choose instead: the trees of the path are then
judged on it themselves, and no further tree is grown.

The rule of k standard errors takes the smallest tree with a risk of at most the least one plus k of
its standard errors; k = 0 takes the smallest of the best. This is how R's rpart makes its table.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.parameters import Check, choice, fraction, jobs, none, number, one_of
from treewright.measures import Measure
from treewright.prune.base import Growth, Pruner
from treewright.prune.folds import folds_check, hold_out, n_growths
from treewright.prune.held_out import (
    Losses,
    NodeLosses,
    choose_by_standard_errors,
    cross_validated,
    held_out_risks,
    share_grown,
)
from treewright.prune.path import Path, geometric_middles, saving, sums_along
from treewright.prune.risks import RISKS, node_risks
from treewright.tree import Tree

__all__ = ["CostComplexity", "cost_complexity_path", "losses_along"]

PENALTIES = ("leaves", "attributes")


def cost_complexity_path(
    tree: Tree,
    *,
    risk: str | NDArray[np.float64] | None = None,
    penalty: str = "leaves",
    cp: float = 0.0,
) -> Path:
    """Give the nested trees that are best for some complexity parameter.

    Parameters
    ----------
    tree : Tree
        Any tree: oblique, multiway or other.
    risk : str, ndarray or None, default None
        ``errors`` (costs where the tree has a cost matrix), ``gini``, ``entropy``, ``deviance`` or
        ``squared_error``, or one risk a node. None takes errors or squared errors.
    penalty : {"leaves", "attributes"}, default "leaves"
        What is paid for: leaves, or columns in all splits, so that short ones are worth keeping.
    cp : float, default 0
        The smallest alpha of interest, as a proportion of the root's risk.

    Returns
    -------
    Path
        The trees, the largest first; alphas ascend.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> age = [[20], [30], [40], [50], [60], [70], [80], [90]]
    >>> tree = TreeClassifier().fit(age, list("nnnynyyy")).tree_
    >>> [(entry.alpha, entry.leaves) for entry in cost_complexity_path(tree)]
    [(0.0, 4), (0.5, 2), (3.0, 1)]
    """
    CostComplexity(penalty=penalty, cp=cp).check()
    risks = risk if isinstance(risk, np.ndarray) else node_risks(tree, risk)
    if not np.all(np.isfinite(risks)):
        raise ValueError("The 'risk' of every node must be a finite number.")
    return Path(tree, _ends(tree, risks, penalty), risks, cp * float(risks[0]))


class CostComplexity(Pruner):
    """Cost-complexity pruning, the tree chosen by cross-validation or by a given price.

    Parameters
    ----------
    se : float, default 1.0
        The rule of k standard errors: 0 takes the tree with the least cross-validated risk, 1 the
        smallest that is not clearly worse.
    folds : int, array-like of int, or splitter of scikit-learn, default 10
        Number of folds, the fold of each row, or for example a ``KFold``. Folds made here are
        balanced by class (or by the number to predict), and the same in every fit unless the
        estimator has a `random_state`.
    holdout : float or None, default None
        Choose by a hold-out set, this proportion of the rows, instead of by folds. One tree is
        grown where folds grow eleven, but few rows choose: 0.1 is what OC1 and HHCART publish.
    alpha : float or None, default None
        Prune at this complexity parameter, in units of the path's alphas, without held-out rows.
    risk : {"auto", "impurity", "errors", "gini", "entropy", "deviance", "squared_error"}
        What is weighed against size, "auto" by default: errors (costs if the estimator has a
        `cost_matrix`) or squared errors, absolute ones if trees are grown by them. "impurity" is
        the measure trees are grown by, "gini" for those that compare branches (``twoing``,
        ``hellinger``, ``hddt``). Folds are always judged as by "auto".
    penalty : {"leaves", "attributes"}, default "leaves"
        What size means: leaves, or columns in all splits.
    cp : float, default 0.0
        Leave trees out of the path that are best only below this proportion of the root's risk; R's
        rpart has 0.01.
    n_jobs : int or None, default None
        Folds worked on at the same time, by joblib; -1 for all cores, None as many as `n_jobs` of
        the estimator says.

    See Also
    --------
    cost_complexity_path : The trees to choose from, without a choice.
    Trim : The same where splits lose columns before they go.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import TreeClassifier
    >>> from treewright.prune import CostComplexity
    >>> X, y = load_iris(return_X_y=True)
    >>> model = TreeClassifier(min_samples_leaf=5, prune=CostComplexity(se=1)).fit(X, y)
    >>> model.tree_.n_leaves
    3
    """

    _checks: ClassVar[dict[str, Check]] = {
        "se": number(0),
        "folds": folds_check(),
        "holdout": one_of(none(), fraction()),
        "alpha": one_of(none(), number(0)),
        "risk": choice("auto", "impurity", *RISKS),
        "penalty": choice(*PENALTIES),
        "cp": number(0),
        "n_jobs": jobs(),
    }

    def __init__(
        self,
        *,
        se: float = 1.0,
        folds: Any = 10,
        holdout: float | None = None,
        alpha: float | None = None,
        risk: str = "auto",
        penalty: str = "leaves",
        cp: float = 0.0,
        n_jobs: int | None = None,
    ) -> None:
        self.se = se
        self.folds = folds
        self.holdout = holdout
        self.alpha = alpha
        self.risk = risk
        self.penalty = penalty
        self.cp = cp
        self.n_jobs = n_jobs

    @property
    def holds_out(self) -> bool:
        """Whether some rows are held out of growth to choose the tree by."""
        return self.holdout is not None

    def check(self) -> None:
        """Refuse a parameter of a wrong value, and two ways of choosing at once."""
        super().check()
        if self.alpha is not None and self.holdout is not None:
            raise ValueError(
                "Give CostComplexity either 'alpha' or 'holdout' to choose a tree by, not both."
            )

    def prune(self, growth: Growth) -> tuple[Tree, Path | None]:
        """Grow, find the path, and take the tree that held-out rows speak for.

        Parameters
        ----------
        growth : Growth
            The rows of the fit, and how trees are grown on them.
        """
        judged = None
        if self.holdout is not None:
            rows, held_out = hold_out(self.holdout, growth)
            judged, growth = growth.data(held_out), growth.part(rows)
        tree = growth.grow(None)
        path = self.path_of(tree, self._risks(tree, growth, None))
        if path.chosen is not None:
            return path[path.chosen].tree, path
        if judged is None:
            risk, standard_error = self._cross_validate(growth, path)
        else:
            losses = _core.node_losses(
                tree.core, *judged, absolute_error=growth.measure.predicts_medians
            )
            risk, standard_error = held_out_risks(
                losses_along(tree, path.alphas, path.ends, losses),
                judged[1].total_case_weight,
                growth.data(None)[1].total_case_weight,
            )
        return self.choose(path, risk, standard_error)

    def path_of(self, tree: Tree, risks: NDArray[np.float64]) -> Path:
        """Give the trees to choose from; one is chosen where no held-out rows are needed for it.

        Parameters
        ----------
        tree : Tree
            The tree before pruning.
        risks : ndarray of float64
            Risk of each node.

        Returns
        -------
        Path
            The trees.
        """
        path = cost_complexity_path(tree, risk=risks, penalty=self.penalty, cp=self.cp)
        if self.alpha is not None:
            path.chosen = path.position(alpha=self.alpha)
        elif len(path) == 1:
            path.chosen = 0
        return path

    def choose(
        self, path: Path, risk: NDArray[np.float64], standard_error: NDArray[np.float64]
    ) -> tuple[Tree, Path]:
        """Take the tree that held-out rows speak for.

        Parameters
        ----------
        path : Path
            The trees.
        risk, standard_error : ndarray of float64
            What held-out rows lose by each of them.

        Returns
        -------
        tree : Tree
            The one chosen.
        path : Path
            With these numbers.
        """
        chosen = choose_by_standard_errors(risk, standard_error, self.se)
        by_folds = self.holdout is None
        path = path.with_cross_validation(risk, standard_error, chosen, by_folds=by_folds)
        return path[chosen].tree, path

    def losses_of_fold(
        self,
        tree: Tree,
        risks: NDArray[np.float64],
        losses: NodeLosses,
        path: Path,
        share_grown: float,
    ) -> Losses:
        """Sum what the rows of a fold lose by the tree grown without it, for each entry of a path.

        Parameters
        ----------
        tree : Tree
            The tree grown without the fold.
        risks : ndarray of float64
            Risk of each of its nodes.
        losses : tuple of ndarray
            What the fold loses at each of them.
        path : Path
            That of the tree of all rows.
        share_grown : float
            Proportion of all rows outside of the fold.

        Returns
        -------
        tuple of ndarray
            Summed losses and summed squared losses.
        """
        betas = geometric_middles(path.alphas) * share_grown
        return losses_along(tree, betas, _ends(tree, risks, self.penalty), losses)

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

    def _risks(
        self, tree: Tree, growth: Growth, rows: NDArray[np.intp] | None
    ) -> NDArray[np.float64]:
        if self.risk in ("auto", "impurity") and growth.measure.predicts_medians:
            table, target = growth.data(rows)
            return _core.node_losses(tree.core, table, target, absolute_error=True)[0]
        return self.risks_of(tree, growth.measure)

    def risks_of(self, tree: Tree, measure: Measure) -> NDArray[np.float64]:
        """Give the risk of each node by its statistics.

        Parameters
        ----------
        tree : Tree
            The tree.
        measure : Measure
            The impurity it is grown by.

        Returns
        -------
        ndarray of float64
            One risk a node.
        """
        match self.risk:
            case "auto":
                return node_risks(tree, None)
            case "impurity":
                return node_risks(tree, measure.risk)
            case _:
                return node_risks(tree, self.risk)

    def _cross_validate(
        self, growth: Growth, path: Path
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the risk of each entry on held-out rows, and its standard error."""
        absolute = growth.measure.predicts_medians

        def judge(grown: NDArray[np.intp], held_out: NDArray[np.intp]) -> Losses:
            tree = growth.grow(grown)
            table, target = growth.data(held_out)
            risks, share = self._risks(tree, growth, grown), share_grown(growth, target)
            losses = _core.node_losses(tree.core, table, target, absolute_error=absolute)
            return self.losses_of_fold(tree, risks, losses, path, share)

        return cross_validated(growth, self.folds, self.n_jobs, judge)


def _ends(tree: Tree, risks: NDArray[np.float64], penalty: str) -> NDArray[np.float64]:
    """Find for each inner node the alpha at which it is one no longer."""
    size = tree.core.n_branches - 1 if penalty == "leaves" else tree.node_terms
    return _core.weakest_links(tree.core, risks, size.astype(np.float64))


def losses_along(
    tree: Tree, alphas: NDArray[np.float64], ends: NDArray[np.float64], losses: NodeLosses
) -> Losses:
    """Sum what rows lose, and the squares of it, by the tree for each alpha."""

    def at_leaves(
        passing: NDArray[np.float64], stopped: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        at_inner = np.where(tree.core.n_branches > 0, stopped, 0.0)
        return np.asarray(passing[0] - sums_along(alphas, ends, saving(tree, passing) - at_inner))

    return at_leaves(losses[0], losses[2]), at_leaves(losses[1], losses[3])
