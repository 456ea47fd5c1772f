"""What becomes of an estimator of readable trees: fitted, or loaded."""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass, field

import numpy as np

from treewright.estimators.fitted import FittedTree
from treewright.exceptions import TimeLimitWarning, brief
from treewright.optimal import Certificate
from treewright.optimal.front import front_of
from treewright.prune import TreeSequence
from treewright.readable.choosing import Thresholds
from treewright.readable.fits import Chosen, Fit
from treewright.readable.lessons import Taught
from treewright.readable.pool import EXACT_DEPTH, EXACT_LEAVES, Budget
from treewright.readable.teacher import Ceiling
from treewright.tree import Tree
from treewright.tree.column_limits import NO_LIMITS
from treewright.words import plural

__all__ = ["Ceiling", "Evidence", "evidence_of", "take"]


@dataclass(frozen=True)
class Evidence:
    """How good a readable tree is, beside what it is measured against.

    Parameters
    ----------
    baseline : float
        Score of one prediction for all rows.
    ceilings : tuple of Ceiling
        Models too large to read.
    score, standard_error : float or None
        Of the tree on held-out rows; None where its size was given.
    teacher : str or None
        Whom it learned from, beside the labels; None without a teacher.
    larger : dict of int to float
        Scores on held-out rows of trees with more leaves than were allowed.
    columns : dict of str to float
        For each column that trees of this size read, those of all rows and of the folds, the
        proportion of these trees; 1: all of them need it.
    sacrificed : tuple of str
        What the time limit cost; empty where there was time for everything.
    thresholds : dict of int to Thresholds
        With two classes, for each size what other thresholds of the probability of the second class
        than one half do on held-out rows; empty where the size was given.
    first_questions : tuple of Tree
        For each set of columns that the first question may read the best tree of at most as many
        leaves, the best of them first; empty where the size was given.
    rows : tuple of int, or None
        How many rows the tree was searched on, and how many there are; None where it saw all.
    """

    baseline: float
    ceilings: tuple[Ceiling, ...]
    score: float | None
    standard_error: float | None
    teacher: str | None
    larger: dict[int, float] = field(default_factory=dict)
    columns: dict[str, float] = field(default_factory=dict)
    sacrificed: tuple[str, ...] = ()
    thresholds: dict[int, Thresholds] = field(default_factory=dict)
    first_questions: tuple[Tree, ...] = ()
    rows: tuple[int, int] | None = None

    @property
    def ceiling(self) -> Ceiling | None:
        """The best of the models that are too large to read."""
        return max(self.ceilings, key=lambda one: one.score, default=None)


def evidence_of(
    chosen: Chosen,
    taught: Taught,
    baseline: float,
    score_error: float | None,
    fit: Fit,
) -> Evidence:
    """Gather what is known of a tree that was chosen."""
    largest = max(chosen.trees)
    names = fit.rows.schema.names
    return Evidence(
        baseline,
        (*taught.ceilings, *chosen.ceilings),
        chosen.scores.get(chosen.leaves),
        score_error,
        taught.teacher,
        {size: score for size, score in chosen.scores.items() if size > largest},
        {
            names[column]: count / chosen.n_trees
            for column, count in sorted(chosen.columns.items(), key=lambda one: (-one[1], one[0]))
        },
        chosen.sacrificed,
        chosen.thresholds,
        chosen.others,
        fit.rows_searched,
    )


def take(model: FittedTree, chosen: Chosen, fit: Fit, began: float) -> None:
    """Give an estimator the tree that was chosen, its Pareto front and a certificate."""
    trees = [chosen.trees[leaves] for leaves in sorted(chosen.trees)]
    model.tree_ = chosen.trees[chosen.leaves]
    model.certificate_ = _certificate(chosen, fit.budget, time.perf_counter() - began)
    if fit.rows_searched is not None:
        model.certificate_ = model.certificate_.on_sample(fit.rows_searched[0])
    model._set_path(_with_held_out(front_of(trees, model.tree_), chosen))
    if chosen.sacrificed:
        warnings.warn(
            f"The time limit left no time for {', '.join(chosen.sacrificed)}; raise 'time_limit' "
            "for a better tree.",
            TimeLimitWarning,
            stacklevel=5,
        )


def _certificate(chosen: Chosen, budget: Budget, seconds: float) -> Certificate:
    """Say what was proved of the tree over the conditions that were proposed."""
    front = chosen.front
    cost = front.costs[chosen.leaves]
    searched = min(chosen.leaves, EXACT_LEAVES)
    what = (
        f"trees of at most {plural(searched, 'leaf')} and depth {min(budget.depth, EXACT_DEPTH)} "
        f"{_under(budget)}over {plural(front.n_searched, 'proposed condition')}"
    )
    if chosen.leaves in front.within:
        names = chosen.trees[chosen.leaves].schema.names
        over = ", ".join(brief(names[column]) for column in sorted(front.within[chosen.leaves]))
        what += f" that read no other columns than {over}"
    if not front.is_exact:
        what += ", counted with rounded numbers or weights,"
    if chosen.leaves in front.grown:
        return Certificate(cost, 0.0, "extended", seconds, what)
    return Certificate(cost, cost, "optimal", seconds, what)


def _under(budget: Budget) -> str:
    """Say which constraints trees keep."""
    limits, words = budget.limits, ""
    if limits.max_columns is not None:
        words = f"with at most {plural(limits.max_columns, 'column')} "
    if limits.of_any_number != NO_LIMITS:
        words += "that keep the constraints "
    if budget.trends:
        words += "that keep the monotonic constraint at the middle of each split "
    return words


def _with_held_out(front: TreeSequence, chosen: Chosen) -> TreeSequence:
    """Add what all rows would lose held out, by what those of the folds lose."""
    if not chosen.risks or front.chosen is None:
        return front
    total = front[0].tree.node(0).weight
    risks = np.array([chosen.risks[leaves] for leaves in front.leaves.tolist()])
    errors = np.array([chosen.errors[leaves] for leaves in front.leaves.tolist()])
    unit = total * chosen.risks[1]
    return front.with_cross_validation(total * risks, total * errors, front.chosen, unit)
